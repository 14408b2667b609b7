-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE ForeignFunctionInterface #-}

-- | A host in Haskell of the library echo: threads call it by C, beside garbage collections.
module Main
  ( main,
  )
where

import Control.Concurrent (forkIO, newEmptyMVar, putMVar, takeMVar, threadDelay)
import Control.Monad (forM_, replicateM, replicateM_)
import System.Mem (performGC)

foreign import ccall safe "host_calls" hostCalls :: Int -> IO Int

main :: IO ()
main = do
  done <- newEmptyMVar
  replicateM_ 4 $ forkIO (hostCalls 500 >>= putMVar done)
  forM_ [1 .. 20 :: Int] $ \_ -> performGC >> threadDelay 1000
  replicateM 4 (takeMVar done) >>= print
