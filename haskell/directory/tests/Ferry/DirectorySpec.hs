-- SPDX-License-Identifier: BSD-3-Clause

-- | "Ferry.Directory" gives, throws and leaves what "System.Directory" does.
module Ferry.DirectorySpec (spec) where

import Control.Monad (forM_, void)
import Data.List (sort)
import Data.Time.Clock.POSIX (posixSecondsToUTCTime)
import Ferry.Agree
import qualified Ferry.Directory as Ours
import System.Directory (Permissions, emptyPermissions, setOwnerReadable, setOwnerSearchable)
import qualified System.Directory as Theirs
import System.Environment (lookupEnv, setEnv, unsetEnv)
import System.IO.Error (isAlreadyInUseError, isDoesNotExistError)
import System.Posix.Files (createNamedPipe, fileID, fileMode, getFileStatus, setFileMode)
import System.Timeout (timeout)
import Test.Hspec

spec :: Spec
spec = do
  onEachOf encodable (existence ++ directories ++ files)
  -- theirs makes a file that it cannot remove, and what a link leads to, executable
  onEachOf
    (filter (`notElem` ["link", "readonly/inner"]) encodable)
    [One "removePathForcibly" Theirs.removePathForcibly Ours.removePathForcibly]
  onEachTwoPlaces encodable twos
  onEachTwoPlaces copyable copies
  findings
  ours

existence :: [One]
existence =
  [ One "doesPathExist" Theirs.doesPathExist Ours.doesPathExist,
    One "doesFileExist" Theirs.doesFileExist Ours.doesFileExist,
    One "doesDirectoryExist" Theirs.doesDirectoryExist Ours.doesDirectoryExist,
    One "pathIsSymbolicLink" Theirs.pathIsSymbolicLink Ours.pathIsSymbolicLink,
    One "getSymbolicLinkTarget" Theirs.getSymbolicLinkTarget Ours.getSymbolicLinkTarget,
    One "getFileSize" Theirs.getFileSize Ours.getFileSize,
    One "canonicalizePath" Theirs.canonicalizePath Ours.canonicalizePath,
    One "makeAbsolute" Theirs.makeAbsolute Ours.makeAbsolute,
    One "makeRelativeToCurrentDirectory" Theirs.makeRelativeToCurrentDirectory Ours.makeRelativeToCurrentDirectory
  ]

directories :: [One]
directories =
  [ One "createDirectory" Theirs.createDirectory Ours.createDirectory,
    One "createDirectoryIfMissing False" (Theirs.createDirectoryIfMissing False) (Ours.createDirectoryIfMissing False),
    One "createDirectoryIfMissing True" (Theirs.createDirectoryIfMissing True) (Ours.createDirectoryIfMissing True),
    One "removeDirectory" Theirs.removeDirectory Ours.removeDirectory,
    One "removeDirectoryRecursive" Theirs.removeDirectoryRecursive Ours.removeDirectoryRecursive,
    One "removeDirectoryLink" Theirs.removeDirectoryLink Ours.removeDirectoryLink,
    One "listDirectory" (fmap sort . Theirs.listDirectory) (fmap sort . Ours.listDirectory),
    One "getDirectoryContents" (fmap sort . Theirs.getDirectoryContents) (fmap sort . Ours.getDirectoryContents),
    One
      "setCurrentDirectory"
      (\path -> Theirs.setCurrentDirectory path >> Theirs.getCurrentDirectory)
      (\path -> Ours.setCurrentDirectory path >> Ours.getCurrentDirectory),
    One
      "withCurrentDirectory"
      (\path -> Theirs.withCurrentDirectory path (Theirs.listDirectory "."))
      (\path -> Ours.withCurrentDirectory path (Ours.listDirectory ".")),
    One
      "getCurrentDirectory, when it is gone,"
      (\path -> gone Theirs.setCurrentDirectory path >> Theirs.getCurrentDirectory)
      (\path -> gone Ours.setCurrentDirectory path >> Ours.getCurrentDirectory)
  ]
  where
    gone set path = set path >> Theirs.removeDirectory "../empty"

files :: [One]
files =
  [ One "removeFile" Theirs.removeFile Ours.removeFile,
    One "getPermissions" Theirs.getPermissions Ours.getPermissions,
    One "setPermissions" (`Theirs.setPermissions` some) (`Ours.setPermissions` some),
    One "setPermissions to none" (`Theirs.setPermissions` emptyPermissions) (`Ours.setPermissions` emptyPermissions),
    -- looking at a file may change when it was read last
    One "getAccessTime" (void . Theirs.getAccessTime) (void . Ours.getAccessTime),
    One "getModificationTime" (old Theirs.getModificationTime) (old Ours.getModificationTime),
    One
      "setAccessTime"
      (\path -> Theirs.setAccessTime path time >> Theirs.getAccessTime path)
      (\path -> Ours.setAccessTime path time >> Ours.getAccessTime path),
    One
      "setModificationTime"
      (\path -> Theirs.setModificationTime path time >> Theirs.getModificationTime path)
      (\path -> Ours.setModificationTime path time >> Ours.getModificationTime path)
  ]
  where
    some = setOwnerReadable True (setOwnerSearchable True emptyPermissions) :: Permissions
    time = posixSecondsToUTCTime 1234567890.123456789
    -- what has just been made is of another time at each run
    old get path = (\at -> if at < posixSecondsToUTCTime 1100000000 then Just at else Nothing) <$> get path

