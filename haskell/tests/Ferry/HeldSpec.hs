-- SPDX-License-Identifier: BSD-3-Clause

-- | Parallel regions of C called from Haskell, by plain safe calls and with the Capability held.
--
-- What these tests catch: a held call that keeps its Capability from a collection or from a thread that calls back, a
-- team that does not follow the number of Capabilities, a region that is not what it would be in C when many Haskell
-- threads open some, and a process that does not end or fork because of idle workers.
module Ferry.HeldSpec (spec) where

import Control.Concurrent
import Control.Exception
import Control.Monad
import Data.Bits (testBit)
import Data.IORef
import Data.Int (Int64)
import Data.List (isSuffixOf)
import Data.Word (Word32, Word64)
import Ferry.Internal.Prim (runHeld)
import Ferry.Runtime
import Foreign.C.Error (eNOTTY, getErrno)
import Foreign.Marshal.Alloc (allocaBytes)
import Foreign.Marshal.Utils (fillBytes)
import Foreign.Ptr
import Foreign.Storable (peek, peekByteOff, pokeByteOff)
import GHC.Clock (getMonotonicTime)
import Numeric (readHex)
import System.CPUTime (getCPUTime)
import System.Directory (listDirectory)
import System.Exit (ExitCode (..))
import System.Mem (performMajorGC, performMinorGC)
import System.Posix.Process (ProcessStatus (..), exitImmediately, forkProcess, getProcessStatus)
import System.Posix.Signals (Handler (..), installHandler, raiseSignal, sigTERM, userDefinedSignal2)
import Test.Hspec

data Job

type Back = Int64 -> IO Int64

foreign import ccall "&held_region" regionAddress :: FunPtr (Ptr Job -> IO ())

-- safe: it calls back, and takes long
foreign import ccall safe "held_region" regionSafe :: Ptr Job -> IO ()

-- | The OpenMP runtime that has been registered sets it at its first region.
foreign import ccall "&ferry_openmp_opened" openedAt :: Ptr Word32

foreign import ccall "wrapper" newBack :: Back -> IO (FunPtr Back)

data How = Safe | Held deriving (Bounded, Enum, Eq, Show)

open :: How -> Ptr Job -> IO ()
open Held = runHeld regionAddress
open Safe = regionSafe

-- | A region of so many threads (0: the default) that computes for so many ns, and calls back: the sum, and the
-- team's size.
region :: How -> Int -> Int -> FunPtr Back -> IO (Int, Int)
region how threads ns back = regionWith how threads ns back (const (pure ()))

-- | The same; the action gets the place where it says that it has begun.
regionWith :: How -> Int -> Int -> FunPtr Back -> (Ptr Job -> IO ()) -> IO (Int, Int)
regionWith how threads ns back tell = allocaBytes 64 $ \job -> do
  fillBytes job 0 64
  pokeByteOff job 0 threads
  pokeByteOff job 8 ns
  pokeByteOff job 16 back
  tell job
  open how job
  (,) <$> peekByteOff job 24 <*> peekByteOff job 32

plain :: How -> IO (Int, Int)
plain how = region how 0 0 nullFunPtr

right :: Int
right = 499500

spec :: Spec
spec = do
  it "is run by Ferry's runtime, inside the program or not" $ do
    _ <- plain minBound
    peek openedAt `shouldReturn` 1
  forM_ [minBound .. maxBound] $ \how -> describe (show how) $ do
    it "gives what it gives in C" $ fst <$> plain how `shouldReturn` right
    it "leaves errno alone" $ plain how >> getErrno >>= \code -> (code == eNOTTY) `shouldBe` True
    fromAnywhere how
    when isThreaded $ threadedWith how
  when (isThreaded && not isDebugged) (retaken >> collected >> forked >> signalled)
  child <- runIO isChild
  if child then inChild else when isThreaded (describe "a process" fromOutside)

-- | A region may be opened wherever Haskell runs.
fromAnywhere :: How -> Spec
fromAnywhere how = do
  it "may be opened while exceptions are masked" $ do
    fst <$> mask_ (plain how) `shouldReturn` right
    fst <$> uninterruptibleMask_ (plain how) `shouldReturn` right
  it "may be opened by a finalizer" $ do
    sums <- newEmptyMVar
    newIORef () >>= \key -> void (mkWeakIORef key (plain how >>= putMVar sums . fst))
    waitUntil (performMajorGC >> not <$> isEmptyMVar sums)
    takeMVar sums `shouldReturn` right
  it "may be opened by a signal's handler" $ do
    sums <- newEmptyMVar
    let handler = Catch (plain how >>= putMVar sums . fst)
        install new = installHandler userDefinedSignal2 new Nothing
    bracket (install handler) install $ \_ -> do
      raiseSignal userDefinedSignal2
      takeMVar sums `shouldReturn` right

