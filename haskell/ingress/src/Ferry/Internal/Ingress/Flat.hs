-- SPDX-License-Identifier: BSD-3-Clause

-- | Reading format @c@: structs as a C compiler lays them out, then the parts that they refer to, in a fixed order (W4,
-- W5). Since every value has one encoding, the reader knows where each part has to begin: at its position, aligned. Any
-- other offset is an error, so no byte is read twice and no parts overlap (W6).
module Ferry.Internal.Ingress.Flat
  ( alignUp,
    zeros,
    text,
    bytes,
    structs,
  )
where

import Control.Monad (when)
import Data.Bits (complement, (.&.))
import Data.ByteString (ByteString)
import qualified Data.ByteString as Bytes
import Data.Text (Text)
import qualified Data.Text as Text
import Data.Word (Word32, Word8)
import Ferry.Internal.Ingress.Error
import Ferry.Internal.Ingress.Reader
import Foreign.Ptr (Ptr, castPtr, minusPtr, plusPtr)
import Foreign.Storable (peekByteOff)

-- | The next offset that the alignment allows, which is a power of two.
alignUp :: Int -> Int -> Int
alignUp offset align = (offset + align - 1) .&. complement (align - 1)
{-# INLINE alignUp #-}

-- | Check that bytes from an address on are zero.
zeros :: Reader -> Ptr Word8 -> Int -> IO ()
zeros reader at count = go 0
  where
    go index = when (index < count) $ do
      byte <- peekByteOff at index :: IO Word8
      if byte == 0 then go (index + 1) else refuse reader PaddingNotZero
{-# INLINE zeros #-}

-- | The count of a reference, whose offset has to be where the next part begins.
part :: Reader -> Ptr Word8 -> IO Int
part reader at = do
  offset <- peekByteOff at 0 :: IO Word32
  count <- peekByteOff at 4 :: IO Word32
  next <- position reader
  let expected = if count == 0 then 0 else next `minusPtr` begin reader
  if fromIntegral offset == expected then pure (fromIntegral count) else refuse reader WrongOffset

-- | The bytes that a reference stands for.
bytes :: Reader -> Ptr Word8 -> IO ByteString
bytes reader at = do
  count <- part reader at
  from <- slice reader count
  Bytes.packCStringLen (castPtr from, count)

-- | The text that a reference stands for; the zero byte after it is checked.
text :: Reader -> Ptr Word8 -> IO Text
text reader at = do
  count <- part reader at
  if count == 0
    then pure Text.empty
    else do
      left <- remaining reader
      if count >= left
        then refuse reader EndsEarly
        else do
          from <- slice reader (count + 1)
          found <- textOf reader from count
          zeros reader (from `plusPtr` count) 1
          pure found

-- | The structs that a reference stands for, side by side: how many there are, and where.
structs :: Reader -> Ptr Word8 -> Int -> IO (Int, Ptr Word8)
structs reader at size = do
  claimed <- peekByteOff at 4 :: IO Word32
  when (claimed > 0) $ do
    next <- position reader
    let offset = next `minusPtr` begin reader
        gap = alignUp offset 8 - offset
    left <- remaining reader
    when (gap > left) $ refuse reader EndsEarly
    zeros reader next gap
    advance reader gap
  count <- part reader at
  left <- remaining reader
  if count > left `quot` size
    then refuse reader EndsEarly
    else slice reader (count * size) >>= \from -> pure (count, from)
