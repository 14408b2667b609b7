-- SPDX-License-Identifier: BSD-3-Clause

-- | The same by GHC's own foreign imports.
module Zlib (Byte, crc32, compressBound, compress2) where

import Data.Word (Word8)
import Foreign.C.Types (CInt (..), CUInt (..), CULong (..))
import Foreign.Ptr (Ptr)

type Byte = Word8

-- unsafe: a block is short
foreign import ccall unsafe crc32 :: CULong -> Ptr Byte -> CUInt -> IO CULong

-- unsafe: it only adds
foreign import ccall unsafe compressBound :: CULong -> IO CULong

-- safe: a file is long
foreign import ccall safe compress2 :: Ptr Byte -> Ptr CULong -> Ptr Byte -> CULong -> CInt -> IO CInt
