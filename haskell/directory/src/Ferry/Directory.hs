-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE Trustworthy #-}

-- | "System.Directory" of the package @directory@, but no call stops other Haskell threads, however slow the disk is.
--
-- Change the import, and nothing else:
--
-- > import Ferry.Directory
-- >
-- > main :: IO ()
-- > main = do
-- >   createDirectoryIfMissing True "some/where"
-- >   listDirectory "some" >>= print
--
-- The names, the types and the exceptions are those of @directory@, and so are the types themselves. Each system call
-- keeps its Capability while it is short, and loses it to other Haskell threads when it is not ("Ferry.Foreign").
--
-- Three differences. A path that contains a NUL is an error (the functions that answer 'False' to errors still do so):
-- older versions cut such a path off, and would remove @"a"@ when told to remove @"a\0b"@. 'removePathForcibly'
-- changes no permissions but those of directories, as in @directory@ from 1.3.8 on. And 'copyFileWithMetadata' fails
-- before it has emptied a file that it is told to copy over itself, not after.
module Ferry.Directory
  ( -- * Directories
    createDirectory,
    createDirectoryIfMissing,
    removeDirectory,
    removeDirectoryRecursive,
    removePathForcibly,
    renameDirectory,
    listDirectory,
    getDirectoryContents,

    -- ** The current directory
    getCurrentDirectory,
    setCurrentDirectory,
    withCurrentDirectory,

    -- ** Directories for a purpose
    getHomeDirectory,
    XdgDirectory (..),
    getXdgDirectory,
    XdgDirectoryList (..),
    getXdgDirectoryList,
    getAppUserDataDirectory,
    getUserDocumentsDirectory,
    getTemporaryDirectory,

    -- * Files
    removeFile,
    renameFile,
    renamePath,
    copyFile,
    copyFileWithMetadata,
    getFileSize,

    -- ** Paths
    canonicalizePath,
    makeAbsolute,
    makeRelativeToCurrentDirectory,

    -- ** Existence
    doesPathExist,
    doesFileExist,
    doesDirectoryExist,

    -- ** Searching
    findExecutable,
    findExecutables,
    findExecutablesInDirectories,
    findFile,
    findFiles,
    findFileWith,
    findFilesWith,
    exeExtension,

    -- * Symbolic links
    createFileLink,
    createDirectoryLink,
    removeDirectoryLink,
    pathIsSymbolicLink,
    getSymbolicLinkTarget,

    -- * Permissions
    Permissions,
    emptyPermissions,
    readable,
    writable,
    executable,
    searchable,
    setOwnerReadable,
    setOwnerWritable,
    setOwnerExecutable,
    setOwnerSearchable,
    getPermissions,
    setPermissions,
    copyPermissions,

    -- * Times
    getAccessTime,
    getModificationTime,
    setAccessTime,
    setModificationTime,

    -- * Deprecated
    isSymbolicLink,
  )
where

import Data.Time.Clock (UTCTime)
import qualified Ferry.Internal.Directory.Functions as Functions
import System.Directory
  ( Permissions,
    XdgDirectory (..),
    XdgDirectoryList (..),
    emptyPermissions,
    exeExtension,
    executable,
    getAppUserDataDirectory,
    getHomeDirectory,
    getTemporaryDirectory,
    getUserDocumentsDirectory,
    getXdgDirectory,
    getXdgDirectoryList,
    readable,
    searchable,
    setOwnerExecutable,
    setOwnerReadable,
    setOwnerSearchable,
    setOwnerWritable,
    writable,
  )

-- | Make a directory; what it is in must be there.
createDirectory :: FilePath -> IO ()
createDirectory = Functions.createDirectory

-- | Make a directory unless it is there; if wanted, what it is in as well.
createDirectoryIfMissing :: Bool -> FilePath -> IO ()
createDirectoryIfMissing = Functions.createDirectoryIfMissing

-- | Remove an empty directory.
removeDirectory :: FilePath -> IO ()
removeDirectory = Functions.removeDirectory

-- | Remove a directory and all that is in it. Symbolic links are removed, not what they lead to.
removeDirectoryRecursive :: FilePath -> IO ()
removeDirectoryRecursive = Functions.removeDirectoryRecursive

-- | Remove whatever is there, with all that is in it, also where permissions have to be changed for it. What can be
-- removed is, though something else cannot: the first error is thrown at the end. Nothing there is no error.
removePathForcibly :: FilePath -> IO ()
removePathForcibly = Functions.removePathForcibly

-- | Rename a directory; the new name is replaced if it is an empty directory.
renameDirectory :: FilePath -> FilePath -> IO ()
renameDirectory = Functions.renameDirectory

-- | The names in a directory, without @.@ and @..@.
listDirectory :: FilePath -> IO [FilePath]
listDirectory = Functions.listDirectory

-- | The names in a directory.
getDirectoryContents :: FilePath -> IO [FilePath]
getDirectoryContents = Functions.getDirectoryContents

-- | The directory that relative paths begin in: one for the process.
getCurrentDirectory :: IO FilePath
getCurrentDirectory = Functions.getCurrentDirectory

-- | Change the directory that relative paths begin in, for all threads.
setCurrentDirectory :: FilePath -> IO ()
setCurrentDirectory = Functions.setCurrentDirectory

-- | Do something in another directory, for all threads.
withCurrentDirectory :: FilePath -> IO a -> IO a
withCurrentDirectory = Functions.withCurrentDirectory

