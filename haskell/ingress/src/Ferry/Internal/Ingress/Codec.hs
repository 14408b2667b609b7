-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE AllowAmbiguousTypes #-}
{-# LANGUAGE ScopedTypeVariables #-}
{-# LANGUAGE TypeApplications #-}

-- | How values travel, in both formats: the class of their types, and those without parts.
module Ferry.Internal.Ingress.Codec
  ( Codec (..),
    Wire,
    cbor,
    encode,
    decode,
    getEnum,
    getFlatEnum,
  )
where

import Control.Exception (try)
import Data.ByteString (ByteString)
import Data.Int (Int16, Int32, Int64, Int8)
import Data.Maybe (isJust)
import Data.Text (Text)
import Data.Word (Word16, Word32, Word64, Word8)
import qualified Ferry.Internal.Ingress.Cbor as Cbor
import Ferry.Internal.Ingress.Error
import qualified Ferry.Internal.Ingress.Flat as Flat
import Ferry.Internal.Ingress.Reader
import Ferry.Internal.Ingress.Writer (Buffer, Writer)
import qualified Ferry.Internal.Ingress.Writer as Writer
import Foreign.Ptr (Ptr, castPtr, plusPtr)
import Foreign.Storable (Storable, peek, poke)
import GHC.Float (double2Float, float2Double)

-- | A type whose values travel.
class Codec a where
  -- | How many bytes a value takes in its struct in format @c@.
  flatSize :: Int

  -- | The alignment of that struct.
  flatAlign :: Int

  -- | The fewest bytes that a value takes in format @cbor@.
  leastBytes :: Int
  leastBytes = 1

  -- | Append a value.
  putCbor :: Writer -> a -> IO ()

  -- | Read a value.
  getCbor :: Reader -> IO a

  -- | Write a value's struct where zeros are, and append what it refers to.
  putFlat :: Writer -> Int -> a -> IO ()

  -- | Read a value's struct, and what it refers to.
  getFlat :: Reader -> Ptr Word8 -> IO a

  -- | The value of a field that is not there; 'Nothing' when it has to be.
  absent :: Maybe a
  absent = Nothing

  -- | Whether a field with this value travels in format @cbor@.
  isPresent :: a -> Bool
  isPresent _ = True

-- | A wire format: enum ingress_wire.
type Wire = Word32

-- | Format @cbor@; any other number stands for @c@.
cbor :: Wire
cbor = 0

-- | Write a whole message: where it begins in the buffer, and how many bytes it has.
encode :: forall a. Codec a => Buffer -> Wire -> a -> IO (Int, Int)
encode buffer wire value = do
  writer <- Writer.writerAt buffer
  if wire == cbor
    then putCbor writer value
    else Writer.room writer (flatSize @a) >>= \at -> putFlat writer at value
  Writer.finish writer
{-# INLINEABLE encode #-}

-- | Read a whole message.
decode :: forall a. Codec a => Wire -> Ptr Word8 -> Int -> IO (Either WireError a)
decode wire bytes count = try . withReader bytes count $ \reader -> do
  value <- if wire == cbor then getCbor reader else slice reader (flatSize @a) >>= getFlat reader
  left <- remaining reader
  if left == 0 then pure value else refuse reader LeftOver
{-# INLINEABLE decode #-}

putStorable :: Storable a => Writer -> Int -> a -> IO ()
putStorable writer at value = Writer.place writer at >>= (`poke` value)
{-# INLINE putStorable #-}

getStorable :: Storable a => Reader -> Ptr Word8 -> IO a
getStorable _ = peek . castPtr
{-# INLINE getStorable #-}

putInteger :: Integral a => Writer -> a -> IO ()
putInteger writer = Writer.integer writer . fromIntegral
{-# INLINE putInteger #-}

getUnsigned :: forall a. (Integral a, Bounded a) => Reader -> IO a
getUnsigned reader = fromIntegral <$> Cbor.unsigned reader (fromIntegral (maxBound :: a))
{-# INLINE getUnsigned #-}

getSigned :: forall a. (Integral a, Bounded a) => Reader -> IO a
getSigned reader =
  fromIntegral <$> Cbor.signed reader (fromIntegral (minBound :: a)) (fromIntegral (maxBound :: a))
{-# INLINE getSigned #-}

instance Codec Word8 where
  flatSize = 1
  flatAlign = 1
  putCbor = putInteger
  getCbor = getUnsigned
  putFlat = putStorable
  getFlat = getStorable

instance Codec Word16 where
  flatSize = 2
  flatAlign = 2
  putCbor = putInteger
  getCbor = getUnsigned
  putFlat = putStorable
  getFlat = getStorable

instance Codec Word32 where
  flatSize = 4
  flatAlign = 4
  putCbor = putInteger
  getCbor = getUnsigned
  putFlat = putStorable
  getFlat = getStorable

instance Codec Word64 where
  flatSize = 8
  flatAlign = 8
  putCbor writer = Writer.head_ writer 0
  getCbor = getUnsigned
  putFlat = putStorable
  getFlat = getStorable

instance Codec Int8 where
  flatSize = 1
  flatAlign = 1
  putCbor = putInteger
  getCbor = getSigned
  putFlat = putStorable
  getFlat = getStorable

instance Codec Int16 where
  flatSize = 2
  flatAlign = 2
  putCbor = putInteger
  getCbor = getSigned
  putFlat = putStorable
  getFlat = getStorable

instance Codec Int32 where
  flatSize = 4
  flatAlign = 4
  putCbor = putInteger
  getCbor = getSigned
  putFlat = putStorable
  getFlat = getStorable

instance Codec Int64 where
  flatSize = 8
  flatAlign = 8
  putCbor = putInteger
  getCbor = getSigned
  putFlat = putStorable
  getFlat = getStorable

-- | In format @cbor@ a float of 64 bits is read too, if 32 bits keep its value.
instance Codec Float where
  flatSize = 4
  flatAlign = 4
  putCbor writer = Writer.double writer . float2Double
  getCbor reader = do
    number <- Cbor.float reader
    let single = double2Float number
    if float2Double single == number || isNaN number then pure single else refuse reader OutOfRange
  putFlat = putStorable
  getFlat = getStorable

instance Codec Double where
  flatSize = 8
  flatAlign = 8
  putCbor = Writer.double
  getCbor = Cbor.float
  putFlat = putStorable
  getFlat = getStorable

instance Codec Bool where
  flatSize = 1
  flatAlign = 1
  putCbor writer value = Writer.byte_ writer (if value then 0xf5 else 0xf4)
  getCbor = Cbor.boolean
  putFlat writer at value = putStorable writer at (if value then 1 else 0 :: Word8)
  getFlat reader at = do
    byte <- peek at
    case byte of
      0 -> pure False
      1 -> pure True
      _ -> refuse reader NotABool

instance Codec Text where
  flatSize = 8
  flatAlign = 4
  putCbor = Writer.text
  getCbor = Cbor.text
  putFlat = Writer.referText
  getFlat = Flat.text

instance Codec ByteString where
  flatSize = 8
  flatAlign = 4
  putCbor writer = Writer.counted writer 0x40
  getCbor = Cbor.bytes
  putFlat = Writer.referBytes
  getFlat = Flat.bytes

-- | Nothing: what a method gives that returns nothing.
instance Codec () where
  flatSize = 0
  flatAlign = 1
  putCbor writer () = Writer.byte_ writer 0xf6
  getCbor = Cbor.null_
  putFlat _ _ () = pure ()
  getFlat _ _ = pure ()

-- | Read an enum's value, by what finds it by its number.
getEnum :: (Int32 -> Maybe a) -> Reader -> IO a
getEnum find reader = getCbor reader >>= maybe (refuse reader UnknownEnumValue) pure . find

-- | As 'getEnum', in format @c@.
getFlatEnum :: (Int32 -> Maybe a) -> Reader -> Ptr Word8 -> IO a
getFlatEnum find reader at = getFlat reader at >>= maybe (refuse reader UnknownEnumValue) pure . find

-- | A value that may be absent.
instance Codec a => Codec (Maybe a) where
  flatSize = Flat.alignUp (flatAlign @a + flatSize @a) (flatAlign @a)
  flatAlign = flatAlign @a
  putCbor writer = maybe (Writer.byte_ writer 0xf6) (putCbor writer)
  getCbor reader = do
    isNull <- Cbor.takeNull reader
    if isNull then pure Nothing else Just <$> getCbor reader
  putFlat _ _ Nothing = pure ()
  putFlat writer at (Just value) = do
    putStorable writer at (1 :: Word8)
    putFlat writer (at + flatAlign @a) value
  getFlat reader at = do
    present <- peek at
    case present of
      0 -> Nothing <$ Flat.zeros reader at (flatSize @(Maybe a))
      1 -> do
        let end = flatAlign @a + flatSize @a
        Flat.zeros reader (at `plusPtr` 1) (flatAlign @a - 1)
        value <- getFlat reader (at `plusPtr` flatAlign @a)
        Flat.zeros reader (at `plusPtr` end) (flatSize @(Maybe a) - end)
        pure (Just value)
      _ -> refuse reader NotABool
  absent = Just Nothing
  isPresent = isJust
