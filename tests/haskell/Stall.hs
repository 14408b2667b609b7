-- SPDX-License-Identifier: BSD-3-Clause

-- | GHC alone, without Ferry or any foreign call: threads wait for seconds where one allocates fast, one asks for
-- collections, the collector is the parallel one, and other programs want the processors too.
--
-- > ghc -O -threaded -rtsopts tests/haskell/Stall.hs -outputdir build/stall -o build/stall/stall
-- > (for i in 1 2; do timeout 20 sh -c 'while :; do :; done' & done
-- >  build/stall/stall 3 +RTS -N2 -A256k; build/stall/stall 3 +RTS -N2 -A256k -qg)
--
-- On Capability 0 one thread allocates; on 1, one collects every half a millisecond and one wants to run every
-- millisecond. Each says how often it went round and how long it waited at most. HeldSpec's storm says why.
module Main (main) where

import Control.Concurrent
import Control.Exception (evaluate)
import Control.Monad (void)
import Data.IORef
import GHC.Clock (getMonotonicTime)
import System.Environment (getArgs)
import System.Mem (performMajorGC)

-- | Do it again and again; what is returned waits for the end, and says how it went.
again :: IORef Bool -> String -> Int -> IO () -> IO (IO ())
again stop name capability act = do
  done <- newEmptyMVar
  let go :: Int -> Double -> Double -> IO ()
      go count longest before = do
        act
        now <- getMonotonicTime
        over <- readIORef stop
        let most = max longest (now - before)
        if over then putMVar done (count, most) else go (count + 1) most now
  _ <- forkOn capability (getMonotonicTime >>= go 0 0)
  pure $ do
    (count, most) <- takeMVar done
    putStrLn (name ++ ": " ++ show count ++ " rounds, longest " ++ show most ++ " s")

numbers :: Int -> Int -> [Int]
numbers from count = if count == 0 then [] else from : numbers (from + 1) (count - 1)
{-# NOINLINE numbers #-}

main :: IO ()
main = do
  seconds <- map read <$> getArgs
  stop <- newIORef False
  ends <-
    sequence
      [ again stop "allocates" 0 (void (evaluate (sum (numbers 0 10000)))),
        again stop "collects" 1 (performMajorGC >> threadDelay 500),
        again stop "wakes" 1 (threadDelay 1000)
      ]
  threadDelay (sum seconds * 1000000)
  writeIORef stop True
  sequence_ ends
