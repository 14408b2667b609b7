-- SPDX-License-Identifier: BSD-3-Clause

-- | A line on the terminal for what lasts: there after a second, renewed ten times a second, gone at the end.
module Progress
  ( Progress,
    newProgress,
    stepProgress,
    eraseProgress,
  )
where

import Control.Monad (when)
import Data.IORef
import Data.Word (Word64)
import GHC.Clock (getMonotonicTimeNSec)
import System.IO

data Progress = Progress
  { progressName :: String,
    progressOn :: Bool,
    progressCount :: IORef Int,
    -- | when the line is due
    progressNext :: IORef Word64,
    progressShown :: IORef Bool
  }

firstNs, againNs :: Word64
firstNs = 1000000000
againNs = 100000000

newProgress :: String -> IO Progress
newProgress name = do
  now <- getMonotonicTimeNSec
  Progress name <$> hIsTerminalDevice stderr <*> newIORef 0 <*> newIORef (now + firstNs) <*> newIORef False

-- | One more file was seen or read.
stepProgress :: Progress -> IO ()
stepProgress progress = when (progressOn progress) $ do
  modifyIORef' (progressCount progress) (+ 1)
  now <- getMonotonicTimeNSec
  next <- readIORef (progressNext progress)
  when (now >= next) $ do
    count <- readIORef (progressCount progress)
    hPutStr stderr ("\r" ++ progressName progress ++ ": " ++ show count ++ " files\ESC[K")
    hFlush stderr
    writeIORef (progressNext progress) (now + againNs)
    writeIORef (progressShown progress) True

-- | The line makes way for something else.
eraseProgress :: Progress -> IO ()
eraseProgress progress = do
  shown <- readIORef (progressShown progress)
  when shown $ hPutStr stderr "\r\ESC[K" >> writeIORef (progressShown progress) False