-- | Remove a file; not a directory.
removeFile :: FilePath -> IO ()
removeFile = Functions.removeFile

-- | Rename a file; the new name is replaced. Neither may be a directory's.
renameFile :: FilePath -> FilePath -> IO ()
renameFile = Functions.renameFile

-- | Rename a file or a directory.
renamePath :: FilePath -> FilePath -> IO ()
renamePath = Functions.renamePath

-- | Copy a file with its permissions: what it is copied to is replaced in one step. That the permissions could not be
-- copied is no error.
copyFile :: FilePath -> FilePath -> IO ()
copyFile = Functions.copyFile

-- | Copy a file with its permissions and times, and with its owner and group where that is allowed. What it is copied
-- to is written over; what is the same file is not.
copyFileWithMetadata :: FilePath -> FilePath -> IO ()
copyFileWithMetadata = Functions.copyFileWithMetadata

-- | The bytes of a file.
getFileSize :: FilePath -> IO Integer
getFileSize = Functions.getFileSize

-- | The path without symbolic links and dots, absolute. Of what does not exist, as far as it does.
canonicalizePath :: FilePath -> IO FilePath
canonicalizePath = Functions.canonicalizePath

-- | The path from the root: nothing is looked at but the current directory.
makeAbsolute :: FilePath -> IO FilePath
makeAbsolute = Functions.makeAbsolute

-- | The path from the current directory, where it is below that.
makeRelativeToCurrentDirectory :: FilePath -> IO FilePath
makeRelativeToCurrentDirectory = Functions.makeRelativeToCurrentDirectory

-- | Whether there is something of this name; a symbolic link that leads nowhere is nothing.
doesPathExist :: FilePath -> IO Bool
doesPathExist = Functions.doesPathExist

-- | Whether there is something of this name that is not a directory.
doesFileExist :: FilePath -> IO Bool
doesFileExist = Functions.doesFileExist

-- | Whether there is a directory, or a symbolic link to one, of this name.
doesDirectoryExist :: FilePath -> IO Bool
doesDirectoryExist = Functions.doesDirectoryExist

-- | The program of this name that a shell would start.
findExecutable :: String -> IO (Maybe FilePath)
findExecutable = Functions.findExecutable

-- | All programs of this name in @PATH@.
findExecutables :: String -> IO [FilePath]
findExecutables = Functions.findExecutables

-- | All programs of this name in these directories.
findExecutablesInDirectories :: [FilePath] -> String -> IO [FilePath]
findExecutablesInDirectories = Functions.findExecutablesInDirectories

-- | The first file of this name in these directories.
findFile :: [FilePath] -> String -> IO (Maybe FilePath)
findFile = Functions.findFile

-- | All files of this name in these directories.
findFiles :: [FilePath] -> String -> IO [FilePath]
findFiles = Functions.findFiles

-- | The first file of this name in these directories that passes the test.
findFileWith :: (FilePath -> IO Bool) -> [FilePath] -> String -> IO (Maybe FilePath)
findFileWith = Functions.findFileWith

-- | All files of this name in these directories that pass the test.
findFilesWith :: (FilePath -> IO Bool) -> [FilePath] -> String -> IO [FilePath]
findFilesWith = Functions.findFilesWith

-- | Make a symbolic link to a file: what it leads to, and its name.
createFileLink :: FilePath -> FilePath -> IO ()
createFileLink = Functions.createFileLink

-- | Make a symbolic link to a directory: what it leads to, and its name.
createDirectoryLink :: FilePath -> FilePath -> IO ()
createDirectoryLink = Functions.createDirectoryLink

-- | Remove a symbolic link to a directory.
removeDirectoryLink :: FilePath -> IO ()
removeDirectoryLink = Functions.removeDirectoryLink

-- | Whether it is a symbolic link.
pathIsSymbolicLink :: FilePath -> IO Bool
pathIsSymbolicLink = Functions.pathIsSymbolicLink

-- | What a symbolic link leads to.
getSymbolicLinkTarget :: FilePath -> IO FilePath
getSymbolicLinkTarget = Functions.getSymbolicLinkTarget

-- | What this process may do with a file or a directory.
getPermissions :: FilePath -> IO Permissions
getPermissions = Functions.getPermissions

-- | Set what the owner may do with a file or a directory.
setPermissions :: FilePath -> Permissions -> IO ()
setPermissions = Functions.setPermissions

-- | Give the second file the permissions of the first.
copyPermissions :: FilePath -> FilePath -> IO ()
copyPermissions = Functions.copyPermissions

-- | When a file was read last, as far as the file system notes it.
getAccessTime :: FilePath -> IO UTCTime
getAccessTime = Functions.getAccessTime

-- | When a file was changed last.
getModificationTime :: FilePath -> IO UTCTime
getModificationTime = Functions.getModificationTime

-- | Set when a file was read last.
setAccessTime :: FilePath -> UTCTime -> IO ()
setAccessTime = Functions.setAccessTime

-- | Set when a file was changed last.
setModificationTime :: FilePath -> UTCTime -> IO ()
setModificationTime = Functions.setModificationTime

-- | 'pathIsSymbolicLink'.
isSymbolicLink :: FilePath -> IO Bool
isSymbolicLink = pathIsSymbolicLink
{-# DEPRECATED isSymbolicLink "Use 'pathIsSymbolicLink' instead" #-}
