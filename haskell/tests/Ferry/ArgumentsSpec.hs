-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE DataKinds #-}
{-# LANGUAGE OverloadedStrings #-}
{-# LANGUAGE ScopedTypeVariables #-}

-- | What goes into a program and comes out of it: parameters that are set together, results that are read together,
-- numbers that stand for themselves, memory at its own width, jumps on a value. And what does not belong into a
-- program: values, parameters and cells of another one, and threads that do not own it.
module Ferry.ArgumentsSpec (spec) where

import Control.Concurrent
import Control.Exception (SomeException, displayException, throwIO, try)
import Control.Monad
import Data.Bits (bit, shiftL, (.&.), (.|.))
import qualified Data.ByteString as ByteString
import Data.Int (Int16, Int32, Int64, Int8)
import Data.List (isInfixOf)
import Data.Proxy (Proxy (..))
import qualified Data.Vector.Storable as Storable
import qualified Data.Vector.Storable.Mutable as Mutable
import Data.Word (Word16, Word32, Word8)
import qualified Ferry.Batch as Batch
import Ferry.Call
import Ferry.Error
import Ferry.Runtime (withCapabilities)
import Ferry.Tree (inside, withFolder)
import Foreign.C.Types (CInt, CLong, CSize)
import Foreign.Ptr (FunPtr, Ptr)
import Foreign.Storable (Storable (sizeOf))
import Test.Hspec

foreign import ccall "&model_add" addAt :: FunPtr (CLong -> CLong -> IO CLong)

foreign import ccall "&model_weigh"
  weighAt :: FunPtr (CLong -> CLong -> CLong -> CLong -> CLong -> CLong -> IO CLong)

foreign import ccall "&model_half" halfAt :: FunPtr (Double -> Double)

foreign import ccall "&abs" absAt :: FunPtr (CInt -> CInt)

foreign import ccall "&model_store_long" storeAt :: FunPtr (Ptr CLong -> CLong -> IO ())

add :: Value CLong -> Value CLong -> Program 'Functions (Value CLong)
add = call (function "add" addAt)

store :: Value (Ptr CLong) -> Value CLong -> Program 'Functions (Value ())
store = call (function "store" storeAt)

absolute :: Value CInt -> Program 'Functions (Value CInt)
absolute = call (function "abs" absAt)

spec :: Spec
spec = do
  describe "vectors" vectors
  describe "records" records
  describe "numbers" numbers
  describe "jumps on a value" jumps
  describe "memory" memory
  describe "another program's" foreigners
  describe "another thread" owners

vectors :: Spec
vectors = do
  it "set parameters and take results, in every mode" . forM_ [minBound .. maxBound] $ \mode ->
    forM_ [0, 1, 2, 100] $ \size -> do
      ((as, bs), prepared) <- prepareWith $ do
        as <- parameterVector size
        bs <- parameterVector size
        _ <- add 1 2
        sums <- forM [0 .. size - 1] $ \k -> add (givenAt as k) (givenAt bs k)
        pure ((as, bs), outputs sums)
      forM_ [1, 7 :: CLong] $ \factor -> do
        let xs = Storable.generate size ((* factor) . fromIntegral)
        setParameters prepared as xs
        setParameters prepared bs (Storable.map (* 1000) xs)
        runPrepared mode prepared `shouldReturn` Storable.map (* 1001) xs
  it "of narrow and of floating types" $ do
    ((as, ds), prepared) <- prepareWith $ do
      as <- parameterVector 3
      ds <- parameterVector 2
      firsts <- mapM (absolute . givenAt as) [0 .. 2]
      seconds <- mapM (call (function "half" halfAt) . givenAt ds) [0, 1]
      pure ((as, ds), (,) <$> outputs firsts <*> outputs seconds)
    setParameters prepared as (Storable.fromList [-1, 2, -2147483647])
    setParameters prepared ds (Storable.fromList [3, -5])
    runPrepared Adaptive prepared
      `shouldReturn` (Storable.fromList [1, 2, 2147483647], Storable.fromList [1.5, -2.5])
  it "whose results are fed on lie apart" $ do
    found <- run Adaptive $ do
      first <- add 1 2
      second <- add first first
      third <- add second 1
      pure (outputs [third, first, second])
    found `shouldBe` Storable.fromList [7, 3, 6]
  it "write results into a vector of the caller's" $ do
    prepared <- prepare (outputsInto <$> mapM (`add` 1) [1, 2, 3])
    into <- runPrepared Adaptive prepared
    made <- Mutable.replicate 3 0
    into made
    Storable.freeze made `shouldReturn` Storable.fromList [2, 3, 4]
    short <- Mutable.replicate 2 0
    refusedWith Nothing "room for 2" (into short)
  it "say which result is not there" $ do
    found <- try . run Adaptive $ do
      first <- add 1 2
      skipped <- ifFailed first (absolute 1)
      pure (void (outputs [retype first, skipped]))
    found `shouldBe` Left (NotRun "abs" Nothing)
  it "have an element for each parameter" $ do
    (as, prepared) <- prepareWith $ do
      as <- parameterVector 2
      total <- add (givenAt as 0) (givenAt as 1)
      pure (as, output total)
    refusedWith Nothing "the parameters are 2, the vector has 3" $
      setParameters prepared as (Storable.fromList [1, 2, 3])
  it "have no parameter beyond the last" $
    forM_ [-1, 2] $ \index ->
      refusedWith (Just "add") "there is no parameter" . prepare $
        parameterVector 2 >>= \as -> add (givenAt as index) 1 >> pure (pure ())

data Sides = Sides {sideA :: CLong, sideB :: CLong, sideRest :: Storable.Vector CLong}

records :: Spec
records = do
  it "set their parts" $ do
    (sides, prepared) <- prepareWith $ do
      a <- parameter
      b <- parameter
      rest <- parameterVector 4
      let weigh = call (function "weigh" weighAt) (given a) (given b)
      found <- weigh (givenAt rest 0) (givenAt rest 1) (givenAt rest 2) (givenAt rest 3)
      pure ((sideA >$< input a) <> (sideB >$< input b) <> (sideRest >$< inputs rest), output found)
    forM_ [0, 5] $ \k ->
      runWith Adaptive prepared sides (Sides (1 + k) 2 (Storable.fromList [3, 4, 5, 6])) `shouldReturn` (183 + k)
  it "set a parameter wherever it stands, and one that stands nowhere" $ do
    (which, prepared) <- prepareWith $ do
      unused <- parameter
      a <- parameter
      b <- parameter
      first <- add (given a) (given b)
      second <- add (given a) (given a)
      third <- add first (given b)
      pure ((input unused, input a, input b), (,,) <$> output first <*> output second <*> output third)
    let (unused, a, b) = which
    setInput prepared unused (1 :: CLong)
    forM_ [1, 10] $ \k -> do
      setInput prepared a k
      setInput prepared b (100 * k)
      runPrepared Adaptive prepared `shouldReturn` (101 * k, 2 * k, 201 * k)

numbers :: Spec
numbers = do
  it "stand for themselves" $ do
    run Unsafe (output <$> add 40 (-2)) `shouldReturn` 38
    run Unsafe (output <$> call (function "half" halfAt) 2.5) `shouldReturn` 1.25
    run Unsafe (output <$> absolute (-3 * 5 - negate 1)) `shouldReturn` 14
  it "are computed in their type" $
    run Unsafe (output <$> absolute (literal maxBound + 2)) `shouldReturn` 2147483647
  it "are not computed of results" $
    refusedWith (Just "add") "call a C function" . prepare $ do
      first <- add 1 2
      output <$> add (first + 1) 2

jumps :: Spec
jumps = do
  it "end a program at a value, in every mode" . forM_ [minBound .. maxBound] $ \mode ->
    forM_ [(1 :: CInt, [Just 1]), (3, [Just 1, Just 2, Just 3]), (9, map Just [1 .. 5])] $ \(end, wanted) -> do
      found <- run mode $ do
        steps <- forM [1 .. 5] $ \k -> do
          step <- absolute (literal k)
          step <$ finishIfEqual step (literal end)
        pure (traverse outputIfRan steps)
      takeWhile (/= Nothing) found `shouldBe` wanted
      length found `shouldBe` 5
  it "skip calls or take them" . forM_ [100, 101] $ \status -> do
    found <- run Adaptive $ do
      step <- absolute (literal status)
      equal <- ifEqual step 101 (absolute 1)
      other <- unlessEqual step 101 (absolute 2)
      label <- newLabel
      jumpIfEqual step 100 label
      third <- absolute 3
      place label
      _ <- absolute 4
      pure ((,,) <$> outputIfRan equal <*> outputIfRan other <*> outputIfRan third)
    found `shouldBe` if status == 101 then (Just 1, Nothing, Just 3) else (Nothing, Just 2, Nothing)
  it "compare doubles as C does" $
    forM_ [(0, -0.0, True), (1.5, 1.5, True), (1.5, 2, False), (0 / 0, 0 / 0, False)] $ \(a, b, equal) -> do
      found <- run Adaptive $ do
        skipped <- ifEqual (literal (a :: Double)) (literal b) (absolute 1)
        pure (outputIfRan skipped)
      found `shouldBe` (if equal then Just 1 else Nothing)

memory :: Spec
memory = do
  it "is read at its own width, whatever lies behind it" $ do
    forM_ [0, 5, 255] (narrow (Proxy :: Proxy Word8))
    forM_ [0, 5, -1, -128] (narrow (Proxy :: Proxy Int8))
    forM_ [0, 5, 65534] (narrow (Proxy :: Proxy Word16))
    forM_ [0, 5, -2] (narrow (Proxy :: Proxy Int16))
    forM_ [0, 5, 4294967293] (narrow (Proxy :: Proxy Word32))
    forM_ [0, 5, -3] (narrow (Proxy :: Proxy Int32))
    forM_ [0, 5, -4] (narrow (Proxy :: Proxy Int64))
  it "is so by system calls, too" . withFolder $ \folder -> do
    ByteString.writeFile (folder ++ "/file") "\5\0abcdefgh"
    found <- Batch.run Adaptive $ do
      path <- constantBytes (inside folder "file")
      fd <- Batch.open path Batch.oRdonly 0
      sizes <- cells 5 :: Program 'Batch.SystemCalls (Cell Word16)
      _ <- Batch.read fd (address sizes) 10
      buffer <- cells 100 :: Program 'Batch.SystemCalls (Cell Word8)
      count <- Batch.pread fd (address buffer) (retype (contents sizes) :: Value CSize) 0
      whole <- cells 4
      clipped <- Batch.preadInto fd whole 2
      _ <- Batch.close fd
      pure ((,,) <$> Batch.result count <*> Batch.result clipped <*> readBytes (pure 9) whole)
    found `shouldBe` (5, 4, "abcd")
  it "ends where it was made to end" $ do
    let past = "beyond its end"
    refusedWith Nothing past . prepare $ do
      small <- cell :: Program 'Functions (Cell Int32)
      absolute 1 >> pure (readCell (cellAt 0 small :: Cell Int64))
    refusedWith Nothing past . prepare $ do
      some <- cells 2 :: Program 'Functions (Cell Int32)
      absolute 1 >> pure (readCell (cellAt 5 some :: Cell Int32))
    refusedWith Nothing past . prepare $ do
      some <- cells 2 :: Program 'Functions (Cell Int32)
      absolute 1 >> pure (readCell (cellAt (-1) some :: Cell Int8))
    refusedWith (Just "abs") past . prepare $ do
      none <- cells 0 :: Program 'Functions (Cell CInt)
      absolute (contents none) >> pure (pure ())
    refusedWith (Just "store") past . prepare $ do
      one <- cell :: Program 'Functions (Cell CLong)
      store (address (cellAt 9 one)) 1 >> pure (pure ())

-- | A call that takes what is in a cell of this type gets this word, with every bit behind the cell set.
narrow :: forall a. Argument a => Proxy a -> CLong -> Expectation
narrow _ word = do
  found <- run Adaptive $ do
    both <- cells 2 :: Program 'Functions (Cell CLong)
    _ <- store (address both) (literal pattern')
    _ <- store (address (cellAt 8 both)) (-1)
    taken <- add (retype (contents (cellAt 0 both :: Cell a))) 0
    pure (output taken)
  found `shouldBe` word
  where
    bits = 8 * sizeOf (undefined :: a)
    pattern' = if bits == 64 then word else (-1) `shiftL` bits .|. word .&. (bit bits - 1)

foreigners :: Spec
foreigners = do
  it "value is found out, also in a program of the same length" $ do
    value <- run Unsafe (absolute 1 >> fmap pure (absolute 2))
    let longer = replicateM_ 3 (absolute 1)
    refusedWith (Just "abs") "values of the same program" . prepare $
      longer >> absolute value >> pure (pure ())
    refusedWith Nothing "a call of this program" . prepare $
      longer >> finish value OnZero >> pure (pure ())
    refusedWith Nothing "a call of the same program" . prepare $
      longer >> pure (output value)
    refusedWith Nothing "a call of the same program" . prepare $
      longer >> pure (outputs [value])
  it "parameter is found out" $ do
    (which, prepared) <- prepareWith $ do
      which <- parameter
      (,) which . output <$> absolute (given which)
    (others, _) <- prepareWith (parameterVector 1 >>= \others -> (,) others . output <$> absolute (givenAt others 0))
    (_, other) <- prepareWith $ do
      _ <- parameter :: Program 'Functions (Parameter CInt)
      (,) () . output <$> absolute 1
    refusedWith Nothing "another program's" (setParameter other which 1)
    refusedWith Nothing "another program's" (setParameters prepared others (Storable.singleton 1))
    refusedWith Nothing "another program's" (runWith Unsafe other (input which) 1)
    refusedWith (Just "abs") "another program" (prepare (output <$> absolute (given which)))
  it "cell is found out" $ do
    at <- run Unsafe (cell >>= \at -> absolute 1 >> pure (pure (at :: Cell CInt)))
    refusedWith (Just "abs") "another program" . prepare $ do
      _ <- cell :: Program 'Functions (Cell CInt)
      output <$> absolute (contents at)
    refusedWith Nothing "another program" . prepare $ do
      _ <- cell :: Program 'Functions (Cell CInt)
      absolute 1 >> pure (readCell at)

owners :: Spec
owners = do
  it "does not use a program that belongs to this one, until it is handed over" $ do
    (which, prepared) <- prepareWith $ do
      which <- parameter
      (,) which . output <$> absolute (given which)
    setParameter prepared which (-1)
    me <- myThreadId
    let belongs = "belongs to " ++ show me
    inThread (refusedWith Nothing belongs (runPrepared Adaptive prepared))
    inThread (refusedWith Nothing belongs (runPrepared_ Safe prepared))
    inThread (refusedWith Nothing belongs (setParameter prepared which 2))
    runPrepared Adaptive prepared `shouldReturn` 1
    handOver prepared
    inThread $ do
      runPrepared Adaptive prepared `shouldReturn` 1
      setParameter prepared which (-2)
      runPrepared Adaptive prepared `shouldReturn` 2
    refusedWith Nothing "call handOver" (runPrepared Adaptive prepared)
  it "never makes results wrong unnoticed" . withCapabilities 2 $ do
    (which, prepared) <- prepareWith $ do
      which <- parameter
      (,) which . output <$> add (given which) 0
    done <- forM [1 .. 4 :: CLong] $ \number -> do
      result <- newEmptyMVar
      void . forkIO $ do
        ran <- forM [1 .. 5000] $ \turn -> try $ do
          setParameter prepared which (number * 10000 + turn)
          found <- runPrepared Adaptive prepared
          pure (found == number * 10000 + turn)
        putMVar result [either (\(_ :: ProgramError) -> Nothing) Just one | one <- ran]
      pure result
    found <- mapM takeMVar done
    -- one of them has the program, the others are refused
    length (filter (== replicate 5000 (Just True)) found) `shouldBe` 1
    length (filter (== replicate 5000 Nothing) found) `shouldBe` 3
  it "takes turns by handing over" . withCapabilities 2 $ do
    (which, prepared) <- prepareWith $ do
      which <- parameter
      (,) which . output <$> add (given which) 0
    lock <- newMVar ()
    done <- forM [1 .. 3 :: CLong] $ \number -> do
      result <- newEmptyMVar
      void . forkIO $ do
        ran <- forM [1 .. 500] $ \turn -> withMVar lock $ \() -> try $ do
          found <- runWith Adaptive prepared (input which) (number * 10000 + turn)
          handOver prepared
          pure (found - number * 10000 - turn)
        putMVar result [either (\(_ :: ProgramError) -> Nothing) Just one | one <- ran]
      pure result
    found <- mapM takeMVar done
    concat found `shouldBe` replicate 1500 (Just 0)

inThread :: IO () -> IO ()
inThread act = do
  done <- newEmptyMVar
  void (forkIO (try act >>= putMVar done))
  takeMVar done >>= either (\failure -> throwIO (failure :: SomeException)) pure

-- | The action is refused: by this call, in words that have these.
refusedWith :: Maybe String -> String -> IO a -> Expectation
refusedWith name wanted act = do
  found <- try (void act)
  case found of
    Left refusal -> do
      programErrorCall refusal `shouldBe` name
      displayException refusal `shouldSatisfy` isInfixOf wanted
    Right () -> expectationFailure ("was not refused: " ++ wanted)
