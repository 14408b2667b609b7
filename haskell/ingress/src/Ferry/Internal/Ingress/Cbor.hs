-- SPDX-License-Identifier: BSD-3-Clause

-- | Reading format @cbor@: every well-formed form of a value (W3). The quick ways expect the deterministic form of W1.
module Ferry.Internal.Ingress.Cbor
  ( unsigned,
    signed,
    boolean,
    float,
    takeNull,
    null_,
    text,
    bytes,
    Items,
    array,
    pairs,
    each,
    Field (..),
    readFields,
  )
where

import Control.Monad (unless, void, when)
import Data.Bits (complement, shiftL, shiftR, (.&.), (.|.))
import Data.ByteString (ByteString)
import qualified Data.ByteString as Bytes
import Data.ByteString.Unsafe (unsafePackCStringLen)
import Data.Int (Int64)
import Data.Text (Text)
import qualified Data.Text as Text
import Data.Word (Word64, Word8)
import Ferry.Internal.Ingress.Error
import Ferry.Internal.Ingress.Half (fromHalf)
import Ferry.Internal.Ingress.Reader
import Foreign.Ptr (castPtr)
import Foreign.Storable (peek, peekByteOff)
import GHC.Float (castWord32ToFloat, castWord64ToDouble, float2Double)

-- | The first bytes of an item: its major type, the five bits below, and the number that they stand for.
data Head = Head !Word8 !Word8 !Word64

majorUnsigned, majorNegative, majorBytes, majorText, majorArray, majorMap, majorTag, majorOther, indefinite :: Word8
majorUnsigned = 0
majorNegative = 1
majorBytes = 2
majorText = 3
majorArray = 4
majorMap = 5
majorTag = 6
majorOther = 7
indefinite = 31

