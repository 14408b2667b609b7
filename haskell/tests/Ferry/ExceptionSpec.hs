-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE DataKinds #-}

-- | Asynchronous exceptions at batches: between slots in the adaptive modes, after the batch in the others, as for any
-- safe call.
--
-- What these tests catch: an adaptive run that does not look at @rHpLim@, or not for pending exceptions; one that goes
-- on after the exception, or loses it; a mask that is not respected.
module Ferry.ExceptionSpec (spec) where

import Control.Concurrent
import Control.Exception
import Control.Monad (forM, forM_, replicateM_, void)
import Data.IORef
import Data.Int (Int64)
import Ferry.Call
import Ferry.Internal.Prepare (Prepared (..))
import Ferry.Runtime
import Foreign.Ptr (Ptr)
import Foreign.Storable (peekByteOff, peekElemOff)
import System.Mem (performMajorGC)
import System.Mem.Weak (deRefWeak)
import System.Timeout (timeout)
import Test.Hspec hiding (after, before)

-- | Long enough that a batch which is not interrupted is told from one that is, even where other programs keep the
-- thread that throws from its processor: five seconds in all.
slotCount, slotNs :: Int
slotCount = 10000
slotNs = 500000

-- | A batch that is to run to its end: 50 ms.
shortCount, shortNs :: Int
shortCount = 500
shortNs = 100000

spec :: Spec
spec = do
  describe (show Adaptive) $ do
    it "is interrupted between slots by an exception" interrupted
    it "is interrupted by one when its slots may block" interruptedBlocking
    it "is interrupted within milliseconds" (interruptedSoon id)
    it "is interrupted within milliseconds when its slots may block" (interruptedSoon mayBlock)
    it "is interrupted by timeout" interruptedByTimeout
    it "is interrupted by killThread, which returns when it is" killed
    it "is not interrupted while exceptions are masked" notWhenMasked
    it "keeps the results up to where it came" resultsSoFar
    it "loses no exception, and throws each once" noneLost
    it "frees what an interrupted run kept alive" freesInterrupted
  forM_ [s | isThreaded, s <- [Safe, Batched]] $ \mode ->
    describe (show mode) . it "gets the exception after the batch" $ afterTheBatch mode

-- | Run it in a thread and throw at that when some slots ran. A thread on another Capability may learn of the exception
-- only when it yields. What the run gave, and how many slots had run when the
-- exception was thrown and when the run had ended.
throwAt :: (IO () -> IO ()) -> Mode -> Word' -> Prepared () -> IO (Either AsyncException (), Int, Int)
throwAt how mode counter prepared = do
  ended <- newEmptyMVar
  -- masked but for the run: an exception that comes too late for it must not keep the answer from us
  thread <- forkIO $
    mask $ \restore -> do
      result <- try (restore (how (runPrepared_ mode prepared)))
      ran <- readWord counter
      putMVar ended (result, ran)
  waitUntil ((> 20) <$> readWord counter)
  thrown <- readWord counter
  throwTo thread UserInterrupt
  (result, ran) <- takeMVar ended
  pure (result, thrown, ran)

-- | The same, again where the exception came after the run: other programs may keep the thread that throws waiting for
-- longer than a short batch takes. An exception that gets lost does so each time.
throwInTime :: (IO () -> IO ()) -> Mode -> Word' -> Prepared () -> IO (Either AsyncException (), Int)
throwInTime how mode counter prepared = go (20 :: Int)
  where
    go left = do
      setWord counter 0
      (result, _, ran) <- throwAt how mode counter prepared
      if result == Right () && left > 0 then go (left - 1) else pure (result, ran)

interrupted :: Expectation
interrupted = withWord $ \counter -> do
  prepared <- prepare (steps counter slotCount slotNs)
  (result, thrown, ran) <- throwAt id Adaptive counter prepared
  result `shouldBe` Left UserInterrupt
  -- a slice is a twenty-fifth of the batch
  (ran - thrown) `shouldSatisfy` (< slotCount `div` 2)
  -- nothing runs on behind the exception's back
  performMajorGC
  readWord counter `shouldReturn` ran

interruptedBlocking :: Expectation
interruptedBlocking = withWord $ \counter -> do
  prepared <- prepare (mayBlock (steps counter slotCount slotNs))
  (result, thrown, ran) <- throwAt id Adaptive counter prepared
  result `shouldBe` Left UserInterrupt
  (ran - thrown) `shouldSatisfy` (< slotCount `div` 2)

