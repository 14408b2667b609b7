-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE ForeignFunctionInterface #-}

-- | What host.c calls of Haskell.
module Exported () where

import Control.Exception (try)
import Data.IORef
import Ferry.OpenMP
import Foreign.C.Types (CLong (..))
import System.IO (hPrint, stderr)

-- | The sum of the indices below, by a parallel loop of Haskell bodies; -1 where there can be none, and why.
sumBelow :: CLong -> IO CLong
sumBelow count = do
  result <- try (parallelReduce (dynamic 7) (Reduction 0 (+)) 0 (fromIntegral count) pure')
  case result of
    Right total -> pure (fromIntegral (total :: Int))
    Left failure -> do
      hPrint stderr (failure :: OpenMPError)
      pure (-1)
  where
    pure' i = i

foreign export ccall sumBelow :: CLong -> IO CLong

-- | One more than the argument: a callback that computes nothing.
successor :: CLong -> IO CLong
successor value = newIORef (value + 1) >>= readIORef

foreign export ccall successor :: CLong -> IO CLong
