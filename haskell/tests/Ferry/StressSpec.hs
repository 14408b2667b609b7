-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE BangPatterns #-}
{-# LANGUAGE DataKinds #-}

-- | Programs in many threads while the garbage collector runs all the time.
--
-- What these tests catch, of each of the two primitives: a stack pointer that is not saved before the Capability is
-- given up (the collector walks a stale stack), and a nursery that is not closed (others allocate over this thread's
-- newest data): the process crashes, in "programs of many threads". A primitive without its state token: the compiler
-- makes one run of two, in "each run runs". A primitive that goes on with its old register table, instead of the one
-- that @resumeThread@ gives: the process crashes there (@tests/cbits/resume.c@).
module Ferry.StressSpec (spec) where

import Control.Concurrent
import Control.Exception (SomeException, evaluate, throwIO, try)
import Control.Monad (forM, forM_, replicateM, unless, void, when, (>=>))
import qualified Data.IntMap.Strict as IntMap
import Ferry.Call
import Ferry.Internal.Prepare (Prepared (..), touchPrepared)
import Ferry.Internal.Prim (runAdaptive, runBatched)
import Ferry.Model
import Ferry.Runtime
import Foreign.C.Types (CLong)
import System.Exit (ExitCode (..))
import System.Mem (performMajorGC, performMinorGC)
import Test.Hspec hiding (after, before)
import Test.QuickCheck (arbitrary, generate, resize)

spec :: Spec
spec = do
  it "programs of many threads are right while the heap is collected" $ withCapabilities 4 programsAndCollections
  it "data made just before a run is there after it" $
    forM_ [(mode, mark) | mode <- [Safe ..], mark <- [id, mayBlock]] (uncurry keepsFreshData)
  describe "each run runs" eachRunRuns
  child <- runIO isChild
  unless child . describe "in a process of its own" $
    forM_ (["-A64k"] : ["-A64k", "-c"] : [["-A64k", "--nonmoving-gc"] | nonMovingWorks]) $ \options ->
      it ("all of it again with " ++ unwords options) $ do
        (code, said) <- runAgain (options ++ ["-N4" | isThreaded]) "/Ferry.Stress/"
        when (code /= ExitSuccess) (expectationFailure said)

-- | Random programs in every mode, in more threads than there are Capabilities.
programsAndCollections :: Expectation
programsAndCollections = do
  seconds <- stressSeconds
  cases <- generate (replicateM 40 (resize 20 arbitrary))
  let meanings = map meaningOf cases
  -- computed before the threads begin: the non-moving collector takes threads that wait for one another's values for
  -- dead (tests/haskell/NonMovingShared.hs)
  void (evaluate (length (show (cases, meanings))))
  stopped <- newEmptyMVar
  -- it yields because a collection forgets that the others were to have a turn
  collector <- forkIO . untilStopped stopped $ performMinorGC >> performMajorGC >> yield
  workers <- forM [0 .. 7] $ \number -> forkResult . untilSpent seconds $ \turn -> do
    let (test, meaning) = zip cases meanings !! ((turn + 5 * number) `mod` length cases)
        mode = toEnum ((turn + number) `mod` 4)
    heap <- evaluate (heapOf (turn + number))
    runs <- runCase mode test
    unless (and (zipWith (sameRun (caseCalls test)) runs meaning)) $
      expectationFailure (show (mode, test, runs))
    unless (heapIs (turn + number) heap) (expectationFailure (show mode ++ ": the heap changed"))
  mapM_ (takeMVar >=> either throwIO pure) workers
  putMVar stopped ()
  killThread collector

runCase :: Mode -> Case -> IO [Run]
runCase mode test = do
  (inputs', prepared) <- prepareWith (programOf (caseCalls test))
  forM (caseGiven test) $ \given' -> setGiven prepared inputs' given' >> runPrepared mode prepared

-- | Data of some size and shape, and whether it still is that.
heapOf :: Int -> IntMap.IntMap [Int]
heapOf seed = IntMap.fromList [(key, [key .. key + seed `mod` 7]) | key <- [seed .. seed + 200]]
{-# NOINLINE heapOf #-}

heapIs :: Int -> IntMap.IntMap [Int] -> Bool
heapIs seed heap =
  sum (map sum (IntMap.elems heap)) == sum [sum [key .. key + seed `mod` 7] | key <- [seed .. seed + 200]]

-- | The newest data lies at the end of the nursery's current block. While the batch blocks, another thread of the same
-- Capability allocates: over it, unless the nursery was closed when the Capability was given up.
keepsFreshData :: Mode -> (Program 'Functions (Value CLong) -> Program 'Functions (Value CLong)) -> Expectation
keepsFreshData mode mark = withCapabilities 1 . withWord $ \counter -> withWord $ \gate -> when isThreaded $ do
  prepared <- prepare (mark (block counter gate) >> pure (pure ()))
  seconds <- stressSeconds
  untilSpent (seconds / 10) $ \turn -> do
    setWord counter 0
    setWord gate 0
    other <- forkResult $ do
      waitUntil ((== 1) <$> readWord counter)
      made <- mapM (\k -> evaluate (freshData (k + turn))) [1 .. 20]
      setWord gate 1
      evaluate (sum (map sum made))
    before <- evaluate (freshData turn)
    runPrepared_ mode prepared
    after <- evaluate (freshData (turn + 1))
    sum before `shouldBe` sum [turn .. turn + 30]
    sum after `shouldBe` sum [turn + 1 .. turn + 31]
    made <- takeMVar other >>= either throwIO pure
    made `shouldBe` sum [sum [k + turn .. k + turn + 30] | k <- [1 .. 20]]

-- | A list that is all there.
freshData :: Int -> [Int]
freshData from = go (from + 30) []
  where
    go !k made = if k < from then made else go (k - 1) (k : made)
{-# NOINLINE freshData #-}

-- | Nothing is hoisted out of a loop, and of several equal runs none is left out. Primitives and modes are named one by
-- one, so that the compiler sees what each is and may do all it may.
eachRunRuns :: Spec
eachRunRuns = do
  it "of the batched primitive" $
    runsSixTimes
      (\p -> let at = preparedProgram p in runBatched at >> runBatched at >> void (runBatched at))
      (\p -> forM_ [1 .. 3 :: Int] (\_ -> runBatched (preparedProgram p)))
  it "of the adaptive primitive" $
    runsSixTimes
      (\p -> let at = preparedProgram p in runAdaptive at 0 >> runAdaptive at 0 >> void (runAdaptive at 0))
      (\p -> forM_ [1 .. 3 :: Int] (\_ -> runAdaptive (preparedProgram p) 0))
  it "in Batched" $
    runsSixTimes
      (\p -> runPrepared_ Batched p >> runPrepared_ Batched p >> runPrepared_ Batched p)
      (\p -> forM_ [1 .. 3 :: Int] (\_ -> runPrepared_ Batched p))
  it "in Adaptive" $
    runsSixTimes
      (\p -> runPrepared_ Adaptive p >> runPrepared_ Adaptive p >> runPrepared_ Adaptive p)
      (\p -> forM_ [1 .. 3 :: Int] (\_ -> runPrepared_ Adaptive p))
  it "with its results, in every mode" . forM_ [minBound .. maxBound] $ \mode -> withWord $ \counter -> do
    prepared <- prepare (output <$> step counter 0)
    replicateM 3 (runPrepared mode prepared) `shouldReturn` [1, 2, 3]

runsSixTimes :: (Prepared () -> IO ()) -> (Prepared () -> IO ()) -> Expectation
runsSixTimes inARow inALoop = withWord $ \counter -> do
  -- of a slot that may block a primitive makes one part, even where the runtime system asks for a pause
  prepared <- prepare (mayBlock (step counter 0) >> pure (pure ()))
  inARow prepared
  readWord counter `shouldReturn` 3
  inALoop prepared
  readWord counter `shouldReturn` 6
  touchPrepared prepared

untilStopped :: MVar () -> IO () -> IO ()
untilStopped stopped act = do
  stop <- isEmptyMVar stopped
  when stop (act >> untilStopped stopped act)

forkResult :: IO a -> IO (MVar (Either SomeException a))
forkResult act = do
  result <- newEmptyMVar
  result <$ void (forkIO (try act >>= putMVar result))
