-- SPDX-License-Identifier: BSD-3-Clause

-- | What the Haskell benchmark programs share: the options and the JSON lines of @bench/README.md@, and samples taken
-- as @bench/bench.h@ takes them. Variants are interleaved, every sample is printed, and the cost of measuring is
-- subtracted.
module Harness
  ( Suite (..),
    Variant (..),
    Options (..),
    options,
    machineLine,
    sampleLine,
    sampleLineIn,
    sampleAll,
    nowNs,
  )
where

import Control.Concurrent (rtsSupportsBoundThreads)
import Control.Monad (forM, forM_, replicateM, unless, when)
import Data.Char (isDigit)
import Data.List (intercalate)
import Data.Version (showVersion)
import Foreign.C.String (CString, withCString)
import GHC.Clock (getMonotonicTimeNSec)
import System.Console.GetOpt
import System.Environment (getArgs, getProgName, lookupEnv)
import System.Exit (ExitCode (..), exitSuccess, exitWith)
import System.IO (hFlush, hPutStrLn, stderr, stdout)
import System.Info (compilerName, fullCompilerVersion)
import Text.Printf (printf)

foreign import ccall unsafe "bench_machine_line" benchMachineLine :: CString -> CString -> IO ()

-- | One way of making n calls.
data Variant = Variant
  { variantName :: String,
    -- | get ready for runs of n calls; what comes makes one
    variantRun :: Int -> IO (IO ())
  }

-- | A benchmark program.
data Suite = Suite
  { suiteBoundary :: String,
    suiteQuestion :: String,
    suiteVariants :: [String],
    suiteSizes :: [Int],
    suiteRepetitions :: Int,
    suiteQuick :: Int,
    -- | a sample lasts at least about this long, unless FERRY_SAMPLE_US says how long
    suiteSampleNs :: Double
  }

-- | What the command line asked for.
data Options = Options
  { optionRepetitions :: Int,
    optionSizes :: [Int],
    optionWanted :: String -> Bool,
    -- | a sample lasts at least about this long
    optionSampleNs :: Double
  }

data Flag = Quick | Repetitions String | Sizes String | Variants String | Help | Version

flags :: [OptDescr Flag]
flags =
  [ Option [] ["quick"] (NoArg Quick) "take fewer repetitions",
    Option [] ["repetitions"] (ReqArg Repetitions "R") "take R repetitions",
    Option [] ["n"] (ReqArg Sizes "LIST") "batch sizes, for example 1,10,100",
    Option [] ["variant"] (ReqArg Variants "LIST") "measure only these variants",
    Option [] ["help"] (NoArg Help) "show this text and exit",
    Option [] ["version"] (NoArg Version) "show the version and exit"
  ]

-- | Largest batch size, most repetitions, and largest FERRY_SAMPLE_US; as in @bench/bench.h@.
callsMax, repetitionsMax, sampleUsMax :: Int
callsMax = 1000000
repetitionsMax = 1000000
sampleUsMax = 1000000

-- | Read the environment and the command line. Ends the program where that says so.
options :: Suite -> IO Options
options suite = do
  sampleNs <- sampleNsOf suite
  (given, rest, wrong) <- getOpt Permute flags <$> getArgs
  mapM_ (usageError . takeWhile (/= '\n')) (take 1 wrong)
  forM_ (take 1 rest) $ \word -> usageError (word ++ ": this program takes options only")
  foldl (\before flag -> before >>= choose flag) (pure (start sampleNs)) given
  where
    start = Options (suiteRepetitions suite) (suiteSizes suite) (const True)
    choose flag chosen = case flag of
      Quick -> pure chosen {optionRepetitions = suiteQuick suite}
      Repetitions text -> do
        number <- numberOr ("--repetitions " ++ text) repetitionsMax text
        pure chosen {optionRepetitions = number}
      Sizes text -> do
        sizes <- mapM (numberOr ("--n " ++ text) callsMax) (commas text)
        pure chosen {optionSizes = sizes}
      Variants text -> do
        forM_ (commas text) $ \name ->
          unless (name `elem` suiteVariants suite) $ usageError ("--variant " ++ name ++ ": not a variant of this")
        pure chosen {optionWanted = (`elem` commas text)}
      Help -> help suite >> exitSuccess
      Version -> do
        name <- getProgName
        putStrLn (name ++ " (Ferry) 0.2.0")
        exitSuccess

-- | How long a sample is to last: long enough for the clock, or for what runs beside (@bench/README.md@).
sampleNsOf :: Suite -> IO Double
sampleNsOf suite = lookupEnv "FERRY_SAMPLE_US" >>= maybe (pure (suiteSampleNs suite)) microseconds
  where
    microseconds text = case numberIn sampleUsMax text of
      Just us -> pure (fromIntegral us * 1000)
      Nothing -> usageError ("FERRY_SAMPLE_US " ++ text ++ ": give one whole number of microseconds, 1 to 1000000")

