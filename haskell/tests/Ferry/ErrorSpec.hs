-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE DataKinds #-}

-- | Every program that cannot be a batch is refused when it is prepared, by a sentence that says what to do.
module Ferry.ErrorSpec (spec) where

import Control.Exception (displayException, try)
import Control.Monad (foldM, forM_, replicateM, replicateM_, void)
import qualified Data.ByteString.Char8 as Char8
import Data.List (isInfixOf)
import qualified Ferry.Batch as Batch
import Ferry.Call
import Ferry.Error
import Foreign.C.Types (CInt, CLong)
import Foreign.Ptr (FunPtr)
import Test.Hspec

foreign import ccall "&abs" absAt :: FunPtr (CInt -> CInt)

foreign import ccall "&model_weigh"
  sixAt :: FunPtr (CLong -> CLong -> CLong -> CLong -> CLong -> CLong -> IO CLong)

-- only named: a function of seven arguments has no place in a batch
foreign import ccall "&model_weigh"
  sevenAt :: FunPtr (CLong -> CLong -> CLong -> CLong -> CLong -> CLong -> CLong -> IO CLong)

type Refused = Program 'Functions (Output ())

spec :: Spec
spec = do
  describe "refuses, and says what to do about," refusals
  describe "a call that did not run" notRun
  it "refuses a program of system calls in the same words" $
    Batch.prepare (pure (pure ()) :: Program 'SystemCalls (Output ()))
      `shouldRefuse` (Nothing, "at least one call: add one")

refusals :: Spec
refusals = do
  ofShapes
  ofLabels
  ofValues

ofShapes :: Spec
ofShapes = do
  refused "a program without calls" Nothing "at least one call: add one" (pure (pure ()))
  refused "more than six arguments" (Just "seven") "pass a pointer to a structure" $
    done (call (function "seven" sevenAt) one' one' one' one' one' one' one')
  refused "more memory than a program may have" Nothing "pass a pointer" $ do
    void (cells maxBound :: Program 'Functions (Cell Double))
    void (absolute 2)
    end
  refused "more calls, with their word copies, than a batch has slots" Nothing "split the program" $ do
    first <- call (function "weigh" sixAt) one' one' one' one' one' one'
    replicateM_ 149797 (call (function "weigh" sixAt) first first first first first first)
    end

ofLabels :: Spec
ofLabels = do
  refused "a label placed before the call that jumps to it" (Just "abs") "place the label once, after every call" $ do
    label <- newLabel
    place label
    first <- absolute 1
    jump first OnZero label
    end
  refused "ifFailed of a call that is not the last" Nothing "put them right after it" $ do
    first <- absolute 1
    void (absolute 2)
    ifFailed first (void (absolute 3))
    end
  refused "unlessFailed of a call that is not the last" Nothing "put them right after it" $ do
    first <- absolute 1
    void (absolute 2)
    unlessFailed first (void (absolute 3))
    end
  refused "a label placed twice" Nothing "place the label once" $ do
    label <- newLabel
    first <- absolute 1
    jump first OnZero label
    place label
    void (absolute 2)
    place label
    end
  refused "a jump to a label that is nowhere" Nothing "add place for it" $ do
    label <- newLabel
    first <- absolute 1
    jump first OnZero label
    end
  refused "an outcome that goes to two places" (Just "abs") "set each outcome once" $ do
    first <- absolute 1
    finish first OnZero
    finish first OnZero
    end
  refused "an outcome that ifFailed has and another jump" (Just "abs") "set each outcome once" $ do
    first <- absolute 1
    void (ifFailed first (absolute 2))
    finish first OnPositive
    end
  refused "a jump over more than 32767 slots" (Just "abs") "place the label nearer" $ do
    label <- newLabel
    first <- absolute 1
    jump first OnZero label
    replicateM_ 32768 (absolute 2)
    place label
    void (absolute 3)
    end
  it "a label of another program" $ do
    labels <- run Unsafe (replicateM 3 newLabel >>= \labels -> absolute 1 >> pure (pure labels))
    forM_ labels $ \label -> do
      prepare (absolute 1 >>= \first -> jump first OnZero label >> end) `shouldRefuse` (Nothing, "another program's")
      prepare (absolute 1 >> place label >> end) `shouldRefuse` (Nothing, "another program's")

ofValues :: Spec
ofValues = do
  refused "a jump of a constant" Nothing "not for a constant" (absolute 1 >> finish (literal (1 :: CInt)) OnZero >> end)
  refused "a jump of a parameter" Nothing "not for a constant" $ do
    index <- parameter
    void (absolute 1)
    finish (given (index :: Parameter CInt)) OnZero
    end
  refused "an output of a constant" Nothing "not a constant" (absolute 1 >> pure (void (output (literal (1 :: CInt)))))
  refused "an output of a constant among others" Nothing "not a constant" $ do
    first <- absolute 1
    pure (void ((,) <$> output first <*> fmap negate (output (literal (1 :: CInt)))))
  refused "an output of a constant, if it ran" Nothing "not a constant" $
    absolute 1 >> pure (void (outputIfRan (literal (1 :: CInt))))
  it "a value of another, longer program" $ do
    value <- run Unsafe (absolute 1 >> fmap pure (absolute 2))
    prepare (absolute 1 >> call (function "abs" absAt) value >> end)
      `shouldRefuse` (Just "abs", "values of the same program")
    prepare (absolute 1 >> finish value OnZero >> end) `shouldRefuse` (Nothing, "a call of this program")
    prepare (absolute 1 >> pure (output value)) `shouldRefuse` (Nothing, "a call of the same program")

notRun :: Spec
notRun = do
  let program = do
        first <- absolute 1
        skipped <- ifFailed first (absolute 2)
        pure (first, skipped)
  it "has no result, says NotRun by name" $ do
    found <- try (run Unsafe (output . snd <$> program))
    found `shouldBe` Left (NotRun "abs" Nothing)
    displayException (NotRun "abs" Nothing) `shouldSatisfy` isInfixOf "read it with outputIfRan"
  it "does not keep the others from being read" $
    run Unsafe (fmap (\(first, skipped) -> (,) <$> output first <*> outputIfRan skipped) program)
      `shouldReturn` (1, Nothing)
  it "is named with its path" $ do
    let path = Char8.pack "/nowhere at all"
    found <- try . Batch.run Unsafe $ do
      at <- constantBytes path
      first <- Batch.close (literal (-1))
      skipped <- unlessFailed first (Batch.openat (literal (-1)) at (literal 0) (literal 0))
      pure (void (Batch.result skipped))
    found `shouldBe` Left (NotRun "openat" (Just path))
  it "is an exception in the chain of outputs, not in the run" $ do
    let chain = foldM (\value _ -> call (function "abs" absAt) value) (literal 3)
    prepared <-
      prepare (program >>= \(first, skipped) -> chain [1 .. 5 :: Int] >> pure (output skipped *> output first))
    runPrepared_ Safe prepared
    runPrepared Safe prepared `shouldThrow` (== NotRun "abs" Nothing)

-- | The program is refused when it is prepared: by this call, in words that have these.
refused :: String -> Maybe String -> String -> Refused -> Spec
refused what name words' program = it what (prepare program `shouldRefuse` (name, words'))

shouldRefuse :: IO (Prepared a) -> (Maybe String, String) -> Expectation
shouldRefuse preparing (name, words') = do
  found <- try (void preparing)
  case found of
    Left refusal -> do
      programErrorCall refusal `shouldBe` name
      displayException refusal `shouldSatisfy` isInfixOf words'
      displayException refusal `shouldSatisfy` (not . isInfixOf "batch_")
    Right () -> expectationFailure "was prepared"

absolute :: CInt -> Program 'Functions (Value CInt)
absolute = call (function "abs" absAt) . literal

one' :: Value CLong
one' = literal 1

end :: Refused
end = pure (pure ())

done :: Program 'Functions a -> Refused
done = (>> end)
