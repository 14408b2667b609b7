-- SPDX-License-Identifier: BSD-3-Clause

-- The text of Ferry.Directory and Ferry.Directory.OsPath. A module that includes it has defined OUR_MODULE, its name;
-- THEIR_MODULE, the module of the package directory whose place it takes; PATH_TYPE, the type of its paths, which
-- PATH_MODULE exports; and LINK_TESTS, the names that a path is tested with for being a symbolic link: one is defined
-- here, and the deprecated one only by the module that exports it.

module OUR_MODULE
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
    LINK_TESTS,
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
  )
where

import Data.Time.Clock (UTCTime)
import qualified Ferry.Internal.Directory.Functions as Functions
import PATH_MODULE (PATH_TYPE)
import THEIR_MODULE
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
import Prelude (Bool, IO, Integer, Maybe)

-- | Make a directory; what it is in must be there.
createDirectory :: PATH_TYPE -> IO ()
createDirectory = Functions.createDirectory

-- | Make a directory unless it is there; if wanted, what it is in as well.
createDirectoryIfMissing :: Bool -> PATH_TYPE -> IO ()
createDirectoryIfMissing = Functions.createDirectoryIfMissing

-- | Remove an empty directory.
removeDirectory :: PATH_TYPE -> IO ()
removeDirectory = Functions.removeDirectory

-- | Remove a directory and all that is in it. Symbolic links are removed, not what they lead to.
removeDirectoryRecursive :: PATH_TYPE -> IO ()
removeDirectoryRecursive = Functions.removeDirectoryRecursive

-- | Remove whatever is there, with all that is in it, also where permissions have to be changed for it. What can be
-- removed is, though something else cannot: the first error is thrown at the end. Nothing there is no error.
removePathForcibly :: PATH_TYPE -> IO ()
removePathForcibly = Functions.removePathForcibly

-- | Rename a directory; the new name is replaced if it is an empty directory.
renameDirectory :: PATH_TYPE -> PATH_TYPE -> IO ()
renameDirectory = Functions.renameDirectory

-- | The names in a directory, without @.@ and @..@.
listDirectory :: PATH_TYPE -> IO [PATH_TYPE]
listDirectory = Functions.listDirectory

-- | The names in a directory.
getDirectoryContents :: PATH_TYPE -> IO [PATH_TYPE]
getDirectoryContents = Functions.getDirectoryContents

-- | The directory that relative paths begin in: one for the process.
getCurrentDirectory :: IO PATH_TYPE
getCurrentDirectory = Functions.getCurrentDirectory

-- | Change the directory that relative paths begin in, for all threads.
setCurrentDirectory :: PATH_TYPE -> IO ()
setCurrentDirectory = Functions.setCurrentDirectory

-- | Do something in another directory, for all threads.
withCurrentDirectory :: PATH_TYPE -> IO a -> IO a
withCurrentDirectory = Functions.withCurrentDirectory

-- | Remove a file; not a directory.
removeFile :: PATH_TYPE -> IO ()
removeFile = Functions.removeFile

-- | Rename a file; the new name is replaced. Neither may be a directory's.
renameFile :: PATH_TYPE -> PATH_TYPE -> IO ()
renameFile = Functions.renameFile

-- | Rename a file or a directory.
renamePath :: PATH_TYPE -> PATH_TYPE -> IO ()
renamePath = Functions.renamePath

-- | Copy a file with its permissions: what it is copied to is replaced in one step. That the permissions could not be
-- copied is no error.
copyFile :: PATH_TYPE -> PATH_TYPE -> IO ()
copyFile = Functions.copyFile

-- | Copy a file with its permissions and times, and with its owner and group where that is allowed. What it is copied
-- to is written over; what is the same file is not.
copyFileWithMetadata :: PATH_TYPE -> PATH_TYPE -> IO ()
copyFileWithMetadata = Functions.copyFileWithMetadata

-- | The bytes of a file.
getFileSize :: PATH_TYPE -> IO Integer
getFileSize = Functions.getFileSize

-- | The path without symbolic links and dots, absolute. Of what does not exist, as far as it does.
canonicalizePath :: PATH_TYPE -> IO PATH_TYPE
canonicalizePath = Functions.canonicalizePath

-- | The path from the root: nothing is looked at but the current directory.
makeAbsolute :: PATH_TYPE -> IO PATH_TYPE
makeAbsolute = Functions.makeAbsolute

