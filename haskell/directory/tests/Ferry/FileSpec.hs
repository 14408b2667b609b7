-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE OverloadedStrings #-}

-- | "Ferry.File" reads and writes what "Data.ByteString" does, and replaces a file in one step.
module Ferry.FileSpec (spec) where

import Control.Concurrent
import Control.Monad
import Data.ByteString (ByteString)
import qualified Data.ByteString as ByteString
import qualified Data.ByteString.Char8 as Char8
import Data.List (nub)
import Ferry.Agree
import qualified Ferry.Directory as Directory
import qualified Ferry.File as File
import System.Directory (listDirectory)
import System.FilePath ((</>))
import qualified System.IO as IO
import System.IO.Error (isPermissionError)
import System.Posix.Files
import System.Posix.IO (fdToHandle, handleToFd)
import System.Posix.Types (Fd)
import System.Timeout (timeout)
import Test.Hspec

spec :: Spec
spec = do
  onEachOf
    places
    [ One "readFile" ByteString.readFile File.readFile,
      One "writeFile" (`ByteString.writeFile` "new") (`File.writeFile` "new"),
      One "appendFile" (`ByteString.appendFile` "new") (`File.appendFile` "new")
    ]
  it "reads and copies files of any size" . withFolder $ \folder ->
    forM_ [0, 1, 2, 4095, 4096, 16383, 16384, 16385, 131071, 131072, 131073, 3000001] $ \size -> do
      let contents = ByteString.replicate size 65
      ByteString.writeFile (folder </> "a") contents
      File.readFile (folder </> "a") `shouldReturn` contents
      File.writeFile (folder </> "b") contents
      File.appendFile (folder </> "b") "more"
      ByteString.readFile (folder </> "b") `shouldReturn` (contents <> "more")
      Directory.copyFile (folder </> "b") (folder </> "c")
      ByteString.readFile (folder </> "c") `shouldReturn` (contents <> "more")
  it "reads and copies files that say they have no size" . withFolder $ \folder ->
    forM_ ["/proc/version", "/proc/filesystems", "/proc/kallsyms"] $ \path -> do
      expected <- ByteString.readFile path
      File.readFile path `shouldReturn` expected
      Directory.copyFile path (folder </> "copy")
      ByteString.readFile (folder </> "copy") `shouldReturn` expected
  it "waits for what is written to a FIFO, and can be interrupted there" . withFolder $ \folder -> do
    let path = folder </> "slow fifo"
    createNamedPipe path 0o600
    writer <- IO.openFile path IO.ReadWriteMode >>= handleToFd
    timeout 20000 (File.readFile path) `shouldReturn` Nothing
    openBelow folder `shouldReturn` 1
    got <- newEmptyMVar
    _ <- forkIO (File.readFile path >>= putMVar got)
    untilM ((== 2) <$> openBelow folder)
    writeAll writer "one, two"
    takeMVar got `shouldReturn` "one, two"
  replacement

-- | Write and close.
writeAll :: Fd -> ByteString -> IO ()
writeAll fd bytes = do
  handle <- fdToHandle fd
  ByteString.hPut handle bytes
  IO.hClose handle

replacement :: Spec
replacement = describe "writeFileAtomically" $ do
  it "keeps permissions, and leaves nothing else" . withFolder $ \folder -> do
    let path = folder </> "file"
    File.writeFileAtomically path "first"
    ByteString.readFile path `shouldReturn` "first"
    ByteString.writeFile (folder </> "plain") ""
    modes <- mapM (fmap fileMode . getFileStatus) [path, folder </> "plain"]
    length (nub modes) `shouldBe` 1
    setFileMode path 0o640
    File.writeFileAtomically path "second"
    (fileMode <$> getFileStatus path) `shouldReturn` 0o100640
    ByteString.readFile path `shouldReturn` "second"
    length <$> listDirectory folder `shouldReturn` 2
  it "replaces a link, not what it leads to" . withFolder $ \folder -> do
    ByteString.writeFile (folder </> "target") "target"
    createSymbolicLink "target" (folder </> "link")
    File.writeFileAtomically (folder </> "link") "new"
    ByteString.readFile (folder </> "target") `shouldReturn` "target"
    Directory.pathIsSymbolicLink (folder </> "link") `shouldReturn` False
  it "leaves the file and the folder as they were, when it fails" . withFolder $ \folder -> do
    Directory.createDirectory (folder </> "file")
    File.writeFileAtomically (folder </> "file") "new" `shouldThrow` anyIOException
    listDirectory folder `shouldReturn` ["file"]
    setFileMode folder 0o555
    File.writeFileAtomically (folder </> "other") "new" `shouldThrow` isPermissionError
    setFileMode folder 0o755
    listDirectory folder `shouldReturn` ["file"]
  it "shows readers the whole old or the whole new contents, also when it is interrupted" . withFolder $ \folder -> do
    let path = folder </> "file"
        contents = Char8.replicate 100000
    File.writeFileAtomically path (contents 'a')
    done <- newEmptyMVar
    _ <- forkIO $ do
      forM_ (take 200 (cycle "bcd")) $ \char -> timeout 300 (File.writeFileAtomically path (contents char))
      putMVar done ()
    let look = do
          found <- File.readFile path
          ended <- tryTakeMVar done
          when (ByteString.length found /= 100000 || Char8.any (/= Char8.head found) found) $
            expectationFailure "a part of a file was seen"
          maybe look pure ended
    look
    listDirectory folder `shouldReturn` ["file"]
    openBelow folder `shouldReturn` 0

untilM :: IO Bool -> IO ()
untilM condition = condition >>= \holds -> unless holds (yield >> untilM condition)
