-- SPDX-License-Identifier: BSD-3-Clause

-- | deflated FILE…: the checksum of each file and its size when zlib has compressed it. The checksum is made in blocks,
-- by thousands of short calls, and the compressed file in one long call.
module Main (main) where

import Control.Monad (foldM, forM_, unless)
import qualified Data.ByteString as Bytes
import qualified Data.ByteString.Unsafe as Bytes
import Foreign.C.Types (CULong)
import Foreign.Marshal.Alloc (allocaBytes)
import Foreign.Marshal.Utils (with)
import Foreign.Ptr (Ptr, castPtr, plusPtr)
import Foreign.Storable (peek)
import Lateness
import System.Environment (getArgs)
import System.Exit (die)
import Text.Printf (printf)
import Zlib

main :: IO ()
main = do
  paths <- getArgs
  forM_ paths $ \path -> do
    contents <- Bytes.readFile path
    (checksum, size) <- withLateness . Bytes.unsafeUseAsCStringLen contents $ \(at, bytes) ->
      (,) <$> checksumOf (castPtr at) bytes <*> deflatedSize (castPtr at) bytes
    printf "%08x %d %s\n" (toInteger checksum) (toInteger size) path

-- | Bytes of one call.
blockBytes :: Int
blockBytes = 512

checksumOf :: Ptr Byte -> Int -> IO CULong
checksumOf at bytes = foldM block 0 [0, blockBytes .. bytes - 1]
  where
    block sofar from = crc32 sofar (at `plusPtr` from) (fromIntegral (min blockBytes (bytes - from)))

deflatedSize :: Ptr Byte -> Int -> IO CULong
deflatedSize at bytes = do
  most <- compressBound (fromIntegral bytes)
  allocaBytes (fromIntegral most) $ \to -> with most $ \size -> do
    code <- compress2 to size at (fromIntegral bytes) 9
    unless (code == 0) (die "deflated: zlib has no memory")
    peek size
