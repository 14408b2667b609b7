-- SPDX-License-Identifier: BSD-3-Clause

-- | The same functions by GHC's own foreign imports.
module Zlib (Byte, crc32, compressBound, compress2) where

import Data.Word (Word8)
import Foreign.C.Types (CInt (..), CUInt (..), CULong (..))
import Foreign.Ptr (Ptr)

type Byte = Word8

-- unsafe: a block is short, so the call is too
foreign import ccall unsafe crc32 :: CULong -> Ptr Byte -> CUInt -> IO CULong

-- unsafe: it only computes a number
foreign import ccall unsafe compressBound :: CULong -> IO CULong

-- safe: a file may be long, so the call is too
foreign import ccall safe compress2 :: Ptr Byte -> Ptr CULong -> Ptr Byte -> CULong -> CInt -> IO CInt
