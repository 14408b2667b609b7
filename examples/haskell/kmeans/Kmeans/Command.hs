-- SPDX-License-Identifier: BSD-3-Clause

-- | The command: its options, its messages and its output. How the machine is used is given to it.
--
-- Three Haskell threads work at once: one reads and parses the next file, one clusters the one before, and one shows
-- how far they are.
module Kmeans.Command
  ( command,
  )
where

import Control.Concurrent
import Control.Exception (evaluate, try)
import Control.Monad
import Data.Bifunctor (bimap)
import Data.ByteString (ByteString)
import qualified Data.ByteString as ByteString
import Data.ByteString.Builder (Builder, char7, hPutBuilder, intDec, string7, stringUtf8)
import Data.List (sortOn)
import Data.Ord (Down (..))
import qualified Data.Vector.Storable as Storable
import Data.Word (Word64)
import GHC.Clock (getMonotonicTimeNSec)
import GHC.IO.Exception (IOException (..))
import Kmeans.Lloyd
import Kmeans.Meter
import Kmeans.Points
import Numeric (showFFloat)
import System.Console.GetOpt
import System.Environment (getArgs, getProgName)
import System.Exit
import System.IO
import Text.Read (readMaybe)

data Options = Options
  { optionClusters :: Int,
    optionPasses :: Int,
    optionTimes :: Bool,
    optionHelp :: Bool,
    optionVersion :: Bool
  }

options :: [OptDescr (Options -> Either String Options)]
options =
  [ Option "k" ["clusters"] (counted "--clusters" (\n given -> given {optionClusters = n})) "how many (default: 8)",
    Option "p" ["passes"] (counted "--passes" (\n given -> given {optionPasses = n})) "at most so many (default: 100)",
    Option "t" ["times"] (switch (\given -> given {optionTimes = True})) "print to standard error how long it took",
    Option "h" ["help"] (switch (\given -> given {optionHelp = True})) "print this help and exit",
    Option "V" ["version"] (switch (\given -> given {optionVersion = True})) "print the version and exit"
  ]
  where
    switch set = NoArg (Right . set)
    counted name set = ReqArg (\text given -> (`set` given) <$> positive name text) "N"

positive :: String -> String -> Either String Int
positive name text = case readMaybe text of
  Just number | number >= 1 && number <= most -> Right (fromInteger number)
  _ -> Left (name ++ " is '" ++ text ++ "'; give a whole number from 1 to " ++ show most ++ "\n")
  where
    most = 1000000 :: Integer

-- | Read the command line, and do what it says.
command :: Machine -> IO ()
command machine = do
  name <- getProgName
  (chosen, paths, wrong) <- getOpt Permute options <$> getArgs
  let parsed = foldM (flip id) (Options 8 100 False False False) chosen
      errors = wrong ++ either pure (const []) parsed
  unless (null errors) (misused name errors)
  given <- either (const exitFailure) pure parsed
  case (optionHelp given, optionVersion given, paths) of
    (True, _, _) -> putStr (usage name)
    (_, True, _) -> putStrLn (name ++ " (Ferry) 0.2.0")
    (_, _, []) -> misused name ["which files? Give one or more\n"]
    _ -> kmeans machine given name paths

misused :: String -> [String] -> IO ()
misused name errors = do
  hPutStr stderr (concatMap ((name ++ ": ") ++) errors ++ "Try '" ++ name ++ " --help'.\n")
  exitWith (ExitFailure 2)

usage :: String -> String
usage name =
  usageInfo
    ( "Usage: " ++ name ++ " [OPTION]... FILE...\n"
        ++ "Print the clusters that the points of each FILE form, the largest first: how many points it has, and its\n"
        ++ "centre. A point is a line of numbers, separated by commas, blanks or tabs.\n"
    )
    options
    ++ "\nExit status: 0 when all went well, 1 when a file could not be used, 2 when the command line is wrong.\n"

kmeans :: Machine -> Options -> String -> [FilePath] -> IO ()
kmeans machine given name paths = do
  begin <- getMonotonicTimeNSec
  hSetBuffering stdout (BlockBuffering (Just 65536))
  (good, late) <- withMeter $ \meter -> do
    arrived <- readAhead (optionClusters given) paths
    good <- forM paths $ \path ->
      takeMVar arrived >>= \found -> case found of
        Left reason -> False <$ hPutStrLn stderr (name ++ ": " ++ reason)
        Right points -> do
          let report pass changed = showOn meter (path ++ ": pass " ++ show pass ++ ", " ++ show changed ++ " changed")
          clusters <- lloyd machine report (optionClusters given) (optionPasses given) points
          True <$ hPutBuilder stdout (rendered path points clusters)
    (,) good <$> pauses meter
  written <- try (hFlush stdout)
  forM_ (either Just (const Nothing) written) $ \failure -> do
    hPutStrLn stderr (name ++ ": write error: " ++ ioe_description failure)
    exitWith (ExitFailure 1)
  end <- getMonotonicTimeNSec
  when (optionTimes given) $ hPutStr stderr (times (end - begin) late)
  unless (and good) (exitWith (ExitFailure 1))

-- | Read one file after the other in another thread, which is at most one file ahead of the thread that takes them.
readAhead :: Int -> [FilePath] -> IO (MVar (Either String Points))
readAhead clusters paths = do
  arrived <- newEmptyMVar
  _ <- forkIO $ forM_ paths (\path -> readPoints clusters path >>= putMVar arrived)
  pure arrived

-- | The points of a file, or what is wrong with it.
readPoints :: Int -> FilePath -> IO (Either String Points)
readPoints clusters path = do
  contents <- try (ByteString.readFile path)
  case contents of
    Left failure -> pure (Left (path ++ ": " ++ ioe_description failure))
    Right text -> evaluate (checked text)
  where
    checked :: ByteString -> Either String Points
    checked text = case parsePoints text of
      Left (line, reason) -> Left (path ++ ":" ++ show line ++ ": " ++ reason)
      Right points
        | pointCount points < clusters ->
          Left (path ++ ": " ++ show (pointCount points) ++ " points are too few for " ++ show clusters ++ " clusters")
        | otherwise -> Right points

rendered :: FilePath -> Points -> Clusters -> Builder
rendered path points (Clusters passes sizes centres) =
  stringUtf8 path <> string7 ": " <> intDec (pointCount points) <> string7 " points, " <> intDec passes
    <> string7 " passes\n"
    <> foldMap line (sortOn (bimap Down Storable.toList) clusters)
  where
    width = pointWidth points
    clusters = [(size, Storable.slice (i * width) width centres) | (i, size) <- zip [0 ..] (Storable.toList sizes)]
    line (size, centre) = intDec size <> foldMap ((char7 ' ' <>) . number) (Storable.toList centre) <> char7 '\n'
    number value = string7 (showFFloat (Just 4) (if abs value < 0.00005 then 0 else value) "")

-- | How long everything took, and how late a thread was that wants to run every millisecond.
times :: Word64 -> [Word64] -> String
times elapsed late =
  "seconds " ++ decimals 3 (fromIntegral elapsed / 1e9) ++ "\n" ++ concatMap pause (if null late then [] else parts)
  where
    parts = [("p50", 0.5), ("p99", 0.99), ("most", 1)]
    pause (label, part) = "pause " ++ label ++ " us " ++ decimals 0 (at part / 1000) ++ "\n"
    at :: Double -> Double
    at part = fromIntegral (late !! min (length late - 1) (floor (part * fromIntegral (length late))))
    decimals :: Int -> Double -> String
    decimals places value = showFFloat (Just places) value ""
