-- SPDX-License-Identifier: BSD-3-Clause

-- | Parallel loops, reductions and regions, run by the threads of Ferry's OpenMP runtime: the same threads on which C
-- code compiled with @-fopenmp@ runs in this program.
--
-- > -- Haskell bodies, over the half-open range from 0 to n
-- > parallelFor (dynamic 64) 0 n $ \i -> write out i =<< work i
-- >
-- > -- the same result on any number of threads
-- > total <- parallelReduce static (Reduction 0 (+)) 0 n $ \i -> sin (fromIntegral i)
-- >
-- > -- a C kernel, void scale(long first, long past, double *data)
-- > parallelForC static 0 n scale data
--
-- Each thread of a team takes a Capability once for all the chunks that it runs of a Haskell body, and none for a C
-- kernel. The program has to be linked with @-threaded@. Every function here may be called from any Haskell thread,
-- bound or not, and from many at once.
--
-- == Exceptions
--
-- An exception that leaves a Haskell body ends the loop: no thread begins another chunk, and when all have ended their
-- last the exception is thrown to the caller as it is; the first, where there are several. Bodies run with exceptions
-- unmasked.
--
-- An asynchronous exception for the caller, as by 'System.Timeout.timeout', ends the loop in the same way: between two
-- chunks of a Haskell body, and within a hundredth of a second or so between two of a C kernel, unless the caller has
-- masked exceptions. A loop that is 'Static' has one chunk for each thread: there, the exception waits for the end.
module Ferry.OpenMP
  ( -- * Loops
    parallelFor,
    parallelForChunks,
    parallelForChunksOn,
    parallelForC,
    Kernel,

    -- ** How a loop is run
    Loop (..),
    Schedule (..),
    static,
    cyclic,
    dynamic,
    guided,
    runtime,
    onThreads,

    -- * Reductions
    Reduction (..),
    monoid,
    parallelReduce,
    parallelReduceChunks,

    -- * Regions
    parallel,
    Worker (..),
    threadNumber,
    threadCount,

    -- * Vectors
    module Ferry.OpenMP.Vector,

    -- * Tasks
    module Ferry.OpenMP.Task,

    -- * Settings
    module Ferry.OpenMP.Settings,

    -- * Errors
    OpenMPError (..),
  )
where

import Control.Monad (when)
import Ferry.Internal.OpenMP.C
import Ferry.Internal.OpenMP.Job
import Ferry.Internal.OpenMP.Loop
import Ferry.Internal.OpenMP.Prim (threadCount, threadNumber)
import Ferry.Internal.OpenMP.Reduction
import Ferry.OpenMP.Settings
import Ferry.OpenMP.Task
import Ferry.OpenMP.Vector
import Foreign.Ptr (FunPtr, Ptr)

-- | Run the body for each index from the first up to, and without, the second. The loop over a chunk is compiled as
-- part of the caller. Without effects that depend on their order it means the same as
-- @'Data.Foldable.for_' [from .. to - 1]@.
parallelFor :: Loop -> Int -> Int -> (Int -> IO ()) -> IO ()
parallelFor loop from to body = parallelForChunks loop from to (\first past -> forRange first past body)
{-# INLINE parallelFor #-}

-- | Run the body for half-open ranges that together are the given one and do not overlap: the chunks of the schedule.
-- None is empty.
parallelForChunks :: Loop -> Int -> Int -> (Int -> Int -> IO ()) -> IO ()
parallelForChunks loop from to body = parallelForChunksOn loop from to (\_ first past -> body first past)
{-# INLINE parallelForChunks #-}

-- | As 'parallelForChunks'; the body is told on which thread of the team it runs, at no cost.
parallelForChunksOn :: Loop -> Int -> Int -> (Worker -> Int -> Int -> IO ()) -> IO ()
parallelForChunksOn loop from to body = runChunks "parallelFor" loop from to $ \thread threads first past ->
  body (Worker thread threads) first past
{-# INLINE parallelForChunksOn #-}

-- | Call the C function for half-open ranges that together are the given one and do not overlap, with this pointer. It
-- may call back into Haskell.
parallelForC :: Loop -> Int -> Int -> FunPtr (Kernel a) -> Ptr a -> IO ()
parallelForC loop from to kernel at = do
  checkLoop "parallelForC" loop
  when (from < to) . runKernels (loopSchedule loop) $
    initKernel
      kernel
      at
      (fromIntegral from)
      (fromIntegral to)
      (scheduleNumber (loopSchedule loop))
      (scheduleChunk (loopSchedule loop))
      (loopTeam loop)

-- | A thread of a team.
data Worker = Worker
  { -- | from 0
    workerNumber :: !Int,
    -- | how many there are
    workerCount :: !Int
  }
  deriving (Eq, Show)

-- | Open a region of at most so many threads, 'Nothing' for the default, and run the body on each.
parallel :: Maybe Int -> (Worker -> IO ()) -> IO ()
parallel threads body = do
  checkLoop "parallel" loop
  withJob (\_ mine -> (Worker <$> shareThread mine <*> shareThreads mine) >>= body) $
    openBodies (initRegion (loopTeam loop))
  where
    loop = Loop Static threads
