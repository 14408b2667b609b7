-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE LinearTypes #-}

-- | A slice in a value that may be used any number of times.
-- expected: multiplicity of ‘part’
module Smuggled (wrong) where

import Ferry.OpenMP.Slices

wrong :: Slice Double %1 -> Ur (Slice Double)
wrong part = Ur part

{- HLINT ignore wrong "Eta reduce" -}
