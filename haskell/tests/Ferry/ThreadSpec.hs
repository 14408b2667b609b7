-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE DataKinds #-}

-- | Batches next to other threads: who gets to run meanwhile, on which thread of the system, and how the process ends.
--
-- What these tests catch: an adaptive run that keeps its Capability when the runtime system asks for it, or in a slot
-- that blocks, one that on a runtime system with one thread of the system gives it to nobody, one that forgets a
-- request which came while it took the Capability back, or does not go to the scheduler for it (@YIELD_IF_ASKED@ of
-- @cmm/yield.h@), and a batch that hinders the process from ending.
module Ferry.ThreadSpec (spec) where

import Control.Concurrent
import Control.Exception (SomeException, finally, throwIO, try)
import Control.Monad (forM, forM_, replicateM_, unless, void, when, (>=>))
import Data.IORef
import Ferry.Call
import Ferry.Model (Case (..), meaningOf, programOf, sameRun, setGiven)
import Ferry.Runtime
import Foreign.C.Types (CLong)
import System.Exit (ExitCode (..))
import System.Mem (performMajorGC)
import Test.Hspec hiding (after, before)
import Test.QuickCheck (arbitrary, generate, resize)

spec :: Spec
spec = do
  when isThreaded threads
  describe "Adaptive" $ do
    it "lets other threads of its Capability run" othersRun
    when isThreaded . forM_ [("may block", mayBlock), ("block and are not marked", id)] $ \(which, mark) -> do
      it ("lets them run while its slots " ++ which) $ othersRunBeside mark
      it ("lets the garbage collector run while its slots " ++ which) $ collectorRunsBeside mark
    it "lets the garbage collector run" collectorRuns
    when (isThreaded && not isDebugged) $
      it "holds its Capability again after a request, also in a loop without heap checks" holdsAgain
  child <- runIO isChild
  if child
    then ends >> requests
    else do
      describe "a process" endsAll
      when isThreaded . it "keeps a request that comes while the Capability is taken back" $ do
        -- nobody asks again: not the clock, at its next tick, and not the parallel collector, until it is heard
        (code, said) <- runAgain ["-V0", "-qg", "-N2"] ("/Ferry.Thread/" ++ requestName ++ "/")
        when (code /= ExitSuccess) (expectationFailure said)

threads :: Spec
threads = do
  it "a bound thread's batches run on its own thread of the system" $ do
    own <- runInBoundThread $ do
      mine <- threadDirectly
      forM [(mode, mark) | mode <- [minBound .. maxBound], mark <- [id, mayBlock]] $ \(mode, mark) ->
        (,) (mode, mine) <$> run mode (output <$> mark systemThread)
    [mode | ((mode, mine), ran) <- own, ran /= mine] `shouldBe` []
  it "a bound thread's batches do so while others run" . withWord $ \counter -> do
    stop <- newIORef False
    busy <- newEmptyMVar
    void . forkIO $ waitUntil (stepDirectly counter 1000 >> readIORef stop) >> putMVar busy ()
    done <- newEmptyMVar
    void . forkOS $ do
      mine <- threadDirectly
      found <- forM [1 .. 50 :: Int] $ \_ -> forM [Safe ..] $ \mode ->
        run mode $ do
          first <- step counter 20000 >> mayBlock systemThread
          step counter 20000 >> output' first <$> systemThread
      putMVar done (filter (/= (mine, mine)) (concat found))
    (takeMVar done >>= (`shouldBe` [])) `finally` writeIORef stop True
    takeMVar busy
  it "a thread stays on the Capability it was forked on" . withCapabilities 4 $ do
    found <- forM [0 .. 3] $ \capability -> do
      done <- newEmptyMVar
      void . forkOn capability . withWord $ \counter -> do
        capabilities <- forM [Safe ..] $ \mode -> do
          run mode (mayBlock (step counter 1000) >> pure (pure ()))
          threadCapability =<< myThreadId
        putMVar done capabilities
      takeMVar done
    found `shouldBe` [replicate 3 (capability, True) | capability <- [0 .. 3]]
  it "programs are right on one to four Capabilities" . withCapabilities 1 . forM_ [1 .. 4] $ \count -> do
    setNumCapabilities count
    cases <- generate (mapM (const (resize 20 arbitrary)) [1 .. 2 * count])
    done <- forM (zip [0 ..] cases) $ \(number, test) -> do
      result <- newEmptyMVar
      void . forkOn number $ try (mapM_ (right test) [minBound .. maxBound]) >>= putMVar result
      pure result
    forM_ done (takeMVar >=> either (throwIO :: SomeException -> IO ()) pure)
  where
    output' first second = (,) <$> output first <*> output second

