-- SPDX-License-Identifier: BSD-3-Clause

-- | A ByteString as an argument of a C function.
-- expected: useAsCString
module Packed (wrong) where

import Data.ByteString (ByteString)
import Ferry.Foreign
import Foreign.C.Types (CInt)
import Foreign.Ptr (FunPtr)

wrong :: FunPtr (ByteString -> IO CInt) -> ByteString -> IO CInt
wrong = foreignCall
