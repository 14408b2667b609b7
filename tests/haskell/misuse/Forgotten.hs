-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE LinearTypes #-}

-- | Nobody would change these elements, and nobody say that they are ready.
-- expected: non-linear pattern
module Forgotten (wrong) where

import Ferry.OpenMP.Slices

wrong :: Slice Double %1 -> ()
wrong _ = ()
