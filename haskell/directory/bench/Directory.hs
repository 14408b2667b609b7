-- SPDX-License-Identifier: BSD-3-Clause

-- | What does one call of a file system cost from Haskell?
--
-- Lines of @bench/README.md@, boundary @haskell-directory@: n calls, one after the other, on what the kernel has
-- cached. @CALL:ferry@ is that of the package ferry-directory, @CALL:plain@ the one that it takes the place of, of
-- @unix@, @directory@ or @bytestring@.
module Main (main) where

import Control.Exception (bracket, evaluate)
import Control.Monad (replicateM_, void)
import qualified Data.ByteString as ByteString
import qualified Data.ByteString.Char8 as Char8
import qualified Ferry.Directory as Ours
import qualified Ferry.File as File
import qualified Ferry.Posix.Files as OursPosix
import qualified Ferry.Posix.Files.ByteString as OursBytes
import Harness
import qualified System.Directory as Theirs
import qualified System.Posix.Files as TheirsPosix
import qualified System.Posix.Files.ByteString as TheirsBytes
import System.Posix.Process (getProcessID)

suite :: Suite
suite =
  Suite
    { suiteBoundary = "haskell-directory",
      suiteQuestion = "What does one call of a file system cost from Haskell?",
      suiteVariants = [name ++ way | (name, _) <- calls "", way <- [":plain", ":ferry"]],
      suiteSizes = [100],
      suiteRepetitions = 31,
      suiteQuick = 5,
      suiteSampleNs = 5000000
    }

main :: IO ()
main = bracket make Theirs.removeDirectoryRecursive $ \folder ->
  sampleAll
    suite
    [ Variant (name ++ way) (\n -> pure (replicateM_ n run))
      | (name, both) <- calls folder,
        (way, run) <- zip [":plain", ":ferry"] both
    ]

-- | A folder with a file of 1,000 bytes, a link to it, and a folder of 100 files.
make :: IO FilePath
make = do
  top <- Theirs.getTemporaryDirectory
  folder <- (\process -> top ++ "/ferry-bench-directory-" ++ show process) <$> getProcessID
  Theirs.createDirectory folder
  Theirs.createDirectory (folder ++ "/many")
  ByteString.writeFile (folder ++ "/file") (ByteString.replicate 1000 65)
  Theirs.createFileLink "file" (folder ++ "/link")
  mapM_ (\number -> ByteString.writeFile (folder ++ "/many/file" ++ show number) ByteString.empty) [1 .. 100 :: Int]
  pure folder

-- | Each call, of theirs and of ours.
calls :: FilePath -> [(String, [IO ()])]
calls folder =
  [ ("stat", [void (TheirsPosix.getFileStatus file), void (OursPosix.getFileStatus file)]),
    ("stat bytes", [void (TheirsBytes.getFileStatus bytes), void (OursBytes.getFileStatus bytes)]),
    ("access", [void (TheirsPosix.fileExist file), void (OursPosix.fileExist file)]),
    ("readlink", [TheirsPosix.readSymbolicLink link >>= force, OursPosix.readSymbolicLink link >>= force]),
    ("chmod", [TheirsPosix.setFileMode file 0o640, OursPosix.setFileMode file 0o640]),
    ("rename", [back TheirsPosix.rename, back OursPosix.rename]),
    ("doesFileExist", [void (Theirs.doesFileExist file), void (Ours.doesFileExist file)]),
    ("doesFileExist, not", [void (Theirs.doesFileExist missing), void (Ours.doesFileExist missing)]),
    ("getPermissions", [void (Theirs.getPermissions file), void (Ours.getPermissions file)]),
    ("listDirectory", [Theirs.listDirectory many >>= mapM_ force, Ours.listDirectory many >>= mapM_ force]),
    ("readFile", [void (ByteString.readFile file), void (File.readFile file)]),
    ("writeFile", [ByteString.writeFile new contents, File.writeFile new contents]),
    ("copyFile", [Theirs.copyFile file new, Ours.copyFile file new])
  ]
  where
    file = folder ++ "/file"
    bytes = Char8.pack file
    link = folder ++ "/link"
    missing = folder ++ "/missing"
    many = folder ++ "/many"
    new = folder ++ "/new"
    contents = ByteString.replicate 1000 66
    back rename = rename file missing >> rename missing file
    force text = void (evaluate (length text))
