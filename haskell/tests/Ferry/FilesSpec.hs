-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE OverloadedStrings #-}

module Ferry.FilesSpec (spec) where

import Control.Concurrent
import Control.Exception
import Control.Monad
import Data.Bits (shiftR)
import Data.ByteString (ByteString)
import qualified Data.ByteString as ByteString
import qualified Data.ByteString.Char8 as Char8
import Data.Either (isLeft, lefts)
import Data.Word (Word32)
import Ferry.Files
import Ferry.Internal.Files.Read (foldFilesIn)
import Ferry.Run (Mode (..))
import Ferry.Tree
import Foreign.C.Error (Errno (..), eINVAL, eISDIR, eNAMETOOLONG, eNOENT)
import GHC.IO.Exception (IOException (..))
import System.Directory (createDirectory, doesPathExist)
import System.IO (IOMode (ReadWriteMode), openFile)
import System.IO.Error (ioeGetErrorType, ioeGetFileName)
import qualified System.Posix as Posix
import System.Timeout (timeout)
import Test.Hspec
import Test.QuickCheck

spec :: Spec
spec = do
  describe "readFiles" $ do
    forM_ [minBound .. maxBound] $ \mode ->
      it ("agrees with ByteString.readFile: " ++ show mode) . withMaxSuccess 30 $ agreesWithReadFile mode
    reading
  describe "statFiles" looking
  describe "removeFiles" removing

-- ---- reading ----------------------------------------------------------------------------------------------------

-- | What a name of a generated folder is.
data Kind = Regular Int | Missing | Folder | LinkTo Int | Dangling
  deriving (Show)

instance Arbitrary Kind where
  arbitrary =
    frequency
      [ (8, Regular <$> choose (0, 3000)),
        (4, Regular <$> elements ([0, 1, 200000] ++ map (bufferBytes +) [-1, 0, 1, 64, 65])),
        (1, pure Missing),
        (1, pure Folder),
        (1, LinkTo <$> choose (0, 20)),
        (1, pure Dangling)
      ]

agreesWithReadFile :: Mode -> [Kind] -> Property
agreesWithReadFile mode kinds = ioProperty . withFolder $ \folder -> do
  let names = [folder ++ "/" ++ show index | index <- [0 .. length kinds - 1]]
  zipWithM_ (make folder) names kinds
  expected <- mapM (try . ByteString.readFile) names
  got <- keepsNothingOpen folder $ readIn mode (map Char8.pack names)
  pure (map plain got === map plain expected)
  where
    make folder name kind = case kind of
      Regular size -> ByteString.writeFile name (numbered size)
      Missing -> pure ()
      Folder -> createDirectory name
      LinkTo index -> Posix.createSymbolicLink (folder ++ "/" ++ show index) name
      Dangling -> Posix.createSymbolicLink "nowhere" name
    plain = either (\failure -> Left (ioeGetErrorType failure, ioeGetFileName failure)) Right

-- | Bytes that show a piece that is missing, doubled or in the wrong place.
numbered :: Int -> ByteString
numbered size = fst (ByteString.unfoldrN size (Just . next) 1)
  where
    next state = (fromIntegral (state `shiftR` 16), 1664525 * state + 1013904223 :: Word32)

readIn :: Mode -> [ByteString] -> IO [Either IOError ByteString]
readIn mode = fmap reverse . foldFilesIn mode (\found _ contents -> pure (contents : found)) []

