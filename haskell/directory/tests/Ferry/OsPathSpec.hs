-- SPDX-License-Identifier: BSD-3-Clause

-- | "Ferry.Directory.OsPath" and "Ferry.Posix.Files.PosixString" give, throw and leave what the modules of @directory@
-- and @unix@ for these types of paths do. "Ferry.DirectorySpec" and "Ferry.Posix.FilesSpec" try every function; here
-- every kind of argument and result is tried, since the functions are the same but for the type of their paths.
module Ferry.OsPathSpec (spec) where

import Control.Monad (void)
import qualified Data.ByteString.Char8 as Char8
import Data.List (sort)
import Data.Time.Clock.POSIX (posixSecondsToUTCTime)
import Ferry.Agree
import qualified Ferry.Directory.OsPath as Ours
import qualified Ferry.File.OsPath as File
import qualified Ferry.Posix.Files.PosixString as OursPosix
import qualified System.Directory.OsPath as Theirs
import System.OsPath (OsPath, encodeFS, encodeUtf, (</>))
import qualified System.OsPath.Posix as Posix
import qualified System.Posix.Files.PosixString as TheirsPosix
import Test.Hspec

spec :: Spec
spec = do
  onEachOf places (existence ++ directories ++ files ++ posix)
  onEachTwoPlaces places twos
  onEachTwoPlaces copyable [two "copyFile" (copying Theirs.copyFile) (copying Ours.copyFile)]
  it "finds the programs that directory finds" $ do
    name <- encodeUtf "sh"
    expected <- (,) <$> Theirs.findExecutable name <*> Theirs.findExecutables name
    got <- (,) <$> Ours.findExecutable name <*> Ours.findExecutables name
    got `shouldBe` expected
  it "refuses a path with a NUL, and removes nothing" . withFolder $ \folder -> do
    [above, name, longer] <- mapM encodeFS [folder, "a", "a\0b"]
    File.writeFile (above </> name) (Char8.pack "contents")
    Ours.removeFile (above </> longer) `shouldThrow` anyIOException
    File.readFile (above </> name) `shouldReturn` Char8.pack "contents"
  it "writes files, and reads them" . withFolder $ \folder -> do
    path <- (</>) <$> encodeFS folder <*> encodeFS "f\xdcff"
    File.writeFileAtomically path (Char8.pack "one ")
    File.appendFile path (Char8.pack "two")
    File.readFile path `shouldReturn` Char8.pack "one two"

-- | The same function, of a path as "Ferry.Agree" has it.
at :: (OsPath -> IO a) -> FilePath -> IO a
at act path = encodeFS path >>= act

atPosix :: (Posix.PosixPath -> IO a) -> FilePath -> IO a
atPosix act path = Posix.encodeFS path >>= act

existence :: [One]
existence =
  [ One "doesPathExist" (at Theirs.doesPathExist) (at Ours.doesPathExist),
    One "doesFileExist" (at Theirs.doesFileExist) (at Ours.doesFileExist),
    One "pathIsSymbolicLink" (at Theirs.pathIsSymbolicLink) (at Ours.pathIsSymbolicLink),
    One "getSymbolicLinkTarget" (at Theirs.getSymbolicLinkTarget) (at Ours.getSymbolicLinkTarget),
    One "getFileSize" (at Theirs.getFileSize) (at Ours.getFileSize),
    One "canonicalizePath" (at Theirs.canonicalizePath) (at Ours.canonicalizePath),
    One "makeAbsolute" (at Theirs.makeAbsolute) (at Ours.makeAbsolute),
    One
      "makeRelativeToCurrentDirectory"
      (at Theirs.makeRelativeToCurrentDirectory)
      (at Ours.makeRelativeToCurrentDirectory)
  ]

directories :: [One]
directories =
  [ One "createDirectory" (at Theirs.createDirectory) (at Ours.createDirectory),
    One
      "createDirectoryIfMissing"
      (at (Theirs.createDirectoryIfMissing True))
      (at (Ours.createDirectoryIfMissing True)),
    One "removeDirectoryRecursive" (at Theirs.removeDirectoryRecursive) (at Ours.removeDirectoryRecursive),
    One "removePathForcibly" (at Theirs.removePathForcibly) (at Ours.removePathForcibly),
    One "listDirectory" (at (fmap sort . Theirs.listDirectory)) (at (fmap sort . Ours.listDirectory)),
    One
      "getDirectoryContents"
      (at (fmap sort . Theirs.getDirectoryContents))
      (at (fmap sort . Ours.getDirectoryContents)),
    One
      "withCurrentDirectory"
      (at (`Theirs.withCurrentDirectory` Theirs.getCurrentDirectory))
      (at (`Ours.withCurrentDirectory` Ours.getCurrentDirectory))
  ]

files :: [One]
files =
  [ One "removeFile" (at Theirs.removeFile) (at Ours.removeFile),
    One "getPermissions" (at Theirs.getPermissions) (at Ours.getPermissions),
    One "getAccessTime" (at (void . Theirs.getAccessTime)) (at (void . Ours.getAccessTime)),
    One
      "setModificationTime"
      (at (\path -> Theirs.setModificationTime path time >> Theirs.getModificationTime path))
      (at (\path -> Ours.setModificationTime path time >> Ours.getModificationTime path))
  ]
  where
    time = posixSecondsToUTCTime 1234567890.123456789

posix :: [One]
posix =
  [ One "PosixString.fileExist" (atPosix TheirsPosix.fileExist) (atPosix OursPosix.fileExist),
    One
      "PosixString.getFileStatus"
      (atPosix (fmap TheirsPosix.fileMode . TheirsPosix.getFileStatus))
      (atPosix (fmap OursPosix.fileMode . OursPosix.getFileStatus)),
    One
      "PosixString.readSymbolicLink"
      (atPosix TheirsPosix.readSymbolicLink)
      (atPosix OursPosix.readSymbolicLink),
    One "PosixString.setFileSize" (atPosix (`TheirsPosix.setFileSize` 3)) (atPosix (`OursPosix.setFileSize` 3))
  ]

twos :: [Two]
twos =
  [ two "renameFile" Theirs.renameFile Ours.renameFile,
    two "renamePath" Theirs.renamePath Ours.renamePath,
    two "createFileLink" Theirs.createFileLink Ours.createFileLink,
    two "findFile" (\folder -> Theirs.findFile [folder]) (\folder -> Ours.findFile [folder]),
    twoPosix "PosixString.rename" TheirsPosix.rename OursPosix.rename,
    twoPosix "PosixString.createLink" TheirsPosix.createLink OursPosix.createLink
  ]
  where
    twoPosix name theirs ours = Two name (both Posix.encodeFS theirs) (both Posix.encodeFS ours)

-- | The same function of theirs and of ours.
two :: (Eq a, Show a) => String -> (OsPath -> OsPath -> IO a) -> (OsPath -> OsPath -> IO a) -> Two
two name theirs ours = Two name (both encodeFS theirs) (both encodeFS ours)

both :: (FilePath -> IO path) -> (path -> path -> IO a) -> FilePath -> FilePath -> IO a
both encoded act first second = do
  first' <- encoded first
  encoded second >>= act first'