data Retake

foreign import ccall "&retake_await" awaitRetake :: FunPtr (Ptr Retake -> IO ())

foreign import ccall "&retake_fork" forkRetaken :: FunPtr (Ptr Retake -> IO ())

-- unsafe: it neither blocks nor calls back
foreign import ccall unsafe "retake_spent_ns" spentNs :: IO Int

-- unsafe, both: they only read variables
foreign import ccall unsafe "retake_is_awaited" isAwaited :: IO Int

foreign import ccall unsafe "retake_was_by_self" wasBySelf :: IO Int

-- | The call's thread finds its Capability retaken by a monitor that is suspended before it has given it up.
retaken :: Spec
retaken = it "sleeps while the monitor that has retaken its Capability is suspended" . runInBoundThread $
  allocaBytes 16 $ \job -> do
    pokeByteOff job 0 (400000000 :: Int)
    start <- getMonotonicTime
    runHeld awaitRetake job
    end <- getMonotonicTime
    atReturn <- peekByteOff job 8
    atEnd <- spentNs
    (end - start) `shouldSatisfy` (>= 0.4)
    -- the processor time of a thread that looks again and again would be most of what it waits
    (atEnd - atReturn) `shouldSatisfy` (< 20000000)

-- | A thread that collects does not wait for the monitor's next look. Now and then the monitor looks just then.
collected :: Spec
collected =
  it "gives its Capability to the thread that collects" . withCapabilities 2 . runInBoundThread $ do
    most <- threadsOnTwo
    when (most == (1 :: Int)) $ pendingWith "on one processor the monitor looks before the thread that collects runs"
    go (50 :: Int)
  where
    go 0 = expectationFailure "the monitor retook the Capability each time"
    go left = do
      over <- newEmptyMVar
      (own, _) <- threadCapability =<< myThreadId
      void . forkOn (1 - own) $ do
        allocaBytes 16 $ \job -> pokeByteOff job 0 (0 :: Int) >> runHeld awaitRetake job
        putMVar over ()
      waitUntil $ (\awaited isOver -> awaited == 1 || not isOver) <$> isAwaited <*> isEmptyMVar over
      -- by this thread of the system, since the Haskell thread is bound
      performMinorGC
      takeMVar over
      bySelf <- wasBySelf
      unless (bySelf == 1) (go (left - 1))

-- | The same, and the call forks in C meanwhile.
forked :: Spec
forked = it "forks in C while the monitor that has retaken its Capability is suspended" . runInBoundThread $
  allocaBytes 16 $ \job -> do
    pokeByteOff job 0 (100000000 :: Int)
    runHeld forkRetaken job
    peekByteOff job 8 `shouldReturn` (0 :: Int)

-- | A thread that gives Capabilities up may have to make a worker, which inherits its signals, as do the programs that
-- a Haskell thread starts there.
signalled :: Spec
signalled = it "leaves no thread of the runtime system with its signals blocked" . withCapabilities 2 $ do
  -- long enough to be retaken, while others want the Capability
  bracket (replicateM 3 start) (mapM_ killThread) . const $
    replicateM_ 3 (region Held 1 20000000 nullFunPtr)
  blocked <- listDirectory "/proc/self/task" >>= mapM blockedIn
  concat blocked `shouldBe` []
  where
    start = forkIOWithUnmask $ \unmask -> unmask (forever yield)
    -- GHC names its workers PROGRAM:w, and a thread has the name of the one that made it
    blockedIn task = handle (\gone -> [] <$ evaluate (gone :: IOException)) $ do
      name <- readFile ("/proc/self/task/" ++ task ++ "/comm")
      status <- readFile ("/proc/self/task/" ++ task ++ "/status")
      let masks = [blocked | ["SigBlk:", hex] <- words <$> lines status, (blocked, _) <- readHex hex]
      pure [(name, blocked) | ":w\n" `isSuffixOf` name, blocked <- masks :: [Word64], testBit blocked terminate]
    terminate = fromIntegral sigTERM - 1

