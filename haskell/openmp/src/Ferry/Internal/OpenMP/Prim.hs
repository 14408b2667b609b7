-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE GHCForeignImportPrim #-}
{-# LANGUAGE MagicHash #-}
{-# LANGUAGE UnboxedTuples #-}
{-# LANGUAGE UnliftedFFITypes #-}
{-# OPTIONS_HADDOCK not-home #-}

-- | Every @foreign import prim@ of the package: the functions of @cmm/openmp.cmm@, which says how they work.
--
-- All are @IO@ by @State#@: a primitive without it may be called once for two calls, or not at all.
module Ferry.Internal.OpenMP.Prim
  ( threadNumber,
    threadCount,
  )
where

import GHC.Exts (Int (I#), Int#, RealWorld, State#)
import GHC.IO (IO (..))

foreign import prim "ferry_openmp_thread_number"
  threadNumber# :: State# RealWorld -> (# State# RealWorld, Int# #)

foreign import prim "ferry_openmp_thread_count"
  threadCount# :: State# RealWorld -> (# State# RealWorld, Int# #)

-- | The number, from 0, of the thread of the system that runs this Haskell thread, in the team of its parallel region;
-- 0 outside one. A body of "Ferry.OpenMP" stays on its thread of the team; what it makes by
-- 'Control.Concurrent.forkIO' is in no team.
threadNumber :: IO Int
threadNumber = IO $ \s -> case threadNumber# s of (# s', number #) -> (# s', I# number #)
{-# INLINE threadNumber #-}

-- | How many threads that team has; 1 outside a region.
threadCount :: IO Int
threadCount = IO $ \s -> case threadCount# s of (# s', count #) -> (# s', I# count #)
{-# INLINE threadCount #-}
