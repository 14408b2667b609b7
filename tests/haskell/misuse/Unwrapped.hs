-- SPDX-License-Identifier: BSD-3-Clause

-- | A Haskell function as an argument of a C function.
-- expected: freeHaskellFunPtr
module Unwrapped (wrong) where

import Ferry.Foreign
import Foreign.Ptr (FunPtr)

wrong :: FunPtr ((Int -> Int) -> IO ()) -> (Int -> Int) -> IO ()
wrong = foreignCall
