-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE LinearTypes #-}

-- | Only modifySlices makes slices.
-- expected: not in scope: Slice
module Made (wrong) where

import Ferry.OpenMP.Slices

wrong :: Slice Double
wrong = Slice undefined undefined
