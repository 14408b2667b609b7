-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE BangPatterns #-}

-- | A thread that shows on the terminal how far the others are, and measures how late it is woken itself.
module Kmeans.Meter
  ( Meter,
    withMeter,
    showOn,
    pauses,
  )
where

import Control.Concurrent
import Control.Exception (bracket)
import Control.Monad
import Data.IORef
import Data.List (sort)
import Data.Word (Word64)
import GHC.Clock (getMonotonicTimeNSec)
import System.IO

data Meter = Meter
  { meterText :: IORef String,
    -- | how late the thread was each time that it woke, in nanoseconds
    meterLate :: IORef [Word64]
  }

-- | How often the thread wakes; after how many times it draws the line; and after how many it does so first.
tickUs, ticksPerLine, ticksFirst :: Int
tickUs = 1000
ticksPerLine = 100
ticksFirst = 1000

-- | Run an action, and show the line if standard error is a terminal and the action takes more than a second.
withMeter :: (Meter -> IO a) -> IO a
withMeter act = do
  meter <- Meter <$> newIORef "" <*> newIORef []
  terminal <- hIsTerminalDevice stderr
  let erase = when terminal $ hPutStr stderr "\r\ESC[K" >> hFlush stderr
  bracket (forkIO (run meter terminal 1)) (\thread -> killThread thread >> erase) (const (act meter))

run :: Meter -> Bool -> Int -> IO a
run meter terminal = go
  where
    go !tick = do
      before <- getMonotonicTimeNSec
      threadDelay tickUs
      after <- getMonotonicTimeNSec
      let !late = after - before - fromIntegral tickUs * 1000
      modifyIORef' (meterLate meter) (late :)
      when (terminal && tick >= ticksFirst && tick `mod` ticksPerLine == 0) $ do
        text <- readIORef (meterText meter)
        hPutStr stderr ("\r" ++ text ++ "\ESC[K")
        hFlush stderr
      go (tick + 1)

-- | What the line shows from now on.
showOn :: Meter -> String -> IO ()
showOn meter = atomicWriteIORef (meterText meter)

-- | How late the thread was, in the order of the lateness, in nanoseconds.
pauses :: Meter -> IO [Word64]
pauses meter = sort <$> readIORef (meterLate meter)
