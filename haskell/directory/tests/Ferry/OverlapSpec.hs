-- SPDX-License-Identifier: BSD-3-Clause

-- | "Ferry.Files" on a slow disk: here because this suite has one (@cbits/slow.c@). The first file that is slow is
-- waited for alone; the disk answers for the others only when it has been asked for all of them.
module Ferry.OverlapSpec (spec) where

import Control.Concurrent
import Control.Exception (bracket_)
import Control.Monad
import Data.ByteString (ByteString)
import qualified Data.ByteString.Char8 as Char8
import Data.Either (isRight)
import Ferry.Agree (openBelow, withFolder)
import Ferry.Files
import Foreign.C.Types (CInt (..), CLong (..))
import GHC.Clock (getMonotonicTime)
import System.FilePath ((</>))
import System.Timeout (timeout)
import Test.Hspec

-- unsafe, both: they only set and read variables
foreign import ccall unsafe "slow_gather" gather :: CInt -> IO ()

foreign import ccall unsafe "slow_gathered" gathered :: IO CInt

-- unsafe: it sets a variable
foreign import ccall unsafe "slow_delay" delay :: CLong -> IO ()

spec :: Spec
spec = do
  it "reads the files of a batch at the same time" . withFiles $ \_ paths -> do
    got <- gathering others (readFiles paths)
    got `shouldBe` map Right paths
    readFiles paths `shouldReturn` map Right paths
  it "looks at the files of a batch at the same time" . withFiles $ \_ paths -> do
    got <- gathering others (statFiles paths)
    map isRight got `shouldBe` map (const True) paths
    map (fmap stxSize) got `shouldBe` map (Right . fromIntegral . Char8.length) paths
  it "gives errors in their places, on a slow disk too" . withFiles $ \folder paths -> do
    let missing = Char8.pack (folder </> "slow missing")
    got <- gathering (others - 1) (readFiles (take 40 paths ++ [missing, Char8.pack "slow\0"] ++ drop 42 paths))
    map isRight got `shouldBe` [number < 40 || number > (41 :: Int) | number <- [0 .. batchFiles - 1]]
  it "can be interrupted while a disk does not answer, and closes what it opened when it does" . withFiles $
    \folder paths -> do
      forM_ [void (readFiles paths), void (statFiles paths)] $ \act ->
        bracket_ (gather 1000) (gather 0) $ do
          timeout 200000 act `shouldReturn` Nothing
          -- the disk has not answered yet
          gathered >>= (`shouldSatisfy` (> 0))
      untilM ((== 0) <$> openBelow folder)
      readFiles paths `shouldReturn` map Right paths
  timing
  where
    others = fromIntegral batchFiles - 1

-- | How long it takes. A machine that does something else meanwhile may make it longer, but not five times in a row.
timing :: Spec
timing = do
  it "takes three times as long for 64 slow files as for one at most" . withFiles $ \_ paths ->
    withinLimit $ do
      one <- timed (delaying 0.1 (readFiles (take 1 paths)))
      all' <- timed (delaying 0.1 (readFiles paths))
      length paths `shouldBe` 64
      pure (all', 3 * one)
  it "waits for the first batch's first file alone" . withFiles $ \_ paths ->
    withinLimit $ do
      one <- timed (delaying 0.2 (statFiles (take 1 paths)))
      all' <- timed (delaying 0.2 (statFiles (concat (replicate 4 paths))))
      -- one, 63 at once, and then 64 at once three times; if each batch began with one, it would be eight times as long
      pure (all', 7 * one)
  it "ends in time where a timeout interrupts it, though no call can be interrupted" . withFiles $ \folder paths -> do
    forM_ [void . readFiles, void . statFiles] $ \act ->
      withinLimit $ do
        spent <- timed (delaying 0.2 (timeout 500000 (act (concat (replicate 4 paths))) `shouldReturn` Nothing))
        pure (spent, 1.1 * 0.5)
    untilM ((== 0) <$> openBelow folder)

-- | What takes longer than it may is tried again, five times in all.
withinLimit :: IO (Double, Double) -> Expectation
withinLimit measure = go (5 :: Int)
  where
    go left = do
      (spent, limit) <- measure
      when (spent > limit) $
        if left > 1 then go (left - 1) else expectationFailure (show spent ++ " s instead of " ++ show limit)

-- | Each call takes so many seconds.
delaying :: Double -> IO a -> IO a
delaying seconds = bracket_ (delay (round (seconds * 1000000000))) (delay 0)

-- | How many seconds it takes.
timed :: IO a -> IO Double
timed act = do
  start <- getMonotonicTime
  _ <- act
  end <- getMonotonicTime
  pure (end - start)

-- | So many calls wait for each other.
gathering :: CInt -> IO a -> IO a
gathering count act = bracket_ (gather count) (gather 0) $ do
  result <- act
  result <$ (gathered `shouldReturn` count)

-- | A batch of files; each has its own path in it.
withFiles :: (FilePath -> [ByteString] -> IO a) -> IO a
withFiles use = withFolder $ \folder -> do
  let paths = [folder </> ("slow" ++ show number) | number <- [1 .. batchFiles]]
  forM_ paths $ \path -> Char8.writeFile path (Char8.pack path)
  use folder (map Char8.pack paths)

untilM :: IO Bool -> IO ()
untilM condition = condition >>= \holds -> unless holds (threadDelay 1000 >> untilM condition)
