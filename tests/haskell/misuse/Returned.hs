-- SPDX-License-Identifier: BSD-3-Clause

-- | A String as the result of a C function.
-- expected: peekCString
module Returned (wrong) where

import Ferry.Foreign
import Foreign.C.Types (CInt)
import Foreign.Ptr (FunPtr)

wrong :: FunPtr (CInt -> IO String) -> CInt -> IO String
wrong = foreignCall