-- | A whole number of 1 to this one.
numberIn :: Int -> String -> Maybe Int
numberIn most text
  | not (null text) && length text < 10 && all isDigit text && number >= 1 && number <= most = Just number
  | otherwise = Nothing
  where
    number = read text

numberOr :: String -> Int -> String -> IO Int
numberOr option most text = maybe wrong pure (numberIn most text)
  where
    wrong = usageError (option ++ ": give whole numbers of 1 to " ++ show most)

commas :: String -> [String]
commas text = case break (== ',') text of
  (word, ',' : rest) -> word : commas rest
  (word, _) -> [word]

usageError :: String -> IO a
usageError text = do
  name <- getProgName
  hPutStrLn stderr (name ++ ": " ++ text ++ " (see --help)")
  exitWith (ExitFailure 2)

help :: Suite -> IO ()
help suite = do
  name <- getProgName
  putStr (usageInfo (suiteQuestion suite ++ "\n\nUsage: " ++ name ++ " [OPTION]...\n" ++ lineText) flags)
  putStrLn ("\nVariants of " ++ suiteBoundary suite ++ ":")
  mapM_ (putStrLn . ("  " ++)) (suiteVariants suite)
  where
    lineText = "Prints one JSON object per line; bench/README.md describes them.\n"

-- | The machine card, the first line.
machineLine :: IO ()
machineLine =
  withCString (compilerName ++ " " ++ showVersion fullCompilerVersion) $ \compiler ->
    withCString (if rtsSupportsBoundThreads then "threaded" else "not threaded") $ \runtime -> do
      hFlush stdout
      benchMachineLine compiler runtime

-- | One sample: the time of one run of n calls.
sampleLine :: String -> String -> Int -> Int -> Double -> IO ()
sampleLine = sampleLineIn "ns"

-- | As 'sampleLine', in this unit.
sampleLineIn :: String -> String -> String -> Int -> Int -> Double -> IO ()
sampleLineIn unit boundary variant =
  printf
    ( "{\"type\":\"sample\",\"boundary\":\"%s\",\"variant\":\"%s\",\"unit\":\"%s\","
        ++ "\"n\":%d,\"repetition\":%d,\"ns\":%.3f}\n"
    )
    boundary
    variant
    unit

nowNs :: IO Double
nowNs = fromIntegral <$> getMonotonicTimeNSec

-- | Make a run so many times, back to back. Not inlined, so that every run costs the same to start.
times :: Int -> IO () -> IO ()
times rounds run = go rounds
  where
    go 0 = pure ()
    go k = run >> go (k - 1)
{-# NOINLINE times #-}

-- | How long the rounds took.
spent :: Int -> IO () -> IO Double
spent rounds run = do
  start <- nowNs
  times rounds run
  end <- nowNs
  pure (end - start)

-- | What measuring costs: the clock, and starting a run that does nothing.
calibrate :: IO (Double, Double)
calibrate = do
  timer <- minimum <$> replicateM 2000 (spent 0 (pure ()))
  run <- minimum <$> replicateM 200 (spent 1000 nothing)
  pure (timer, (run - timer) / 1000)

nothing :: IO ()
nothing = pure ()
{-# NOINLINE nothing #-}

-- | How many runs make a sample long enough; also what warms the caches. The clock takes longer than a short run, so
-- runs are added until they say themselves how long they take. The least of three: something else may have run.
roundsOf :: Double -> Double -> IO () -> IO Int
roundsOf sampleNs timer run = go 1
  where
    go rounds = do
      least <- minimum <$> replicateM 3 (spent rounds run)
      let each = max 1 (least - timer) / fromIntegral rounds
          enough = max 1 (truncate (sampleNs / max 0.1 each))
      if least - timer >= 10 * timer || rounds >= enough
        then pure enough
        else go (min enough (rounds * 8))

-- | The whole of a program that times runs of n calls.
sampleAll :: Suite -> [Variant] -> IO ()
sampleAll suite variants = do
  chosen <- options suite
  machineLine
  (timer, start) <- calibrate
  forM_ [("timer", timer), ("run", start)] $ \(name, ns) ->
    printf "{\"type\":\"calibration\",\"name\":\"%s\",\"ns\":%.3f}\n" (name :: String) ns
  ready <- forM (optionSizes chosen) $ \n -> forM (wanted chosen) $ \variant -> do
    run <- variantRun variant n
    rounds <- roundsOf (optionSampleNs chosen) timer run
    pure (variantName variant, n, run, rounds)
  when (all null ready) $ hPutStrLn stderr ("nothing to measure of " ++ intercalate ", " (suiteVariants suite))
  forM_ [0 .. optionRepetitions chosen - 1] $ \repetition ->
    forM_ ready $ \ofSize ->
      forM_ (rotate repetition ofSize) $ \(name, n, run, rounds) -> do
        ns <- spent rounds run
        sampleLine (suiteBoundary suite) name n repetition ((ns - timer) / fromIntegral rounds - start)
  where
    wanted chosen = [variant | variant <- variants, optionWanted chosen (variantName variant)]
    rotate _ [] = []
    rotate k list = let by = k `mod` length list in drop by list ++ take by list
