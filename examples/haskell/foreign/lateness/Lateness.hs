-- SPDX-License-Identifier: BSD-3-Clause

-- | Measures how late another Haskell thread is while one calls C. Every program and its twin use this module.
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

-- | Run an action while another thread wakes each millisecond. Then write to standard error how long the action took,
-- and how late that thread was at most.
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
