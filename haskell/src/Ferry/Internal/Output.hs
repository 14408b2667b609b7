-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE BangPatterns #-}
{-# LANGUAGE MagicHash #-}
{-# LANGUAGE ScopedTypeVariables #-}
{-# OPTIONS_HADDOCK not-home #-}

-- | What is read when a program has run: results of calls, and memory.
module Ferry.Internal.Output
  ( Output (..),
    Layout (..),
    output,
    outputs,
    outputsInto,
    outputIfRan,
    readCell,
    readBytes,
    lastSlot,
    resultWord,
    resultOr,
    wordIfRan,
    refine,
    pointerTo,
  )
where

import Control.Exception (throwIO)
import Control.Monad (forM_, unless, when)
import Data.ByteString (ByteString)
import qualified Data.ByteString as ByteString
import Data.Int (Int64)
import qualified Data.Vector.Storable as Storable
import qualified Data.Vector.Storable.Mutable as Mutable
import Data.Word (Word8)
import Ferry.Error (NotRun (..), ProgramError (..))
import Ferry.Internal.Notes (Call (..))
import Ferry.Internal.Value
import Ferry.Internal.Word
import Foreign.Marshal.Utils (copyBytes)
import Foreign.Ptr (Ptr, castPtr, nullPtr, plusPtr)
import Foreign.Storable (Storable (..))
import GHC.Exts (Int (I#), Int#)

-- | Where a prepared program's parts lie.
data Layout = Layout
  { layoutIdentity :: !Int,
    layoutRets :: !(Ptr Int64),
    layoutCells :: !(Ptr Word8),
    -- | for each slot whether it ran; 'nullPtr' when all do
    layoutRan :: !(Ptr Word8)
  }

-- | What is read when the batch has run. The outer action throws where the layout alone shows that it cannot be read,
-- the inner one gets the index of the last slot that ran.
newtype Output a = Output (Layout -> IO (Int# -> IO a))

instance Functor Output where
  fmap f (Output get) = Output $ \layout -> do
    get' <- get layout
    pure (\lastRan -> f <$> get' lastRan)

instance Applicative Output where
  pure a = Output $ \_ -> pure (\_ -> pure a)
  Output getF <*> Output getA = Output $ \layout -> do
    getF' <- getF layout
    getA' <- getA layout
    pure (\lastRan -> getF' lastRan <*> getA' lastRan)

-- | A call's result, as C returned it. 'NotRun' is thrown when the batch jumped over the call.
output :: Result a => Value a -> Output a
output value = resultWord value (\_ word -> pure $! fromWord word)
{-# INLINE output #-}

-- | The results of these calls. 'NotRun' is thrown when the batch jumped over one.
outputs :: (Result a, Storable a) => [Value a] -> Output (Storable.Vector a)
outputs values = refine made (outputsInto values)
  where
    size = length values
    made into = do
      vector <- Mutable.unsafeNew size
      into vector :: IO ()
      Storable.unsafeFreeze vector
{-# INLINE outputs #-}

-- | What writes the results of these calls into a vector of as many elements. 'NotRun' is thrown when the batch jumped
-- over one. It writes those of the program's last run.
outputsInto :: (Result a, Storable a) => [Value a] -> Output (Mutable.IOVector a -> IO ())
outputsInto values = Output $ \layout -> do
  slots <- slotsOf layout values
  let into = resultsInto layout slots [call | Value (ResultOf _ _ call) <- values]
  pure (\_ -> pure into)
{-# INLINE outputsInto #-}

-- | The slots that values of this program are the results of.
slotsOf :: Layout -> [Value a] -> IO (Storable.Vector Int)
slotsOf layout values = do
  slots <- Mutable.unsafeNew (length values)
  let fill !_ [] = Storable.unsafeFreeze slots
      fill index (value : rest) = slotOf layout value >>= Mutable.unsafeWrite slots index >> fill (index + 1) rest
  fill 0 values

-- | Write the results of these slots, which are those of these calls, into a vector.
resultsInto ::
  forall a. (Result a, Storable a) => Layout -> Storable.Vector Int -> [Call] -> Mutable.IOVector a -> IO ()
resultsInto layout !slots calls = into
  where
    size = Storable.length slots
    first = if size == 0 then 0 else Storable.unsafeHead slots
    !inRow = sizeOf (undefined :: a) == 8 && Storable.ifoldr' (\k slot rest -> slot == first + k && rest) True slots
    !rets = layoutRets layout
    into to
      | Mutable.length to /= size = ofSize (Mutable.length to)
      | inRow = allRan >> Mutable.unsafeWith to (\at -> copyBytes (castPtr at) (rets `plusPtr` (8 * first)) (8 * size))
      | otherwise = allRan >> Mutable.unsafeWith to (`one` 0)
    one to index
      | index == size = pure ()
      | otherwise = do
        word <- peekElemOff rets (Storable.unsafeIndex slots index)
        pokeElemOff to index (fromWord word) >> one to (index + 1)
    allRan = unless (layoutRan layout == nullPtr) . forM_ calls $ \call -> do
      ran <- peekElemOff (layoutRan layout) (callSlot call)
      when (ran == 0) (throwIO (NotRun (callName call) (callPath call)))
    ofSize has =
      throwIO . ProgramError Nothing $
        "the results are " ++ show size ++ ", the vector has room for " ++ show has ++ ": give one of as many elements"
{-# INLINE resultsInto #-}

-- | As 'output', and 'Nothing' when the batch jumped over the call.
outputIfRan :: Result a => Value a -> Output (Maybe a)
outputIfRan value = resultOr (\_ -> pure Nothing) value (\_ word -> pure (Just $! fromWord word))
{-# INLINE outputIfRan #-}

-- | A call's result word, given to a function that knows the call.
resultWord :: Value a -> (Call -> Int64 -> IO b) -> Output b
resultWord = resultOr (\call -> throwIO (NotRun (callName call) (callPath call)))
{-# INLINE resultWord #-}

-- | A call's result word, or what to do when the batch jumped over it.
resultOr :: (Call -> IO b) -> Value a -> (Call -> Int64 -> IO b) -> Output b
resultOr otherwiseDo value use = Output $ \layout -> do
  slot <- slotOf layout value
  let !at = layoutRets layout `plusPtr` (8 * slot)
      !ranAt = layoutRan layout `plusPtr` slot
      called = case value of
        Value (ResultOf _ _ call) -> call
        _ -> Call slot "" Nothing
  pure $
    if layoutRan layout == nullPtr
      then \_ -> peek at >>= use called
      else \_ -> do
        ran <- peek (ranAt :: Ptr Word8)
        if ran /= 0 then peek at >>= use called else otherwiseDo called
{-# INLINE resultOr #-}

-- | The slot that a value of this program is the result of.
slotOf :: Layout -> Value a -> IO Int
slotOf layout (Value (ResultOf identity slot _)) | identity == layoutIdentity layout = pure slot
slotOf _ _ = throwIO (ProgramError Nothing "an output is the result of a call of the same program, not a constant")

-- | A call's result word; one that no call returns ('minBound') when the batch jumped over it.
wordIfRan :: Value a -> Output Int64
wordIfRan value = resultOr (\_ -> pure minBound) value (\_ word -> pure word)

-- | Go on reading with what was read.
refine :: (a -> IO b) -> Output a -> Output b
refine use (Output get) = Output $ \layout -> do
  get' <- get layout
  pure (\lastRan -> get' lastRan >>= use)

-- | Where so many bytes of a cell lie; they must be in it.
cellIn :: Layout -> Int -> Cell a -> IO (Ptr a)
cellIn layout bytes at
  | cellIdentity at /= layoutIdentity layout =
    throwIO (ProgramError Nothing "an output reads a cell of another program: use cells of the same program only")
  | cellOffset at + bytes > cellEnd at = throwIO (ProgramError Nothing pastEnd)
  | otherwise = pure (castPtr (layoutCells layout `plusPtr` cellOffset at))

-- | Where the memory is; it is there as long as the prepared program.
pointerTo :: Cell a -> Output (Ptr a)
pointerTo at = Output $ \layout -> do
  !from <- cellIn layout 0 at
  pure (\_ -> pure from)

-- | What is in the memory after the run.
readCell :: forall a. Storable a => Cell a -> Output a
readCell at = Output $ \layout -> do
  !from <- cellIn layout (sizeOf (undefined :: a)) at
  pure (\_ -> peek from)

-- | That many bytes of the memory after the run, copied; a negative number is 0, and no more than the memory has.
readBytes :: Output Int -> Cell Word8 -> Output ByteString
readBytes (Output get) at = Output $ \layout -> do
  get' <- get layout
  !from <- cellIn layout (min 1 (cellCount at)) at
  pure $ \lastRan -> do
    bytes <- get' lastRan
    ByteString.packCStringLen (castPtr from, max 0 (min bytes (cellCount at)))

-- | The index of the last slot that ran, word copies counted.
lastSlot :: Output Int
lastSlot = Output $ \_ -> pure (\lastRan -> pure (I# lastRan))
