-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE LinearTypes #-}

-- | The whole would be used while its parts are.
-- expected: multiplicity of ‘whole’
module Kept (wrong) where

import Ferry.OpenMP.Slices

wrong :: Slice Double %1 -> Slice Double
wrong whole = bothSlices 1 (mapSlice (+ 1)) (\_ -> whole) whole

{- HLINT ignore wrong "Use const" -}
