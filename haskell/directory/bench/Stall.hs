-- SPDX-License-Identifier: BSD-3-Clause

-- | How long do other Haskell threads stand still while a disk is slow?
--
-- Lines of @bench/README.md@, boundary @haskell-stall@: @CALL:WAY@ is the longest time that another thread of the same
-- Capability did not run while one call was made whose system call takes 200 ms (@slow.c@); @ferry@ is ferry-directory,
-- @plain@ what it takes the place of. @safe@ is a safe foreign call that sleeps as long: how long the machine keeps a
-- thread waiting that nothing of the program does. n is 1.
module Main (main) where

import Control.Concurrent
import Control.Exception (bracket, bracket_)
import Control.Monad
import qualified Data.ByteString as ByteString
import Data.IORef
import qualified Ferry.Directory as Ours
import qualified Ferry.File as File
import qualified Ferry.Posix.Files as OursPosix
import Foreign.C.Types (CLong (..))
import Harness
import qualified System.Directory as Theirs
import qualified System.Posix.Files as TheirsPosix
import System.Posix.Process (getProcessID)

-- unsafe: it sets a variable
foreign import ccall unsafe "slow_set" slowSet :: CLong -> IO ()

-- safe: what the benchmark compares with
foreign import ccall safe "slow_sleep" slowSleep :: IO ()

-- | How long a system call takes on the slow disk.
delayNs :: CLong
delayNs = 200000000

suite :: Suite
suite =
  Suite
    { suiteBoundary = "haskell-stall",
      suiteQuestion = "How long do other Haskell threads stand still while a disk is slow?",
      suiteVariants = "safe" : [name ++ way | (name, _) <- calls "", way <- [":plain", ":ferry"]],
      suiteSizes = [1],
      suiteRepetitions = 5,
      suiteQuick = 2,
      suiteSampleNs = 0
    }

main :: IO ()
main = do
  chosen <- options suite
  machineLine
  bracket make Theirs.removeDirectoryRecursive $ \folder ->
    forM_ [0 .. optionRepetitions chosen - 1] $ \repetition ->
      forM_ (("safe", slowSleep) : waysOf (calls folder)) $
        \(name, run) -> when (optionWanted chosen name) $ do
          longest <- besideNeighbour (bracket_ (slowSet delayNs) (slowSet 0) run)
          sampleLine (suiteBoundary suite) name 1 repetition longest

waysOf :: [(String, [IO ()])] -> [(String, IO ())]
waysOf both = [(name ++ way, run) | (name, runs) <- both, (way, run) <- zip [":plain", ":ferry"] runs]

-- | A folder with a file and an empty folder.
make :: IO FilePath
make = do
  top <- Theirs.getTemporaryDirectory
  folder <- (\process -> top ++ "/ferry-bench-slow-" ++ show process) <$> getProcessID
  Theirs.createDirectory folder
  Theirs.createDirectory (folder ++ "/empty")
  ByteString.writeFile (folder ++ "/file") (ByteString.replicate 1000 65)
  pure folder

-- | Each call, of theirs and of ours.
calls :: FilePath -> [(String, [IO ()])]
calls folder =
  [ ("stat", [void (TheirsPosix.getFileStatus file), void (OursPosix.getFileStatus file)]),
    ("doesFileExist", [void (Theirs.doesFileExist file), void (Ours.doesFileExist file)]),
    ("listDirectory", [void (Theirs.listDirectory empty), void (Ours.listDirectory empty)]),
    ("renamePath", [Theirs.renamePath empty empty, Ours.renamePath empty empty]),
    ("readFile", [void (ByteString.readFile file), void (File.readFile file)])
  ]
  where
    file = folder ++ "/file"
    empty = folder ++ "/empty"

-- | Run beside another thread of the Capability that is always ready: how long it stood still at most.
besideNeighbour :: IO () -> IO Double
besideNeighbour run = do
  done <- newIORef False
  ready <- newEmptyMVar
  result <- newEmptyMVar
  -- neither is the main thread, which is bound to an OS thread and dear to switch to
  _ <- forkOn 0 $ nowNs >>= \start -> putMVar ready () >> neighbour done start 0 >>= putMVar result
  takeMVar ready
  _ <- forkOn 0 $ run >> writeIORef done True
  takeMVar result
  where
    neighbour done before longest = do
      yield
      now <- nowNs
      ended <- readIORef done
      let longest' = max longest (now - before)
      if ended then pure longest' else longest' `seq` neighbour done now longest'
