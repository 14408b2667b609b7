-- SPDX-License-Identifier: BSD-3-Clause

-- | An Integer as the result of a pure C function.
-- expected: fromIntegral
module Unbounded (wrong) where

import Ferry.Foreign
import Foreign.Ptr (FunPtr)

wrong :: FunPtr (Int -> Integer) -> Int -> Integer
wrong = foreignCall
