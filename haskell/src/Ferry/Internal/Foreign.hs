-- SPDX-License-Identifier: BSD-3-Clause
-- long: an instance for each type that a foreign import accepts
{-# LANGUAGE DataKinds #-}
{-# LANGUAGE DerivingStrategies #-}
{-# LANGUAGE FlexibleInstances #-}
{-# LANGUAGE GHCForeignImportPrim #-}
{-# LANGUAGE GeneralizedNewtypeDeriving #-}
{-# LANGUAGE MagicHash #-}
{-# LANGUAGE StandaloneDeriving #-}
{-# LANGUAGE TypeOperators #-}
{-# LANGUAGE UnboxedTuples #-}
{-# LANGUAGE UndecidableInstances #-}
{-# OPTIONS_HADDOCK not-home #-}

-- | The types of C functions that "Ferry.Foreign" calls, and how their arguments reach registers.
--
-- Everything here is inlined where a function's type is known. Which registers an argument goes to is then known to the
-- compiler as well, so of the counting below nothing is left in the program but the call. Without optimisation it is
-- done at each call.
module Ferry.Internal.Foreign
  ( ForeignType (..),
    Argument (..),
    Result (..),
    Arguments,
    none,
    Entry,
    entry,
    interruptibleEntry,
    NoList,
    NoByteString,
    NoInteger,
    NoFunction,
  )
where

import Control.Monad (void)
import Data.Bits (bit, clearBit, testBit, (.|.))
import Data.ByteString (ByteString)
import Data.Int (Int16, Int32, Int64, Int8)
import Data.Word (Word16, Word32, Word64, Word8)
import Ferry.Internal.Prim
import Foreign.C.Types
import Foreign.Marshal.Alloc (allocaBytes)
import Foreign.Ptr (FunPtr, Ptr, WordPtr (..), castFunPtrToPtr, castPtrToFunPtr, plusPtr, ptrToWordPtr, wordPtrToPtr)
import Foreign.StablePtr (StablePtr, castPtrToStablePtr, castStablePtrToPtr)
import Foreign.Storable (peekByteOff, pokeByteOff)
import GHC.Exts (Char (C#), Int (I#), chr#)
import GHC.IO (unsafeDupablePerformIO)
import GHC.TypeLits (ErrorMessage (..), TypeError)
import System.Posix.Types

-- | The address of a C function, with the mark of cbits/held/held.c if the call is interruptible.
newtype Entry = Entry Word

-- | The address of a function whose call is as a @safe@ one, or as an @interruptible@ one.
entry, interruptibleEntry :: FunPtr f -> Entry
entry at = Entry (addressOf (castFunPtrToPtr at))
interruptibleEntry at = Entry (addressOf (castFunPtrToPtr at) .|. bit 63)
{-# INLINE entry #-}
{-# INLINE interruptibleEntry #-}

addressOf :: Ptr a -> Word
addressOf at = case ptrToWordPtr at of WordPtr word -> word
{-# INLINE addressOf #-}

-- | An argument as it is passed.
data Piece = PieceWord !Word | PieceDouble !Double | PieceFloat !Float

-- | Which numbers there are among the arguments.
data Numbers = NoNumbers | Doubles !Int !Double !Double !Double !Double | Floats !Int !Float !Float !Float !Float

-- | The arguments so far: in registers, if they fit; and all of them, the last one first.
data Arguments = Arguments Registers [Piece]

data Registers = Registers !Int !Word !Word !Word !Word !Word !Numbers | DoNotFit

-- | No arguments so far.
none :: Arguments
none = Arguments (Registers 0 0 0 0 0 0 NoNumbers) []
{-# INLINE none #-}

addWord :: Word -> Arguments -> Arguments
addWord new (Arguments registers pieces) = Arguments fitted (PieceWord new : pieces)
  where
    fitted = case registers of
      Registers 0 _ b c d e numbers -> Registers 1 new b c d e numbers
      Registers 1 a _ c d e numbers -> Registers 2 a new c d e numbers
      Registers 2 a b _ d e numbers -> Registers 3 a b new d e numbers
      Registers 3 a b c _ e numbers -> Registers 4 a b c new e numbers
      Registers 4 a b c d _ numbers -> Registers 5 a b c d new numbers
      _ -> DoNotFit
{-# INLINE addWord #-}

addDouble :: Double -> Arguments -> Arguments
addDouble new (Arguments registers pieces) = Arguments fitted (PieceDouble new : pieces)
  where
    fitted = case registers of
      Registers n a b c d e NoNumbers -> Registers n a b c d e (Doubles 1 new 0 0 0)
      Registers n a b c d e (Doubles 1 p _ _ _) -> Registers n a b c d e (Doubles 2 p new 0 0)
      Registers n a b c d e (Doubles 2 p q _ _) -> Registers n a b c d e (Doubles 3 p q new 0)
      Registers n a b c d e (Doubles 3 p q r _) -> Registers n a b c d e (Doubles 4 p q r new)
      _ -> DoNotFit
{-# INLINE addDouble #-}

addFloat :: Float -> Arguments -> Arguments
addFloat new (Arguments registers pieces) = Arguments fitted (PieceFloat new : pieces)
  where
    fitted = case registers of
      Registers n a b c d e NoNumbers -> Registers n a b c d e (Floats 1 new 0 0 0)
      Registers n a b c d e (Floats 1 p _ _ _) -> Registers n a b c d e (Floats 2 p new 0 0)
      Registers n a b c d e (Floats 2 p q _ _) -> Registers n a b c d e (Floats 3 p q new 0)
      Registers n a b c d e (Floats 3 p q r _) -> Registers n a b c d e (Floats 4 p q r new)
      _ -> DoNotFit
{-# INLINE addFloat #-}

-- * Calls

callWord :: Entry -> Arguments -> IO Word
callWord (Entry at) (Arguments registers pieces) = case registers of
  Registers _ a b c d e NoNumbers -> foreignWordsWord at a b c d e
  Registers _ a b c d e (Doubles _ p q r s) -> foreignDoublesWord at a b c d e p q r s
  Registers _ a b c d e (Floats _ p q r s) -> foreignFloatsWord at a b c d e p q r s
  DoNotFit -> spread at pieces (`peekByteOff` 16)
{-# INLINE callWord #-}

callDouble :: Entry -> Arguments -> IO Double
callDouble (Entry at) (Arguments registers pieces) = case registers of
  Registers _ a b c d e NoNumbers -> foreignWordsDouble at a b c d e
  Registers _ a b c d e (Doubles _ p q r s) -> foreignDoublesDouble at a b c d e p q r s
  Registers _ a b c d e (Floats _ p q r s) -> foreignFloatsDouble at a b c d e p q r s
  DoNotFit -> spread at pieces (`peekByteOff` 24)
{-# INLINE callDouble #-}

callFloat :: Entry -> Arguments -> IO Float
callFloat (Entry at) (Arguments registers pieces) = case registers of
  Registers _ a b c d e NoNumbers -> foreignWordsFloat at a b c d e
  Registers _ a b c d e (Doubles _ p q r s) -> foreignDoublesFloat at a b c d e p q r s
  Registers _ a b c d e (Floats _ p q r s) -> foreignFloatsFloat at a b c d e p q r s
  DoNotFit -> spread at pieces (`peekByteOff` 24)
{-# INLINE callFloat #-}

foreign import ccall "&ferry_spread" spreadAt :: FunPtr (Ptr () -> IO ())

-- | Call with arguments that do not fit: they are laid out in memory, and C spreads them over registers and its stack
-- (cbits/held/arguments.c has the places).
spread :: Word -> [Piece] -> (Ptr () -> IO a) -> IO a
spread at pieces result = allocaBytes (32 + 16 * count) $ \block -> do
  pokeByteOff block 0 (clearBit at 63)
  pokeByteOff block 8 (fromIntegral count :: Word)
  mapM_ (place block) (zip [0 ..] (reverse pieces))
  _ <- foreignWordsWord (if testBit at 63 then atInterruptible else atSpread) (addressOf block) 0 0 0 0
  result block
  where
    count = length pieces
    Entry atSpread = entry spreadAt
    Entry atInterruptible = interruptibleEntry spreadAt
{-# NOINLINE spread #-}

place :: Ptr () -> (Int, Piece) -> IO ()
place block (index, piece) = do
  pokeByteOff at 8 (0 :: Word)
  case piece of
    PieceWord word -> pokeByteOff at 0 (0 :: Word) >> pokeByteOff at 8 word
    PieceDouble double -> pokeByteOff at 0 (1 :: Word) >> pokeByteOff at 8 double
    PieceFloat float -> pokeByteOff at 0 (1 :: Word) >> pokeByteOff at 8 float
  where
    at = block `plusPtr` (32 + 16 * index)

-- * Types

-- | The type of a C function: any number of 'Argument's and a 'Result', which is in 'IO' unless the function is pure.
class ForeignType f where
  apply :: Entry -> Arguments -> f

instance (Argument a, ForeignType f) => ForeignType (a -> f) where
  apply at arguments = \new -> apply at (pass new arguments)
  {-# INLINE apply #-}

instance Result r => ForeignType (IO r) where
  apply = callFor
  {-# INLINE apply #-}

-- | What C functions take. A newtype of one can have an instance by @deriving newtype@.
class Argument a where
  pass :: a -> Arguments -> Arguments

-- | What C functions return. A newtype of one can have an instance by @deriving newtype@.
class Result r where
  callFor :: Entry -> Arguments -> IO r

-- | The result of a pure function.
pureFor :: Result r => Entry -> Arguments -> r
pureFor at arguments = unsafeDupablePerformIO (callFor at arguments)
{-# INLINE pureFor #-}

instance Result () where
  callFor at arguments = void (callWord at arguments)
  {-# INLINE callFor #-}

instance Argument Int where
  pass new = addWord (fromIntegral new)
  {-# INLINE pass #-}

instance Result Int where
  callFor at arguments = fromIntegral <$> callWord at arguments
  {-# INLINE callFor #-}

instance ForeignType Int where
  apply = pureFor
  {-# INLINE apply #-}

instance Argument Int8 where
  pass new = addWord (fromIntegral new)
  {-# INLINE pass #-}

instance Result Int8 where
  callFor at arguments = fromIntegral <$> callWord at arguments
  {-# INLINE callFor #-}

instance ForeignType Int8 where
  apply = pureFor
  {-# INLINE apply #-}

instance Argument Int16 where
  pass new = addWord (fromIntegral new)
  {-# INLINE pass #-}

instance Result Int16 where
  callFor at arguments = fromIntegral <$> callWord at arguments
  {-# INLINE callFor #-}

instance ForeignType Int16 where
  apply = pureFor
  {-# INLINE apply #-}

instance Argument Int32 where
  pass new = addWord (fromIntegral new)
  {-# INLINE pass #-}

instance Result Int32 where
  callFor at arguments = fromIntegral <$> callWord at arguments
  {-# INLINE callFor #-}

instance ForeignType Int32 where
  apply = pureFor
  {-# INLINE apply #-}

instance Argument Int64 where
  pass new = addWord (fromIntegral new)
  {-# INLINE pass #-}

instance Result Int64 where
  callFor at arguments = fromIntegral <$> callWord at arguments
  {-# INLINE callFor #-}

instance ForeignType Int64 where
  apply = pureFor
  {-# INLINE apply #-}

instance Argument Word where
  pass new = addWord new
  {-# INLINE pass #-}

instance Result Word where
  callFor at arguments = callWord at arguments
  {-# INLINE callFor #-}

instance ForeignType Word where
  apply = pureFor
  {-# INLINE apply #-}

instance Argument Word8 where
  pass new = addWord (fromIntegral new)
  {-# INLINE pass #-}

instance Result Word8 where
  callFor at arguments = fromIntegral <$> callWord at arguments
  {-# INLINE callFor #-}

instance ForeignType Word8 where
  apply = pureFor
  {-# INLINE apply #-}

instance Argument Word16 where
  pass new = addWord (fromIntegral new)
  {-# INLINE pass #-}

instance Result Word16 where
  callFor at arguments = fromIntegral <$> callWord at arguments
  {-# INLINE callFor #-}

instance ForeignType Word16 where
  apply = pureFor
  {-# INLINE apply #-}

instance Argument Word32 where
  pass new = addWord (fromIntegral new)
  {-# INLINE pass #-}

instance Result Word32 where
  callFor at arguments = fromIntegral <$> callWord at arguments
  {-# INLINE callFor #-}

instance ForeignType Word32 where
  apply = pureFor
  {-# INLINE apply #-}

instance Argument Word64 where
  pass new = addWord (fromIntegral new)
  {-# INLINE pass #-}

instance Result Word64 where
  callFor at arguments = fromIntegral <$> callWord at arguments
  {-# INLINE callFor #-}

instance ForeignType Word64 where
  apply = pureFor
  {-# INLINE apply #-}

instance Argument Double where
  pass new = addDouble new
  {-# INLINE pass #-}

instance Result Double where
  callFor at arguments = callDouble at arguments
  {-# INLINE callFor #-}

instance ForeignType Double where
  apply = pureFor
  {-# INLINE apply #-}

instance Argument Float where
  pass new = addFloat new
  {-# INLINE pass #-}

instance Result Float where
  callFor at arguments = callFloat at arguments
  {-# INLINE callFor #-}

instance ForeignType Float where
  apply = pureFor
  {-# INLINE apply #-}

instance Argument Bool where
  pass new = addWord (if new then 1 else 0)
  {-# INLINE pass #-}

instance Result Bool where
  callFor at arguments = toBool <$> callWord at arguments
    where
      toBool word = (fromIntegral word :: Word32) /= 0
  {-# INLINE callFor #-}

instance ForeignType Bool where
  apply = pureFor
  {-# INLINE apply #-}

instance Argument Char where
  pass new = addWord (fromIntegral (fromEnum new))
  {-# INLINE pass #-}

instance Result Char where
  callFor at arguments = toChar . fromIntegral <$> callWord at arguments
    where
      toChar :: Word32 -> Char
      toChar code = case fromIntegral code of I# code' -> C# (chr# code')
  {-# INLINE callFor #-}

instance ForeignType Char where
  apply = pureFor
  {-# INLINE apply #-}

instance Argument (Ptr a) where
  pass new = addWord (addressOf new)
  {-# INLINE pass #-}

instance Result (Ptr a) where
  callFor at arguments = wordPtrToPtr . WordPtr <$> callWord at arguments
  {-# INLINE callFor #-}

instance ForeignType (Ptr a) where
  apply = pureFor
  {-# INLINE apply #-}

instance Argument (FunPtr a) where
  pass new = addWord (addressOf (castFunPtrToPtr new))
  {-# INLINE pass #-}

instance Result (FunPtr a) where
  callFor at arguments = castPtrToFunPtr . wordPtrToPtr . WordPtr <$> callWord at arguments
  {-# INLINE callFor #-}

instance ForeignType (FunPtr a) where
  apply = pureFor
  {-# INLINE apply #-}

instance Argument (StablePtr a) where
  pass new = addWord (addressOf (castStablePtrToPtr new))
  {-# INLINE pass #-}

instance Result (StablePtr a) where
  callFor at arguments = castPtrToStablePtr . wordPtrToPtr . WordPtr <$> callWord at arguments
  {-# INLINE callFor #-}

instance ForeignType (StablePtr a) where
  apply = pureFor
  {-# INLINE apply #-}

deriving newtype instance Argument CChar

deriving newtype instance Result CChar

deriving newtype instance ForeignType CChar

deriving newtype instance Argument CSChar

deriving newtype instance Result CSChar

deriving newtype instance ForeignType CSChar

deriving newtype instance Argument CUChar

deriving newtype instance Result CUChar

deriving newtype instance ForeignType CUChar

deriving newtype instance Argument CShort

deriving newtype instance Result CShort

deriving newtype instance ForeignType CShort

deriving newtype instance Argument CUShort

deriving newtype instance Result CUShort

deriving newtype instance ForeignType CUShort

deriving newtype instance Argument CInt

deriving newtype instance Result CInt

deriving newtype instance ForeignType CInt

deriving newtype instance Argument CUInt

deriving newtype instance Result CUInt

deriving newtype instance ForeignType CUInt

deriving newtype instance Argument CLong

deriving newtype instance Result CLong

deriving newtype instance ForeignType CLong

deriving newtype instance Argument CULong

deriving newtype instance Result CULong

deriving newtype instance ForeignType CULong

deriving newtype instance Argument CLLong

deriving newtype instance Result CLLong

deriving newtype instance ForeignType CLLong

deriving newtype instance Argument CULLong

deriving newtype instance Result CULLong

deriving newtype instance ForeignType CULLong

deriving newtype instance Argument CBool

deriving newtype instance Result CBool

deriving newtype instance ForeignType CBool

deriving newtype instance Argument CPtrdiff

deriving newtype instance Result CPtrdiff

deriving newtype instance ForeignType CPtrdiff

deriving newtype instance Argument CSize

deriving newtype instance Result CSize

deriving newtype instance ForeignType CSize

deriving newtype instance Argument CWchar

deriving newtype instance Result CWchar

deriving newtype instance ForeignType CWchar

deriving newtype instance Argument CSigAtomic

deriving newtype instance Result CSigAtomic

deriving newtype instance ForeignType CSigAtomic

deriving newtype instance Argument CIntPtr

deriving newtype instance Result CIntPtr

deriving newtype instance ForeignType CIntPtr

deriving newtype instance Argument CUIntPtr

deriving newtype instance Result CUIntPtr

deriving newtype instance ForeignType CUIntPtr

deriving newtype instance Argument CIntMax

deriving newtype instance Result CIntMax

deriving newtype instance ForeignType CIntMax

deriving newtype instance Argument CUIntMax

deriving newtype instance Result CUIntMax

deriving newtype instance ForeignType CUIntMax

deriving newtype instance Argument CTime

deriving newtype instance Result CTime

deriving newtype instance ForeignType CTime

deriving newtype instance Argument CClock

deriving newtype instance Result CClock

deriving newtype instance ForeignType CClock

deriving newtype instance Argument CUSeconds

deriving newtype instance Result CUSeconds

deriving newtype instance ForeignType CUSeconds

deriving newtype instance Argument CSUSeconds

deriving newtype instance Result CSUSeconds

deriving newtype instance ForeignType CSUSeconds

deriving newtype instance Argument CDouble

deriving newtype instance Result CDouble

deriving newtype instance ForeignType CDouble

deriving newtype instance Argument CFloat

deriving newtype instance Result CFloat

deriving newtype instance ForeignType CFloat

deriving newtype instance Argument CDev

deriving newtype instance Result CDev

deriving newtype instance ForeignType CDev

deriving newtype instance Argument CIno

deriving newtype instance Result CIno

deriving newtype instance ForeignType CIno

deriving newtype instance Argument CMode

deriving newtype instance Result CMode

deriving newtype instance ForeignType CMode

deriving newtype instance Argument COff

deriving newtype instance Result COff

deriving newtype instance ForeignType COff

deriving newtype instance Argument CPid

deriving newtype instance Result CPid

deriving newtype instance ForeignType CPid

deriving newtype instance Argument CSsize

deriving newtype instance Result CSsize

deriving newtype instance ForeignType CSsize

deriving newtype instance Argument CGid

deriving newtype instance Result CGid

deriving newtype instance ForeignType CGid

deriving newtype instance Argument CNlink

deriving newtype instance Result CNlink

deriving newtype instance ForeignType CNlink

deriving newtype instance Argument CUid

deriving newtype instance Result CUid

deriving newtype instance ForeignType CUid

deriving newtype instance Argument CTcflag

deriving newtype instance Result CTcflag

deriving newtype instance ForeignType CTcflag

deriving newtype instance Argument CRLim

deriving newtype instance Result CRLim

deriving newtype instance ForeignType CRLim

deriving newtype instance Argument CSpeed

deriving newtype instance Result CSpeed

deriving newtype instance ForeignType CSpeed

deriving newtype instance Argument CCc

deriving newtype instance Result CCc

deriving newtype instance ForeignType CCc

deriving newtype instance Argument CBlkSize

deriving newtype instance Result CBlkSize

deriving newtype instance ForeignType CBlkSize

deriving newtype instance Argument CBlkCnt

deriving newtype instance Result CBlkCnt

deriving newtype instance ForeignType CBlkCnt

deriving newtype instance Argument CClockId

deriving newtype instance Result CClockId

deriving newtype instance ForeignType CClockId

deriving newtype instance Argument CFsBlkCnt

deriving newtype instance Result CFsBlkCnt

deriving newtype instance ForeignType CFsBlkCnt

deriving newtype instance Argument CFsFilCnt

deriving newtype instance Result CFsFilCnt

deriving newtype instance ForeignType CFsFilCnt

deriving newtype instance Argument CId

deriving newtype instance Result CId

deriving newtype instance ForeignType CId

deriving newtype instance Argument CKey

deriving newtype instance Result CKey

deriving newtype instance ForeignType CKey

deriving newtype instance Argument CSocklen

deriving newtype instance Result CSocklen

deriving newtype instance ForeignType CSocklen

deriving newtype instance Argument CNfds

deriving newtype instance Result CNfds

deriving newtype instance ForeignType CNfds

deriving newtype instance Argument Fd

deriving newtype instance Result Fd

deriving newtype instance ForeignType Fd

-- * Types that C does not know, and what to give instead

-- | What the compiler says of a list in the type of a function.
type NoList =
  'Text "A C function takes and returns no Haskell list, and no String. It takes an address:"
    ':$$: 'Text "withCString (Foreign.C.String) gives that of a String's characters,"
    ':$$: 'Text "withArray (Foreign.Marshal.Array) that of a list's elements;"
    ':$$: 'Text "peekCString and peekArray read them from the address that it returns."

-- | What it says of a 'ByteString'.
type NoByteString =
  'Text "A C function takes and returns no ByteString. useAsCString (Data.ByteString) gives the address of its bytes,"
    ':$$: 'Text "packCString makes one of the bytes at an address that the function returns."

-- | What it says of an 'Integer'.
type NoInteger =
  'Text "C has no Integer. Write CInt or CLong (Foreign.C.Types), Int64 or another type of the size that the C"
    ':$$: 'Text "function's has, and convert by fromIntegral."

-- | What it says of a Haskell function.
type NoFunction =
  'Text "A C function takes no Haskell function. It takes a FunPtr, which a foreign import of \"wrapper\" makes of the"
    ':$$: 'Text "Haskell function, and which freeHaskellFunPtr frees when C does not call it any more."

-- | No program has this: the compiler refuses each type below.
refused :: a
refused = errorWithoutStackTrace "Ferry.Foreign: a type that C does not know"

instance TypeError NoList => Argument [a] where
  pass = refused

instance TypeError NoList => Result [a] where
  callFor = refused

instance TypeError NoList => ForeignType [a] where
  apply = refused

instance TypeError NoByteString => Argument ByteString where
  pass = refused

instance TypeError NoByteString => Result ByteString where
  callFor = refused

instance TypeError NoByteString => ForeignType ByteString where
  apply = refused

instance TypeError NoInteger => Argument Integer where
  pass = refused

instance TypeError NoInteger => Result Integer where
  callFor = refused

instance TypeError NoInteger => ForeignType Integer where
  apply = refused

instance TypeError NoFunction => Argument (a -> b) where
  pass = refused