peekByte :: Reader -> IO Word8
peekByte reader = do
  left <- remaining reader
  if left <= 0 then refuse reader EndsEarly else position reader >>= peek
{-# INLINE peekByte #-}

-- | The next item's head, after any tags.
readHead :: Reader -> IO Head
readHead reader = do
  first <- peekByte reader
  let major = first `shiftR` 5
      info = first .&. 31
  if info < 24 && major /= majorTag
    then Head major info (fromIntegral info) <$ advance reader 1
    else slowHead reader
{-# INLINE readHead #-}

slowHead :: Reader -> IO Head
slowHead reader = do
  found@(Head major _ _) <- oneHead reader
  if major == majorTag then slowHead reader else pure found

oneHead :: Reader -> IO Head
oneHead reader = do
  first <- peekByte reader
  advance reader 1
  let major = first `shiftR` 5
      info = first .&. 31
  value <- headValue reader major info
  when (major == majorOther && info == 24 && value < 32) $ refuse reader Malformed
  pure (Head major info value)

headValue :: Reader -> Word8 -> Word8 -> IO Word64
headValue reader major info
  | info < 24 = pure (fromIntegral info)
  | info <= 27 = do
    let count = 1 `shiftL` fromIntegral (info - 24)
    at <- slice reader count
    let go :: Int -> Word64 -> IO Word64
        go index value
          | index == count = pure value
          | otherwise = do
            byte <- peekByteOff at index :: IO Word8
            go (index + 1) (value `shiftL` 8 .|. fromIntegral byte)
    go 0 0
  | info == indefinite && major >= majorBytes && major <= majorMap = pure 0
  | otherwise = refuse reader Malformed -- reserved, or a break that ends nothing

-- | The error of an item whose kind is not the one that the type needs.
wrong :: Reader -> Head -> IO a
wrong reader (Head major info _)
  | major == majorOther && info == 22 = refuse reader Missing
  | otherwise = refuse reader WrongType
{-# NOINLINE wrong #-}

wrongInteger :: Reader -> Head -> IO a
wrongInteger reader found@(Head major _ _)
  | major <= majorNegative = refuse reader OutOfRange
  | otherwise = wrong reader found
{-# NOINLINE wrongInteger #-}

-- | An unsigned integer of at most that.
unsigned :: Reader -> Word64 -> IO Word64
unsigned reader most = do
  found@(Head major _ value) <- readHead reader
  if major == majorUnsigned && value <= most then pure value else wrongInteger reader found
{-# INLINE unsigned #-}

-- | An integer between two.
signed :: Reader -> Int64 -> Int64 -> IO Int64
signed reader least most = do
  found@(Head major _ value) <- readHead reader
  let above = fromIntegral value
      number = if major == majorUnsigned then above else complement above
  if major <= majorNegative && above >= 0 && number >= least && number <= most
    then pure number
    else wrongInteger reader found
{-# INLINE signed #-}

-- | False or true.
boolean :: Reader -> IO Bool
boolean reader = do
  found@(Head major info _) <- readHead reader
  case info of
    20 | major == majorOther -> pure False
    21 | major == majorOther -> pure True
    _ -> wrong reader found

-- | A float of any width.
float :: Reader -> IO Double
float reader = do
  found@(Head major info value) <- readHead reader
  number <- case info of
    25 | major == majorOther -> pure (fromHalf (fromIntegral value))
    26 | major == majorOther -> pure (float2Double (castWord32ToFloat (fromIntegral value)))
    27 | major == majorOther -> pure (castWord64ToDouble value)
    _ -> wrong reader found
  -- one NaN stands for all of them, whatever their bits
  pure (if isNaN number then castWord64ToDouble 0x7ff8000000000000 else number)

-- | Go past a null, if it is next.
takeNull :: Reader -> IO Bool
takeNull reader = do
  left <- remaining reader
  at <- position reader
  if left <= 0
    then pure False
    else do
      first <- peek at
      case first of
        0xf6 -> True <$ advance reader 1
        _ | first `shiftR` 5 == majorTag -> do
          Head major info _ <- slowHead reader
          if major == majorOther && info == 22 then pure True else False <$ setPosition reader at
        _ -> pure False
{-# INLINE takeNull #-}

-- | Null, where nothing else may stand.
null_ :: Reader -> IO ()
null_ reader = do
  Head major info _ <- readHead reader
  unless (major == majorOther && info == 22) $ refuse reader WrongType

-- | How many bytes, of which there are at most as many as the message has.
count_ :: Word64 -> Int
count_ value = if value > 0x7fffffffffffffff then -1 else fromIntegral value
{-# INLINE count_ #-}

-- | A text.
text :: Reader -> IO Text
text reader = do
  found@(Head major info value) <- readHead reader
  if major /= majorText
    then wrong reader found
    else
      if info == indefinite
        then Text.concat <$> (chunks reader majorText >>= mapM (whole reader))
        else slice reader (count_ value) >>= \at -> textOf reader at (count_ value)

-- | A chunk's text. Each chunk is UTF-8 by itself.
whole :: Reader -> ByteString -> IO Text
whole reader chunk = Bytes.useAsCStringLen chunk $ \(at, count) -> textOf reader (castPtr at) count

-- | Bytes.
bytes :: Reader -> IO ByteString
bytes reader = do
  found@(Head major info value) <- readHead reader
  if major /= majorBytes
    then wrong reader found
    else
      if info == indefinite
        then Bytes.concat <$> chunks reader majorBytes
        else slice reader (count_ value) >>= \at -> Bytes.packCStringLen (castPtr at, count_ value)

-- | Copies of the chunks of an indefinite text or bytes. Each chunk is definite and of the same major type. A text's
-- are checked as they come, since an error of one comes before those behind it.
chunks :: Reader -> Word8 -> IO [ByteString]
chunks reader major = go []
  where
    go found = do
      first <- peekByte reader
      if first == 0xff
        then reverse found <$ advance reader 1
        else do
          Head kind info value <- oneHead reader
          when (kind /= major || info == indefinite) $ refuse reader Malformed
          at <- slice reader (count_ value)
          chunk <- Bytes.packCStringLen (castPtr at, count_ value)
          when (major == majorText) $ void (whole reader chunk)
          go (chunk : found)

-- | How many items of an array or a map are still to come.
data Items = Definite !Word64 | Indefinite

items :: Word8 -> Reader -> Int -> IO (Reader, Items)
items major reader least = do
  found@(Head kind info value) <- readHead reader
  if kind /= major
    then wrong reader found
    else do
      inside <- deeper reader
      left <- remaining reader
      if info == indefinite
        then pure (inside, Indefinite)
        else
          if value > fromIntegral (left `quot` least)
            then refuse reader EndsEarly
            else pure (inside, Definite value)

-- | Begin an array whose items take at least so many bytes each.
array :: Reader -> Int -> IO (Reader, Items)
array = items majorArray

-- | Begin a map whose pairs take at least so many bytes each.
pairs :: Reader -> Int -> IO (Reader, Items)
pairs = items majorMap

-- | Read each item, which has its index, after what was made of those before it.
each :: Reader -> Items -> a -> (Int -> a -> IO a) -> IO a
each reader = go 0
  where
    go _ (Definite 0) made _ = pure made
    go index (Definite left) made run = do
      more <- run index made
      go (index + 1) (Definite (left - 1)) more run
    go index Indefinite made run = do
      first <- peekByte reader
      if first == 0xff
        then made <$ advance reader 1
        else run index made >>= \more -> go (index + 1 :: Int) Indefinite more run
{-# INLINE each #-}

-- | A field of an object, and what reads it. It is read once.
data Field = Field {fieldKey :: !Key, fieldRead :: Reader -> IO ()}

-- | Read an object, whose fields are in the order of their encoded keys.
--
-- A message in any other form than the deterministic one is read on from where it differs: so nothing is read twice,
-- however deep objects nest.
readFields :: Reader -> [Field] -> IO ()
readFields reader fields = do
  left <- remaining reader
  first <- if left > 0 then position reader >>= peek else pure 0
  if first `shiftR` 5 == majorMap && first .&. 31 < 24
    then do
      advance reader 1
      inside <- deeper reader
      quick inside fields (fromIntegral (first .&. 31)) fields
    else do
      (inside, entries) <- pairs reader 2
      slow inside fields entries

quick :: Reader -> [Field] -> Word64 -> [Field] -> IO ()
quick _ _ 0 _ = pure ()
quick reader fields left [] = slow reader fields (Definite left)
quick reader fields left (field : others) = do
  found <- keyAt reader (fieldKey field)
  if found
    then fieldRead field reader >> quick reader fields (left - 1) others
    else quick reader fields left others

slow :: Reader -> [Field] -> Items -> IO ()
slow reader fields entries = each reader entries () $ \_ () -> do
  key <- readKey reader
  case key of
    Nothing -> skip reader
    Just name -> named name fields
  where
    named _ [] = skip reader
    named name (field : others) = do
      found <- equals name (fieldKey field)
      if found then fieldRead field reader else named name others

-- | The key of an object's entry. A key that is not text is skipped.
readKey :: Reader -> IO (Maybe ByteString)
readKey reader = do
  at <- position reader
  Head major info value <- readHead reader
  if major /= majorText
    then Nothing <$ (setPosition reader at >> skip reader)
    else
      if info == indefinite
        then Just . Bytes.concat <$> chunks reader majorText
        else do
          name <- slice reader (count_ value)
          _ <- textOf reader name (count_ value)
          Just <$> unsafePackCStringLen (castPtr name, count_ value)

-- | Go past one item of any kind.
skip :: Reader -> IO ()
skip reader = do
  Head major info value <- readHead reader
  case () of
    _ | info == indefinite && (major == majorBytes || major == majorText) -> void (chunks reader major)
    _ | major == majorBytes -> void (slice reader (count_ value))
    _ | major == majorText -> slice reader (count_ value) >>= \at -> void (textOf reader at (count_ value))
    _ | major == majorArray || major == majorMap -> do
      let parts = if major == majorMap then 2 else 1
      inside <- deeper reader
      left <- remaining reader
      when (info /= indefinite && value > fromIntegral (left `quot` parts)) $ refuse reader EndsEarly
      each inside (if info == indefinite then Indefinite else Definite value) () $ \_ () -> do
        skip inside
        when (parts == 2) $ skip inside
    _ -> pure ()
