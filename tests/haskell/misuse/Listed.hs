-- SPDX-License-Identifier: BSD-3-Clause

-- | A String as an argument of a C function.
-- expected: withCString
module Listed (wrong) where

import Ferry.Foreign
import Foreign.C.Types (CInt)
import Foreign.Ptr (FunPtr)

wrong :: FunPtr (String -> IO CInt) -> String -> IO CInt
wrong = foreignCall
