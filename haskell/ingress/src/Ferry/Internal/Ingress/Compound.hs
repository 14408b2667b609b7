-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE AllowAmbiguousTypes #-}
{-# LANGUAGE ScopedTypeVariables #-}
{-# LANGUAGE TypeApplications #-}
{-# OPTIONS_GHC -Wno-orphans #-}

-- | How sequences, maps and objects travel.
module Ferry.Internal.Ingress.Compound
  ( MapKey (..),
    Slot,
    slot,
    into,
    taken,
    object,
    field,
    flatField,
    readObject,
    Case,
    caseOf,
    putCase,
    getCase,
    putFlatCase,
    getFlatCase,
    NoParams (..),
    NoError,
  )
where

import Control.Monad (foldM, forM_, zipWithM_)
import qualified Data.ByteString as Bytes
import qualified Data.ByteString.Unsafe as Bytes
import Data.IORef (IORef, newIORef, readIORef, writeIORef)
import Data.Int (Int16, Int32, Int64, Int8)
import Data.List (sortOn)
import qualified Data.Map.Strict as Map
import Data.Text (Text)
import Data.Text.Encoding (encodeUtf8)
import Data.Void (Void, absurd)
import Data.Word (Word16, Word32, Word64, Word8)
import qualified Ferry.Internal.Ingress.Cbor as Cbor
import Ferry.Internal.Ingress.Codec
import Ferry.Internal.Ingress.Error
import qualified Ferry.Internal.Ingress.Flat as Flat
import Ferry.Internal.Ingress.Reader
import Ferry.Internal.Ingress.Writer (Writer)
import qualified Ferry.Internal.Ingress.Writer as Writer
import Foreign.Ptr (Ptr, castPtr, plusPtr)

instance Codec a => Codec [a] where
  flatSize = 8
  flatAlign = 4
  putCbor writer values = Writer.nested writer $ \inside -> do
    Writer.head_ inside 0x80 (fromIntegral (length values))
    forM_ values (putCbor inside)
  getCbor reader = do
    (inside, entries) <- Cbor.array reader (leastBytes @a)
    reverse <$> Cbor.each inside entries [] (\index found -> (: found) <$> getCbor (inIndex index inside))
  putFlat writer at values = Writer.nested writer $ \inside -> do
    from <- Writer.structs inside at (length values) (flatSize @a)
    zipWithM_ (\index -> putFlat inside (from + index * flatSize @a)) [0 ..] values
  getFlat reader at = do
    inside <- deeper reader
    (count, from) <- Flat.structs inside at (flatSize @a)
    let go index found
          | index == count = pure (reverse found)
          | otherwise = do
            value <- getFlat (inIndex index inside) (from `plusPtr` (index * flatSize @a))
            go (index + 1) (value : found)
    go 0 []

-- | A type that may be the key of a map.
class (Codec k, Ord k) => MapKey k where
  -- | Bring pairs, which are in the order of their keys, into that of their encoded keys in format @cbor@ (W1).
  byEncoded :: [(k, v)] -> [(k, v)]
  byEncoded pairs = pairs

  -- | Bring them into the order of format @c@ (W5).
  byBytes :: [(k, v)] -> [(k, v)]
  byBytes pairs = pairs

  -- | Compare two keys in the order of format @c@.
  isBelow :: k -> k -> Bool
  isBelow = (<)

instance MapKey Word8

instance MapKey Word16

instance MapKey Word32

instance MapKey Word64

instance MapKey Int8 where byEncoded = signedLast

instance MapKey Int16 where byEncoded = signedLast

instance MapKey Int32 where byEncoded = signedLast

instance MapKey Int64 where byEncoded = signedLast

-- | First 0, 1, 2 and on, then -1, -2 and on.
signedLast :: Integral k => [(k, v)] -> [(k, v)]
signedLast pairs = above ++ reverse below
  where
    (below, above) = span ((< 0) . fst) pairs

-- | The order of a 'Text' is that of its code points or of its code units, by the version of the package; the wire's is
-- that of its bytes.
instance MapKey Text where
  byEncoded = sortOn (\(key, _) -> let bytes = encodeUtf8 key in (Bytes.length bytes, bytes))
  byBytes = sortOn (encodeUtf8 . fst)
  isBelow one other = encodeUtf8 one < encodeUtf8 other

instance (MapKey k, Codec v) => Codec (Map.Map k v) where
  flatSize = 8
  flatAlign = 4
  putCbor writer values = Writer.nested writer $ \inside -> do
    Writer.head_ inside 0xa0 (fromIntegral (Map.size values))
    forM_ (byEncoded (Map.toAscList values)) $ \(key, value) -> putCbor inside key >> putCbor inside value
  getCbor reader = do
    (inside, entries) <- Cbor.pairs reader (leastBytes @k + leastBytes @v)
    Cbor.each inside entries Map.empty $ \index found -> do
      key <- getCbor (inPair index "key" inside)
      if Map.member key found
        then refuse inside GivenTwice
        else do
          value <- getCbor (inPair index "value" inside)
          pure $! Map.insert key value found
  putFlat writer at values = Writer.nested writer $ \inside -> do
    from <- Writer.structs inside at (Map.size values) (pairSize @k @v)
    let put index (key, value) = do
          let pair = from + index * pairSize @k @v
          putFlat inside pair key
          putFlat inside (pair + valueAt @k @v) value
    zipWithM_ put [0 ..] (byBytes (Map.toAscList values))
  getFlat reader at = do
    inside <- deeper reader
    (count, from) <- Flat.structs inside at (pairSize @k @v)
    let get (found, last_) index = do
          (key, value) <- getPair inside index (from `plusPtr` (index * pairSize @k @v))
          case last_ of
            Just before | not (before `isBelow` key) -> refuse inside OutOfOrder
            _ -> pure (Map.insert key value found, Just key)
    fst <$> foldM get (Map.empty, Nothing) [0 .. count - 1]

-- | Where the value of a pair lies in format @c@, and how many bytes a pair takes.
valueAt, pairSize :: forall k v. (Codec k, Codec v) => Int
valueAt = Flat.alignUp (flatSize @k) (flatAlign @v)
pairSize = Flat.alignUp (valueAt @k @v + flatSize @v) (max (flatAlign @k) (flatAlign @v))

getPair :: forall k v. (Codec k, Codec v) => Reader -> Int -> Ptr Word8 -> IO (k, v)
getPair reader index pair = do
  let end = valueAt @k @v + flatSize @v
      whole = inIndex index reader
  key <- getFlat (inPair index "key" reader) pair
  Flat.zeros whole (pair `plusPtr` flatSize @k) (valueAt @k @v - flatSize @k)
  value <- getFlat (inPair index "value" reader) (pair `plusPtr` valueAt @k @v)
  Flat.zeros whole (pair `plusPtr` end) (pairSize @k @v - end)
  pure (key, value)

-- ---- objects -------------------------------------------------------------------------------------------------------

-- | What has been read of a field: not its key, null, or a value.
data Taken a = Unseen | Null | Value a

-- | Where a field's value goes while its object is read.
newtype Slot a = Slot (IORef (Taken a))

-- | An empty slot.
slot :: IO (Slot a)
slot = Slot <$> newIORef Unseen
{-# INLINE slot #-}

-- | Read a field into its slot.
into :: Codec a => Key -> Slot a -> Cbor.Field
into key (Slot cell) = Cbor.Field key $ \outside -> do
  seen <- readIORef cell
  let reader = inField key outside
  case seen of
    Unseen -> do
      isNull <- Cbor.takeNull reader
      if isNull then writeIORef cell Null else getCbor reader >>= writeIORef cell . Value
    _ -> refuse reader GivenTwice
{-# INLINEABLE into #-}

-- | The value of a field.
taken :: Codec a => Reader -> Key -> Slot a -> IO a
taken reader key (Slot cell) = do
  seen <- readIORef cell
  case seen of
    Value value -> pure value
    _ -> maybe (refuseAt reader key Missing) pure absent
{-# INLINE taken #-}

-- | Read an object's fields, which are in the order of their encoded keys, into their slots.
readObject :: Reader -> [Cbor.Field] -> IO ()
readObject = Cbor.readFields
{-# INLINE readObject #-}

-- | Begin an object of that many fields in format @cbor@.
object :: Writer -> Int -> (Writer -> IO ()) -> IO ()
object writer count run = Writer.nested writer $ \inside -> Writer.head_ inside 0xa0 (fromIntegral count) >> run inside
{-# INLINE object #-}

-- | Append a field, if it is there.
field :: Codec a => Writer -> Key -> a -> IO ()
field writer (Key bytes count) value
  | isPresent value = do
    name <- Bytes.unsafePackCStringLen (castPtr bytes, count)
    Writer.raw writer name
    putCbor writer value
  | otherwise = pure ()
{-# INLINEABLE field #-}

-- | Read a field of an object's struct.
flatField :: Codec a => Reader -> Key -> Ptr Word8 -> Int -> IO a
flatField reader key at offset = getFlat (inField key reader) (at `plusPtr` offset)
{-# INLINE flatField #-}

-- ---- variants ------------------------------------------------------------------------------------------------------

-- | A case of a variant: its key, how what it carries is read in both formats, and how many bytes that takes in @c@.
data Case v = Case !Key (Reader -> IO v) (Reader -> Ptr Word8 -> IO v) !Int

-- | A case, and what makes a value of it.
caseOf :: forall a v. Codec a => Key -> (a -> v) -> Case v
caseOf key make =
  Case
    key
    (\reader -> make <$> getCbor (inField key reader))
    (\reader at -> make <$> getFlat (inField key reader) at)
    (flatSize @a)

-- | Append a variant's value in format @cbor@.
putCase :: Codec a => Writer -> Key -> a -> IO ()
putCase writer key value = object writer 1 $ \inside -> do
  let Key bytes count = key
  name <- Bytes.unsafePackCStringLen (castPtr bytes, count)
  Writer.raw inside name
  putCbor inside value
{-# INLINEABLE putCase #-}

-- | Read a variant's value in format @cbor@.
getCase :: [Case v] -> Reader -> IO v
getCase cases outside = do
  (reader, entries) <- Cbor.pairs outside 2
  found <- Cbor.each reader entries Nothing $ \_ before -> case before of
    Just _ -> refuse reader GivenTwice
    Nothing -> Just <$> (Cbor.text reader >>= one reader cases . encodeUtf8)
  maybe (refuse outside Missing) pure found
  where
    one reader [] _ = refuse reader UnknownCase
    one reader (Case key get _ _ : others) name = do
      isThis <- name `equals` key
      if isThis then get reader else one reader others name

-- | Write the struct of a variant's value: the number of its case, and at an offset what that carries.
putFlatCase :: Codec a => Writer -> Int -> Int32 -> Int -> a -> IO ()
putFlatCase writer at number offset value = Writer.nested writer $ \inside -> do
  putFlat inside at number
  putFlat inside (at + offset) value
{-# INLINEABLE putFlatCase #-}

-- | Read the struct of a variant's value, which has so many bytes.
getFlatCase :: Int -> Int -> [Case v] -> Reader -> Ptr Word8 -> IO v
getFlatCase whole offset cases outside at = do
  reader <- deeper outside
  number <- getFlat reader at :: IO Int32
  if number < 0 || fromIntegral number >= length cases
    then refuse reader UnknownCase
    else do
      let Case _ _ get count = cases !! fromIntegral number
          end = offset + count
      Flat.zeros reader (at `plusPtr` 4) (offset - 4)
      value <- get reader (at `plusPtr` offset)
      Flat.zeros reader (at `plusPtr` end) (whole - end)
      pure value

-- | The parameters of a method that has none.
data NoParams = NoParams

instance Codec NoParams where
  flatSize = 0
  flatAlign = 1
  putCbor writer NoParams = Writer.byte_ writer 0xa0
  getCbor reader = NoParams <$ Cbor.readFields reader []
  putFlat _ _ NoParams = pure ()
  getFlat _ _ = pure NoParams

-- | The error of a method that declares none: there is no value of it.
type NoError = Void

instance Codec Void where
  flatSize = 0
  flatAlign = 1
  putCbor _ = absurd
  getCbor reader = refuse reader WrongType
  putFlat _ _ = absurd
  getFlat reader _ = refuse reader WrongType
