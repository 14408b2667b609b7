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
import Foreign.C.Types (CInt (..))
import System.FilePath ((</>))
import System.Timeout (timeout)
import Test.Hspec

-- unsafe, both: they only set and read variables
foreign import ccall unsafe "slow_gather" gather :: CInt -> IO ()

foreign import ccall unsafe "slow_gathered" gathered :: IO CInt

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
  where
    others = fromIntegral batchFiles - 1

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