threadedWith :: How -> Spec
threadedWith how = do
  it "may be opened by a bound thread" $ fst <$> runInBoundThread (plain how) `shouldReturn` right
  it "may be opened by many threads at once, on 1 to 8 Capabilities" . forM_ [1, 2, 4, 8] $ \count ->
    withCapabilities count $ do
      dones <- forM [1 .. 8 :: Int] $ \number -> do
        done <- newEmptyMVar
        let run = if even number then forkOS else forkIO
        _ <- run $ replicateM 200 (fst <$> plain how) >>= putMVar done
        pure done
      forM_ dones $ \done -> takeMVar done >>= (`shouldBe` replicate 200 right)
  it "has as many threads as there are Capabilities and processors for them" . withCapabilities 1 $ do
    most <- threadsOnTwo
    snd <$> plain how `shouldReturn` 1
    setNumCapabilities 2
    -- the other Capability is free as soon as its thread has gone to sleep
    waitUntil ((== most) . snd <$> plain how)
  it "does not keep the collector waiting" . withCapabilities 2 $ do
    begun <- newEmptyMVar
    over <- newEmptyMVar
    void . forkIO $ do
      _ <- regionWith how 1 maxBound nullFunPtr (putMVar begun)
      putMVar over ()
    job <- takeMVar begun
    waitUntil ((== (1 :: Int)) <$> peekByteOff job 40)
    -- a collection that the region kept waiting would never end
    replicateM_ 5 performMajorGC
    pokeByteOff job 56 (1 :: Int)
    takeMVar over
  it "may call back from every thread, on 1 and 2 Capabilities" . forM_ [1, 2] $ \count ->
    withCapabilities count . bracket (newBack (pure . (+ 1))) freeHaskellFunPtr $ \back ->
      forM_ [1 .. 50 :: Int] $ \_ -> do
        (sum', size) <- region how 3 0 back
        sum' `shouldBe` size * (size + 1) `div` 2
  it "may be opened in a callback" $
    bracket (newBack (fmap (fromIntegral . fst) . const (plain how))) freeHaskellFunPtr $ \back -> do
      (sum', size) <- region how 2 0 back
      sum' `shouldBe` size * right
  it "lets an exception wait until it has ended" $ do
    begun <- newEmptyMVar
    result <- newEmptyMVar
    thread <- forkIO $ try (regionWith how 0 100000000 nullFunPtr (putMVar begun)) >>= putMVar result
    _ <- takeMVar begun
    throwTo thread (ErrorCall "stop")
    takeMVar result `shouldReturn` Left (ErrorCall "stop")
  it "survives collections, exceptions and callbacks at once" $ storm how (threadDelay 200) [] 5

-- | Threads that open regions, some with callbacks, while one collects, one throws exceptions and others do these
-- actions again and again. The first action is done after each region. None is to be without its turn for longer than
-- so many seconds of the process's processor time, in which other programs do not count. On a loaded machine that was
-- at most 0.05 s with the sequential collector; without pauses and with the parallel one it was 0.03 to 1.7 s.
--
-- Regions without a pause make a collection necessary every millisecond, since each callback is a thread of its own.
-- GHC's parallel collector does not bear that where other programs want the processors: who waits for its own
-- collection or for other Capabilities comes out of somebody else's (requestSync, rts/Schedule.c), finds that the next
-- one has begun, and keeps its Capability, with all who wait for it, for seconds. tests/haskell/Stall.hs shows it
-- without us and without any foreign call. So the storm without pauses is one of the sequential collector.
--
-- So is the storm in which the number of Capabilities changes: with the parallel collector GHC 9.0.2 and 9.10.3 lose a
-- wakeup. A bound thread, as each callback is one, may run on a Capability that setNumCapabilities has just disabled.
-- A collection then has its Task work for the collector, and moves the thread to a Capability that is enabled:
--
-- > the collecting Task, on Capability 0        the Task of the bound thread, on Capability 5, disabled
-- > (rts/Schedule.c)                            (yieldCapability, rts/Capability.c)
-- >                                             gcWorkerThread
-- > scheduleDoGC: the thread goes to the run
-- >   queue of 0; its task->cap = 0
-- > releaseGCThreads
-- > yieldCapability: first in the queue is
-- >   the bound thread, giveCapabilityToTask:
-- >   task->wakeup = true
-- >                                             task->cap is not 5: gives up Capability 5
-- >                                             task->wakeup = false
-- >                                             waitForWorkerCapability sleeps
--
-- Capability 0 is free from then on, and the threads in its queue wait until some other Task wants it. The runtime
-- system's clock has one want it after 0.3 s, but setNumCapabilities stops the clock until a bound thread of its own
-- has run, which may be one in that queue: then nothing runs again. A sequential collection has no gcWorkerThread.
storm :: How -> IO () -> [IO ()] -> Double -> Expectation
storm how pause more mostS = bracket (newBack (pure . (+ 1))) freeHaskellFunPtr $ \back -> withCapabilities 2 $ do
  stop <- newEmptyMVar
  longest <- newIORef 0
  let unlessStopped :: Integer -> IO () -> IO ()
      unlessStopped last' act = do
        act
        now <- getCPUTime
        atomicModifyIORef' longest $ \most -> (max most (now - last'), ())
        tryReadMVar stop >>= maybe (unlessStopped now act) pure
      spawn act = do
        done <- newEmptyMVar
        now <- getCPUTime
        -- masked: an exception that comes after the last region must not take the answer with it
        thread <- mask $ \restore -> forkIO (try (restore (unlessStopped now act)) >>= putMVar done)
        pure (thread, done)
      checked = do
        (plainSum, _) <- plain how
        (backSum, size) <- region how 2 0 back
        when (plainSum /= right || backSum /= size * (size + 1) `div` 2) $ throwIO (AssertionFailed "wrong sum")
      patient = (checked >> pause) `catch` \e -> when (e /= ErrorCall "again") (throwIO e)
  openers <- replicateM 4 (spawn patient)
  others <-
    mapM spawn $
      [ performMajorGC >> threadDelay 500,
        forM_ openers (\(thread, _) -> throwTo thread (ErrorCall "again")) >> threadDelay 2000
      ]
        ++ more
  seconds <- stressSeconds
  threadDelay (round (seconds * 1e6))
  putMVar stop ()
  forM_ (others ++ openers) $ \(_, done) -> do
    ended <- takeMVar done
    case ended of
      Left e | fromException e /= Just (ErrorCall "again") -> throwIO (e :: SomeException)
      _ -> pure ()
  most <- readIORef longest
  (fromIntegral most / 1e12) `shouldSatisfy` (< mostS)

