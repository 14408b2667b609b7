-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE Trustworthy #-}

-- | "Ferry.Directory" for paths as the system has them: "System.Directory.OsPath" of the package @directory@, but no
-- call stops other Haskell threads, however slow the disk is. With GHC 9.6 and newer.
--
-- > {-# LANGUAGE QuasiQuotes #-}
-- > import Ferry.Directory.OsPath
-- > import System.OsPath (osp)
-- >
-- > main :: IO ()
-- > main = do
-- >   createDirectoryIfMissing True [osp|some/where|]
-- >   listDirectory [osp|some|] >>= print
--
-- What "Ferry.Directory" says holds here too.
module Ferry.Directory.OsPath
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
  )
where

import Data.Time.Clock (UTCTime)
import qualified Ferry.Internal.Directory.Functions as Functions
import System.Directory.OsPath
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
import System.OsPath (OsPath)

-- | Make a directory; what it is in must be there.
createDirectory :: OsPath -> IO ()
createDirectory = Functions.createDirectory

-- | Make a directory unless it is there; if wanted, what it is in as well.
createDirectoryIfMissing :: Bool -> OsPath -> IO ()
createDirectoryIfMissing = Functions.createDirectoryIfMissing

-- | Remove an empty directory.
removeDirectory :: OsPath -> IO ()
removeDirectory = Functions.removeDirectory

-- | Remove a directory and all that is in it. Symbolic links are removed, not what they lead to.
removeDirectoryRecursive :: OsPath -> IO ()
removeDirectoryRecursive = Functions.removeDirectoryRecursive

-- | Remove whatever is there, with all that is in it, also where permissions have to be changed for it. What can be
-- removed is, though something else cannot: the first error is thrown at the end. Nothing there is no error.
removePathForcibly :: OsPath -> IO ()
removePathForcibly = Functions.removePathForcibly

-- | Rename a directory; the new name is replaced if it is an empty directory.
renameDirectory :: OsPath -> OsPath -> IO ()
renameDirectory = Functions.renameDirectory

-- | The names in a directory, without @.@ and @..@.
listDirectory :: OsPath -> IO [OsPath]
listDirectory = Functions.listDirectory

-- | The names in a directory.
getDirectoryContents :: OsPath -> IO [OsPath]
getDirectoryContents = Functions.getDirectoryContents

-- | The directory that relative paths begin in: one for the process.
getCurrentDirectory :: IO OsPath
getCurrentDirectory = Functions.getCurrentDirectory

-- | Change the directory that relative paths begin in, for all threads.
setCurrentDirectory :: OsPath -> IO ()
setCurrentDirectory = Functions.setCurrentDirectory

-- | Do something in another directory, for all threads.
withCurrentDirectory :: OsPath -> IO a -> IO a
withCurrentDirectory = Functions.withCurrentDirectory

-- | Remove a file; not a directory.
removeFile :: OsPath -> IO ()
removeFile = Functions.removeFile

-- | Rename a file; the new name is replaced. Neither may be a directory's.
renameFile :: OsPath -> OsPath -> IO ()
renameFile = Functions.renameFile

-- | Rename a file or a directory.
renamePath :: OsPath -> OsPath -> IO ()
renamePath = Functions.renamePath

-- | Copy a file with its permissions: what it is copied to is replaced in one step. That the permissions could not be
-- copied is no error.
copyFile :: OsPath -> OsPath -> IO ()
copyFile = Functions.copyFile

-- | Copy a file with its permissions and times, and with its owner and group where that is allowed. What it is copied
-- to is written over; what is the same file is not.
copyFileWithMetadata :: OsPath -> OsPath -> IO ()
copyFileWithMetadata = Functions.copyFileWithMetadata

-- | The bytes of a file.
getFileSize :: OsPath -> IO Integer
getFileSize = Functions.getFileSize

-- | The path without symbolic links and dots, absolute. Of what does not exist, as far as it does.
canonicalizePath :: OsPath -> IO OsPath
canonicalizePath = Functions.canonicalizePath

