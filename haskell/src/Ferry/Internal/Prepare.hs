-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE BangPatterns #-}
{-# LANGUAGE MagicHash #-}
{-# LANGUAGE RankNTypes #-}
{-# LANGUAGE UnboxedTuples #-}
{-# OPTIONS_HADDOCK not-home #-}

-- | From a program to a verified batch in memory, and what sets its parameters.
--
-- The memory is one pinned block, so that the garbage collector frees it when nothing refers to the prepared program
-- any more, and nothing that C holds an address of ever moves.
--
-- > struct ferry_program | slots | rets | parameters | uses | ran | functions | cells
module Ferry.Internal.Prepare
  ( Prepared (..),
    prepareProgram,
    touchPrepared,
    owned,
    handOver,
    forAnyThread,

    -- * Parameters
    setOne,
    setMany,
    Input (..),
    input,
    inputs,
  )
where

import Control.Exception (throwIO)
import Control.Monad (forM_, unless, when)
import Control.Monad.Primitive (RealWorld)
import Data.Bits (complement, (.&.))
import Data.ByteString.Unsafe (unsafeUseAsCStringLen)
import Data.Functor.Contravariant (Contravariant (..))
import Data.Int (Int64)
import Data.Primitive.ByteArray
import Data.Primitive.MutVar (readMutVar)
import qualified Data.Vector.Storable as Storable
import Data.Word (Word8)
import Ferry.Error (ProgramError (..))
import Ferry.Internal.C
import Ferry.Internal.Notes
import Ferry.Internal.Owner (isOwner, own)
import Ferry.Internal.Program
import Ferry.Internal.Spec (batchSlotsMax)
import Ferry.Internal.Word (Argument (..))
import Foreign.C.String (peekCString)
import Foreign.Marshal.Utils (copyBytes, fillBytes)
import Foreign.Ptr (Ptr, castPtr, nullPtr, plusPtr)
import Foreign.Storable (Storable (..))
import GHC.Exts (Int#, touch#)
import GHC.IO (IO (..))

-- | A program that is ready to run, any number of times. It belongs to the thread that first runs it or sets its
-- parameters, until 'Ferry.Run.handOver'.
data Prepared a = Prepared
  { preparedBlock :: !(MutableByteArray RealWorld),
    preparedProgram :: !(Ptr CProgram),
    -- | where it is noted after a run which slots ran; 'nullPtr' when every slot always runs
    preparedRan :: !(Ptr Word8),
    -- | what is read after a run that ended at this slot
    preparedRead :: !(Int# -> IO a),
    preparedIdentity :: !Int,
    -- | where the first argument word of each parameter lies, from the start of the program
    preparedParameters :: !(Ptr Int),
    -- | what keeps the memory of others alive that the arguments point to
    preparedKept :: [Kept],
    -- | the calls, newest first: what a slot is called in messages
    preparedCalls :: [Call]
  }

-- | The program's memory, and what its arguments point to, is alive up to here.
touchPrepared :: Prepared a -> IO ()
touchPrepared prepared = case preparedBlock prepared of
  MutableByteArray array -> IO (\s -> (# touch# (preparedKept prepared) (touch# array s), () #))
{-# INLINE touchPrepared #-}

-- | Describe a program, lay it out and verify it. 'ProgramError' says what is wrong. The executor is that of a program
-- of system calls; one of functions has its own. With the outputs comes what the program gives beside them.
prepareProgram :: Ptr CExecutor -> Program kind (beside, Output a) -> IO (beside, Prepared a)
prepareProgram executor (Program describe) = do
  notes <- newNotes
  (beside, Output get) <- describe notes
  rest <- readMutVar (noteRest notes)
  mapM_ throwIO (restMisuse rest)
  slots <- count notes Slots
  when (slots == 0) (refused "a program has at least one call: add one")
  when (slots > batchSlotsMax) . refused $
    "too many calls: split the program; a batch has at most " ++ show batchSlotsMax ++ " slots, word copies counted"
  (,) beside <$> layOut executor notes rest get
  where
    refused = throwIO . ProgramError Nothing

layOut :: Ptr CExecutor -> Notes -> Rest -> (Layout -> IO (Int# -> IO a)) -> IO (Prepared a)
layOut executor notes rest get = do
  let !counts@(MutableByteArray counts') = noteCounts notes
  notesPlan counts'
  bytes <- readByteArray counts planBytes
  block <- newAlignedPinnedByteArray bytes 64
  let start = mutableByteArrayContents block
  MutableByteArray tape <- readMutVar (noteTape notes)
  MutableByteArray scratch <- readByteArray counts planHashSlots >>= \entries -> newByteArray (4 * entries)
  cells' <- readByteArray counts planCellsAt
  code <- programLayOut (castPtr start) counts' tape scratch executor
  calls <- readMutVar (noteCalls notes)
  when (code < 0) (throwRefusal (castPtr start) calls)
  cellBytes <- count notes CellBytes
  when (cellBytes > 0) $ do
    fillBytes (start `plusPtr` cells') 0 (bytes - cells')
    forM_ (restConstants rest) $ \(offset, constants) ->
      unsafeUseAsCStringLen constants $ \(from, size) -> copyBytes (start `plusPtr` (cells' + offset)) from size
  rets <- readByteArray counts planRetsAt
  parameters' <- readByteArray counts planParametersAt
  ranAt <- readByteArray counts planRanAt
  jumps <- count notes Jumps
  let ran = if jumps == 0 then nullPtr else start `plusPtr` ranAt
  -- an output that can never be read is an error now, not after a run
  readOutputs <- get (Layout (noteIdentity notes) (start `plusPtr` rets) (start `plusPtr` cells') ran)
  let prepared =
        Prepared
          { preparedBlock = block,
            preparedProgram = castPtr start,
            preparedRan = ran,
            preparedRead = readOutputs,
            preparedIdentity = noteIdentity notes,
            preparedParameters = start `plusPtr` parameters',
            preparedKept = restKept rest,
            preparedCalls = calls
          }
  prepared <$ touchPrepared prepared

-- | Where @struct ferry_notes@ has what C planned: places in bytes from the start of the memory, and sizes.
planRetsAt, planParametersAt, planRanAt, planCellsAt, planBytes, planHashSlots :: Int
planRetsAt = 11
planParametersAt = 12
planRanAt = 14
planCellsAt = 16
planBytes = 17
planHashSlots = 18

-- | Throw what C said of the program.
throwRefusal :: Ptr CProgram -> [Call] -> IO a
throwRefusal program calls = do
  slot <- fromIntegral <$> programErrorSlot program
  text <- programErrorReason program >>= peekCString
  throwIO (ProgramError (if slot >= 0 then Just (slotName calls slot) else Nothing) text)

-- | Make this thread the program's owner, unless it is. 'ProgramError' when another one is.
owned :: Prepared a -> IO ()
owned prepared = isOwner (preparedProgram prepared) >>= \mine -> unless mine (claim (preparedProgram prepared))
{-# INLINE owned #-}

-- | Not inlined, so that nothing is saved or allocated for it where the program is the thread's own.
claim :: Ptr CProgram -> IO ()
claim program = do
  owner <- own program
  unless (owner == 0) . throwIO . ProgramError Nothing $
    "the prepared program belongs to ThreadId " ++ show owner
      ++ ", which used it first: prepare one for each thread, or call handOver when the first one has finished with it"
{-# NOINLINE claim #-}

-- | The program belongs to no thread any more; the next one that uses it owns it. Call it in the thread that owns the
-- program, or when that thread has ended: while it uses the program, nothing notices that another thread does so too.
handOver :: Prepared a -> IO ()
handOver prepared = programHandOver (preparedProgram prepared) >> touchPrepared prepared

-- | No owner is asked for any more: something else sees to it that one thread at a time has the program.
forAnyThread :: Prepared a -> IO ()
forAnyThread prepared = programForAnyThread (preparedProgram prepared) >> touchPrepared prepared

-- Parameters ----------------------------------------------------------------------------------------------------------

-- | Set a parameter; the thread owns the program.
setOne :: Argument a => Prepared b -> Parameter a -> a -> IO ()
setOne prepared (Parameter identity number _) value
  | identity /= preparedIdentity prepared = foreignParameter
  | otherwise = setNumber prepared number (toWord value)
{-# INLINE setOne #-}

-- | Set the words of the parameter with this number.
setNumber :: Prepared b -> Int -> Int64 -> IO ()
setNumber prepared number word = do
  offset <- peekElemOff (preparedParameters prepared) number
  if offset .&. 1 == 0 then pokeByteOff (preparedProgram prepared) offset word else further offset
  where
    further offset
      | offset < 0 = pure ()
      | otherwise = do
        pokeByteOff (preparedProgram prepared) (offset .&. complement 1) word
        programSetMore (preparedProgram prepared) (fromIntegral number) word
{-# INLINE setNumber #-}

foreignParameter :: IO a
foreignParameter =
  throwIO (ProgramError Nothing "the parameter is another program's: set it in the one that it was prepared with")
{-# NOINLINE foreignParameter #-}

-- | Set parameters from a vector; the thread owns the program.
setMany :: Argument a => Prepared b -> Parameters a -> Storable.Vector a -> IO ()
setMany prepared (Parameters identity first size _) values
  | identity /= preparedIdentity prepared = foreignParameter
  | Storable.length values /= size = ofSize
  | Storable.null values = pure ()
  | sizeOf (Storable.unsafeHead values) == 8 =
    Storable.unsafeWith values (programSetWords (preparedProgram prepared) (fromIntegral first) (fromIntegral size))
  | otherwise = one 0
  where
    one !index
      | index == size = pure ()
      | otherwise = do
        setNumber prepared (first + index) (toWord (Storable.unsafeIndex values index))
        one (index + 1)
    ofSize =
      throwIO . ProgramError Nothing $
        "the parameters are " ++ show size ++ ", the vector has " ++ show (Storable.length values)
          ++ " elements: give one for each"
{-# INLINE setMany #-}

-- | How a value of this type sets parameters, one or several: a record in one go. Each part is made by 'input' or
-- 'inputs', 'Data.Functor.Contravariant.>$<' says which field it takes, and '<>' puts parts together.
--
-- > data Sides = Sides {width, height :: Double}
-- >
-- > (sides, prepared) <- prepareWith $ do
-- >   a <- parameter
-- >   b <- parameter
-- >   diagonal <- call hypotenuse (given a) (given b)
-- >   pure ((width >$< input a) <> (height >$< input b), output diagonal)
-- > runWith Adaptive prepared sides (Sides 3 4)
newtype Input a = Input (forall b. Prepared b -> a -> IO ())

instance Contravariant Input where
  contramap f (Input set) = Input (\prepared value -> set prepared (f value))
  {-# INLINE contramap #-}

instance Semigroup (Input a) where
  Input a <> Input b = Input (\prepared value -> a prepared value >> b prepared value)
  {-# INLINE (<>) #-}

instance Monoid (Input a) where
  mempty = Input (\_ _ -> pure ())

-- | One parameter.
input :: Argument a => Parameter a -> Input a
input which = Input (`setOne` which)
{-# INLINE input #-}

-- | Parameters from a vector with an element for each.
inputs :: Argument a => Parameters a -> Input (Storable.Vector a)
inputs which = Input (`setMany` which)
{-# INLINE inputs #-}
