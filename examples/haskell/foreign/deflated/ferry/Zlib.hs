-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE TemplateHaskell #-}

-- | The functions of zlib that the program calls, imported by "Ferry.Foreign".
module Zlib (Byte, crc32, compressBound, compress2) where

import Data.Word (Word8)
import Ferry.Foreign
import Foreign.C.Types (CInt, CUInt, CULong)
import Foreign.Ptr (Ptr)

type Byte = Word8

foreignImport "crc32" [t|CULong -> Ptr Byte -> CUInt -> IO CULong|]

foreignImport "compressBound" [t|CULong -> IO CULong|]

foreignImport "compress2" [t|Ptr Byte -> Ptr CULong -> Ptr Byte -> CULong -> CInt -> IO CInt|]