reading :: Spec
reading = do
  it "reads files that say they have no size" $
    forM_ ["/proc/version", "/proc/filesystems", "/proc/kallsyms"] $ \path -> do
      expected <- ByteString.readFile (Char8.unpack path)
      readFiles [path] `shouldReturn` [Right expected]
  it "reads files of more than one read's bytes" . withFolder $ \folder -> do
    let contents = numbered (readBytesMax + 5000)
    ByteString.writeFile (folder ++ "/large") contents
    readFiles [inside folder "large"] `shouldReturn` [Right contents]
  it "waits for what is written to a FIFO" . withFolder $ \folder -> waitsForAFifo folder
  it "names the call and the path of an error, whatever bytes it has" . withFolder $ \folder -> do
    let path = inside folder "b\xe4\xf6 \xc3\xa4"
    [Left failure] <- readFiles [path]
    (ioe_location failure, ioe_errno failure) `shouldBe` ("openat", Just (number eNOENT))
    ioeGetFileName failure `shouldBe` Just (folder ++ "/b\xdce4\xdcf6 \228")
  it "refuses what is no path" $ do
    got <- readFiles ["", "a\0b", Char8.replicate 5000 'a', "/tmp"]
    map ioe_errno (lefts got) `shouldBe` map (Just . number) [eNOENT, eINVAL, eNAMETOOLONG, eISDIR]
  it "needs no more descriptors than there are" . withFolder $ \folder -> do
    let names = [inside folder (Char8.pack (show index)) | index <- [1 .. 200 :: Int]]
    forM_ names $ \name -> ByteString.writeFile (Char8.unpack name) (name <> numbered 40000)
    got <- withFewDescriptors 5 (readFiles names)
    got `shouldBe` [Right (name <> numbered 40000) | name <- names]
  it "leaves nothing open when a step throws" . withFolder $ \folder -> do
    names <- largeFiles folder 100
    let step count _ _ = if count == (70 :: Int) then throwIO (userError "enough") else pure (count + 1)
    keepsNothingOpen folder $ foldFiles step 0 names `shouldThrow` (== userError "enough")
  it "can be interrupted, and leaves nothing open" . withFolder $ \folder -> do
    names <- largeFiles folder 200
    interrupted <- forM [1 .. 200] $ \step ->
      keepsNothingOpen folder (timeout (step * 50) (readFiles names))
    interrupted `shouldSatisfy` elem Nothing
  it "reads in a step, and in many threads, as it does alone" . withFolder $ \folder -> do
    let names = [inside folder (Char8.pack (show index)) | index <- [1 .. 20 :: Int]]
        contents = map (\name -> Right (name <> numbered 100)) names
        nested found _ content = (\inner -> found ++ [(content, inner)]) <$> readFiles (take 17 (reverse names))
    forM_ names $ \name -> ByteString.writeFile (Char8.unpack name) (name <> numbered 100)
    foldFiles nested [] names `shouldReturn` map (\content -> (content, take 17 (reverse contents))) contents
    ended <- forM [1 .. 8 :: Int] $ \_ -> newEmptyMVar >>= \end -> end <$ forkIO (manyTimes names >>= putMVar end)
    mapM takeMVar ended `shouldReturn` replicate 8 (replicate 20 contents)
  it "reads on after a read that was left by an exception" . withFolder $ \folder -> do
    names <- largeFiles folder 20
    forM_ [0 .. 19 :: Int] $ \count -> do
      let step seen _ _ = if seen == count then throwIO (userError "enough") else pure (seen + 1)
      foldFiles step 0 names `shouldThrow` (== userError "enough")
      readFiles names `shouldReturn` map (const (Right (numbered 40000))) names
  it "gives each step what was unmasked outside" $
    foldFiles (\_ _ _ -> getMaskingState) MaskedInterruptible ["/proc/version"] `shouldReturn` Unmasked

manyTimes :: [ByteString] -> IO [[Either IOError ByteString]]
manyTimes names = forM [1 .. 20 :: Int] $ \count -> do
  let mine = if even count then names else reverse names
  (if even count then id else reverse) <$> readFiles mine

largeFiles :: FilePath -> Int -> IO [ByteString]
largeFiles folder count = forM [1 .. count] $ \index -> do
  let name = inside folder (Char8.pack (show index))
  name <$ ByteString.writeFile (Char8.unpack name) (numbered 40000)

