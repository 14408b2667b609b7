-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE DataKinds #-}
{-# LANGUAGE MagicHash #-}

-- | Every vector of @spec/vectors@, on the executors that need nothing of the machine, in every mode.
--
-- What the runner in C checks and this one does not: that @errno@ stays as it was (R9), because the runtime system
-- saves and restores it around what it runs in between; and that no process was made, since this process runs all of
-- them and would be seen to end.
module Ferry.VectorsSpec (spec) where

import Control.Exception (bracket)
import Control.Monad (filterM, forM, forM_, unless)
import Data.Int (Int64)
import Data.List (isSuffixOf, sort)
import Data.Maybe (fromMaybe)
import Data.Word (Word8)
import Ferry.Call (Mode, call, function, literal, prepare, runPrepared)
import Ferry.Internal.C (programBytes)
import Ferry.Internal.Prepare (Prepared (..))
import Ferry.Internal.Spec (batchArgsMax)
import Ferry.Model.Functions (wordDouble)
import Ferry.Vectors.Bind
import Ferry.Vectors.Parse
import Foreign.C.Types (CInt (..), CSize (..), CULong (..))
import Foreign.Marshal.Alloc (allocaBytes)
import Foreign.Marshal.Array (allocaArray, peekArray, withArray)
import Foreign.Marshal.Utils (fillBytes)
import Foreign.Ptr
import Foreign.Storable (peek, peekElemOff)
import GHC.Exts (Int (I#))
import System.Directory (doesDirectoryExist, getCurrentDirectory, listDirectory, setCurrentDirectory)
import Test.Hspec (Expectation, Spec, expectationFailure, it, runIO, shouldSatisfy)

data Executor = OnNull | OnLoop | OnSystemCalls | OnFunctions
  deriving (Enum, Eq)

-- unsafe: it only reads and writes memory
foreign import ccall unsafe "vectors_prepare"
  cPrepare ::
    Ptr program ->
    CInt ->
    Ptr Word8 ->
    Ptr Word8 ->
    Ptr Int64 ->
    Ptr Word8 ->
    CSize ->
    CULong ->
    Ptr Int64 ->
    IO CInt

foreign import ccall unsafe "vectors_table_bytes" cTableBytes :: CSize

foreign import ccall "&abs" absAt :: FunPtr (CInt -> CInt)

spec :: Spec
spec = do
  folder <- runIO findFolder
  names <- runIO (sort . filter (".batch" `isSuffixOf`) <$> listDirectory folder)
  it "are found" $ length names `shouldSatisfy` (> 90)
  forM_ names $ \text -> it text $ do
    parsed <- parseVector <$> readFile (folder ++ "/" ++ text)
    case parsed of
      Left wrong -> expectationFailure wrong
      -- a vector may change the folder that the process is in
      Right vector ->
        bracket getCurrentDirectory setCurrentDirectory $ \_ -> forM_ (executorsOf vector) (runVector vector)

-- | The tests run in their package's folder, in the repository's, or in the one between the two.
findFolder :: IO FilePath
findFolder = filterM doesDirectoryExist ["vectors", "spec/vectors", "../spec/vectors"] >>= oneOf
  where
    oneOf (folder : _) = pure folder
    oneOf [] = fail "there is no folder vectors or spec/vectors: run the tests in haskell/tests"

executorsOf :: Vector -> [Executor]
executorsOf vector = if vectorFunctions vector then [OnFunctions] else [OnNull, OnLoop, OnSystemCalls]

executorName :: Executor -> String
executorName executor = case executor of
  OnNull -> "null"
  OnLoop -> "loop"
  _ -> "call"

runVector :: Vector -> Executor -> Expectation
runVector vector executor = case expectationFor (executorName executor) vector of
  Nothing -> expectationFailure ("nothing is said of " ++ executorName executor)
  Just wanted -> forM_ [minBound .. maxBound] $ \mode -> withBound vector $ \bound -> do
    complaints <- runOnce vector executor wanted mode bound
    unless (null complaints) $
      expectationFailure (unlines (("on " ++ executorName executor ++ ", " ++ show mode ++ ":") : complaints))

-- | Prepare and run as the vector says. What is not as it should be.
runOnce :: Vector -> Executor -> Wanted -> Mode -> Bound -> IO [String]
runOnce vector executor wanted mode bound =
  allocaBytes (fromIntegral programBytes) $ \program ->
    allocaBytes (fromIntegral cTableBytes) $ \table -> do
      fillBytes program 0 (fromIntegral programBytes)
      refusal <- prepareVector vector executor bound program table
      before <- readSlots bound count
      complaints <- case (wanted, refusal) of
        (Refused code reason slot, Just found) -> checkRefusal bound count (code, reason, slot) found
        (Refused {}, Nothing) -> pure ["is not refused"]
        (Ran {}, Just found) -> pure ["is refused: " ++ show found]
        (Ran results lastRan, Nothing) -> do
          found <- runRaw mode program
          wrong <- checkResults bound results lastRan found
          afters <- if executor == OnNull && hasOwnLine then pure [] else checkAfters vector bound
          pure (wrong ++ afters)
      guard <- peekElemOff (boundRets bound) count
      after <- readSlots bound count
      pure $
        complaints
          ++ ["wrote behind the results" | guard /= untouched count]
          ++ ["changed the slots" | not hasWordCopy, before /= after]
  where
    count = slotCountOf vector
    hasWordCopy = or [True | (_, Slot (Left "wdcpy") _ _) <- vectorLines vector]
    hasOwnLine = executorName executor `elem` map fst (vectorExpectations vector)

-- | What a refusal says: the code, the reason, the slot.
prepareVector :: Vector -> Executor -> Bound -> Ptr () -> Ptr Word8 -> IO (Maybe (Int64, Int64, Int64))
prepareVector vector executor bound program table = do
  numbers <- forM slots (either (numberOf names) (pure . fromIntegral) . slotCall)
  -- an entry takes as many arguments as the first slot with its number, so that only slots that disagree are refused
  let argcs = [(nr, argc) | (nr, argc) <- zip numbers (map argcOf slots), argc <= batchArgsMax]
      argcTable = [maybe 0 fromIntegral (lookup nr argcs) | nr <- [0 .. 511]]
  withArray argcTable $ \argc -> allocaArray 3 $ \out -> do
    code <-
      cPrepare
        program
        (fromIntegral (fromEnum executor))
        table
        argc
        (arrayAt (vectorRetsArray vector) (boundRets bound))
        (arrayAt (vectorSlotsArray vector) (boundSlots bound))
        (maybe (fromIntegral (slotCountOf vector)) fromIntegral (vectorCount vector))
        (fromIntegral (vectorFlags vector))
        out
    found <- peekArray 3 out
    pure $ case found of
      [_, reason, slot] | code /= 0 -> Just (fromIntegral code, reason, slot)
      _ -> Nothing
  where
    names = if vectorFunctions vector then FunctionNames else CallNames
    slots = map snd (vectorLines vector)
    argcOf slot = fromMaybe (length (slotArguments slot)) (lookup "argc" (slotSettings slot))

arrayAt :: Array -> Ptr a -> Ptr a
arrayAt array at = case array of
  Good -> at
  Null -> nullPtr
  Misaligned -> at `plusPtr` 1

-- | Run a prepared batch that no program of the package describes: a program of the package lends its form.
runRaw :: Mode -> Ptr () -> IO Int
runRaw mode program = do
  lent <- prepare (call (function "abs" absAt) (literal 1) >> pure (pure (0 :: Int)))
  runPrepared mode $
    lent {preparedProgram = castPtr program, preparedRan = nullPtr, preparedRead = \lastRan -> pure (I# lastRan)}

checkRefusal :: Bound -> Int -> (String, String, Maybe Int) -> (Int64, Int64, Int64) -> IO [String]
checkRefusal bound count (code, reason, slot) found = do
  code' <- numberOf ConstantNames code
  reason' <- numberOf ReasonNames reason
  rets <- peekArray count (boundRets bound)
  let wanted = (negate code', reason', maybe (-1) fromIntegral slot)
  pure $
    ["refused with " ++ show found ++ ", not " ++ show wanted | found /= wanted]
      ++ ["refused, but results were written" | rets /= map untouched [0 .. count - 1]]

checkResults :: Bound -> [Expected] -> Int -> Int -> IO [String]
checkResults bound results lastRan found = do
  rets <- peekArray (length results) (boundRets bound)
  wrong <- forM (zip3 [0 ..] results rets) $ \(index, wanted, result) -> do
    right <- asExpected index wanted result
    pure ["slot " ++ show index ++ " gave " ++ show result ++ ", not " ++ show wanted | not right]
  pure (["the last slot was " ++ show found ++ ", not " ++ show lastRan | found /= lastRan] ++ take 8 (concat wrong))
  where
    asExpected index wanted result = case wanted of
      Untouched -> pure (result == untouched index)
      NotNegative -> pure (result >= 0 && result /= untouched index)
      Positive -> pure (result > 0 && result /= untouched index)
      NotANumber -> pure (isNaN (wordDouble result))
      Exactly word -> (== result) <$> sumValue bound word

checkAfters :: Vector -> Bound -> IO [String]
checkAfters vector bound = concat <$> forM (vectorAfters vector) check
  where
    check (at, content) = do
      address <- sumValue bound at
      let pointer = nullPtr `plusPtr` fromIntegral address
      case content of
        ContentWord word -> do
          wanted <- sumValue bound word
          found <- peek (castPtr pointer)
          pure ["the word is " ++ show (found :: Int64) ++ ", not " ++ show wanted | found /= wanted]
        ContentBytes characters -> do
          found <- peekArray (length characters) (castPtr pointer)
          pure ["other bytes: " ++ show found | found /= (map (fromIntegral . fromEnum) characters :: [Word8])]
