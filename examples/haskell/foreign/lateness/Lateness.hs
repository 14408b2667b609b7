-- SPDX-License-Identifier: BSD-3-Clause

-- | How late another Haskell thread is while one calls C: the same for every program and its twin.
module Lateness (withLateness) where

import Control.Concurrent
import Control.Exception (bracket)
import Data.IORef
import GHC.Clock (getMonotonicTime)
import System.IO (hPutStrLn, stderr)
import Text.Printf (printf)

-- | How often the thread wakes.
tickUs :: Int
tickUs = 1000

-- | Do it, while another thread wakes each millisecond; then write to standard error how long it took, and by how much
-- that thread was late at most.
withLateness :: IO a -> IO a
withLateness act = do
  latest <- newIORef 0
  bracket (forkIO (tick latest)) killThread . const $ do
    start <- getMonotonicTime
    result <- act
    end <- getMonotonicTime
    -- the thread counts what it is late now when it wakes
    threadDelay tickUs
    late <- readIORef latest
    hPutStrLn stderr (printf "%.3f s; another thread was late by at most %.1f ms" (end - start) (late * 1e3))
    pure result

tick :: IORef Double -> IO a
tick latest = do
  before <- getMonotonicTime
  threadDelay tickUs
  after <- getMonotonicTime
  modifyIORef' latest (max (after - before - fromIntegral tickUs / 1e6))
  tick latest
