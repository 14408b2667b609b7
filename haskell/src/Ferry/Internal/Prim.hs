-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE GHCForeignImportPrim #-}
{-# LANGUAGE MagicHash #-}
{-# LANGUAGE UnboxedTuples #-}
{-# LANGUAGE UnliftedFFITypes #-}
{-# OPTIONS_HADDOCK not-home #-}

-- | Every @foreign import prim@ of the package: the functions of @cmm/ferry.cmm@.
module Ferry.Internal.Prim
  ( runBatched,
  )
where

import Ferry.Internal.C (CProgram)
import GHC.Exts (Addr#, Int (I#), Int#, Ptr (Ptr), RealWorld, State#)
import GHC.IO (IO (..))

foreign import prim "ferry_run_batched"
  runBatched# :: Addr# -> State# RealWorld -> (# State# RealWorld, Int# #)

-- | Run a prepared program with the Capability given up for the whole batch.
runBatched :: Ptr CProgram -> IO Int
runBatched (Ptr program) = IO $ \s -> case runBatched# program s of (# s', last' #) -> (# s', I# last' #)
