-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE AllowAmbiguousTypes #-}
{-# LANGUAGE ScopedTypeVariables #-}
{-# LANGUAGE TypeApplications #-}

-- | Reads lines @METHOD FORMAT HEX@, decodes each message as that method's reply, and writes @ok CBOR C@, the value in
-- both formats, or @error WHAT@. The codecs are those that @ferry bindgen --provider haskell@ wrote for
-- spec/wire/types.json; a program that the test writes has the table of them.
module Transcode
  ( Root,
    transcoded,
    run,
  )
where

import Data.ByteString (ByteString)
import qualified Data.ByteString as Bytes
import qualified Data.ByteString.Unsafe as Bytes
import Data.Char (digitToInt)
import Data.Map (Map)
import qualified Data.Map as Map
import Data.Word (Word64)
import Ferry.Ingress.Provider (Codec, Wire, decode, encode, wireErrorText)
import Foreign.Marshal.Alloc (free)
import Foreign.Marshal.Array (allocaArray)
import Foreign.Marshal.Utils (copyBytes, fillBytes)
import Foreign.Ptr (Ptr, castPtr, plusPtr)
import Foreign.Storable (peek)
import Numeric (showHex)

-- | Transcodes the message of one method.
type Root = Wire -> ByteString -> IO String

bytesOf :: String -> ByteString
bytesOf ('-' : _) = Bytes.empty
bytesOf digits = Bytes.pack (go digits)
  where
    go (high : low : rest) = fromIntegral (16 * digitToInt high + digitToInt low) : go rest
    go _ = []

hexOf :: ByteString -> String
hexOf bytes
  | Bytes.null bytes = "-"
  | otherwise = concatMap two (Bytes.unpack bytes)
  where
    two byte = (if byte < 16 then "0" else "") ++ showHex byte ""

encoded :: Codec a => Wire -> a -> IO String
encoded wire value = allocaArray 3 $ \buffer -> do
  fillBytes buffer 0 24
  (offset, count) <- encode buffer wire value
  base <- peek buffer
  bytes <- Bytes.packCStringLen (castPtr (base `plusPtr` offset), count)
  hexOf bytes <$ free base

-- | The codec of a type.
transcoded :: forall a. Codec a => Root
transcoded wire message = do
  -- as the core gives it: at an address that is divisible by 8
  value <- allocaArray (Bytes.length message `div` 8 + 1) $ \(room :: Ptr Word64) ->
    Bytes.unsafeUseAsCStringLen message $ \(from, count) -> do
      copyBytes (castPtr room) from count
      decode @a wire (castPtr room) count
  case value of
    Left wrong -> pure ("error " ++ wireErrorText wrong)
    Right found -> do
      cbor <- encoded 0 found
      c <- encoded 1 found
      pure (unwords ["ok", cbor, c])

-- | Transcode standard input.
run :: Map String Root -> IO ()
run roots = getContents >>= mapM_ line . lines
  where
    line text = case words text of
      [name, wire, digits] -> (roots Map.! name) (if wire == "cbor" then 0 else 1) (bytesOf digits) >>= putStrLn
      _ -> error text
