-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE LinearTypes #-}

-- | Two functions would have the same elements.
-- expected: multiplicity of ‘part’
module Twice (wrong) where

import Ferry.OpenMP.Slices

wrong :: Slice Double %1 -> (Slice Double, Slice Double)
wrong part = (mapSlice (+ 1) part, mapSlice (* 2) part)
