-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE BangPatterns #-}

-- | Whose turn it is on a Capability while there are parallel regions (cbits/turns.c).
--
-- What these tests catch: a thread that wakes up and waits for the end of another's turn, as without regions. They count
-- regions, not time: while a thread waits for its turn, hundreds are opened.
module Ferry.TurnsSpec (spec) where

import Control.Concurrent
import Control.Exception (bracket, evaluate)
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

-- unsafe: it only looks
foreign import ccall unsafe "held_debugged" debugged :: IO Int

-- | In the debug runtime system no call keeps its Capability.
spec :: Spec
spec = do
  isDebugged <- runIO ((/= 0) <$> debugged)
  when (isThreaded && not isDebugged) turns

turns :: Spec
turns = do
  it "whom the opener of regions has woken on its own Capability is let in before the next ones" $ do
    counts <- withCapabilities 1 (onOwnThread (replicateM 20 (regionsUntilWoken 0)))
    (counts, length (filter (<= 2) counts)) `shouldSatisfy` ((>= 15) . snd)
  it "whom it has woken where another computes is let in long before that one's turn ends" $ do
    counts <- withCapabilities 2 . computingOn 1 . onOwnThread $ replicateM 30 (regionsUntilWoken 1)
    (counts, length (filter (<= 20) counts)) `shouldSatisfy` ((>= 8) . snd)

-- | Run on a thread of its own, which is bound to no thread of the system, on Capability 0.
onOwnThread :: IO a -> IO a
onOwnThread act = do
  result <- newEmptyMVar
  _ <- forkOn 0 (act >>= putMVar result)
  takeMVar result

-- | While a thread computes on this Capability.
computingOn :: Int -> IO a -> IO a
computingOn capability act = bracket start end (const act)
  where
    start = do
      stop <- newIORef False
      ended <- newEmptyMVar
      let compute !n = do
            over <- readIORef stop
            if over then putMVar ended n else evaluate (sum [n .. n + 100]) >> compute (n + 1 :: Int)
      _ <- forkOn capability (compute 0)
      pure (stop, ended)
    end (stop, ended) = writeIORef stop True >> void (takeMVar ended)

withRegion :: (IO () -> IO a) -> IO a
withRegion use = allocaBytes 56 $ \job -> do
  fillBytes job 0 56
  pokeByteOff job 0 (1 :: Int)
  pokeByteOff job 8 (10000 :: Int)
  use (runHeld regionAddress job)

-- | How many regions of 10 us are opened between the end of a thread's wait, on this Capability, and its next step.
regionsUntilWoken :: Int -> IO Int
regionsUntilWoken capability = withRegion $ \open -> do
  wake <- newEmptyMVar
  woken <- newIORef False
  sleeper <- forkOn capability (takeMVar wake >> writeIORef woken True)
  let untilAsleep = do
        status <- threadStatus sleeper
        unless (status == ThreadBlocked BlockedOnMVar) (threadDelay 1000 >> untilAsleep)
      count !n = do
        there <- readIORef woken
        if there || n >= 100000 then pure n else open >> count (n + 1)
  untilAsleep
  -- longer than anybody is left alone because another was let in early
  threadDelay 10000
  putMVar wake ()
  count 0
