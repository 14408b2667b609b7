-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE CPP #-}
{-# OPTIONS_GHC -O2 #-}

-- | What does it cost to read many small files, and how long do other Haskell threads wait meanwhile?
--
-- Lines of @bench/README.md@, boundary @haskell-files@, for n files of 100 to 3,500 bytes in the page cache:
--
--   * @WAY:read@: reading all of them into a list of ByteStrings; once as wall time and once as CPU time of the
--   process.
--     @bytestring@ calls "Data.ByteString"'s @readFile@ for each, @unix@ opens, reads and closes each with the package
--     @unix@, @ferry@ is "Ferry.Files"'s @readFiles@.
--   * @WAY:stat@: looking at all of them, with @unix@'s @getFileStatus@ or @ferry@'s @statFiles@.
--   * @p99:WAY@ and @max:WAY@: reading them once more beside a neighbour, a thread on the same Capability that is
--     always ready to run. A request that comes to the neighbour at any moment waits so long at most, in 99 of 100
--     cases and in all. @idle@: with nothing to read, for comparison.
--
-- By default it runs with @-N1@: the reader and its neighbour have to share.
module Main (main) where

import Control.Concurrent
import Control.Exception (bracket, bracket_, evaluate, throwIO)
import Control.Monad
import Data.ByteString (ByteString)
import qualified Data.ByteString as ByteString
import qualified Data.ByteString.Char8 as Char8
import Data.ByteString.Internal (createAndTrim)
import Data.IORef
import Ferry.Files
import GHC.Clock (getMonotonicTimeNSec)
import Harness
import System.CPUTime (getCPUTime)
import System.Directory (createDirectory, getTemporaryDirectory, removeDirectoryRecursive)
import System.Mem (performMajorGC)
import System.Posix.Files (getFileStatus)
import System.Posix.IO
import System.Posix.Process (getProcessID)
import System.Posix.Types (Fd)

suite :: Suite
suite =
  Suite
    { suiteBoundary = "haskell-files",
      suiteQuestion = "What does reading many small files cost, and how long do other Haskell threads wait?",
      suiteVariants =
        map fst timing ++ concat [["p99:" ++ way, "max:" ++ way] | way <- map fst stalling]
          ++ ["computing:" ++ way | (way, _) <- reading],
      suiteSizes = [10000],
      suiteRepetitions = 15,
      suiteQuick = 5,
      suiteSampleNs = 20000
    }

-- | Ways of reading files: get ready for these paths; what comes reads them. A way that wants Strings has them made
-- beforehand, and they are nobody else's to collect.
reading :: [(String, [ByteString] -> IO (IO [ByteString]))]
reading =
  [ ("bytestring", withNames (mapM ByteString.readFile)),
    ("unix", withNames (mapM readByUnix)),
    ("ferry", \paths -> pure (readFiles paths >>= mapM (either throwIO pure)))
  ]

withNames :: ([FilePath] -> IO a) -> [ByteString] -> IO (IO a)
withNames run paths = do
  let names = map Char8.unpack paths
  _ <- evaluate (sum (map length names))
  pure (run names)

-- | As one would by hand: one read of more than the file has, and one that shows its end.
readByUnix :: FilePath -> IO ByteString
readByUnix name = bracket (openToRead name) closeFd $ \fd -> do
  contents <- createAndTrim 16384 (\buffer -> fromIntegral <$> fdReadBuf fd buffer 16384)
  rest <- createAndTrim 64 (\buffer -> fromIntegral <$> fdReadBuf fd buffer 64)
  pure (if ByteString.null rest then contents else error "a file is larger than this benchmark makes them")

openToRead :: FilePath -> IO Fd
#if MIN_VERSION_unix(2,8,0)
openToRead name = openFd name ReadOnly defaultFileFlags
#else
openToRead name = openFd name ReadOnly Nothing defaultFileFlags
#endif

timing :: [(String, [ByteString] -> IO (IO ()))]
timing =
  [(way ++ ":read", fmap (>>= void . evaluate . sum . map ByteString.length) . ready) | (way, ready) <- reading]
    ++ [ ("unix:stat", withNames (mapM getFileStatus >=> void . evaluate . length)),
         ("ferry:stat", \paths -> pure (statFiles paths >>= void . evaluate . length))
       ]

-- | What the neighbour waits for. Only reading: what a program does with the contents is its own.
stalling :: [(String, [ByteString] -> IO (IO ()))]
stalling =
  ("idle", \_ -> pure (threadDelay 50000)) :
  [(way, fmap void . ready) | (way, ready) <- take 2 reading] ++ [("ferry", \paths -> pure (void (readFiles paths)))]

main :: IO ()
main = do
  chosen <- options suite
  machineLine
  forM_ (optionSizes chosen) $ \n -> withFiles n $ \paths ->
    forM_ [0 .. optionRepetitions chosen - 1] $ \repetition -> do
      forM_ (rotate repetition [one | one <- timing, optionWanted chosen (fst one)]) $ \(name, ready) -> do
        (wall, cpu) <- ready paths >>= timed
        sampleLine (suiteBoundary suite) name n repetition wall
        sampleLineIn "cpu_ns" (suiteBoundary suite) name n repetition cpu
      let wanted way = optionWanted chosen ("p99:" ++ way) || optionWanted chosen ("max:" ++ way)
      forM_ (rotate repetition [one | one <- stalling, wanted (fst one)]) $ \(way, ready) -> do
        (p99, longest) <- ready paths >>= besideNeighbour
        sampleLine (suiteBoundary suite) ("p99:" ++ way) n repetition p99
        sampleLine (suiteBoundary suite) ("max:" ++ way) n repetition longest
      let few = take (n `div` 10) paths
      forM_ (rotate repetition [one | one <- reading, optionWanted chosen ("computing:" ++ fst one)]) $ \(way, ready) ->
        ready few >>= besideComputing . void
          >>= sampleLine (suiteBoundary suite) ("computing:" ++ way) (length few) repetition
  where
    rotate k list = let m = k `mod` max 1 (length list) in drop m list ++ take m list

-- | Wall and CPU time. What earlier runs left is collected before.
timed :: IO () -> IO (Double, Double)
timed run = do
  performMajorGC
  cpu <- getCPUTime
  start <- nowNs
  run
  end <- nowNs
  cpu' <- getCPUTime
  pure (end - start, fromIntegral (cpu' - cpu) / 1000)

-- ---- files ------------------------------------------------------------------------------------------------------

-- | With so many files, whose sizes follow the sequence of @bench/files.h@.
withFiles :: Int -> ([ByteString] -> IO a) -> IO a
withFiles n use = do
  folder <- (\top process -> top ++ "/ferry-bench-files-" ++ show process) <$> getTemporaryDirectory <*> getProcessID
  let name index = folder ++ "/" ++ show index
      size index = 100 + index * 97 `mod` 3401
      fill = forM_ [0 .. n - 1] $ \index -> ByteString.writeFile (name index) (Char8.replicate (size index) 'x')
  bracket_ (createDirectory folder) (removeDirectoryRecursive folder) $ do
    fill
    let paths = map (Char8.pack . name) [0 .. n - 1]
    _ <- evaluate (sum (map ByteString.length paths))
    use paths

-- ---- the neighbour ----------------------------------------------------------------------------------------------

-- | Run beside the neighbour: what a request to it waits, in 99 of 100 cases and at most.
besideNeighbour :: IO () -> IO (Double, Double)
besideNeighbour run = do
  performMajorGC
  done <- newIORef False
  result <- newEmptyMVar
  finished <- newEmptyMVar
  -- neither is the main thread, which is bound to an OS thread and dear to switch to
  _ <- forkOn 0 (neighbour done >>= putMVar result)
  _ <- forkOn 0 (run >> writeIORef done True >> putMVar finished ())
  takeMVar finished
  (total, gaps) <- takeMVar result
  pure (waitIn 0.01 (fromIntegral total) (map fromIntegral gaps), fromIntegral (maximum (0 : gaps)))
  where
    neighbour done = getMonotonicTimeNSec >>= \start -> turns done start start []
    turns done start before gaps = do
      yield
      now <- getMonotonicTimeNSec
      let gap = now - before
          gaps' = if gap > shortNs then gap : gaps else gaps
      ended <- readIORef done
      if ended then pure (now - start, gaps') else gaps' `seq` turns done start now gaps'
    shortNs = 2000

-- | Run beside a thread that computes: how long it took.
besideComputing :: IO () -> IO Double
besideComputing run = do
  performMajorGC
  done <- newIORef False
  _ <- forkOn 0 (compute done 0)
  finished <- newEmptyMVar
  _ <- forkOn 0 (nowNs >>= \start -> run >> nowNs >>= putMVar finished . subtract start)
  takeMVar finished <* writeIORef done True
  where
    compute :: IORef Bool -> Int -> IO ()
    compute done from = do
      total <- evaluate (sum (map (`mod` 7) [from .. from + 1000]))
      ended <- readIORef done
      unless ended (compute done total)

-- | What a request at a random moment waits, in all but that share of cases. In a gap of g, waits are spread from 0 to
-- g.
waitIn :: Double -> Double -> [Double] -> Double
waitIn share total gaps = go (0 :: Int) 0 (maximum (0 : gaps))
  where
    longer wait = sum [gap - wait | gap <- gaps, gap > wait] / total
    go 50 _ high = high
    go step low high
      | longer middle > share = go (step + 1) middle high
      | otherwise = go (step + 1) low middle
      where
        middle = (low + high) / 2