-- | The path from the root: nothing is looked at but the current directory.
makeAbsolute :: OsPath -> IO OsPath
makeAbsolute = Functions.makeAbsolute

-- | The path from the current directory, where it is below that.
makeRelativeToCurrentDirectory :: OsPath -> IO OsPath
makeRelativeToCurrentDirectory = Functions.makeRelativeToCurrentDirectory

-- | Whether there is something of this name; a symbolic link that leads nowhere is nothing.
doesPathExist :: OsPath -> IO Bool
doesPathExist = Functions.doesPathExist

-- | Whether there is something of this name that is not a directory.
doesFileExist :: OsPath -> IO Bool
doesFileExist = Functions.doesFileExist

-- | Whether there is a directory, or a symbolic link to one, of this name.
doesDirectoryExist :: OsPath -> IO Bool
doesDirectoryExist = Functions.doesDirectoryExist

-- | The program of this name that a shell would start.
findExecutable :: OsPath -> IO (Maybe OsPath)
findExecutable = Functions.findExecutable

-- | All programs of this name in @PATH@.
findExecutables :: OsPath -> IO [OsPath]
findExecutables = Functions.findExecutables

-- | All programs of this name in these directories.
findExecutablesInDirectories :: [OsPath] -> OsPath -> IO [OsPath]
findExecutablesInDirectories = Functions.findExecutablesInDirectories

-- | The first file of this name in these directories.
findFile :: [OsPath] -> OsPath -> IO (Maybe OsPath)
findFile = Functions.findFile

-- | All files of this name in these directories.
findFiles :: [OsPath] -> OsPath -> IO [OsPath]
findFiles = Functions.findFiles

-- | The first file of this name in these directories that passes the test.
findFileWith :: (OsPath -> IO Bool) -> [OsPath] -> OsPath -> IO (Maybe OsPath)
findFileWith = Functions.findFileWith

-- | All files of this name in these directories that pass the test.
findFilesWith :: (OsPath -> IO Bool) -> [OsPath] -> OsPath -> IO [OsPath]
findFilesWith = Functions.findFilesWith

-- | Make a symbolic link to a file: what it leads to, and its name.
createFileLink :: OsPath -> OsPath -> IO ()
createFileLink = Functions.createFileLink

-- | Make a symbolic link to a directory: what it leads to, and its name.
createDirectoryLink :: OsPath -> OsPath -> IO ()
createDirectoryLink = Functions.createDirectoryLink

-- | Remove a symbolic link to a directory.
removeDirectoryLink :: OsPath -> IO ()
removeDirectoryLink = Functions.removeDirectoryLink

-- | Whether it is a symbolic link.
pathIsSymbolicLink :: OsPath -> IO Bool
pathIsSymbolicLink = Functions.pathIsSymbolicLink

-- | What a symbolic link leads to.
getSymbolicLinkTarget :: OsPath -> IO OsPath
getSymbolicLinkTarget = Functions.getSymbolicLinkTarget

-- | What this process may do with a file or a directory.
getPermissions :: OsPath -> IO Permissions
getPermissions = Functions.getPermissions

-- | Set what the owner may do with a file or a directory.
setPermissions :: OsPath -> Permissions -> IO ()
setPermissions = Functions.setPermissions

-- | Give the second file the permissions of the first.
copyPermissions :: OsPath -> OsPath -> IO ()
copyPermissions = Functions.copyPermissions

-- | When a file was read last, as far as the file system notes it.
getAccessTime :: OsPath -> IO UTCTime
getAccessTime = Functions.getAccessTime

-- | When a file was changed last.
getModificationTime :: OsPath -> IO UTCTime
getModificationTime = Functions.getModificationTime

-- | Set when a file was read last.
setAccessTime :: OsPath -> UTCTime -> IO ()
setAccessTime = Functions.setAccessTime

-- | Set when a file was changed last.
setModificationTime :: OsPath -> UTCTime -> IO ()
setModificationTime = Functions.setModificationTime
