-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE BangPatterns #-}
{-# OPTIONS_GHC -O2 #-}

-- | What do a program's parallel regions and its Haskell threads take from each other?
--
-- Haskell threads open one parallel region after the other, each of ten barriers and the same work; others compute and
-- allocate, without ever waiting. Lines of @bench/README.md@, boundary @haskell-openmp@, n = 1, one of each kind for
-- each variant @CASE:MODE@:
--
--   * @region:CASE:MODE@: time by regions completed, all callers together. @p50:@ and @p99:@ how long single ones took,
--     @slow:@ how many of a thousand took more than twice the median.
--   * @unit:CASE:MODE@: time by units of work of the computing threads, all together. @gap:@ and @gap999:@ the 99th and
--     99.9th percentile of the time between the ends of two.
--   * @pause:CASE:MODE@: how much later than it asked for a thread went on that wants to run every millisecond, 99th
--     percentile.
--   * @wrong:CASE:MODE@: regions that did not do their work exactly once.
--
-- CASE is @c@ (regions from a loop in C, one safe call in all), @cgc@ (the same beside the collections of @gc@),
-- @idle@, @tick@ (with the thread that wakes every millisecond), @busy1@ and @busy2@ (with that and so many computing
-- threads), @eight@ (eight threads that open regions), @gc@ (with a thread that makes a major collection every
-- millisecond), @alone1@ and @alone2@ (computing threads only). MODE is @safe@, a plain import, or @held@, which keeps
-- the Capability until it is wanted.
-- @long:MODE@ asks for collections while one region of a second runs, @gcwait@: how long each waited for the region's
-- Capability.
--
-- The same on another runtime: @LD_PRELOAD=libgomp.so.1@.
module Main (main) where

import Control.Concurrent
import Control.Exception (evaluate)
import Control.Monad
import Data.IORef
import Data.List (sort)
import Ferry.Internal.Prim (runHeld)
import Foreign hiding (void)
import GHC.Stats
import Harness
import System.Mem (performMajorGC)

data Job

data Long

foreign import ccall unsafe "bench_interference_bytes" jobBytes :: IO Int

-- safe: for the comparison
foreign import ccall safe "bench_interference" regionSafe :: Ptr Job -> IO ()

foreign import ccall safe "bench_interference_loop"
  regionLoop :: Ptr Job -> Int -> Ptr Double -> Int -> IO Int

foreign import ccall safe "bench_long_region" longSafe :: Ptr Long -> IO ()

foreign import ccall "&bench_interference" regionAddress :: FunPtr (Ptr Job -> IO ())

foreign import ccall "&bench_long_region" longAddress :: FunPtr (Ptr Long -> IO ())

boundary :: String
boundary = "haskell-openmp"

-- | How long a case is measured.
caseNs :: Int
caseNs = 1000000000

-- | Single regions whose time is kept, for each caller.
capacity :: Int
capacity = 1000000

cases :: [String]
cases = ["idle", "tick", "busy1", "busy2", "eight", "gc"]

main :: IO ()
main = do
  chosen <- options suite
  machineLine
  done <- newEmptyMVar
  -- not the main thread, which is bound to an OS thread
  void . forkIO $ do
    forM_ [0 .. optionRepetitions chosen - 1] $ \repetition -> do
      forM_ ["alone1", "alone2"] $ \name ->
        when (optionWanted chosen name) $ measure repetition name name Nothing 0 (if name == "alone1" then 1 else 2)
      forM_ [("c", Nothing), ("cgc", Just collecting)] $ \(name, other) ->
        when (optionWanted chosen name) $ fromC repetition name other
      forM_ [(name, mode) | name <- cases, mode <- ["safe", "held"]] $ \(name, mode) ->
        when (optionWanted chosen (name ++ ":" ++ mode)) $ inCase repetition name mode
      forM_ ["safe", "held"] $ \mode ->
        when (optionWanted chosen ("long:" ++ mode)) $ longRegion repetition mode
    putMVar done ()
  takeMVar done
  where
    suite =
      Suite
        { suiteBoundary = boundary,
          suiteQuestion = "What do parallel regions and Haskell threads take from each other?",
          suiteVariants =
            ["alone1", "alone2", "c", "cgc"]
              ++ [name ++ ":" ++ mode | name <- cases ++ ["long"], mode <- ["safe", "held"]],
          suiteSizes = [1],
          suiteRepetitions = 5,
          suiteQuick = 1,
          suiteSampleNs = 20000
        }

-- | Open one region.
region :: String -> Ptr Job -> IO ()
region "held" = runHeld regionAddress
region _ = regionSafe

line :: String -> Int -> Double -> IO ()
line name = sampleLine boundary name 1

percentile :: Double -> [Double] -> Double
percentile _ [] = 0
percentile part list = sort list !! min (length list - 1) (floor (part * fromIntegral (length list)))

-- | What single regions took.
single :: String -> Int -> [Double] -> IO ()
single variant repetition seen = do
  let p50 = percentile 0.5 seen
      slow = length (filter (> 2 * p50) seen)
  line ("p50:" ++ variant) repetition p50
  line ("p99:" ++ variant) repetition (percentile 0.99 seen)
  line ("slow:" ++ variant) repetition (1000 * fromIntegral slow / fromIntegral (max 1 (length seen)))

withJob :: (Ptr Job -> IO a) -> IO a
withJob act = do
  bytes <- jobBytes
  allocaBytesAligned bytes 64 $ \job -> fillBytes job 0 bytes >> act job

wrongOf :: Ptr Job -> IO Int
wrongOf job = peek (castPtr job)

fromC :: Int -> String -> Maybe (IO ()) -> IO ()
fromC repetition name other = withJob $ \job -> allocaArray capacity $ \times -> alloca $ \stop -> do
  poke stop (0 :: Word8)
  others <- forM other (spawn . unlessStopped stop)
  _ <- regionLoop job (caseNs `div` 10) times capacity
  count <- regionLoop job caseNs times capacity
  poke stop 1
  mapM_ takeMVar others
  seen <- peekArray (min count capacity) times
  line ("region:" ++ name) repetition (fromIntegral caseNs / fromIntegral count)
  single name repetition seen
  wrongOf job >>= line ("wrong:" ++ name) repetition . fromIntegral

-- | A major collection, and a millisecond without.
collecting :: IO ()
collecting = performMajorGC >> threadDelay 1000

inCase :: Int -> String -> String -> IO ()
inCase repetition name mode = measure repetition (name ++ ":" ++ mode) mode other callers computing
  where
    callers = if name == "eight" then 8 else 1
    computing = case name of
      "busy1" -> 1
      "busy2" -> 2
      _ -> 0
    other = if name == "gc" then Just collecting else Nothing

-- | Let callers, computing threads, a thread that does something again and again, and one that wakes every millisecond
-- run at once.
measure :: Int -> String -> String -> Maybe (IO ()) -> Int -> Int -> IO ()
measure repetition variant mode other callers computing = alloca $ \stop -> do
  poke stop (0 :: Word8)
  start <- newEmptyMVar
  regions <- forM [1 .. callers] $ \_ -> spawn (readMVar start >> caller mode stop)
  units <- forM [1 .. computing] $ \_ -> spawn (readMVar start >> compute stop)
  pauses <- if ticks then spawn (readMVar start >> ticker stop) else newMVar []
  others <- forM other $ \act -> spawn (readMVar start >> unlessStopped stop act)
  yield
  begin <- nowNs
  putMVar start ()
  threadDelay (caseNs `div` 1000)
  poke stop 1
  end <- nowNs
  counted <- mapM takeMVar regions
  worked <- mapM takeMVar units
  late <- takeMVar pauses
  mapM_ takeMVar others
  let elapsed = end - begin
      count = sum [n | (n, _, _) <- counted]
      seen = concat [times | (_, times, _) <- counted]
  when (callers > 0) $ do
    line ("region:" ++ variant) repetition (elapsed / fromIntegral count)
    single variant repetition seen
    line ("wrong:" ++ variant) repetition (fromIntegral (sum [wrong | (_, _, wrong) <- counted]))
  when (computing > 0) $ do
    line ("unit:" ++ variant) repetition (elapsed / fromIntegral (sum (map fst worked)))
    line ("gap:" ++ variant) repetition (percentile 0.99 (concatMap snd worked))
    line ("gap999:" ++ variant) repetition (percentile 0.999 (concatMap snd worked))
  when ticks $ line ("pause:" ++ variant) repetition (percentile 0.99 late)
  where
    ticks = takeWhile (/= ':') variant `notElem` ["idle", "eight", "gc"]

spawn :: IO a -> IO (MVar a)
spawn act = do
  result <- newEmptyMVar
  _ <- forkIO (act >>= putMVar result)
  pure result

stopped :: Ptr Word8 -> IO Bool
stopped stop = (/= 0) <$> peek stop

unlessStopped :: Ptr Word8 -> IO () -> IO ()
unlessStopped stop act = do
  act
  over <- stopped stop
  unless over (unlessStopped stop act)

-- | Do it again and again, with its number, until told to stop: how often, and the time between the ends of two.
timed :: Ptr Word8 -> (Int -> IO ()) -> IO (Int, [Double])
timed stop act = do
  times <- mallocArray capacity
  let go !count !before = do
        act count
        after <- nowNs
        when (count < capacity) $ pokeElemOff times count (after - before)
        over <- stopped stop
        if over then pure (count + 1) else go (count + 1) after
  count <- nowNs >>= go 0
  seen <- peekArray (min count capacity) times
  _ <- evaluate (length seen)
  free times
  pure (count, seen)
{-# INLINE timed #-}

-- | Open regions: how many, how long each took, how many were wrong.
caller :: String -> Ptr Word8 -> IO (Int, [Double], Int)
caller mode stop = withJob $ \job -> do
  (count, seen) <- timed stop (const (region mode job))
  wrong <- wrongOf job
  pure (count, seen, wrong)

-- | Compute and allocate: how many units, and the time between the ends of two.
compute :: Ptr Word8 -> IO (Int, [Double])
compute stop = timed stop (void . evaluate . unit)

-- | About 15 us of work on a list that is really made.
unit :: Int -> Int
unit seed = sum (map (* 3) (numbers seed 1200))
{-# NOINLINE unit #-}

numbers :: Int -> Int -> [Int]
numbers from count = if count == 0 then [] else from : numbers (from + 1) (count - 1)
{-# NOINLINE numbers #-}

-- | Want to run every millisecond: how much later it was.
ticker :: Ptr Word8 -> IO [Double]
ticker stop = go []
  where
    go late = do
      before <- nowNs
      threadDelay 1000
      after <- nowNs
      over <- stopped stop
      let !more = after - before - 1000000
      if over then pure late else go (more : late)

-- | One region of a second, and a thread that collects all the time meanwhile: the longest of the collections' waits.
longRegion :: Int -> String -> IO ()
longRegion repetition mode = do
  enabled <- getRTSStatsEnabled
  over <- newIORef False
  when enabled . allocaBytes 8 $ \job -> do
    poke (castPtr job) (1000000000 :: Int)
    waits <- spawn (collect over [])
    threadDelay 10000
    if mode == "held" then runHeld longAddress job else longSafe job
    writeIORef over True
    seen <- takeMVar waits
    line ("gcwait:long:" ++ mode) repetition (percentile 0.99 seen)
    line ("gcwaitmost:long:" ++ mode) repetition (maximum seen)
  where
    collect over seen = do
      performMajorGC
      wait <- fromIntegral . gcdetails_sync_elapsed_ns . gc <$> getRTSStats
      ended <- readIORef over
      let !w = wait :: Double
      if ended then pure (w : seen) else threadDelay 2000 >> collect over (w : seen)
