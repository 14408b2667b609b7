-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE BangPatterns #-}
{-# OPTIONS_GHC -O2 #-}

-- | What does a parallel loop cost from Haskell, and when is it worth it?
--
-- A variant is what is done, how, and on how many threads. n is the number of iterations, elements or tasks of one run.
-- A sample lasts 2 ms or more, so that what it takes to wake a thread that had gone to sleep is a small part of it.
--
--   * @region@: an empty parallel region of C, by a safe call.
--   * @each@: a parallel loop in C that calls Haskell by a 'FunPtr' for each index. @bare@: a plain loop in C that
--     does, which is what GHC takes for it. @none@: the parallel loop's body is C instead.
--   * @chunk@c: the same loop by 'parallelFor', in chunks of c that are handed out dynamically; @static@: in one for
--     each thread.
--   * @sum-c@: the sum of n sines in C, by an unsafe call; @sum-omp@: by a C function with a parallel loop, a safe
--     call; @sum-foreign@: by the same function, a call of "Ferry.Foreign";
--     @sum-kernel@: the same C code as a kernel of 'parallelReduceC'; @sum-hs@: in Haskell; @sum-reduce@: in Haskell by
--     'parallelReduce'; @sum-fork@: in Haskell by 'forkOn' and 'MVar', the range divided by hand.
--   * @tasks-c@: n tasks of about 10 us each in C, by a safe call; @tasks-foreign@: by a call of "Ferry.Foreign";
--     @tasks-hs@: by "Ferry.OpenMP.Task", each an unsafe call of the same
--     C.
module Main (main) where

import Control.Concurrent
import Control.Exception (evaluate)
import Control.Monad (forM, forM_, void)
import qualified Data.Vector.Storable as Storable
import Ferry.Foreign (foreignCall)
import Ferry.OpenMP
import Foreign.C.Types (CInt (..), CLong (..))
import Foreign.Marshal.Alloc (mallocBytes)
import Foreign.Ptr (FunPtr, Ptr)
import Foreign.Storable (pokeElemOff)
import Harness

-- safe: what is measured; it opens a region
foreign import ccall safe "bench_region" cRegion :: CInt -> IO ()

-- safe: it calls back
foreign import ccall safe "bench_call_each"
  cCallEach :: FunPtr (Double -> IO Double) -> Ptr Double -> CLong -> CInt -> IO ()

-- safe: it calls back
foreign import ccall safe "bench_call_bare" cCallBare :: FunPtr (Double -> IO Double) -> Ptr Double -> CLong -> IO ()

-- safe: it opens a region
foreign import ccall safe "bench_call_none" cCallNone :: Ptr Double -> CLong -> CInt -> IO ()

foreign import ccall "wrapper" wrapBody :: (Double -> IO Double) -> IO (FunPtr (Double -> IO Double))

-- unsafe: what is measured
foreign import ccall unsafe "bench_sinsum" cSinsum :: CLong -> CLong -> IO Double

-- safe: it opens a region
foreign import ccall safe "bench_sinsum_parallel" cSinsumParallel :: CLong -> CInt -> IO Double

foreign import ccall "&bench_sinsum_parallel" sinsumParallelAt :: FunPtr (CLong -> CInt -> IO Double)

foreign import ccall "&bench_sinsum_block" sinsumBlockAt :: FunPtr (KernelTo Double Double)

-- safe: it opens a region
foreign import ccall safe "bench_tasks" cTasks :: CLong -> CLong -> CInt -> IO Double

foreign import ccall "&bench_tasks" tasksAt :: FunPtr (CLong -> CLong -> CInt -> IO Double)

main :: IO ()
main = do
  body <- wrapBody (\x -> pure (x * 2 + 1))
  to <- mallocBytes (8 * 1000000)
  let bare = simple "bare" 1 (cCallBare body to . fromIntegral)
      variants = bare : concat [regionsAndLoops body to threads | threads <- [1, 2]] ++ sums ++ concatMap tasks [1, 2]
  sampleAll (suite (map variantName variants)) variants
  where
    suite names =
      Suite
        { suiteBoundary = "openmp-haskell",
          suiteQuestion = "What does a parallel loop cost from Haskell, and when is it worth it?",
          suiteVariants = names,
          suiteSizes = [100, 200, 500, 1000, 5000, 10000, 100000],
          suiteRepetitions = 100,
          suiteQuick = 20,
          suiteSampleNs = 2000000
        }

-- | A variant's run of n, for loops that look at nothing else.
simple :: String -> Int -> (Int -> IO ()) -> Variant
simple name threads run = Variant (name ++ ":" ++ show threads) (pure . run)

regionsAndLoops :: FunPtr (Double -> IO Double) -> Ptr Double -> Int -> [Variant]
regionsAndLoops body to threads =
  [ simple "region" threads $ \_ -> cRegion (fromIntegral threads),
    simple "none" threads $ \n -> cCallNone to (fromIntegral n) (fromIntegral threads),
    simple "each" threads $ \n -> cCallEach body to (fromIntegral n) (fromIntegral threads),
    simple "static" threads $ bodyLoop to (static `onThreads` threads)
  ]
    ++ [ simple ("chunk" ++ show chunk) threads $ bodyLoop to (dynamic chunk `onThreads` threads)
         | chunk <- [1, 10, 100, 1000, 10000]
       ]

bodyLoop :: Ptr Double -> Loop -> Int -> IO ()
bodyLoop !to !loop !n = parallelFor loop 0 n $ \i -> pokeElemOff to i (fromIntegral i * 2 + 1)
{-# NOINLINE bodyLoop #-}

sums :: [Variant]
sums =
  simple "sum-c" 1 (\n -> void (cSinsum 0 (fromIntegral n))) :
  simple "sum-hs" 1 (\n -> sinsum 0 n `seq` pure ()) :
  concat
    [ [ simple "sum-omp" threads $ \n -> void (cSinsumParallel (fromIntegral n) (fromIntegral threads)),
        simple "sum-foreign" threads $ \n ->
          void (foreignCall sinsumParallelAt (fromIntegral n) (fromIntegral threads)),
        -- the vector is there before: it is not what is measured
        Variant ("sum-kernel:" ++ show threads) (fmap (sumKernel threads) . evaluate . (`Storable.replicate` 0)),
        simple "sum-reduce" threads (sumReduce threads),
        simple "sum-fork" threads (sumFork threads)
      ]
      | threads <- [1, 2]
    ]

-- | The sum of the sines of a range, in Haskell.
sinsum :: Int -> Int -> Double
sinsum !first !past = go first 0
  where
    go !i !total
      | i >= past = total
      | otherwise = go (i + 1) (total + sin (fromIntegral i * 0.001))
{-# NOINLINE sinsum #-}

sumKernel :: Int -> Storable.Vector Double -> IO ()
sumKernel threads vector = void (parallelReduceC (static `onThreads` threads) (Reduction 0 (+)) sinsumBlockAt vector)

sumReduce :: Int -> Int -> IO ()
sumReduce threads n = do
  total <- parallelReduce (static `onThreads` threads) (Reduction 0 (+)) 0 n $ \i ->
    sin (fromIntegral i * 0.001) :: Double
  total `seq` pure ()

sumFork :: Int -> Int -> IO ()
sumFork threads n = do
  boxes <- forM [0 .. threads - 1] $ \k -> do
    box <- newEmptyMVar
    _ <- forkOn k $ putMVar box $! sinsum (n * k `div` threads) (n * (k + 1) `div` threads)
    pure box
  total <- sum <$> mapM takeMVar boxes
  total `seq` pure ()

-- | Sines of one task: about 10 us.
taskSines :: Int
taskSines = 1000

tasks :: Int -> [Variant]
tasks threads =
  [ simple "tasks-c" threads $ \n -> void (cTasks (fromIntegral n) (fromIntegral taskSines) (fromIntegral threads)),
    simple "tasks-foreign" threads $ \n ->
      void (foreignCall tasksAt (fromIntegral n) (fromIntegral taskSines) (fromIntegral threads)),
    simple "tasks-hs" threads $ \n -> withTasks (Just threads) $ \region ->
      forM_ [0 .. n - 1] $ \i -> task region (void (cSinsum (fromIntegral i) (fromIntegral (i + taskSines))))
  ]
