-- SPDX-License-Identifier: BSD-3-Clause

-- | Where messages are written: memory of C's that grows, of which three words say where it begins, how far it is
-- written, and where it ends (struct ferry_haskell_buffer). A message begins at an offset that is divisible by 8.
module Ferry.Internal.Ingress.Writer
  ( Buffer,
    Writer,
    writerAt,
    finish,
    forget,
    nested,

    -- * Format cbor
    head_,
    integer,
    byte_,
    double,
    text,
    raw,
    counted,

    -- * Format c
    room,
    place,
    refer,
    referText,
    referBytes,
    structs,
  )
where

import Control.Exception (throwIO)
import Control.Monad (when)
import Data.Bits (complement, (.|.))
import Data.ByteString (ByteString)
import qualified Data.ByteString as Bytes
import Data.ByteString.Unsafe (unsafeUseAsCString)
import Data.Int (Int64)
import Data.Text (Text)
import Data.Text.Encoding (encodeUtf8)
import Data.Word (Word16, Word32, Word64, Word8, byteSwap16, byteSwap32, byteSwap64)
import Ferry.Internal.Ingress.Error
import Ferry.Internal.Ingress.Half (toHalf)
import Foreign.C.Types (CInt (..), CSize (..))
import Foreign.Marshal.Utils (copyBytes, fillBytes)
import Foreign.Ptr (Ptr, castPtr, minusPtr, nullPtr, plusPtr)
import Foreign.Storable (peek, peekByteOff, poke, pokeByteOff)
import GHC.Float (castDoubleToWord64, castFloatToWord32, double2Float, float2Double)

-- | struct ferry_haskell_buffer.
type Buffer = Ptr (Ptr Word8)

-- | A message that is being written: its buffer, where it begins there, and how deep it has become.
data Writer = Writer !Buffer !Int !Int

-- | How deep values may nest (W7).
depthMax :: Int
depthMax = 32

-- | Begin a message behind what the buffer has.
writerAt :: Buffer -> IO Writer
writerAt buffer = do
  base <- peek buffer
  at <- peekByteOff buffer 8
  let used = if base == nullPtr then 0 else at `minusPtr` base
      gap = (-used) `mod` 8
  when (gap > 0) $ reserve buffer gap >>= \from -> fillBytes from 0 gap
  pure (Writer buffer (used + gap) 0)

-- | End a message: where it begins in the buffer, and how many bytes it has.
finish :: Writer -> IO (Int, Int)
finish writer@(Writer _ start _) = do
  count <- size writer
  when (count > 0xffffffff) $ throwIO (WireError OutOfRange Whole)
  pure (start, count)

-- | Take a message back.
forget :: Writer -> IO ()
forget (Writer buffer start _) = do
  base <- peek buffer
  when (base /= nullPtr) $ pokeByteOff buffer 8 (base `plusPtr` start :: Ptr Word8)

