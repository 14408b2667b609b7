-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE DataKinds #-}

-- | Batches of C functions that open parallel regions.
--
-- What these tests catch: a team that goes on looking for work when the batch has ended, or that is smaller because the
-- batch holds its Capability, and a worker that waits for ever for the Capability of the batch that it works for.
module Ferry.OpenMP.BatchSpec (spec) where

import Control.Concurrent (threadDelay)
import Control.Exception (bracket)
import Control.Monad (forM_, replicateM)
import Data.Int (Int64)
import Data.List (sort)
import Ferry.Call
import Ferry.Runtime
import Foreign.C.Types (CLong (..))
import Foreign.Marshal.Alloc (allocaBytes)
import Foreign.Marshal.Utils (fillBytes)
import Foreign.Ptr (FunPtr, Ptr, freeHaskellFunPtr)
import Foreign.Storable (peekByteOff, pokeByteOff)
import Test.Hspec

data Job

foreign import ccall "&held_slot" slotAt :: FunPtr (Ptr Job -> IO CLong)

foreign import ccall "wrapper" newBack :: (Int64 -> IO Int64) -> IO (FunPtr (Int64 -> IO Int64))

-- unsafe: it reads a small file of the system
foreign import ccall unsafe "held_worker_ns" workerNs :: Ptr Job -> IO CLong

-- | With what a region is given; see tests/cbits/held.c.
withRegion :: (Ptr Job -> IO a) -> IO a
withRegion use = allocaBytes 64 $ \job -> fillBytes job 0 64 >> pokeByteOff job 0 (2 :: Int64) >> use job

-- | The team's size in each of three slots, or -1 where the region did not do its work.
regions :: Ptr Job -> Program 'Functions (Output [CLong])
regions job = traverse output <$> replicateM 3 (call (function "region" slotAt) (literal job))

-- | More than a worker takes in nanoseconds that goes to sleep. One that nobody puts to sleep takes 440 us, less where
-- other programs want the processor.
mostNs :: CLong
mostNs = 100000

spec :: Spec
spec =
  describe "a batch whose slots open regions" $
    if not isThreaded
      then it "runs them on one thread at a time" . withRegion $ \job ->
        run Safe (regions job) >>= (`shouldSatisfy` all (> 0))
      else forM_ [Batched, Adaptive] $ \mode -> do
        it ("does their work: " ++ show mode) . withCapabilities 2 . withRegion $ \job -> do
          sizes <- replicateM 50 (run mode (regions job))
          concat sizes `shouldSatisfy` all (> 0)
          -- a batch that holds its Capability has the team that one has that gave it up
          most <- threadsOnTwo
          waitUntil $ (== replicate 3 most) <$> run mode (regions job)
        it ("lets its workers call back: " ++ show mode) . withCapabilities 2 . withRegion $ \job ->
          bracket (newBack (pure . (+ 1))) freeHaskellFunPtr $ \back -> do
            pokeByteOff job 16 back
            forM_ [1 .. 50 :: Int] $ \_ -> do
              _ <- run mode (regions job)
              size <- peekByteOff job 32
              -- of the last slot; each thread of the team has added its number and 1
              peekByteOff job 24 `shouldReturn` (size * (size + 1) `div` 2 :: Int64)
        it ("leaves its team asleep: " ++ show mode) . withCapabilities 2 . withRegion $ \job -> do
          -- a batch is announced once the process has had a region
          _ <- run mode (regions job)
          spent <- replicateM 41 $ do
            _ <- run mode (regions job)
            before' <- workerNs job
            threadDelay 2000
            subtract before' <$> workerNs job
          sort spent !! 20 `shouldSatisfy` (< mostNs)
