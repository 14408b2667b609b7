-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE DataKinds #-}

-- | What the tests of batches and the runtime system share: slots of @cbits/runtime.c@, and time budgets.
module Ferry.Runtime
  ( -- * Slots
    Word' (..),
    withWord,
    leakedWord,
    readWord,
    setWord,
    step,
    steps,
    block,
    callBack,
    systemThread,
    askOnResume,
    await,
    awaitDirectly,
    stepDirectly,
    threadDirectly,
    suspensions,

    -- * Time
    stressSeconds,
    untilSpent,
    waitUntil,

    -- * Settings
    withCapabilities,
    threadsOnTwo,
    withFixedTeams,
    isThreaded,
    isDebugged,
    nonMovingWorks,
    isProfiled,
    isChild,
    runAgain,
    runAgainIn,
  )
where

import Control.Concurrent
import Control.Exception (bracket)
import Control.Monad (replicateM_, unless, void)
import Data.Int (Int64)
import Data.Maybe (fromMaybe, isJust)
import Data.Version (makeVersion)
import Ferry.Call
import Foreign.C.Types (CInt (..), CLong (..), CULong (..))
import Foreign.Marshal.Alloc (alloca)
import Foreign.Marshal.Utils (new)
import Foreign.Ptr (FunPtr, Ptr, nullPtr)
import Foreign.Storable (peek, poke)
import GHC.Clock (getMonotonicTime)
import GHC.Conc (getNumProcessors)
import GHC.Stack (getCurrentCCS)
import System.Environment (getEnvironment, getExecutablePath, lookupEnv)
import System.Exit (ExitCode)
import System.IO.Unsafe (unsafePerformIO)
import System.Info (compilerVersion)
import System.Process (CreateProcess (..), proc, readCreateProcessWithExitCode)
import Text.Read (readMaybe)

foreign import ccall "&runtime_step" stepAt :: FunPtr (Ptr Int64 -> CLong -> IO CLong)

foreign import ccall "&runtime_wait" waitAt :: FunPtr (Ptr Int64 -> Ptr Int64 -> IO CLong)

foreign import ccall "&runtime_call_back"
  callBackAt :: FunPtr (Ptr Int64 -> FunPtr (CLong -> IO CLong) -> CLong -> IO CLong)

foreign import ccall "&runtime_ask_on_resume" askOnResumeAt :: FunPtr (Ptr Int64 -> IO CLong)

foreign import ccall "&runtime_await" awaitAt :: FunPtr (Ptr Int64 -> IO CLong)

foreign import ccall "&runtime_thread" threadAt :: FunPtr (IO CULong)

-- safe: it blocks
foreign import ccall safe "runtime_await" cAwait :: Ptr Int64 -> IO CLong

-- unsafe: it neither blocks nor calls back
foreign import ccall unsafe "runtime_step" cStep :: Ptr Int64 -> CLong -> IO CLong

foreign import ccall unsafe "runtime_thread" threadDirectly :: IO CULong

-- unsafe: it only reads a counter
foreign import ccall unsafe "retake_suspensions" suspensions :: IO Int

-- unsafe: it only looks up a name
foreign import ccall unsafe "held_debugged" debugged :: IO Int

-- unsafe: it sets a variable of the OS thread
foreign import ccall unsafe "omp_set_dynamic" setDynamic :: CInt -> IO ()

-- | Run on an OS thread whose teams are as large as they are asked to be, whatever else the machine does.
withFixedTeams :: IO a -> IO a
withFixedTeams act = runInBoundThread (setDynamic 0 >> act)

-- | A word in C's memory: a counter of slots that ran, or a gate.
newtype Word' = Word' (Ptr Int64)

