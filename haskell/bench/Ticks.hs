-- SPDX-License-Identifier: BSD-3-Clause

-- | How often does another thread of the Capability run while C sleeps?
--
-- Lines of @bench/README.md@, boundary @haskell-ticks@: a thread wakes up every 10 ms, and one call on the same
-- Capability sleeps for a second. @WAY@ is the time between two wake-ups in that second, in the mean: 10 ms where the
-- call keeps nobody waiting, a second where the thread did not run at all. @Safe@ and @Unsafe@ are foreign imports,
-- @Foreign@ is a call of "Ferry.Foreign", @Adaptive@ one of a batch, which is not marked as one that may block. n is 1.
module Main (main) where

import Control.Concurrent
import Control.Monad (forM_, forever, void, when)
import Data.IORef
import Data.Int (Int64)
import Ferry.Call
import Ferry.Foreign (foreignCall)
import Foreign.Marshal.Alloc (malloc)
import Foreign.Ptr (FunPtr, Ptr)
import Foreign.Storable (poke)
import Harness

type Sleep = Ptr Int64 -> Int -> IO ()

foreign import ccall "&bench_sleep" sleepAt :: FunPtr Sleep

-- unsafe: what is measured
foreign import ccall unsafe "bench_sleep" unsafeSleep :: Sleep

-- safe: what is measured
foreign import ccall safe "bench_sleep" safeSleep :: Sleep

-- | The longest that the C function sleeps, which is a second less a nanosecond.
sleepNs :: Int
sleepNs = 999999999

tickUs :: Int
tickUs = 10000

main :: IO ()
main = do
  begun <- malloc
  poke begun 0
  batch <- prepare (pure () <$ call (function "sleep" sleepAt) (literal begun) (literal sleepNs))
  chosen <- options suite
  machineLine
  done <- newEmptyMVar
  -- not the main thread, which is bound to an OS thread and dear to switch to
  void . forkOn 0 $ do
    forM_ [0 .. optionRepetitions chosen - 1] $ \repetition ->
      forM_ (ways begun (runPrepared_ Adaptive batch)) $ \(name, sleep) ->
        when (optionWanted chosen name) $ ticksBeside sleep >>= sampleLine (suiteBoundary suite) name 1 repetition
    putMVar done ()
  takeMVar done
  where
    ways begun adaptive =
      [ ("Safe", safeSleep begun sleepNs),
        ("Foreign", foreignCall sleepAt begun sleepNs),
        ("Adaptive", adaptive),
        ("Unsafe", unsafeSleep begun sleepNs)
      ]
    suite =
      Suite
        { suiteBoundary = "haskell-ticks",
          suiteQuestion = "How often does another thread of the Capability run while C sleeps?",
          suiteVariants = ["Safe", "Foreign", "Adaptive", "Unsafe"],
          suiteSizes = [1],
          suiteRepetitions = 5,
          suiteQuick = 2,
          suiteSampleNs = 0
        }

-- | The mean time between two ticks of another thread during a call.
ticksBeside :: IO () -> IO Double
ticksBeside sleep = do
  ticks <- newIORef (0 :: Int)
  ticker <- forkOn 0 . forever $ threadDelay tickUs >> modifyIORef' ticks (+ 1)
  -- the ticker begins its first delay
  yield
  from <- nowNs
  before <- readIORef ticks
  sleep
  after <- readIORef ticks
  to <- nowNs
  killThread ticker
  pure ((to - from) / fromIntegral (max 1 (after - before)))