-- | The reader has to wait twice; the FIFO ends when this test closes its own end.
waitsForAFifo :: FilePath -> IO ()
waitsForAFifo folder = do
  let path = folder ++ "/fifo"
  Posix.createNamedPipe path 0o600
  writer <- openFile path ReadWriteMode >>= Posix.handleToFd
  got <- newEmptyMVar
  _ <- forkIO (readFiles [Char8.pack path, "/proc/version"] >>= putMVar got)
  untilM ((== 2) <$> openIn folder)
  _ <- Posix.fdWrite writer "one, "
  _ <- Posix.fdWrite writer "two"
  Posix.closeFd writer
  version <- ByteString.readFile "/proc/version"
  takeMVar got `shouldReturn` [Right "one, two", Right version]

untilM :: IO Bool -> IO ()
untilM condition = condition >>= \holds -> unless holds (yield >> untilM condition)

number :: Num a => Errno -> a
number (Errno code) = fromIntegral code

-- ---- looking and removing ---------------------------------------------------------------------------------------

looking :: Spec
looking = do
  it "says what unix's getFileStatus says" . withFolder $ \folder -> do
    ByteString.writeFile (folder ++ "/file") (numbered 70000)
    Posix.createSymbolicLink "file" (folder ++ "/link")
    Posix.createNamedPipe (folder ++ "/fifo") 0o640
    let paths = map (folder ++) ["/file", "/link", "/fifo", ""] ++ ["/dev/null", "/proc/self"]
    expected <- mapM Posix.getFileStatus paths
    expectedLinks <- mapM Posix.getSymbolicLinkStatus paths
    got <- statFiles (map Char8.pack paths)
    gotLinks <- lstatFiles (map Char8.pack paths)
    map (fmap fromStatx) got `shouldBe` map (Right . fromStatus) expected
    map (fmap fromStatx) gotLinks `shouldBe` map (Right . fromStatus) expectedLinks
    map (fmap (fileType . stxMode)) gotLinks
      `shouldBe` map Right [RegularFile, SymbolicLink, Fifo, Directory, CharacterDevice, SymbolicLink]
  it "gives an error in its place" $ do
    got <- statFiles (["/proc", "/no such file"] ++ replicate 100 "/proc/version" ++ ["/no other"])
    map isLeft got `shouldBe` [False, True] ++ replicate 100 False ++ [True]
    map ioe_location (lefts got) `shouldBe` ["statx", "statx"]

fromStatus :: Posix.FileStatus -> [Integer]
fromStatus status =
  [ fromIntegral (Posix.fileMode status),
    fromIntegral (Posix.fileSize status),
    fromIntegral (Posix.fileID status),
    fromIntegral (Posix.linkCount status),
    fromIntegral (Posix.fileOwner status),
    fromIntegral (Posix.fileGroup status),
    floor (Posix.modificationTimeHiRes status),
    floor (Posix.statusChangeTimeHiRes status)
  ]

fromStatx :: Statx -> [Integer]
fromStatx status =
  [ fromIntegral (stxMode status),
    fromIntegral (stxSize status),
    fromIntegral (stxIno status),
    fromIntegral (stxNlink status),
    fromIntegral (stxUid status),
    fromIntegral (stxGid status),
    fromIntegral (tvSec (stxMtime status)),
    fromIntegral (tvSec (stxCtime status))
  ]

removing :: Spec
removing =
  it "removes files, and says what it could not remove" . withFolder $ \folder -> do
    names <- largeFiles folder 150
    createDirectory (folder ++ "/folder")
    got <- removeFiles (names ++ inside folder "folder" : take 1 names)
    map isLeft got `shouldBe` replicate 150 False ++ [True, True]
    map ioe_errno (lefts got) `shouldBe` [Just (number eISDIR), Just (number eNOENT)]
    mapM (doesPathExist . Char8.unpack) names `shouldReturn` replicate 150 False
    doesPathExist (folder ++ "/folder") `shouldReturn` True
