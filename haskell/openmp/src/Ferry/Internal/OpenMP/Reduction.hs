-- SPDX-License-Identifier: BSD-3-Clause
{-# OPTIONS_HADDOCK not-home #-}

-- | Loops and reductions with Haskell bodies: what "Ferry.OpenMP" and "Ferry.OpenMP.Vector" share.
module Ferry.Internal.OpenMP.Reduction
  ( runChunks,
    forRange,
    runKernels,
    Reduction (..),
    monoid,
    parallelReduce,
    parallelReduceChunks,
    blockRange,
  )
where

import Control.Monad (when)
import qualified Data.Vector as Vector
import qualified Data.Vector.Mutable as Mutable
import Ferry.Internal.OpenMP.C
import Ferry.Internal.OpenMP.Job
import Ferry.Internal.OpenMP.Loop
import Foreign.Ptr (Ptr)

-- | A loop whose body is told its thread, the team's size, and a range.
runChunks :: String -> Loop -> Int -> Int -> (Int -> Int -> Int -> Int -> IO ()) -> IO ()
runChunks name loop from to body = do
  checkLoop name loop
  when (from < to) . withJob (chunksOf body) . openBodies $
    initBody
      (fromIntegral from)
      (fromIntegral to)
      (scheduleNumber (loopSchedule loop))
      (scheduleChunk (loopSchedule loop))
      (loopTeam loop)
{-# INLINE runChunks #-}

-- | The body for each index of a half-open range, in order.
forRange :: Int -> Int -> (Int -> IO ()) -> IO ()
forRange first past body = go first
  where
    go i
      | i >= past = pure ()
      | otherwise = body i >> go (i + 1)
{-# INLINE forRange #-}

-- | Open a loop of C kernels. It can be stopped where a thread may have more than one chunk.
runKernels :: Schedule -> (Ptr CLoop -> IO ()) -> IO ()
runKernels Static = withoutJob . openKernels
runKernels _ = withWatch . openKernels

-- | How two results become one: by an operation that is associative, with a value that is neutral to it.
--
-- > combine a (combine b c) == combine (combine a b) c
-- > combine neutral a == a == combine a neutral
--
-- It need not be commutative: results are combined in the order of their indices. Where it is not quite associative, as
-- the sum of floating point numbers, what comes out depends on how many elements there are and on the chunk, but
-- neither on the number of threads nor on who was faster.
data Reduction r = Reduction
  { neutral :: r,
    combine :: r -> r -> r
  }

-- | The reduction of a monoid.
monoid :: Monoid r => Reduction r
monoid = Reduction mempty (<>)
{-# INLINE monoid #-}

-- | Combine the results of the body for each index from the first up to, and without, the second.
--
-- > parallelReduce loop (Reduction z f) from to body == pure (foldl' f z (map body [from .. to - 1]))
--
-- The range is divided into blocks of the schedule's chunk, or where it names none into 64; a block is folded from the
-- left, beginning with the neutral value, and evaluated to weak head normal form by the thread that does it. Then the
-- results of the blocks are folded in their order.
parallelReduce :: Loop -> Reduction r -> Int -> Int -> (Int -> r) -> IO r
parallelReduce loop reduction from to body = parallelReduceChunks loop reduction from to $ \first past ->
  let go i result
        | i >= past = pure result
        | otherwise = let result' = combine reduction result (body i) in result' `seq` go (i + 1) result'
   in go first (neutral reduction)
{-# INLINE parallelReduce #-}

-- | As 'parallelReduce', where the body gives the result of a block, which is never empty.
parallelReduceChunks :: Loop -> Reduction r -> Int -> Int -> (Int -> Int -> IO r) -> IO r
parallelReduceChunks loop reduction from to body
  | from >= to = neutral reduction <$ checkLoop "parallelReduce" loop
  | otherwise = do
    checkLoop "parallelReduce" loop
    let elements = to - from
        (blocks, schedule) = scheduleBlocks (loopSchedule loop) elements
    results <- Mutable.new blocks
    runChunks "parallelReduce" loop {loopSchedule = schedule} 0 blocks $ \_ _ begin end ->
      forRange begin end $ \k -> do
        let (first, past) = blockRange elements blocks k
        result <- body (from + first) (from + past)
        result `seq` Mutable.unsafeWrite results k result
    Vector.foldl' (combine reduction) (neutral reduction) <$> Vector.unsafeFreeze results
{-# INLINE parallelReduceChunks #-}

-- | The half-open range of elements that is the k-th of so many blocks.
blockRange :: Int -> Int -> Int -> (Int, Int)
blockRange elements blocks k = (first, first + each + (if k < more then 1 else 0))
  where
    (each, more) = elements `quotRem` blocks
    first = k * each + min k more
{-# INLINE blockRange #-}
