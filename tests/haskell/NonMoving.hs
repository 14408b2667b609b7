-- SPDX-License-Identifier: BSD-3-Clause

-- | GHC alone, without Ferry or any foreign call: its non-moving collector looks at an object that it has freed.
--
-- > ghc -threaded -debug -rtsopts tests/haskell/NonMoving.hs -outputdir build/nonmoving -o build/nonmoving/nonmoving
-- > build/nonmoving/nonmoving +RTS --nonmoving-gc -N2 -qg -DS
--
-- With GHC 9.0.2 this ends with @internal error: invalid closure, info=(nil)@. A top-level value that is computed gets
-- its indirection from @lockCAF@ (@rts/sm/Storage.c@), straight in the non-moving heap, and not from a collection. The
-- next collection of the same Capability that promotes an object of that size takes the indirection for one that it
-- has just promoted, and follows it (@scavengeNonmovingSegment@). If the value has been dropped meanwhile, what the
-- indirection refers to is freed, and @-DS@ has filled it with zeros. GHC 9.6.6 and 9.10.3 have the same lines.
--
-- So Capability 1 computes a value that nobody needs afterwards; Capability 0 makes all collections until it is freed;
-- then Capability 1 collects.
module Main (main) where

import Control.Concurrent
import Control.Exception (evaluate)
import Control.Monad
import Data.IORef
import System.Mem

values :: [Int]
values = map (+ 1) [1 .. 100]
{-# NOINLINE values #-}

on :: Int -> IO a -> IO a
on capability act = do
  done <- newEmptyMVar
  _ <- forkOn capability (act >>= putMVar done)
  takeMVar done

-- | The list, computed to its end.
full :: [a] -> IO [a]
full list = list <$ evaluate (length list)

-- | Collect, and wait until the collector's own thread has swept.
collect :: IO ()
collect = performMajorGC >> threadDelay 200000

-- | Fill segments of the non-moving heap, since only full ones are swept. The list in `live` is promoted beside the
-- values, so their segment is not freed as a whole.
freeOld :: IORef [Int] -> IO ()
freeOld live = do
  full [1 .. 5] >>= writeIORef live
  replicateM_ 3 $ do
    fill <- full (map (* 3) [1 .. 20000 :: Int])
    collect
    void (full fill)
  collect

main :: IO ()
main = do
  live <- newIORef []
  on 0 collect
  on 1 (evaluate (sum values)) >>= print
  on 0 (freeOld live)
  kept <- on 1 $ do
    kept <- full (map Just [1 .. 1000 :: Int])
    kept <$ replicateM_ 3 performMinorGC
  _ <- full kept
  readIORef live >>= print
