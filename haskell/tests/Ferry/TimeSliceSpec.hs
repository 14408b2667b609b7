-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE BangPatterns #-}

-- | Time slices of Haskell threads while parallel regions are opened (@cbits/time_slice/time_slice.c@).
--
-- What these tests catch: a thread that wakes up and waits for the end of another's time slice, as without regions.
-- They count regions, not time: during one time slice of the runtime system hundreds are opened.
module Ferry.TimeSliceSpec (spec) where

import Control.Concurrent
import Control.Monad
import Data.IORef
import Ferry.Internal.Prim (runHeld)
import Ferry.Runtime
import Foreign.Marshal.Alloc (allocaBytes)
import Foreign.Marshal.Utils (fillBytes)
import Foreign.Ptr
import Foreign.Storable (pokeByteOff)
import GHC.Conc (BlockReason (..), ThreadStatus (..), threadStatus)
import Test.Hspec

data Job

foreign import ccall "&held_region" regionAddress :: FunPtr (Ptr Job -> IO ())

spec :: Spec
spec = when (isThreaded && not isDebugged) timeSlices

timeSlices :: Spec
timeSlices = do
  it "a thread that the opener of regions has woken on its own Capability runs before the next regions" $ do
    counts <- withCapabilities 1 (onOwnThread (replicateM 20 regionsUntilWoken))
    (counts, length (filter (<= 2) counts)) `shouldSatisfy` ((>= 15) . snd)
  -- Up to 4 ms without the opener's look, which are thousands of units: then the monitor's look ends the time slice.
  it "a thread that the opener of regions has woken on another Capability runs soon" $ do
    counts <- withCapabilities 2 (onOwnThread (replicateM 20 unitsUntilWoken))
    (counts, length (filter (<= 50) counts)) `shouldSatisfy` ((>= 15) . snd)

-- | Run on a thread of its own, which is bound to no thread of the system, on Capability 0.
onOwnThread :: IO a -> IO a
onOwnThread act = do
  result <- newEmptyMVar
  _ <- forkOn 0 (act >>= putMVar result)
  takeMVar result

withRegion :: (IO () -> IO a) -> IO a
withRegion use = allocaBytes 64 $ \job -> do
  fillBytes job 0 64
  pokeByteOff job 0 (1 :: Int)
  pokeByteOff job 8 (10000 :: Int)
  use (runHeld regionAddress job)

-- | How many regions of 10 us are opened between the end of a thread's wait and its next step.
regionsUntilWoken :: IO Int
regionsUntilWoken = withRegion $ \open -> do
  wake <- newEmptyMVar
  woken <- newIORef False
  sleeper <- forkOn 0 (takeMVar wake >> writeIORef woken True)
  let count !n = do
        there <- readIORef woken
        if there || n >= 100000 then pure n else open >> count (n + 1)
  untilAsleep sleeper
  -- nobody waits at this region, so the opener becomes the incumbent
  open
  -- longer than the longest pause after a preemption
  threadDelay 10000
  putMVar wake ()
  count 0

untilAsleep :: ThreadId -> IO ()
untilAsleep thread = do
  status <- threadStatus thread
  unless (status == ThreadBlocked BlockedOnMVar) (threadDelay 1000 >> untilAsleep thread)

-- | How many units of about 1 us a thread computes on Capability 1 between a look of the opener, who opens regions on
-- Capability 0, and the next step of another thread of Capability 1, which waits in the run queue. Units before that
-- look do not count: an opener whose processor another program has meanwhile cannot look, and the thread on
-- Capability 1 goes on computing.
--
-- > opener, on Capability 0                 Capability 1
-- > putMVar wake                            computes
-- > another program has this processor      the woken thread is queued; computes for milliseconds
-- > a region: looks, asks for a switch
-- > reads the units: the count begins       at most one unit; the woken thread reads the units
--
-- 0 or less where the monitor or a collection was first.
unitsUntilWoken :: IO Int
unitsUntilWoken = withRegion $ \open -> do
  wake <- newEmptyMVar
  woken <- newEmptyMVar
  stop <- newIORef False
  units <- newIORef (0 :: Int)
  sleeper <- forkOn 1 (takeMVar wake >> readIORef units >>= putMVar woken)
  untilAsleep sleeper
  computing <- newEmptyMVar
  let compute !n = do
        writeIORef units $! n + length (show (product [1 .. toInteger (30 + n `mod` 2)])) `div` 30
        over <- readIORef stop
        unless over (compute (n + 1))
      openUntil done = done >>= \is -> unless is (open >> openUntil done)
  void . forkOn 1 $ putMVar computing () >> compute 0
  takeMVar computing
  -- longer than the longest pause after a preemption
  replicateM_ 500 open
  begun <- readIORef units
  putMVar wake ()
  -- The message that makes the thread runnable is taken at the next block of the nursery at the latest: 8 units.
  openUntil ((> begun + 20) <$> readIORef units)
  open
  looked <- readIORef units
  openUntil (not <$> isEmptyMVar woken)
  writeIORef stop True
  subtract looked <$> takeMVar woken