twos :: [Two]
twos =
  [ Two "renameFile" Theirs.renameFile Ours.renameFile,
    Two "renameDirectory" Theirs.renameDirectory Ours.renameDirectory,
    Two "renamePath" Theirs.renamePath Ours.renamePath,
    Two "copyPermissions" Theirs.copyPermissions Ours.copyPermissions,
    Two "createFileLink" Theirs.createFileLink Ours.createFileLink,
    Two "createDirectoryLink" Theirs.createDirectoryLink Ours.createDirectoryLink,
    Two "findFile" (\folder -> Theirs.findFile [folder, "."]) (\folder -> Ours.findFile [folder, "."]),
    Two "findFiles" (\folder -> Theirs.findFiles [folder, "folder"]) (\folder -> Ours.findFiles [folder, "folder"])
  ]

copies :: [Two]
copies =
  [ Two "copyFile" (copying Theirs.copyFile) (copying Ours.copyFile),
    Two
      "copyFileWithMetadata"
      (unlessSame (copying Theirs.copyFileWithMetadata))
      (unlessSame (copying Ours.copyFileWithMetadata))
  ]
  where
    -- theirs empties a file that is copied over itself
    unlessSame copy first second = do
      found <- mapM (outcome . fmap fileID . getFileStatus) [first, second]
      case found of
        [Right one, Right other] | one == other -> pure ()
        _ -> copy first second

findings :: Spec
findings = do
  it "finds the programs that directory finds" $ do
    expected <- (,) <$> Theirs.findExecutable "sh" <*> Theirs.findExecutables "sh"
    got <- (,) <$> Ours.findExecutable "sh" <*> Ours.findExecutables "sh"
    got `shouldBe` expected
    Ours.findExecutable "no such program" `shouldReturn` Nothing
    Ours.findExecutablesInDirectories ["/bin", "/nowhere"] "sh" `shouldReturn` ["/bin/sh"]
  it "says that PATH is not set" $ do
    path <- lookupEnv "PATH"
    unsetEnv "PATH"
    expected <- outcome (Theirs.findExecutable "sh")
    got <- outcome (Ours.findExecutable "sh")
    mapM_ (setEnv "PATH") path
    got `shouldBe` expected
  it "does not look further than findFile has to" . withFolder $ \folder -> do
    writeFile (folder ++ "/one") ""
    let test path = if path == folder ++ "/one" then pure True else fail "looked at the second directory"
    Ours.findFileWith test [folder, folder ++ "/."] "one" `shouldReturn` Just (folder ++ "/one")

-- | What is not as in @directory@.
ours :: Spec
ours = do
  it "refuses a path with a NUL, and removes nothing" . withFolder $ \folder -> do
    writeFile (folder ++ "/a") ""
    Ours.removeFile (folder ++ "/a\0b") `shouldThrow` (not . isDoesNotExistError)
    Ours.doesFileExist (folder ++ "/a\0b") `shouldReturn` False
    Ours.doesFileExist (folder ++ "/a") `shouldReturn` True
  it "does not empty a file that it is to copy over itself" . withFolder $ \folder -> do
    writeFile (folder ++ "/a") "contents"
    Ours.createFileLink "a" (folder ++ "/link")
    Ours.copyFileWithMetadata (folder ++ "/a") (folder ++ "/link") `shouldThrow` isAlreadyInUseError
    readFile (folder ++ "/a") `shouldReturn` "contents"
  it "waits for no program that writes to a FIFO which it is to copy" . withFolder $ \folder -> do
    createNamedPipe (folder ++ "/fifo") 0o644
    forM_ [Ours.copyFile, Ours.copyFileWithMetadata] $ \copy ->
      timeout 10000000 (copy (folder ++ "/fifo") (folder ++ "/copy")) `shouldReturn` Just ()
    readFile (folder ++ "/copy") `shouldReturn` ""
  it "changes no permissions of what a link leads to, when it removes the link forcibly" . withFolder $ \folder -> do
    writeFile (folder ++ "/a") ""
    setFileMode (folder ++ "/a") 0o444
    Ours.createFileLink "a" (folder ++ "/link")
    Ours.removePathForcibly (folder ++ "/link")
    mode <- fileMode <$> getFileStatus (folder ++ "/a")
    mode `shouldBe` 0o100444