-- | A word that is 0.
withWord :: (Word' -> IO a) -> IO a
withWord use = alloca $ \at -> poke at 0 >> use (Word' at)

readWord :: Word' -> IO Int
readWord (Word' at) = fromIntegral <$> peek at

setWord :: Word' -> Int -> IO ()
setWord (Word' at) = poke at . fromIntegral

-- | A slot that takes so many nanoseconds, counts, and gives the count.
step :: Word' -> Int -> Program 'Functions (Value CLong)
step (Word' counter) ns = call (function "step" stepAt) (literal counter) (literal (fromIntegral ns))

-- | So many slots of so many nanoseconds.
steps :: Word' -> Int -> Int -> Program 'Functions (Output ())
steps counter count ns = replicateM_ count (step counter ns) >> pure (pure ())

-- | A slot after which this happens, once: when the thread of the system that ran it takes its Capability back, the
-- gate is opened, and nothing else happens there until the runtime system has asked for the Capability again.
askOnResume :: Word' -> Program 'Functions (Value CLong)
askOnResume (Word' gate) = call (function "askOnResume" askOnResumeAt) (literal gate)

-- | A slot that waits until the gate is open, and says whether it is: after seconds it gives up.
await :: Word' -> Program 'Functions (Value CLong)
await (Word' gate) = call (function "await" awaitAt) (literal gate)

-- | The same, as a safe call: it allocates nothing, and so asks for no collection, however long it waits.
awaitDirectly :: Word' -> IO CLong
awaitDirectly (Word' gate) = cAwait gate

stepDirectly :: Word' -> Int -> IO ()
stepDirectly (Word' counter) ns = void (cStep counter (fromIntegral ns))

-- | A slot that counts, then blocks until the gate is open.
block :: Word' -> Word' -> Program 'Functions (Value CLong)
block (Word' counter) (Word' gate) = call (function "block" waitAt) (literal counter) (literal gate)

-- | A slot that counts, then calls back into Haskell.
callBack :: Word' -> FunPtr (CLong -> IO CLong) -> CLong -> Program 'Functions (Value CLong)
callBack (Word' counter) to argument =
  call (function "callBack" callBackAt) (literal counter) (literal to) (literal argument)

-- | A slot that says which thread of the system it runs on.
systemThread :: Program 'Functions (Value CULong)
systemThread = call (function "thread" threadAt)

-- | How long a stress test shall go on, in seconds.
stressSeconds :: IO Double
stressSeconds = fromMaybe 0.5 . (readMaybe =<<) <$> lookupEnv "FERRY_STRESS_SECONDS"

-- | Do it again and again for so many seconds, at least once; it gets the number of the round.
untilSpent :: Double -> (Int -> IO ()) -> IO ()
untilSpent seconds act = do
  end <- (+ seconds) <$> getMonotonicTime
  let go number = do
        act number
        now <- getMonotonicTime
        unless (now >= end) (go (number + 1))
  go 0

-- | Let other threads run until it is so.
waitUntil :: IO Bool -> IO ()
waitUntil condition = do
  true <- condition
  unless true (yield >> waitUntil condition)

-- | With so many Capabilities; the non-threaded runtime system has one.
withCapabilities :: Int -> IO a -> IO a
withCapabilities count act
  | isThreaded = bracket (getNumCapabilities <* setNumCapabilities count) setNumCapabilities (const act)
  | otherwise = act

-- | How many threads a team has at most on two Capabilities: one where the process may use one processor alone.
threadsOnTwo :: (Num a) => IO a
threadsOnTwo = fromIntegral . min 2 <$> getNumProcessors

-- | Whether GHC's non-moving collector can be used in this program. Any profiled program crashes with it, under GHC
-- 9.0.2 and 9.10.3. With @-DS@, as the debug runtime system runs here, it finds that it has followed an indirection to
-- what it has freed: @tests/haskell/NonMoving.hs@ shows that without Ferry. Under 9.10.3
-- @tests/haskell/NonMovingShared.hs@ now and then hangs.
nonMovingWorks :: Bool
nonMovingWorks = not isProfiled && not isDebugged && compilerVersion < makeVersion [9, 2]

isProfiled :: Bool
isProfiled = unsafePerformIO (getCurrentCCS ()) /= nullPtr
{-# NOINLINE isProfiled #-}

isThreaded :: Bool
isThreaded = rtsSupportsBoundThreads

-- | Whether this program is linked with the debug runtime system, in which no call keeps its Capability.
isDebugged :: Bool
isDebugged = unsafePerformIO debugged /= 0
{-# NOINLINE isDebugged #-}

-- | Whether this process was started by 'runAgain'.
isChild :: IO Bool
isChild = isJust <$> lookupEnv "FERRY_TEST_CHILD"

-- | Run these tests in a process of their own, with these options of the runtime system. How it ended, and what it
-- said.
runAgain :: [String] -> String -> IO (ExitCode, String)
runAgain = runAgainIn []

-- | The same, with more in its environment.
runAgainIn :: [(String, String)] -> [String] -> String -> IO (ExitCode, String)
runAgainIn more options path = do
  self <- getExecutablePath
  environment <- getEnvironment
  let arguments = ["--match", path, "+RTS"] ++ options ++ ["-RTS"]
      process = (proc self arguments) {env = Just (("FERRY_TEST_CHILD", "1") : more ++ environment)}
  (code, out, err) <- readCreateProcessWithExitCode process ""
  pure (code, out ++ err)

-- | A word that is never freed, for what runs until the process ends.
leakedWord :: IO Word'
leakedWord = Word' <$> new 0
