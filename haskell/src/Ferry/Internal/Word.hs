-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE DefaultSignatures #-}
{-# OPTIONS_HADDOCK not-home #-}

-- | What can be an argument or a result of a slot: types that are one register-sized word, or a double.
--
-- There are no instances for 'CFloat', which has no word form the calling convention would accept, nor results of 8 or
-- 16 bits, whose upper bits a C function leaves undefined.
module Ferry.Internal.Word
  ( Argument (..),
    Result (..),
    ResultKind (..),
    fromResultKind,
  )
where

import Data.Int (Int16, Int32, Int64, Int8)
import Data.Word (Word16, Word32, Word64, Word8)
import Foreign.C.Types
import Foreign.Ptr (FunPtr, Ptr, WordPtr (..), castFunPtrToPtr, castPtrToFunPtr, ptrToWordPtr, wordPtrToPtr)
import Foreign.Storable (Storable)
import GHC.Float (castDoubleToWord64, castWord64ToDouble)
import System.Posix.Types (CGid, CMode, COff, CSsize, CUid)

-- | How a C function's result becomes a word: @enum batch_result_kind@.
data ResultKind = ResultLong | ResultInt | ResultUint | ResultVoid | ResultDouble
  deriving (Eq, Ord, Show, Enum, Bounded)

-- | The number of a result kind in @enum batch_result_kind@.
fromResultKind :: ResultKind -> Word8
fromResultKind = fromIntegral . fromEnum

-- | A type that is passed to C as one argument word.
class Storable a => Argument a where
  -- | The word, as C would extend it to 64 bits. Of a type of 8 bytes it is what 'Foreign.Storable.poke' writes.
  toWord :: a -> Int64

  -- | What this is the word of.
  ofWord :: Int64 -> a
  default ofWord :: Integral a => Int64 -> a
  ofWord = fromIntegral

  -- | Whether it is passed in a floating-point register.
  isDouble :: proxy a -> Bool
  isDouble _ = False

-- | A type that C returns, and that a result word is read as.
class Result a where
  fromWord :: Int64 -> a
  resultKind :: proxy a -> ResultKind

instance Argument CChar where toWord = fromIntegral

instance Argument CSChar where toWord = fromIntegral

instance Argument CUChar where toWord = fromIntegral

instance Argument CBool where toWord = fromIntegral

instance Argument CShort where toWord = fromIntegral

instance Argument CUShort where toWord = fromIntegral

instance Argument CInt where toWord = fromIntegral

instance Argument CUInt where toWord = fromIntegral

instance Argument CLong where toWord = fromIntegral

instance Argument CULong where toWord = fromIntegral

instance Argument CLLong where toWord = fromIntegral

instance Argument CULLong where toWord = fromIntegral

instance Argument CSize where toWord = fromIntegral

instance Argument CPtrdiff where toWord = fromIntegral

instance Argument CSsize where toWord = fromIntegral

instance Argument COff where toWord = fromIntegral

instance Argument CMode where toWord = fromIntegral

instance Argument CUid where toWord = fromIntegral

instance Argument CGid where toWord = fromIntegral

instance Argument Int where toWord = fromIntegral

instance Argument Word where toWord = fromIntegral

instance Argument Int8 where toWord = fromIntegral

instance Argument Int16 where toWord = fromIntegral

instance Argument Int32 where toWord = fromIntegral

instance Argument Int64 where
  toWord = id
  ofWord = id

instance Argument Word8 where toWord = fromIntegral

instance Argument Word16 where toWord = fromIntegral

instance Argument Word32 where toWord = fromIntegral

instance Argument Word64 where toWord = fromIntegral

instance Argument (Ptr a) where
  toWord = fromPointer
  ofWord = toPointer

instance Argument (FunPtr a) where
  toWord = fromPointer . castFunPtrToPtr
  ofWord = castPtrToFunPtr . toPointer

instance Argument Double where
  toWord = fromIntegral . castDoubleToWord64
  ofWord = castWord64ToDouble . fromIntegral
  isDouble _ = True

instance Argument CDouble where
  toWord (CDouble value) = toWord value
  ofWord = CDouble . ofWord
  isDouble _ = True

instance Result () where
  fromWord _ = ()
  resultKind _ = ResultVoid

instance Result CInt where
  fromWord = fromIntegral
  resultKind _ = ResultInt

instance Result Int32 where
  fromWord = fromIntegral
  resultKind _ = ResultInt

instance Result CUInt where
  fromWord = fromIntegral
  resultKind _ = ResultUint

instance Result Word32 where
  fromWord = fromIntegral
  resultKind _ = ResultUint

instance Result CMode where
  fromWord = fromIntegral
  resultKind _ = ResultUint

instance Result CUid where
  fromWord = fromIntegral
  resultKind _ = ResultUint

instance Result CGid where
  fromWord = fromIntegral
  resultKind _ = ResultUint

instance Result CLong where
  fromWord = fromIntegral
  resultKind _ = ResultLong

instance Result CULong where
  fromWord = fromIntegral
  resultKind _ = ResultLong

instance Result CLLong where
  fromWord = fromIntegral
  resultKind _ = ResultLong

instance Result CULLong where
  fromWord = fromIntegral
  resultKind _ = ResultLong

instance Result CSize where
  fromWord = fromIntegral
  resultKind _ = ResultLong

instance Result CPtrdiff where
  fromWord = fromIntegral
  resultKind _ = ResultLong

instance Result CSsize where
  fromWord = fromIntegral
  resultKind _ = ResultLong

instance Result COff where
  fromWord = fromIntegral
  resultKind _ = ResultLong

instance Result Int where
  fromWord = fromIntegral
  resultKind _ = ResultLong

instance Result Word where
  fromWord = fromIntegral
  resultKind _ = ResultLong

instance Result Int64 where
  fromWord = id
  resultKind _ = ResultLong

instance Result Word64 where
  fromWord = fromIntegral
  resultKind _ = ResultLong

instance Result (Ptr a) where
  fromWord = toPointer
  resultKind _ = ResultLong

instance Result (FunPtr a) where
  fromWord = castPtrToFunPtr . toPointer
  resultKind _ = ResultLong

instance Result Double where
  fromWord = castWord64ToDouble . fromIntegral
  resultKind _ = ResultDouble

instance Result CDouble where
  fromWord = CDouble . fromWord
  resultKind _ = ResultDouble

fromPointer :: Ptr a -> Int64
fromPointer pointer = case ptrToWordPtr pointer of WordPtr word -> fromIntegral word

toPointer :: Int64 -> Ptr a
toPointer = wordPtrToPtr . WordPtr . fromIntegral
