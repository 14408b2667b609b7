-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE MagicHash #-}
{-# LANGUAGE UnboxedTuples #-}
{-# OPTIONS_HADDOCK not-home #-}

-- | From a program's notes to a verified batch in memory.
--
-- The memory is one pinned block, so that the garbage collector frees it when nothing refers to the prepared program
-- any more, and nothing that C holds an address of ever moves.
module Ferry.Internal.Prepare
  ( Prepared (..),
    Block,
    prepareNotes,
    touchPrepared,
    setWord,
  )
where

import Control.Exception (evaluate, throwIO)
import Control.Monad (forM_, when)
import Data.ByteString.Unsafe (unsafeUseAsCStringLen)
import Data.Int (Int64)
import qualified Data.IntMap.Strict as IntMap
import qualified Data.Map.Strict as Map
import Data.Word (Word8)
import Ferry.Error (ProgramError (..))
import Ferry.Internal.C
import Ferry.Internal.Plan
import Ferry.Internal.Program
import Ferry.Internal.Spec (batchArgsMax)
import Ferry.Internal.Word (fromResultKind)
import Foreign.C.String (peekCString)
import Foreign.Marshal.Alloc (allocaBytes)
import Foreign.Marshal.Array (withArrayLen)
import Foreign.Marshal.Utils (copyBytes, fillBytes, fromBool)
import Foreign.Ptr (Ptr, WordPtr (..), castPtr, nullPtr, plusPtr, ptrToWordPtr)
import Foreign.Storable (Storable (..))
import GHC.Exts
  ( Int (I#),
    MutableByteArray#,
    Ptr (Ptr),
    RealWorld,
    byteArrayContents#,
    newAlignedPinnedByteArray#,
    touch#,
    unsafeCoerce#,
  )
import GHC.IO (IO (..))

-- | Pinned memory.
data Block = Block (MutableByteArray# RealWorld)

-- | A program that is ready to run, any number of times. One thread at a time may run it or set its parameters.
data Prepared a = Prepared
  { preparedBlock :: !Block,
    preparedProgram :: !(Ptr CProgram),
    -- | where it is noted after a run which slots ran; 'nullPtr' when every slot always runs
    preparedRan :: !(Ptr Word8),
    -- | what is read after a run that ended at this slot
    preparedRead :: Int -> IO a,
    -- | the argument words of each parameter
    preparedParameters :: IntMap.IntMap [Ptr Int64],
    -- | what keeps the memory of others alive that the arguments point to
    preparedKept :: [Kept],
    -- | what a slot is called in messages
    preparedName :: Int -> String
  }

newBlock :: Int -> IO Block
newBlock (I# bytes) = IO $ \s -> case newAlignedPinnedByteArray# bytes 64# s of
  (# s', array #) -> (# s', Block array #)

blockStart :: Block -> Ptr a
blockStart (Block array) = Ptr (byteArrayContents# (unsafeCoerce# array))

-- | The program's memory, and what its arguments point to, is alive up to here.
touchPrepared :: Prepared a -> IO ()
touchPrepared prepared = case preparedBlock prepared of
  Block array -> IO (\s -> (# touch# (preparedKept prepared) (touch# array s), () #))
{-# INLINE touchPrepared #-}

-- | Set every argument word of a parameter.
setWord :: Prepared a -> Int -> Int64 -> IO ()
setWord prepared index word = do
  mapM_ (`poke` word) (IntMap.findWithDefault [] index (preparedParameters prepared))
  touchPrepared prepared

-- | Lay out a program, build its slots and verify them. 'ProgramError' says what is wrong. The executor is that of a
-- program of system calls; one of functions has its own.
prepareNotes :: Ptr CExecutor -> Notes -> Output a -> IO (Prepared a)
prepareNotes executor notes (Output get) = do
  mapM_ throwIO (noteMisuse notes)
  mapM_ checkArguments (planCalls plan)
  block <- newBlock (planBytes plan)
  let start = blockStart block
      ranAt = start `plusPtr` planRanAt plan
      prepared =
        Prepared
          { preparedBlock = block,
            preparedProgram = castPtr start,
            preparedRan = if planStraight plan then nullPtr else ranAt,
            preparedRead = get (layoutIn plan start),
            preparedParameters = IntMap.map (map (start `plusPtr`)) (parameterWords plan),
            preparedKept = noteKept notes,
            preparedName = slotName plan
          }
  fillBytes start 0 (planBytes plan)
  forM_ (IntMap.toList (noteConstants notes)) $ \(offset, bytes) ->
    unsafeUseAsCStringLen bytes $ \(from, size) -> copyBytes (start `plusPtr` (planCellsAt plan + offset)) from size
  build plan (noteLabels notes) start
  code <- closeProgram plan executor start
  check plan (castPtr start) code
  touchPrepared prepared
  -- an output that can never be read is an error now, not after a run
  readOutputs <- evaluate (preparedRead prepared)
  pure prepared {preparedRead = readOutputs}
  where
    plan = planOf notes

checkArguments :: Call -> IO ()
checkArguments call =
  when (length (callArguments call) > batchArgsMax) $
    throwIO . ProgramError (Just (callName call)) $
      "takes more than " ++ show batchArgsMax ++ " arguments; pass a pointer to a structure"

-- | Where outputs look.
layoutIn :: Plan -> Ptr Word8 -> Layout
layoutIn plan start =
  Layout
    { layoutSlotOf = slotOf plan,
      layoutCall = callNumbered plan,
      layoutRets = start `plusPtr` planRetsAt plan,
      layoutCells = start `plusPtr` planCellsAt plan,
      layoutRan =
        if planStraight plan
          then \_ -> pure True
          else \slot -> (/= (0 :: Word8)) <$> peekElemOff (start `plusPtr` planRanAt plan) slot
    }

-- | Build the slots: every step, in order.
build :: Plan -> Int -> Ptr Word8 -> IO ()
build plan labelCount start = do
  programBegin program (start `plusPtr` planSlotsAt plan) (start `plusPtr` planRetsAt plan) capacity
  allocaBytes (max 1 (labelCount * fromIntegral labelBytes)) $ \labelsAt -> do
    let labelAt (Label index) = labelsAt `plusPtr` (index * fromIntegral labelBytes)
    mapM_ (labelInit . labelAt . Label) [0 .. labelCount - 1]
    forM_ (planSteps plan) $ \step -> case step of
      StepCall call -> addSlot plan start call
      StepJump from outcome goal -> do
        slot <- slotOrError plan from
        at <- goalAt labelAt goal
        code <- programJump program (fromIntegral slot) (fromIntegral (fromEnum outcome)) at
        check plan program code
      StepPlace label -> labelOrError label >> programLabel program (labelAt label) >>= check plan program
  where
    program = castPtr start
    capacity = fromIntegral (planSlotCount plan)
    goalAt _ GoalStop = pure nullPtr
    goalAt labelAt (GoalLabel label) = labelAt label <$ labelOrError label
    -- a label can leave its program as what an output gives
    labelOrError (Label index) =
      when (index >= labelCount) . throwIO $
        ProgramError Nothing "the label is another program's: use labels of newLabel in the same program only"

-- | Add a call's word copies and the call.
addSlot :: Plan -> Ptr Word8 -> Call -> IO ()
addSlot plan start call = do
  forM_ (feeds call) $ \(index, source) -> do
    code <- case source of
      ResultOf from -> do
        slot <- slotOrError plan from
        programFeed program (fromIntegral index) (fromIntegral slot)
      ContentsOf offset -> programFeedWord program (fromIntegral index) (cellsAt `plusPtr` offset)
      _ -> pure 0
    check plan program code
  code <- withArrayLen (map word (callArguments call)) $ \argc words' ->
    programCall program (fromIntegral (tableIndex plan call)) (fromIntegral argc) words' (fromBool (callMayBlock call))
  check plan program code
  where
    program = castPtr start
    cellsAt = start `plusPtr` planCellsAt plan
    word source = case source of
      Literal value -> value
      AddressOf offset -> case ptrToWordPtr (cellsAt `plusPtr` offset) of WordPtr at -> fromIntegral at
      _ -> 0

-- | Verify what was built, on the executor of its kind.
closeProgram :: Plan -> Ptr CExecutor -> Ptr Word8 -> IO Int
closeProgram plan executor start
  | Map.null (planFunctions plan) = fromIntegral <$> prepareSystemCalls (castPtr start) executor
  | otherwise = do
    forM_ (Map.toList (planFunctions plan)) $ \(function, index) ->
      functionInit
        (functionsAt `plusPtr` (index * fromIntegral functionBytes))
        (functionAddress function)
        (fromIntegral (functionArgc function))
        (fromIntegral (functionDoubles function))
        (fromIntegral (fromResultKind (functionResult function)))
    fromIntegral <$> prepareFunctions (castPtr start) functionsAt (fromIntegral (Map.size (planFunctions plan)))
  where
    functionsAt = start `plusPtr` planFunctionsAt plan

slotOrError :: Plan -> CallId -> IO Int
slotOrError plan call = case slotOf plan call of
  Just slot -> pure slot
  Nothing -> throwIO (ProgramError Nothing "a jump is for the result of a call of this program, not for a constant")

-- | Throw what C said of the last call.
check :: Integral code => Plan -> Ptr CProgram -> code -> IO ()
check plan program code = when (code < 0) $ do
  slot <- programErrorSlot program
  text <- programErrorReason program >>= peekCString
  let isSlot = slot >= 0 && fromIntegral slot < planSlotCount plan
  throwIO (ProgramError (if isSlot then Just (slotName plan (fromIntegral slot)) else Nothing) text)
