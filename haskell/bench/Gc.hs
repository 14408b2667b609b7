-- SPDX-License-Identifier: BSD-3-Clause
{-# OPTIONS_GHC -O2 #-}

-- | How long does a garbage collection wait for a batch of C calls, and what does the batch lose by it?
--
-- One thread runs a batch of n calls of one microsecond each, in one of the modes. Meanwhile another thread, on another
-- Capability where there is one, asks for a major collection, again and again, until the batch has ended. Lines of
-- @bench/README.md@, boundary @haskell-gc@:
--
--   * @wait:MODE@, n = 1: one collection's wait, from when it was asked for to when every Capability had stopped, as
--     the runtime system measures it. One line each.
--   * @request:MODE@, n = 1: one request as its thread sees it, the collection itself left out. On one Capability this
--     is what the thread waits until it runs at all.
--   * @batch:MODE@: the whole batch, under that pressure.
--   * @quiet:MODE@: the whole batch, with nobody asking.
--   * @wait:Foreign@, @request:Foreign@, n = 1: the same beside n \/ 1000 calls of "Ferry.Foreign" that sleep for 5 ms,
--     with one collection asked for as soon as each has begun.
--
-- By default it runs with @-N2 -qg@: two Capabilities, each collection made by one thread. A collection by two threads
-- needs two cores besides the one that the batch keeps busy, and on a machine of two it waits for a core, in every
-- mode; that is not what is asked here. @+RTS -N1@ shows one Capability.
module Main (main) where

import Control.Concurrent
import Control.Monad (forM, forM_, replicateM_, unless, void, when)
import Data.Bits (complement)
import Data.IORef
import Data.Int (Int64)
import Ferry.Foreign (foreignCall)
import Ferry.Internal.C (CProgram, runSafe, runUnsafe)
import Ferry.Internal.Prim (runAdaptive, runBatched)
import Ferry.Run (Mode (..))
import Foreign.Marshal.Alloc (alloca)
import Foreign.Ptr (FunPtr, Ptr, nullPtr)
import Foreign.Storable (poke)
import GHC.Stats
import Harness
import System.Exit (ExitCode (..), exitWith)
import System.IO (hPutStrLn, stderr)
import System.Mem (performMajorGC)

-- unsafe: only fills memory
foreign import ccall unsafe "bench_spin_batch" spinBatch :: Int -> Int -> IO (Ptr CProgram)

foreign import ccall "&bench_sleep" sleepAt :: FunPtr (Ptr Int64 -> Int -> IO ())

-- safe: it waits for another thread
foreign import ccall safe "bench_await" await :: Ptr Int64 -> Int64 -> IO ()

-- | Each call takes so long.
callNs :: Int
callNs = 1000

-- | So long a call sleeps: longer than the monitor of held calls does.
sleepNs :: Int
sleepNs = 5000000

main :: IO ()
main = do
  chosen <- options suite
  enabled <- getRTSStatsEnabled
  unless enabled $ do
    hPutStrLn stderr "gc: the runtime system keeps no statistics; run it with +RTS -T"
    exitWith (ExitFailure 1)
  machineLine
  ready <- newEmptyMVar
  -- the batch on Capability 0, the requests on 1, where there are two
  void . forkOn 0 $ do
    forM_ (optionSizes chosen) $ \n -> do
      batch <- spinBatch n callNs
      when (batch == nullPtr) $ hPutStrLn stderr "gc: no memory for the batch" >> exitWith (ExitFailure 1)
      forM_ [0 .. optionRepetitions chosen - 1] $ \repetition -> do
        forM_ [mode | mode <- modes, optionWanted chosen (show mode)] $ \mode -> do
          quiet <- timed (runAs mode batch)
          sampleLine boundary ("quiet:" ++ show mode) n repetition quiet
          underPressure mode batch n repetition
        when (optionWanted chosen blocked) (besideSleep (n `div` 1000) repetition)
    putMVar ready ()
  takeMVar ready
  where
    modes = [Unsafe, Safe, Batched, Adaptive]
    suite =
      Suite
        { suiteBoundary = boundary,
          suiteQuestion = "How long does a garbage collection wait for a batch of C calls?",
          suiteVariants = map show modes ++ [blocked],
          suiteSizes = [100000],
          suiteRepetitions = 5,
          suiteQuick = 1,
          suiteSampleNs = 20000
        }

-- | As 'Ferry.Run.runPrepared_'.
runAs :: Mode -> Ptr CProgram -> IO ()
runAs Unsafe batch = void (runUnsafe batch)
runAs Safe batch = void (runSafe batch)
runAs Batched batch = void (runBatched batch)
runAs _ batch = adaptive 0
  where
    adaptive from = do
      ran <- runAdaptive batch from
      when (ran < 0) $ unless rtsSupportsBoundThreads yield >> adaptive (complement ran)

boundary, blocked :: String
boundary = "haskell-gc"
blocked = "Foreign"

timed :: IO () -> IO Double
timed act = do
  start <- nowNs
  act
  end <- nowNs
  pure (end - start)

-- | Run the batch while another thread asks for collections, and print what each of the two saw.
underPressure :: Mode -> Ptr CProgram -> Int -> Int -> IO ()
underPressure mode batch n repetition = do
  ended <- newIORef False
  begun <- newEmptyMVar
  waits <- newEmptyMVar
  _ <- forkOn 1 $ do
    putMVar begun ()
    requests ended [] >>= putMVar waits
  takeMVar begun
  from <- nowNs
  took <- timed (runAs mode batch)
  writeIORef ended True
  seen <- takeMVar waits
  sampleLine boundary ("batch:" ++ show mode) n repetition took
  -- what was over before the batch began waited for nothing
  sampleRequests (show mode) repetition [one | one@(over, _, _) <- reverse seen, over >= from]

-- | What each request saw: when it was over, how long the collection waited, how long the request took besides.
sampleRequests :: String -> Int -> [(Double, Double, Double)] -> IO ()
sampleRequests what repetition seen = forM_ seen $ \(_, wait, request) -> do
  sampleLine boundary ("wait:" ++ what) 1 repetition wait
  sampleLine boundary ("request:" ++ what) 1 repetition request

-- | So many calls that sleep, while another thread asks for one collection in each.
besideSleep :: Int -> Int -> IO ()
besideSleep count repetition = alloca $ \begun -> do
  poke begun 0
  waits <- newEmptyMVar
  _ <- forkOn 1 $ do
    seen <- forM [1 .. count] $ \number -> await begun (fromIntegral number) >> askOnce
    putMVar waits seen
  replicateM_ count $ foreignCall sleepAt begun sleepNs
  takeMVar waits >>= sampleRequests blocked repetition

-- | Ask until the batch has ended.
requests :: IORef Bool -> [(Double, Double, Double)] -> IO [(Double, Double, Double)]
requests ended seen = do
  one <- askOnce
  over <- readIORef ended
  if over then pure (one : seen) else requests ended (one : seen)

-- | Ask once.
askOnce :: IO (Double, Double, Double)
askOnce = do
  start <- nowNs
  performMajorGC
  end <- nowNs
  details <- gc <$> getRTSStats
  let wait = fromIntegral (gcdetails_sync_elapsed_ns details)
      request = end - start - fromIntegral (gcdetails_elapsed_ns details)
  -- a list of unevaluated samples would make each collection longer than the one before
  when (wait < 0 || request < -1e18) (pure ())
  pure (end, wait, request)