-- | The path from the current directory, where it is below that.
makeRelativeToCurrentDirectory :: PATH_TYPE -> IO PATH_TYPE
makeRelativeToCurrentDirectory = Functions.makeRelativeToCurrentDirectory

-- | Whether there is something of this name; a symbolic link that leads nowhere is nothing.
doesPathExist :: PATH_TYPE -> IO Bool
doesPathExist = Functions.doesPathExist

-- | Whether there is something of this name that is not a directory.
doesFileExist :: PATH_TYPE -> IO Bool
doesFileExist = Functions.doesFileExist

-- | Whether there is a directory, or a symbolic link to one, of this name.
doesDirectoryExist :: PATH_TYPE -> IO Bool
doesDirectoryExist = Functions.doesDirectoryExist

-- | The program of this name that a shell would start.
findExecutable :: PATH_TYPE -> IO (Maybe PATH_TYPE)
findExecutable = Functions.findExecutable

-- | All programs of this name in @PATH@.
findExecutables :: PATH_TYPE -> IO [PATH_TYPE]
findExecutables = Functions.findExecutables

-- | All programs of this name in these directories.
findExecutablesInDirectories :: [PATH_TYPE] -> PATH_TYPE -> IO [PATH_TYPE]
findExecutablesInDirectories = Functions.findExecutablesInDirectories

-- | The first file of this name in these directories.
findFile :: [PATH_TYPE] -> PATH_TYPE -> IO (Maybe PATH_TYPE)
findFile = Functions.findFile

-- | All files of this name in these directories.
findFiles :: [PATH_TYPE] -> PATH_TYPE -> IO [PATH_TYPE]
findFiles = Functions.findFiles

-- | The first file of this name in these directories that passes the test.
findFileWith :: (PATH_TYPE -> IO Bool) -> [PATH_TYPE] -> PATH_TYPE -> IO (Maybe PATH_TYPE)
findFileWith = Functions.findFileWith

-- | All files of this name in these directories that pass the test.
findFilesWith :: (PATH_TYPE -> IO Bool) -> [PATH_TYPE] -> PATH_TYPE -> IO [PATH_TYPE]
findFilesWith = Functions.findFilesWith

-- | Make a symbolic link to a file: what it leads to, and its name.
createFileLink :: PATH_TYPE -> PATH_TYPE -> IO ()
createFileLink = Functions.createFileLink

-- | Make a symbolic link to a directory: what it leads to, and its name.
createDirectoryLink :: PATH_TYPE -> PATH_TYPE -> IO ()
createDirectoryLink = Functions.createDirectoryLink

-- | Remove a symbolic link to a directory.
removeDirectoryLink :: PATH_TYPE -> IO ()
removeDirectoryLink = Functions.removeDirectoryLink

-- | Whether it is a symbolic link.
pathIsSymbolicLink :: PATH_TYPE -> IO Bool
pathIsSymbolicLink = Functions.pathIsSymbolicLink

-- | What a symbolic link leads to.
getSymbolicLinkTarget :: PATH_TYPE -> IO PATH_TYPE
getSymbolicLinkTarget = Functions.getSymbolicLinkTarget

-- | What this process may do with a file or a directory.
getPermissions :: PATH_TYPE -> IO Permissions
getPermissions = Functions.getPermissions

-- | Set what the owner may do with a file or a directory.
setPermissions :: PATH_TYPE -> Permissions -> IO ()
setPermissions = Functions.setPermissions

-- | Give the second file the permissions of the first.
copyPermissions :: PATH_TYPE -> PATH_TYPE -> IO ()
copyPermissions = Functions.copyPermissions

-- | When a file was read last, as far as the file system notes it.
getAccessTime :: PATH_TYPE -> IO UTCTime
getAccessTime = Functions.getAccessTime

-- | When a file was changed last.
getModificationTime :: PATH_TYPE -> IO UTCTime
getModificationTime = Functions.getModificationTime

-- | Set when a file was read last.
setAccessTime :: PATH_TYPE -> UTCTime -> IO ()
setAccessTime = Functions.setAccessTime

-- | Set when a file was changed last.
setModificationTime :: PATH_TYPE -> UTCTime -> IO ()
setModificationTime = Functions.setModificationTime
