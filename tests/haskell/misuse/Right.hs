-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE LinearTypes #-}

-- | The same functions, rightly.
-- expected: nothing
module Right (right) where

import Ferry.OpenMP.Slices

right :: Slice Double %1 -> Slice Double
right whole = bothSlices 1 (mapSlice (+ 1)) (mapSlice (* 2)) whole

{- HLINT ignore right "Eta reduce" -}
