-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE BangPatterns #-}
{-# OPTIONS_GHC -O2 #-}

-- | What do n parallel regions cost that Haskell opens one after the other, alone and beside threads that compute?
--
-- The program of the boundary @openmp-haskell@: @ferry measure@ runs it with several OpenMP libraries. A variant is
-- what is done, called by a plain safe import, or with @held_@ before it with the Capability held until it is wanted:
--
--   * @empty@: n empty regions.
--   * @idle@, @busy1@, @busy2@: n regions of ten barriers and about 6 us of work in all, while so many Haskell threads
--     compute.
--   * @apart@: n regions as in @idle@, and about 1 ms of the same Haskell thread's own work after each.
--   * @sum@: one region that adds n sines.
--
-- Without Haskell: @loop_empty@ and @loop@ are those regions from one loop in C, @sequential@ adds the sines on one
-- thread.
--
-- A sample lasts 50 ms or longer beside threads that compute, several of the scheduler's slices: a shorter one could
-- fall into a moment in which it has the machine for itself. Elsewhere it lasts as long as FERRY_SAMPLE_US says.
module Main (main) where

import Control.Concurrent
import Control.Exception (evaluate)
import Control.Monad
import Ferry.Internal.Prim (runHeld)
import Foreign hiding (void)
import Harness

data Job

data Sines

foreign import ccall unsafe "bench_interference_bytes" jobBytes :: IO Int

-- safe: what is measured; they open regions
foreign import ccall safe "bench_regions_empty" emptySafe :: Ptr () -> IO ()

foreign import ccall safe "bench_interference" regionSafe :: Ptr Job -> IO ()

foreign import ccall safe "bench_regions_sines" sinesSafe :: Ptr Sines -> IO ()

-- safe: they open regions for as long as they run
foreign import ccall safe "bench_regions_empty_loop" emptyLoop :: Int -> IO ()

foreign import ccall safe "bench_regions_busy_loop" regionLoop :: Ptr Job -> Int -> IO ()

-- unsafe: what a program would call that does not share the work
foreign import ccall unsafe "bench_regions_sines_sequential" sinesSequential :: Ptr Sines -> IO ()

foreign import ccall "&bench_regions_empty" emptyAddress :: FunPtr (Ptr () -> IO ())

foreign import ccall "&bench_interference" regionAddress :: FunPtr (Ptr Job -> IO ())

foreign import ccall "&bench_regions_sines" sinesAddress :: FunPtr (Ptr Sines -> IO ())

-- | A variant, the number of threads that compute meanwhile, and one run of n.
data Way = Way String Int (Int -> IO ())

main :: IO ()
main = do
  bytes <- jobBytes
  job <- mallocBytes (bytes + 64)
  sines <- mallocBytes 16
  let aligned = alignPtr job 64
  fillBytes aligned 0 bytes
  let all' = ways aligned sines
  chosen <- options (suite [name | Way name _ _ <- all'])
  machineLine
  done <- newEmptyMVar
  -- not the main thread, which is bound to an OS thread
  void . forkIO $ do
    forM_ [0 .. optionRepetitions chosen - 1] $ \repetition ->
      forM_ (optionSizes chosen) $ \n ->
        forM_ (turned repetition [way | way@(Way name _ _) <- all', optionWanted chosen name]) $
          sample (optionSampleNs chosen) repetition n
    putMVar done ()
  takeMVar done
  where
    turned k list = let by = k `mod` max 1 (length list) in drop by list ++ take by list

suite :: [String] -> Suite
suite names =
  Suite
    { suiteBoundary = "openmp-haskell",
      suiteQuestion = "What do n parallel regions cost that Haskell opens, alone and beside threads that compute?",
      suiteVariants = names,
      suiteSizes = [100, 300, 1000],
      suiteRepetitions = 10,
      suiteQuick = 3,
      suiteSampleNs = 500000
    }

ways :: Ptr Job -> Ptr Sines -> [Way]
ways job sines =
  [ Way "empty" 0 (again (emptySafe nullPtr)),
    Way "held_empty" 0 (again (runHeld emptyAddress nullPtr)),
    Way "apart" 0 (apart (regionSafe job)),
    Way "held_apart" 0 (apart (runHeld regionAddress job)),
    Way "sum" 0 (summed sinesSafe),
    Way "held_sum" 0 (summed (runHeld sinesAddress)),
    Way "loop_empty" 0 emptyLoop,
    Way "loop" 0 (regionLoop job),
    Way "sequential" 0 (summed sinesSequential)
  ]
    ++ concat
      [ [Way name busy (again (regionSafe job)), Way ("held_" ++ name) busy (again (runHeld regionAddress job))]
        | (name, busy) <- [("idle", 0), ("busy1", 1), ("busy2", 2)]
      ]
  where
    summed act n = poke (castPtr sines) n >> act sines

-- | Do it n times. Not inlined, so that every way costs the same to repeat.
again :: IO () -> Int -> IO ()
again act = go
  where
    go 0 = pure ()
    go n = act >> go (n - 1)
{-# NOINLINE again #-}

-- | The same, with work between that allocates next to nothing.
apart :: IO () -> Int -> IO ()
apart act = again (act >> void (evaluate (steps 1000000 1)))

steps :: Int -> Int -> Int
steps count !value = if count == 0 then value else steps (count - 1) (value * 6364136223846793005 + 1442695040888963407)
{-# NOINLINE steps #-}

-- | Take one sample: run until it has lasted long enough, while so many threads compute.
sample :: Double -> Int -> Int -> Way -> IO ()
sample sampleNs repetition n (Way name busy run) = alloca $ \stop -> do
  poke stop (0 :: Word8)
  threads <- replicateM busy (computing stop)
  mapM_ (takeMVar . fst) threads
  run n
  start <- nowNs
  let go !rounds = do
        run n
        now <- nowNs
        if now - start < least then go (rounds + 1) else pure ((now - start) / rounds)
  ns <- go 1
  poke stop 1
  mapM_ (takeMVar . snd) threads
  sampleLine "openmp-haskell" name n repetition ns
  where
    least = if busy > 0 then max 50000000 sampleNs else sampleNs

-- | A thread that computes and allocates until it is told to stop: filled when it has begun, and when it has ended.
computing :: Ptr Word8 -> IO (MVar (), MVar ())
computing stop = do
  begun <- newEmptyMVar
  ended <- newEmptyMVar
  let go !seed = do
        _ <- evaluate (sum (numbers seed 1200))
        over <- peek stop
        if over == 0 then go (seed + 1) else putMVar ended ()
  _ <- forkIO (putMVar begun () >> go 0)
  pure (begun, ended)

-- | A list that is really made.
numbers :: Int -> Int -> [Int]
numbers from count = if count == 0 then [] else from : numbers (from + 1) (count - 1)
{-# NOINLINE numbers #-}