right :: Case -> Mode -> Expectation
right test mode = do
  (inputs', prepared) <- prepareWith (programOf (caseCalls test))
  runs <- forM (caseGiven test) $ \given' -> setGiven prepared inputs' given' >> runPrepared mode prepared
  unless (and (zipWith (sameRun (caseCalls test)) runs (meaningOf test))) (expectationFailure (show (mode, test, runs)))

-- | Another thread of the same Capability counts in between: it is given several turns before the batch has ended.
othersRun :: Expectation
othersRun = withCapabilities 1 . withWord $ \counter -> do
  prepared <- prepare (steps counter 20000 10000)
  turns <- turnsWhile counter 20000 (runPrepared_ Adaptive prepared)
  turns `shouldSatisfy` (>= 3)

-- | While the Capability is given up, another thread has it all the time: its turns need no one's leave.
othersRunBeside :: (Program 'Functions (Value CLong) -> Program 'Functions (Value CLong)) -> Expectation
othersRunBeside mark = withCapabilities 1 (besideBlocked mark (pure ()))

-- | Do it while a slot blocks, which it does until that is done.
besideBlocked :: (Program 'Functions (Value CLong) -> Program 'Functions (Value CLong)) -> IO () -> Expectation
besideBlocked mark act = withWord $ \counter -> withWord $ \gate -> do
  prepared <- prepare (mark (block counter gate) >> pure (pure ()))
  done <- newEmptyMVar
  void . forkIO $ runPrepared_ Adaptive prepared >>= putMVar done
  waitUntil ((== 1) <$> readWord counter)
  act
  setWord gate 1
  takeMVar done

collectorRunsBeside :: (Program 'Functions (Value CLong) -> Program 'Functions (Value CLong)) -> Expectation
collectorRunsBeside mark = forM_ [1, 2] $ \count -> withCapabilities count (besideBlocked mark performMajorGC)

-- | How often another thread saw the batch further along than before, while it was neither at its start nor at its end.
turnsWhile :: Word' -> Int -> IO () -> IO Int
turnsWhile counter slotCount act = do
  turns <- newIORef (0 :: Int)
  ended <- newEmptyMVar
  let watch before = do
        now <- readWord counter
        when (now > before && now < slotCount) (modifyIORef' turns (+ 1))
        unless (now >= slotCount) (yield >> watch now)
  void . forkIO $ watch 0 >>= putMVar ended
  act
  takeMVar ended
  readIORef turns

-- | A collection that is asked for while the batch runs is over before the batch is. How many of them there is time for
-- is up to the machine and the runtime system: the one for debugging checks the heap in each.
collectorRuns :: Expectation
collectorRuns = withCapabilities 2 . withWord $ \counter -> do
  let slotCount = 50000
  prepared <- prepare (steps counter slotCount 5000)
  ended <- newEmptyMVar
  thread <- forkOn 1 (runPrepared_ Adaptive prepared >>= putMVar ended)
  seen <- forM [1 .. 5 :: Int] $ \_ -> do
    before <- readWord counter
    waitUntil ((\now -> now > before || now == slotCount) <$> readWord counter)
    performMajorGC
    readWord counter
  seen `shouldSatisfy` ((>= 2) . length . filter (< slotCount))
  killThread thread

-- | The runtime system's tick asks every 20 ms for the Capability. A run that left the request standing would leave it
-- to the next heap check, and this loop has none: from then on each run would give its Capability up.
holdsAgain :: Expectation
holdsAgain = withWord $ \counter -> do
  prepared <- prepare (steps counter 1 1000)
  before <- suspensions
  loop runCount (runPrepared_ Adaptive prepared)
  after <- suspensions
  (after - before) `shouldSatisfy` (< runCount `div` 10)
  where
    runCount = 200000

-- | Not inlined, and compiled to a loop that allocates nothing.
loop :: Int -> IO () -> IO ()
loop 0 _ = pure ()
loop left act = act >> loop (left - 1) act
{-# NOINLINE loop #-}

requests :: Spec
requests = it requestName keepsRequest

requestName :: String
requestName = "keeps a request"

-- | The first slot makes the batch give its Capability up for a slice. At the end of that it is taken back, and just
-- then a collection is asked for, of which only the runtime system's flags tell when the nursery is open
-- (@tests/cbits/resume.c@). The last slot waits for that collection, as a slot that is not marked must not: it comes
-- before, or not at all.
keepsRequest :: Expectation
keepsRequest = withWord $ \counter -> withWord $ \asked -> withWord $ \collected -> do
  done <- newEmptyMVar
  void . forkOn 1 $ do
    -- a collection that allocating asks for would be one before the one that is asked for just then
    awaitDirectly asked `shouldReturn` 1
    performMajorGC
    setWord collected 1
  void . forkOn 0 $ do
    -- slots for more than a slice of 200 ms
    seen <- run Adaptive $ do
      _ <- mayBlock (askOnResume asked)
      replicateM_ 300 (step counter 1000000)
      output <$> await collected
    putMVar done seen
  takeMVar done `shouldReturn` 1

-- | The process ends while a batch is running, as it would during a safe call: at once, and well. Without more threads
-- of the system a safe call, and a batch run as one, leaves nobody there to end it.
endsAll :: Spec
endsAll = forM_ (if isThreaded then [Safe ..] else [Adaptive ..]) $ \mode ->
  forM_ (if isThreaded then [1, 2, 4] else [1]) $ \count ->
    it ("ends while a batch runs in " ++ show mode ++ " on -N" ++ show count) $ do
      let options = ["-N" ++ show (count :: Int) | isThreaded]
      (code, said) <- runAgain options ("/Ferry.Thread/" ++ endName mode ++ "/")
      when (code /= ExitSuccess) (expectationFailure (show code ++ said))

ends :: Spec
ends = forM_ [Safe ..] $ \mode -> it (endName mode) $ do
  at <- leakedWord
  -- a hundred seconds
  prepared <- prepare (steps at 20000 5000000)
  void (forkIO (runPrepared_ mode prepared))
  waitUntil ((> 5) <$> readWord at)

endName :: Mode -> String
endName mode = "ends during " ++ show mode