-- | In slots of a millisecond: 15 at most, where nothing else runs. The least of some attempts, since other programs
-- may keep the thread that throws, or the monitor, from its processor.
interruptedSoon :: (Program 'Functions (Output ()) -> Program 'Functions (Output ())) -> Expectation
interruptedSoon mark = withWord $ \counter -> do
  late <- forM [1 .. 5 :: Int] $ \_ -> do
    prepared <- prepare (mark (steps counter 1000 1000000))
    setWord counter 0
    (result, thrown, ran) <- throwAt id Adaptive counter prepared
    result `shouldBe` Left UserInterrupt
    pure (ran - thrown)
  minimum late `shouldSatisfy` (< 25)

interruptedByTimeout :: Expectation
interruptedByTimeout = withWord $ \counter -> do
  prepared <- prepare (steps counter slotCount slotNs)
  timeout 30000 (runPrepared_ Adaptive prepared) `shouldReturn` Nothing
  ran <- readWord counter
  ran `shouldSatisfy` (< slotCount `div` 2)
  -- the same program runs again, to its end
  short <- prepare (steps counter 10 0)
  runPrepared_ Adaptive short
  readWord counter `shouldReturn` (ran + 10)

killed :: Expectation
killed = withWord $ \counter -> do
  prepared <- prepare (steps counter slotCount slotNs)
  thread <- forkIO (runPrepared_ Adaptive prepared)
  waitUntil ((> 20) <$> readWord counter)
  killThread thread
  ran <- readWord counter
  ran `shouldSatisfy` (< slotCount `div` 2)
  performMajorGC
  readWord counter `shouldReturn` ran

notWhenMasked :: Expectation
notWhenMasked = forM_ [mask_, uninterruptibleMask_] $ \masked -> withWord $ \counter -> do
  prepared <- prepare (steps counter shortCount shortNs)
  seen <- newIORef (0 :: Int)
  let act' act = masked (act >> readWord counter >>= writeIORef seen) >> yield
  (result, ran) <- throwInTime act' Adaptive counter prepared
  result `shouldBe` Left UserInterrupt
  ran `shouldBe` shortCount
  readIORef seen `shouldReturn` shortCount

-- | The results of the slots that ran are there, and only those.
resultsSoFar :: Expectation
resultsSoFar = withWord $ \counter -> do
  prepared <- prepare (steps counter slotCount slotNs)
  (_, _, ran) <- throwAt id Adaptive counter prepared
  rets <- peekByteOff (preparedProgram prepared) 16 :: IO (Ptr Int64)
  results <- mapM (peekElemOff rets) [0 .. slotCount - 1]
  results `shouldBe` map fromIntegral [1 .. ran] ++ replicate (slotCount - ran) 0

-- | Threads that are thrown at again and again count what they catch.
noneLost :: Expectation
noneLost = withWord $ \counter -> do
  seconds <- stressSeconds
  prepared <- prepare (steps counter 50 2000)
  caught <- newIORef (0 :: Int)
  started <- newEmptyMVar
  stopped <- newEmptyMVar
  thread <- forkIO $
    mask $ \restore -> do
      putMVar started ()
      let go = do
            result <- try (restore (runPrepared_ Adaptive prepared))
            case result of
              Left UserInterrupt -> modifyIORef' caught (+ 1) >> go
              Left _ -> putMVar stopped ()
              Right () -> go
      go
  takeMVar started
  thrown <- newIORef (0 :: Int)
  untilSpent (seconds / 4) $ \_ -> do
    throwTo thread UserInterrupt
    modifyIORef' thrown (+ 1)
    before <- readWord counter
    waitUntil ((> before) <$> readWord counter)
  throwTo thread ThreadKilled
  takeMVar stopped
  (,) <$> readIORef caught <*> readIORef thrown >>= uncurry shouldBe

afterTheBatch :: Mode -> Expectation
afterTheBatch mode = withWord $ \counter -> do
  prepared <- prepare (steps counter shortCount shortNs)
  (result, ran) <- throwInTime (>> yield) mode counter prepared
  result `shouldBe` Left UserInterrupt
  ran `shouldBe` shortCount

freesInterrupted :: Expectation
freesInterrupted = do
  kept <- forM [1 .. 5 :: Int] $ \number -> withWord $ \counter -> do
    reference <- newIORef number
    weak <- mkWeakIORef reference (pure ())
    prepared <- prepare (keeping reference >> steps counter slotCount slotNs)
    void (throwAt id Adaptive counter prepared)
    pure weak
  replicateM_ 3 (performMajorGC >> yield)
  alive <- mapM deRefWeak kept
  length [() | Just _ <- alive] `shouldSatisfy` (<= 1)