-- | What needs a process, or options of the runtime system, of its own.
fromOutside :: Spec
fromOutside = do
  forM_ [minBound ..] $ \how -> it (stormName how) $ passes ["-N2", "-qg"] (stormName how)
  endsAll

inChild :: Spec
inChild = do
  forM_ [minBound ..] $ \how -> it (stormName how) $ storm how (pure ()) [changes] 0.5
  ends
  where
    changes = forM_ [1, 3, 2] $ \count -> setNumCapabilities count >> threadDelay 3000

stormName :: How -> String
stormName how = "survives a storm of " ++ show how ++ " and changes of Capabilities without pauses, and nobody starves"

-- | The test of this name passes in a process of its own with these options.
passes :: [String] -> String -> Expectation
passes options name = do
  (code, said) <- runAgain options ("/Ferry.Held/" ++ name ++ "/")
  when (code /= ExitSuccess) (expectationFailure (show code ++ said))

-- | The process ends while a region runs, and with idle workers; and it can fork. A process of its own also for that:
-- the debug runtime system of GHC 9.0 crashes in forkProcess, in programs without us too, once there were more
-- Capabilities and bound threads.
endsAll :: Spec
endsAll = forM_ [1, 2, 4 :: Int] $ \count -> forM_ [minBound ..] $ \how ->
  forM_ [forkName how, endName how False, endName how True] $ \name ->
    it (name ++ " on -N" ++ show count) $ passes ["-N" ++ show count] name

ends :: Spec
ends = forM_ [minBound ..] $ \how -> do
  it (forkName how) $ do
    _ <- plain how
    child <- forkProcess $ do
      sums <- replicateM 20 (fst <$> plain how)
      exitImmediately (if all (== right) sums then ExitSuccess else ExitFailure 1)
    getProcessStatus True False child `shouldReturn` Just (Exited ExitSuccess)
    fst <$> plain how `shouldReturn` right
  forM_ [False, True] $ \running -> it (endName how running) $ do
    _ <- plain how
    when running $ do
      begun <- newEmptyMVar
      void . forkIO . void $ regionWith how 0 60000000000 nullFunPtr (putMVar begun)
      job <- takeMVar begun
      waitUntil ((== (1 :: Int)) <$> peekByteOff job 40)

endName :: How -> Bool -> String
endName how running = "ends " ++ (if running then "during" else "after") ++ " a region of " ++ show how

forkName :: How -> String
forkName how = "forks beside idle workers of " ++ show how