-- | Write an object, a sequence or a map.
nested :: Writer -> (Writer -> IO a) -> IO a
nested (Writer buffer start depth) run
  | depth >= depthMax = throwIO (WireError TooDeep Whole)
  | otherwise = run (Writer buffer start (depth + 1))
{-# INLINE nested #-}

-- | How many bytes the message has so far.
size :: Writer -> IO Int
size (Writer buffer start _) = do
  base <- peek buffer
  at <- peekByteOff buffer 8 :: IO (Ptr Word8)
  pure (at `minusPtr` base - start)
{-# INLINE size #-}

-- | Room for so many bytes more.
reserve :: Buffer -> Int -> IO (Ptr Word8)
reserve buffer count = do
  at <- peekByteOff buffer 8
  end <- peekByteOff buffer 16 :: IO (Ptr Word8)
  if count <= end `minusPtr` at
    then at <$ pokeByteOff buffer 8 (at `plusPtr` count :: Ptr Word8)
    else do
      failed <- grow buffer (fromIntegral count)
      if failed /= 0 then throwIO (WireError NoMemory Whole) else reserve buffer count
{-# INLINE reserve #-}

append :: Writer -> Int -> IO (Ptr Word8)
append (Writer buffer _ _) = reserve buffer
{-# INLINE append #-}

-- ---- cbor ----------------------------------------------------------------------------------------------------------

-- | A byte.
byte_ :: Writer -> Word8 -> IO ()
byte_ writer value = append writer 1 >>= (`poke` value)
{-# INLINE byte_ #-}

-- | A head, by its major type, which is in the upper three bits.
head_ :: Writer -> Word8 -> Word64 -> IO ()
head_ writer major value
  | value < 24 = byte_ writer (major .|. fromIntegral value)
  | otherwise = longHead writer major value
{-# INLINE head_ #-}

longHead :: Writer -> Word8 -> Word64 -> IO ()
longHead writer major value
  | value <= 0xff = with 2 24 $ \at -> pokeByteOff at 1 (fromIntegral value :: Word8)
  | value <= 0xffff = with 3 25 $ \at -> pokeByteOff at 1 (byteSwap16 (fromIntegral value) :: Word16)
  | value <= 0xffffffff = with 5 26 $ \at -> pokeByteOff at 1 (byteSwap32 (fromIntegral value) :: Word32)
  | otherwise = with 9 27 $ \at -> pokeByteOff at 1 (byteSwap64 value)
  where
    with count info write = append writer count >>= \at -> poke at (major .|. info) >> write at

-- | An integer.
integer :: Writer -> Int64 -> IO ()
integer writer value
  | value < 0 = head_ writer 0x20 (fromIntegral (complement value))
  | otherwise = head_ writer 0 (fromIntegral value)
{-# INLINE integer #-}

-- | The shortest float that keeps the value.
double :: Writer -> Double -> IO ()
double writer value
  | isNaN value = with 3 0xf9 $ \at -> pokeByteOff at 1 (byteSwap16 0x7e00)
  | float2Double single /= value = with 9 0xfb $ \at -> pokeByteOff at 1 (byteSwap64 (castDoubleToWord64 value))
  | Just half <- toHalf single = with 3 0xf9 $ \at -> pokeByteOff at 1 (byteSwap16 half)
  | otherwise = with 5 0xfa $ \at -> pokeByteOff at 1 (byteSwap32 (castFloatToWord32 single))
  where
    single = double2Float value
    with count info write = append writer count >>= \at -> poke at info >> write at

-- | A text.
text :: Writer -> Text -> IO ()
text writer value = counted writer 0x60 (encodeUtf8 value)

-- | Bytes behind their count, by the major type.
counted :: Writer -> Word8 -> ByteString -> IO ()
counted writer major value = do
  head_ writer major (fromIntegral (Bytes.length value))
  raw writer value

-- | Bytes as they are.
raw :: Writer -> ByteString -> IO ()
raw writer value = do
  at <- append writer (Bytes.length value)
  unsafeUseAsCString value $ \from -> copyBytes at (castPtr from) (Bytes.length value)

-- ---- format c ------------------------------------------------------------------------------------------------------

-- | Zeros for a struct of so many bytes; its offset.
room :: Writer -> Int -> IO Int
room writer count = do
  offset <- size writer
  at <- append writer count
  offset <$ fillBytes at 0 count

-- | Where an offset lies now: until something is written.
place :: Writer -> Int -> IO (Ptr a)
place (Writer buffer start _) offset = (`plusPtr` (start + offset)) <$> peek buffer
{-# INLINE place #-}

-- | Have the struct at an offset refer to another one, of that count.
refer :: Writer -> Int -> Int -> Int -> IO ()
refer writer from offset count = do
  at <- place writer from
  poke at (fromIntegral offset :: Word32)
  pokeByteOff at 4 (fromIntegral count :: Word32)

-- | Append bytes, and refer to them from an offset.
referBytes :: Writer -> Int -> ByteString -> IO ()
referBytes writer from value = when (Bytes.length value > 0) $ do
  offset <- size writer
  refer writer from offset (Bytes.length value)
  raw writer value

-- | Append a text and a zero byte, and refer to it from an offset.
referText :: Writer -> Int -> Text -> IO ()
referText writer from value = when (Bytes.length encoded > 0) $ do
  referBytes writer from encoded
  byte_ writer 0
  where
    encoded = encodeUtf8 value

-- | Append room for so many structs, and refer to it from an offset. Gives where the first is.
structs :: Writer -> Int -> Int -> Int -> IO Int
structs _ _ 0 _ = pure 0
structs writer from count bytes = do
  end <- size writer
  let gap = (-end) `mod` 8
  when (count > 0xffffffff) $ throwIO (WireError OutOfRange Whole)
  _ <- room writer (gap + count * bytes)
  (end + gap) <$ refer writer from (end + gap) count

-- unsafe: it allocates, and calls nothing back
foreign import ccall unsafe "ferry/ingress_haskell.h ferry_haskell_grow" grow :: Buffer -> CSize -> IO CInt
