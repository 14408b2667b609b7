-- SPDX-License-Identifier: BSD-3-Clause

-- | GHC alone, without Ferry or any foreign call: its non-moving collector takes threads that wait for one another for
-- dead.
--
-- > ghc -O -threaded -rtsopts tests/haskell/NonMovingShared.hs -outputdir build/nonmoving -o build/nonmoving/shared
-- > for i in $(seq 20); do build/nonmoving/shared 2 +RTS --nonmoving-gc -A64k -N8 || echo failed; done
--
-- Eight threads compute the same lists, which are shared and lazy, while another one asks for collections. Now and then
-- a thread that waits until another one has computed a value gets @NonTermination@ (@<<loop>>@), or the main thread
-- @BlockedIndefinitelyOnMVar@; with GHC 9.10.3 a run may also never end. If each thread computes lists of its own, GHC
-- 9.0.2 does none of this.
module Main (main) where

import Control.Concurrent
import Control.Exception
import Control.Monad
import GHC.Clock (getMonotonicTime)
import System.Environment (getArgs)
import System.Exit (die)
import System.Mem (performMajorGC, performMinorGC)

numbers :: Int -> [Int]
numbers from = scanl (\sofar k -> (sofar * 31 + k + length (show sofar)) `mod` 1000003) from [1 .. 300]
{-# NOINLINE numbers #-}

-- | Data that is collected.
heapOf :: Int -> [[Int]]
heapOf seed = [[key .. key + seed `mod` 7] | key <- [seed .. seed + 200]]
{-# NOINLINE heapOf #-}

collect :: MVar () -> IO ()
collect stopped = do
  goesOn <- isEmptyMVar stopped
  when goesOn (performMinorGC >> performMajorGC >> yield >> collect stopped)

main :: IO ()
main = do
  [seconds] <- map read <$> getArgs
  stopped <- newEmptyMVar
  end <- (+ seconds) <$> getMonotonicTime
  _ <- forkIO (collect stopped)
  let shared = map numbers [1 ..]
      use seed lists = do
        let heap = heapOf seed
        _ <- evaluate (length heap)
        _ <- evaluate (sum (head lists))
        _ <- evaluate (sum (map sum heap))
        now <- getMonotonicTime
        when (now < end) (use (seed + 1) (tail lists))
  threads <- forM [0 .. 7] $ \number -> do
    done <- newEmptyMVar
    done <$ forkIO (try (use number shared) >>= putMVar done)
  ends <- mapM takeMVar threads
  putMVar stopped ()
  forM_ [failure | Left failure <- ends] $ \failure -> die (show (failure :: SomeException))
