-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE LinearTypes #-}

-- | A function that may use its slice twice, or not at all.
-- expected: Couldn't match type ‘'Many’ with ‘'One’
module Ordinary (wrong) where

import qualified Data.Vector.Storable as Storable
import Ferry.OpenMP.Slices

wrong :: Storable.Vector Double -> (Slice Double -> Slice Double) -> IO (Storable.Vector Double)
wrong vector keep = modifySlices Nothing keep vector
