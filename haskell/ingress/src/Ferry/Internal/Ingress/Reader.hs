-- SPDX-License-Identifier: BSD-3-Clause

-- | The bytes of a message, and how far it has been read. A reader throws a 'WireError' where the message is wrong, and
-- @decode@ of "Ferry.Internal.Ingress.Codec" catches that once for each message. So a message that is right pays for no
-- check of each value's outcome.
--
-- The position lies in a word of memory, and everything else in the reader itself, so that a part of a message is read
-- with a reader of its own, which knows the way to that part.
module Ferry.Internal.Ingress.Reader
  ( Reader,
    withReader,
    refuse,
    refuseAt,
    deeper,
    inField,
    inIndex,
    inPair,
    position,
    setPosition,
    advance,
    remaining,
    begin,
    slice,
    textOf,
    keyAt,
    equals,
  )
where

import Control.Exception (throwIO)
import qualified Data.ByteString as Bytes
import Data.ByteString.Unsafe (unsafePackCStringLen, unsafeUseAsCString)
import Data.Text (Text)
import Data.Text.Encoding (decodeUtf8')
import Data.Word (Word8)
import Ferry.Internal.Ingress.Error
import Foreign.C.Types (CInt (..), CSize (..))
import Foreign.Marshal.Alloc (alloca)
import Foreign.Ptr (Ptr, castPtr, minusPtr, plusPtr)
import Foreign.Storable (peek, poke)

-- | A message, or a part of it.
data Reader = Reader
  { readerCell :: !(Ptr (Ptr Word8)),
    readerBegin :: !(Ptr Word8),
    readerEnd :: !(Ptr Word8),
    readerDepth :: !Int,
    readerPath :: Path
  }

-- | How deep values may nest (W7).
depthMax :: Int
depthMax = 32

-- | Read a message.
withReader :: Ptr Word8 -> Int -> (Reader -> IO a) -> IO a
withReader bytes count run = alloca $ \cell -> do
  poke cell bytes
  run (Reader cell bytes (bytes `plusPtr` count) 0 Whole)

-- | The value that is being read is wrong.
refuse :: Reader -> Reason -> IO a
refuse reader reason = throwIO (WireError reason (readerPath reader))
{-# NOINLINE refuse #-}

-- | The field of that key is wrong.
refuseAt :: Reader -> Key -> Reason -> IO a
refuseAt reader key = refuse (inField key reader)
{-# NOINLINE refuseAt #-}

-- | Go into an object, a sequence or a map.
deeper :: Reader -> IO Reader
deeper reader
  | readerDepth reader >= depthMax = refuse reader TooDeep
  | otherwise = pure reader {readerDepth = readerDepth reader + 1}
{-# INLINE deeper #-}

-- | What is read is that field.
inField :: Key -> Reader -> Reader
inField key reader = reader {readerPath = InField key (readerPath reader)}
{-# INLINE inField #-}

-- | What is read is that element.
inIndex :: Int -> Reader -> Reader
inIndex index reader = reader {readerPath = InIndex index (readerPath reader)}
{-# INLINE inIndex #-}

-- | What is read is the key or the value of that pair.
inPair :: Int -> String -> Reader -> Reader
inPair index part reader = reader {readerPath = InPair part (InIndex index (readerPath reader))}
{-# INLINE inPair #-}

-- | Where the message is read on.
position :: Reader -> IO (Ptr Word8)
position = peek . readerCell
{-# INLINE position #-}

-- | Read on from there.
setPosition :: Reader -> Ptr Word8 -> IO ()
setPosition = poke . readerCell
{-# INLINE setPosition #-}

-- | Go past so many bytes, which are there.
advance :: Reader -> Int -> IO ()
advance reader count = position reader >>= setPosition reader . (`plusPtr` count)
{-# INLINE advance #-}

-- | How many bytes are left.
remaining :: Reader -> IO Int
remaining reader = minusPtr (readerEnd reader) <$> position reader
{-# INLINE remaining #-}

-- | Where the message begins.
begin :: Reader -> Ptr Word8
begin = readerBegin
{-# INLINE begin #-}

-- | Go past so many bytes, and give where they begin.
slice :: Reader -> Int -> IO (Ptr Word8)
slice reader count = do
  at <- position reader
  if count > readerEnd reader `minusPtr` at || count < 0
    then refuse reader EndsEarly
    else at <$ setPosition reader (at `plusPtr` count)
{-# INLINE slice #-}

-- | A copy of bytes of the message as a text.
textOf :: Reader -> Ptr Word8 -> Int -> IO Text
textOf reader at count = do
  bytes <- unsafePackCStringLen (castPtr at, count)
  -- evaluated here, while the bytes are there
  case decodeUtf8' bytes of
    Right text -> pure $! text
    Left _ -> refuse reader InvalidUtf8

-- | Whether the next bytes are this key; then go past it.
keyAt :: Reader -> Key -> IO Bool
keyAt reader (Key bytes count) = do
  at <- position reader
  if count > readerEnd reader `minusPtr` at
    then pure False
    else do
      found <- memcmp at bytes (fromIntegral count)
      if found == 0 then True <$ setPosition reader (at `plusPtr` count) else pure False
{-# INLINE keyAt #-}

-- | Whether bytes are the name of a field.
equals :: Bytes.ByteString -> Key -> IO Bool
equals found key
  | Bytes.length found /= keyLength key - skipped = pure False
  | otherwise = unsafeUseAsCString found $ \at ->
    (== 0) <$> memcmp (castPtr at) (keyBytes key `plusPtr` skipped) (fromIntegral (Bytes.length found))
  where
    -- names are shorter than 256 bytes
    skipped = if keyLength key > 24 then 2 else 1

-- unsafe: it compares a few bytes
foreign import ccall unsafe "string.h memcmp" memcmp :: Ptr Word8 -> Ptr Word8 -> CSize -> IO CInt
