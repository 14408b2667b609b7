-- SPDX-License-Identifier: BSD-3-Clause

-- | Who takes the Capability of a call that lasts: the thread that wants it, and not the monitor at its next look.
--
-- What these tests catch: a thread that comes back from a safe call, or one that is woken, and waits for milliseconds
-- beside a call that blocks; the same for a thread that could run already when the call began; and a monitor that goes
-- on looking where there is nothing to look at.
module Ferry.WantedSpec (spec) where

import Control.Concurrent
import Control.Monad
import Data.Int (Int64)
import Ferry.Foreign (foreignCall)
import Ferry.Runtime
import Foreign.Marshal.Alloc (alloca, allocaBytes)
import Foreign.Ptr
import Foreign.Storable (poke, pokeByteOff)
import GHC.Clock (getMonotonicTime)
import Test.Hspec

data Retake

foreign import ccall "&retake_await" awaitRetakeAt :: FunPtr (Ptr Retake -> IO ())

-- unsafe, all four: they only read and write variables
foreign import ccall unsafe "retake_forget" forgetRetake :: IO ()

foreign import ccall unsafe "retake_is_awaited" isAwaited :: IO Int

foreign import ccall unsafe "retake_was_by_self" wasBySelf :: IO Int

foreign import ccall unsafe "retake_early_count" earlyCount :: IO Word

-- safe: it waits, and what comes back from it is what is tested
foreign import ccall safe "retake_wait_for_await" waitForAwait :: IO ()

foreign import ccall "&runtime_await" awaitGateAt :: FunPtr (Ptr Int64 -> IO Int64)

-- unsafe: what it counts would have the safe call's own in it
foreign import ccall unsafe "runtime_sleeps_during" sleepsDuring :: Int -> IO Int

spec :: Spec
spec = when (isThreaded && not isDebugged) $ do
  it "is the thread that comes back from a safe call" . withCapabilities 1 $ bySelf comesBack
  it "is the thread that wakes a thread of the call's Capability" . withCapabilities 2 . runInBoundThread $ bySelf wakes
  it "is the monitor, in an early look, where a thread could run already" (withCapabilities 1 early)
  it "is nobody in a program without calls: the monitor sleeps" idle

-- | One of the attempts says that the Capability was retaken by the thread that wanted it. Beside other programs the
-- monitor's look comes first, for as long as these have the processors.
bySelf :: IO Bool -> Expectation
bySelf = eventually "the monitor retook the Capability each time"

-- | Attempts, for so many seconds, until one is true.
eventually :: String -> IO Bool -> Expectation
eventually failure attempt = getMonotonicTime >>= go . (+ 20)
  where
    go end = do
      true <- attempt
      unless true $ do
        now <- getMonotonicTime
        when (now > end) $ expectationFailure failure
        -- another moment, in which there may be a processor for each thread
        threadDelay 1000
        go end

-- | A call that ends when its Capability has been retaken.
awaitRetake :: IO ()
awaitRetake = allocaBytes 16 $ \job -> pokeByteOff job 0 (0 :: Int) >> foreignCall awaitRetakeAt job

comesBack :: IO Bool
comesBack = do
  begins <- newEmptyMVar
  found <- newEmptyMVar
  forgetRetake
  -- bound, so that the thread of the system that comes back is the one that asks whether it was the one
  void . forkOS $ putMVar begins () >> waitForAwait >> wasBySelf >>= putMVar found
  takeMVar begins
  -- it is in its safe call, or about to be
  yield
  awaitRetake
  (== 1) <$> takeMVar found

wakes :: IO Bool
wakes = do
  asleep <- newEmptyMVar
  over <- newEmptyMVar
  (own, _) <- threadCapability =<< myThreadId
  void . forkOn (1 - own) $ takeMVar asleep >> putMVar over ()
  void . forkOn (1 - own) $ awaitRetake >> putMVar over ()
  waitUntil $ (\awaited isOver -> awaited == 1 || not isOver) <$> isAwaited <*> isEmptyMVar over
  -- by this thread of the system, since the Haskell thread is bound
  putMVar asleep ()
  replicateM_ 2 (takeMVar over)
  (== 1) <$> wasBySelf

-- | One of the calls is retaken by an early look; each blocks until a thread has run that could run before. Beside
-- other programs the monitor may be late for an early look, and a tick of the runtime system may come before it.
early :: Expectation
early = eventually "no early look retook a call" $ do
  earlier <- earlyCount
  blocked
  (/= earlier) <$> earlyCount

blocked :: Expectation
blocked = alloca $ \gate -> do
  poke gate 0
  over <- newEmptyMVar
  void . forkIO $ poke gate 1 >> putMVar over ()
  foreignCall awaitGateAt gate `shouldReturn` 1
  takeMVar over

-- | Some time after the last call the threads of the process sleep all the time, but for the runtime system's own that
-- wakes up every 10 ms, or every 1 ms in a profiled program. A monitor that looks every 4 ms would make that 75 times
-- more in 0.3 s.
idle :: Expectation
idle = do
  poked <- alloca $ \gate -> poke gate 1 >> foreignCall awaitGateAt gate
  poked `shouldBe` 1
  eventually "the monitor did not come to rest" $ (< ticks + 30) <$> sleepsDuring 300000000
  where
    ticks = if isProfiled then 300 else 30
