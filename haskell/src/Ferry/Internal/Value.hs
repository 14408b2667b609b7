-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE DataKinds #-}
{-# LANGUAGE KindSignatures #-}
{-# LANGUAGE ScopedTypeVariables #-}
{-# OPTIONS_HADDOCK not-home #-}

-- | Programs, and what their calls may have as arguments: values, parameters and memory.
--
-- Invariants. Slots are numbered in the order they were added, from 0; a 'Source' names only slots added before it.
-- Offsets are into the program's cells, each aligned for its type. What carries an identity is good in the program with
-- that identity alone; it is compared wherever a value, a parameter, a cell or a label is used.
module Ferry.Internal.Value
  ( -- * Programs
    Kind (..),
    Program (..),
    refuse,
    refuseIn,

    -- * Values
    Value (..),
    Source (..),
    literal,
    retype,
    Parameter (..),
    parameter,
    given,
    Parameters (..),
    parameterVector,
    givenAt,

    -- * Memory
    Cell (..),
    cell,
    cells,
    cellBytesMax,
    cellAt,
    address,
    contents,
    constantBytes,
    constant,
    keeping,
    addBytes,
    pastEnd,
  )
where

import Control.Applicative ((<|>))
import Control.Monad (forM_, when)
import Data.Bits (shiftL, (.|.))
import Data.ByteString (ByteString)
import qualified Data.ByteString as ByteString
import Data.ByteString.Internal (create)
import Data.Int (Int64)
import Data.Primitive.ByteArray (writeByteArray)
import Data.Primitive.MutVar (modifyMutVar')
import Ferry.Error (ProgramError (..))
import Ferry.Internal.Notes
import Ferry.Internal.Word
import Foreign.Ptr (Ptr, castPtr)
import Foreign.Storable (Storable (..))
import System.IO.Unsafe (unsafeDupablePerformIO)

-- | What the slots of a program call: C functions, or the kernel.
data Kind = Functions | SystemCalls

-- | A batch that is being described. Nothing runs before it is prepared and run.
newtype Program (kind :: Kind) a = Program (Notes -> IO a)

instance Functor (Program kind) where
  fmap f (Program step) = Program (fmap f . step)
  {-# INLINE fmap #-}

instance Applicative (Program kind) where
  pure a = Program (\_ -> pure a)
  {-# INLINE pure #-}
  Program stepF <*> Program stepA = Program (\notes -> stepF notes <*> stepA notes)
  {-# INLINE (<*>) #-}

instance Monad (Program kind) where
  Program step >>= k = Program $ \notes -> step notes >>= \a -> case k a of Program next -> next notes
  {-# INLINE (>>=) #-}

-- | An argument of a later call: known now, or a result of the batch itself.
newtype Value a = Value Source

-- | Where an argument word comes from. The first number is the identity of its program.
data Source
  = Literal !Int64
  | -- | of that slot
    ResultOf !Int !Int Call
  | -- | of that slot: where it lies, and so many bytes further on
    ResultAt !Int !Int !Int
  | -- | of that slot: the word that begins so many bytes further on
    ResultPart !Int !Int !Int
  | -- | its number, and where its uses are counted on the tape
    FromParameter !Int !Int !Int
  | -- | an offset, and the bytes there where they are constant
    AddressOf !Int !Int !(Maybe ByteString)
  | -- | an offset, how many bytes, and whether they are a signed number
    ContentsOf !Int !Int !Int !Bool
  | -- | cannot be an argument, for this reason
    Unusable String

-- | A value that is known when the program is built.
literal :: Argument a => a -> Value a
literal = Value . Literal . toWord
{-# INLINE literal #-}

-- | Numbers may stand for themselves: @call hypotenuse 3 4@. What is computed of them is computed now; a result of the
-- batch is no number yet, and a program that computes with one is refused.
instance (Argument a, Num a) => Num (Value a) where
  fromInteger = literal . fromInteger
  {-# INLINE fromInteger #-}
  (+) = folded2 (+)
  (-) = folded2 (-)
  (*) = folded2 (*)
  negate = folded negate
  abs = folded abs
  signum = folded signum

instance (Argument a, Fractional a) => Fractional (Value a) where
  fromRational = literal . fromRational
  (/) = folded2 (/)

folded :: Argument a => (a -> a) -> Value a -> Value a
folded f (Value (Literal x)) = literal (f (ofWord x))
folded _ _ = notKnown

folded2 :: Argument a => (a -> a -> a) -> Value a -> Value a -> Value a
folded2 f (Value (Literal x)) (Value (Literal y)) = literal (f (ofWord x) (ofWord y))
folded2 _ _ _ = notKnown

notKnown :: Value a
notKnown = Value (Unusable "arithmetic is for numbers known beforehand: for results, call a C function that computes")

-- | The same word as another type: a @'Foreign.Ptr.Ptr' a@ as a @'Foreign.Ptr.Ptr' b@, say. Nothing is converted.
retype :: Value a -> Value b
retype (Value source) = Value source

-- | A value that may be changed between two runs of a prepared program ('Ferry.Run.setParameter'): the identity of its
-- program, its number, and where its uses are counted on the tape.
data Parameter a = Parameter !Int !Int !Int

-- | Add a parameter; it is all zero bits until it is set.
parameter :: Argument a => Program kind (Parameter a)
parameter = Program $ \notes -> do
  Parameters identity number _ uses <- addParameters notes 1
  pure (Parameter identity number uses)

-- | The parameter as an argument.
given :: Parameter a -> Value a
given (Parameter identity number uses) = Value (FromParameter identity number uses)

-- | Parameters that are set together, from a vector: the identity of their program, the number of the first, how many,
-- and where the uses of the first are counted on the tape.
data Parameters a = Parameters !Int !Int !Int !Int

-- | Add so many parameters; they are all zero bits until they are set ('Ferry.Run.setParameters').
parameterVector :: Argument a => Int -> Program kind (Parameters a)
parameterVector wanted = Program (\notes -> addParameters notes (max 0 wanted))

-- | The parameter with this number, from 0, as an argument.
givenAt :: Parameters a -> Int -> Value a
givenAt (Parameters identity first size uses) index
  | index >= 0 && index < size = Value (FromParameter identity (first + index) (uses + index))
  | otherwise =
    Value . Unusable $
      "there is no parameter " ++ show index ++ " among " ++ show size ++ ": their numbers begin with 0"

addParameters :: Notes -> Int -> IO (Parameters a)
addParameters notes size = do
  (at, tape) <- reserve notes (1 + size)
  writeByteArray tape at (tapeParameters .|. size `shiftL` 8)
  forM_ [at + 1 .. at + size] $ \use -> writeByteArray tape use (0 :: Int)
  first <- countMore notes ParameterCount size
  pure (Parameters (noteIdentity notes) first size (at + 1))

-- | Memory of the program itself: as long-lived as the prepared program, zeroed when it is prepared.
data Cell a = Cell
  { cellIdentity :: !Int,
    cellOffset :: !Int,
    -- | elements
    cellCount :: !Int,
    -- | where the memory that it was made with ends
    cellEnd :: !Int
  }

-- | Memory for one value: for a result that a C function stores through a pointer.
cell :: Storable a => Program kind (Cell a)
cell = cells 1

-- | Memory for several values next to each other. A negative number is 0.
cells :: forall a kind. Storable a => Int -> Program kind (Cell a)
cells number = do
  when (wanted > cellBytesMax `div` max 1 size) . refuse . ProgramError Nothing $
    show number ++ " cells of " ++ show size ++ " bytes are more than " ++ show cellBytesMax ++ " bytes; pass a pointer"
  Program $ \notes -> do
    offset <- addBytes notes (alignment (undefined :: a)) (min cellBytesMax (wanted * size))
    pure (Cell (noteIdentity notes) offset wanted (offset + min cellBytesMax (wanted * size)))
  where
    wanted = max 0 number
    size = sizeOf (undefined :: a)

-- | Take so many bytes of cells with this alignment. Where they begin.
addBytes :: Notes -> Int -> Int -> IO Int
addBytes notes to bytes = do
  used <- count notes CellBytes
  let offset = (used + to - 1) `div` to * to
  offset <$ setCount notes CellBytes (offset + bytes)

-- | Bytes of one cell or group of cells.
cellBytesMax :: Int
cellBytesMax = 1073741824

-- | A part of memory as a cell: @cellAt bytes cell@ begins that many bytes after it. Used for a field of a structure. A
-- program that reads what lies outside the memory that the cell was made with is refused.
cellAt :: Int -> Cell a -> Cell b
cellAt bytes (Cell identity offset _ end) = Cell identity (offset + bytes) 1 (if bytes < 0 then minBound else end)

-- | The address of the memory, as an argument.
address :: Cell a -> Value (Ptr a)
address at
  | cellOffset at > cellEnd at = Value (Unusable pastEnd)
  | otherwise = Value (AddressOf (cellIdentity at) (cellOffset at) Nothing)

-- | What is in the memory when the call that uses it runs, as an argument: one word copy for a type of 8 bytes. One of
-- a narrower type is extended as C would do it, which takes a slot or two more.
contents :: forall a. Argument a => Cell a -> Value a
contents at
  | cellOffset at + size > cellEnd at = Value (Unusable pastEnd)
  | otherwise = Value (ContentsOf (cellIdentity at) (cellOffset at) size (toWord (ofWord (-1) :: a) < 0))
  where
    size = sizeOf (undefined :: a)

-- | Why a program that reads or writes beyond a cell is refused.
pastEnd :: String
pastEnd = "a cell is used beyond its end: make as many cells as are used, of the type that is read"

-- | The address of these bytes and a NUL behind them, copied into the program.
constantBytes :: ByteString -> Program kind (Value (Ptr a))
constantBytes bytes = addConstant 1 (ByteString.length bytes + 1) bytes (Just bytes)

-- | The address of this value, copied into the program: for an argument that is a pointer to a structure.
constant :: forall a kind. Storable a => a -> Program kind (Value (Ptr a))
constant value = addConstant (alignment value) (sizeOf value) bytes Nothing
  where
    bytes = unsafeDupablePerformIO (create (sizeOf value) (\to -> poke (castPtr to) value))

addConstant :: Int -> Int -> ByteString -> Maybe ByteString -> Program kind (Value (Ptr a))
addConstant to size bytes path = Program $ \notes -> do
  offset <- addBytes notes to size
  modifyMutVar' (noteRest notes) $ \rest -> rest {restConstants = (offset, bytes) : restConstants rest}
  pure (Value (AddressOf (noteIdentity notes) offset path))

-- | This, and the memory it is responsible for, stays alive as long as the prepared program: a
-- 'Foreign.ForeignPtr.ForeignPtr' that an argument points into, for example.
keeping :: kept -> Program kind ()
keeping kept = Program $ \notes ->
  modifyMutVar' (noteRest notes) (\rest -> rest {restKept = Kept kept : restKept rest})

-- | The program cannot be a batch, for this reason. The first reason counts.
refuse :: ProgramError -> Program kind ()
refuse why = Program (`refuseIn` why)

-- | As 'refuse', for a program whose notes are these.
refuseIn :: Notes -> ProgramError -> IO ()
refuseIn notes why =
  modifyMutVar' (noteRest notes) (\rest -> rest {restMisuse = restMisuse rest <|> Just why})
