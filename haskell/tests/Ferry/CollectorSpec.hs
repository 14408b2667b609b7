-- SPDX-License-Identifier: BSD-3-Clause

-- | Collections while parallel regions are opened and other programs want the processors
-- (@cbits/collector/collector.c@).
--
-- What these tests catch: a collector that goes on with several threads there, and options of the program that are not
-- what they were afterwards, or not in a forked child.
module Ferry.CollectorSpec (spec) where

import Control.Concurrent
import Control.Exception (bracket, finally)
import Control.Monad (forever, replicateM, when)
import Ferry.Internal.Prim (runHeld)
import Ferry.Runtime
import Foreign.C.Types (CLong (..))
import Foreign.Marshal.Alloc (allocaBytes)
import Foreign.Marshal.Utils (fillBytes)
import Foreign.Ptr
import GHC.Conc (getNumProcessors)
import System.Exit (ExitCode (..))
import System.Posix.Process (ProcessStatus (..), exitImmediately, forkProcess, getProcessStatus)
import System.Process (createProcess, proc, terminateProcess, waitForProcess)
import Test.Hspec

data Job

foreign import ccall "&held_region" regionAddress :: FunPtr (Ptr Job -> IO ())

-- safe: it opens a region
foreign import ccall safe "held_region" regionSafe :: Ptr Job -> IO ()

-- unsafe: it only reads a word
foreign import ccall unsafe "retake_parallel_from" parallelFrom :: IO CLong

spec :: Spec
spec = do
  usual <- runIO parallelFrom
  isAlone <- runIO isChild
  -- the debug runtime system has no monitor, and none changes a collector that is one thread's anyway
  when (isThreaded && not isDebugged && usual >= 0) $ do
    it "are made by one thread beside other programs, while regions are opened by held calls" $
      besideOthers usual (runHeld regionAddress)
    it "are made by one thread beside other programs, while regions are opened by safe calls" $
      besideOthers usual regionSafe
    it "are made by one thread where the program itself has more threads than processors" $ do
      processors <- getNumProcessors
      withCapabilities (2 * processors) . computing (2 * processors) $ besideOthers usual (runHeld regionAddress)
    it forkName $ if isAlone then forks usual else passes [] forkName
    it leftName $ if isAlone then leftAlone usual else passes [("FERRY_COLLECTOR", "rts")] leftName

-- | The test of this name passes in a process of its own with this in its environment.
passes :: [(String, String)] -> String -> Expectation
passes more name = do
  (code, said) <- runAgainIn more [] ("/Ferry.Collector/" ++ name ++ "/")
  when (code /= ExitSuccess) (expectationFailure (show code ++ said))

forkName, leftName :: String
forkName = "are in a forked child what they were"
leftName = "are what the options say where FERRY_COLLECTOR says so"

-- | In a process of its own: GHC's forkProcess reads beyond its buffers (restartEventLogging of a profiled or debug
-- runtime system) once there are more Capabilities than at the start, as after other tests.
forks :: CLong -> Expectation
forks usual = beside $ do
  child <- opened (runHeld regionAddress) $ do
    waitUntil ((/= usual) <$> parallelFrom)
    forkProcess $ do
      now <- parallelFrom
      exitImmediately (if now == usual then ExitSuccess else ExitFailure 1)
  getProcessStatus True False child `shouldReturn` Just (Exited ExitSuccess)

leftAlone :: CLong -> Expectation
leftAlone usual = beside . opened (runHeld regionAddress) $ do
  seen <- replicateM 50 (threadDelay 10000 >> parallelFrom)
  seen `shouldBe` replicate 50 usual

besideOthers :: CLong -> (Ptr Job -> IO ()) -> Expectation
besideOthers usual open = do
  beside . opened open $ waitUntil ((/= usual) <$> parallelFrom)
  waitUntil ((== usual) <$> parallelFrom)

-- | Do something while another thread opens regions.
opened :: (Ptr Job -> IO ()) -> IO a -> IO a
opened open act = allocaBytes 64 $ \job -> do
  fillBytes job 0 64
  ended <- newEmptyMVar
  let opener = forkIOWithUnmask $ \unmask -> unmask (forever (open job >> yield)) `finally` putMVar ended ()
  bracket opener (\thread -> killThread thread >> takeMVar ended) (const act)

-- | Do something while so many Haskell threads compute.
computing :: Int -> IO a -> IO a
computing count act = bracket (replicateM count start) (mapM_ killThread) (const act)
  where
    -- bracket starts them masked
    start = forkIOWithUnmask $ \unmask -> unmask (forever yield)

-- | Do something while other programs want every processor twice.
beside :: IO a -> IO a
beside act = do
  processors <- getNumProcessors
  bracket (replicateM (2 * processors) busy) (mapM_ end) (const act)
  where
    busy = do
      -- The limit, of processor time, is for a suite that is killed. timeout(1) would leave a loop behind that is ended
      -- while timeout starts it.
      (_, _, _, loop) <- createProcess (proc "sh" ["-c", "ulimit -t 60; while :; do :; done"])
      pure loop
    end loop = terminateProcess loop >> waitForProcess loop
