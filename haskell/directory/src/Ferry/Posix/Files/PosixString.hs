-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE Trustworthy #-}

-- | "Ferry.Posix.Files" for paths of "System.OsPath.Posix": "System.Posix.Files.PosixString" of the package @unix@, but
-- no call stops other Haskell threads. With GHC 9.6 and newer.
module Ferry.Posix.Files.PosixString
  ( -- * Modes
    module Ferry.Internal.Posix.Common,
    setFileMode,

    -- * Looking
    fileAccess,
    fileExist,
    getFileStatus,
    getSymbolicLinkStatus,

    -- * Making
    createNamedPipe,
    createDevice,

    -- * Links
    createLink,
    removeLink,
    createSymbolicLink,
    readSymbolicLink,

    -- * Renaming
    rename,

    -- * Owners
    setOwnerAndGroup,
    setSymbolicLinkOwnerAndGroup,

    -- * Times
    setFileTimes,
    setFileTimesHiRes,
    setSymbolicLinkTimesHiRes,
    touchFile,
    touchSymbolicLink,

    -- * Sizes
    setFileSize,

    -- * Limits
    getPathVar,
  )
where

import Data.Time.Clock.POSIX (POSIXTime)
import Ferry.Internal.Posix.Common
import qualified Ferry.Internal.Posix.Files as Files
import System.OsPath.Posix (PosixPath)
import System.Posix.Types

-- | Set the permissions of a file.
setFileMode :: PosixPath -> FileMode -> IO ()
setFileMode = Files.setFileMode

-- | Whether this process may read, write and execute a file: those that are asked for, all of them.
fileAccess :: PosixPath -> Bool -> Bool -> Bool -> IO Bool
fileAccess = Files.fileAccess

-- | Whether there is something of this name; a symbolic link that leads nowhere is nothing.
fileExist :: PosixPath -> IO Bool
fileExist = Files.fileExist

-- | What the file system says of a file. Symbolic links are followed.
getFileStatus :: PosixPath -> IO FileStatus
getFileStatus = Files.getFileStatus

-- | 'getFileStatus', but of a symbolic link itself.
getSymbolicLinkStatus :: PosixPath -> IO FileStatus
getSymbolicLinkStatus = Files.getSymbolicLinkStatus

-- | Make a FIFO.
createNamedPipe :: PosixPath -> FileMode -> IO ()
createNamedPipe = Files.createNamedPipe

-- | Make a device, a FIFO or a socket: the mode says which. Most of them need privileges.
createDevice :: PosixPath -> FileMode -> DeviceID -> IO ()
createDevice = Files.createDevice

-- | Give the file of the first name the second one as well.
createLink :: PosixPath -> PosixPath -> IO ()
createLink = Files.createLink

-- | Remove a name that is not a directory's.
removeLink :: PosixPath -> IO ()
removeLink = Files.removeLink

-- | Make a symbolic link: what it leads to, and its name.
createSymbolicLink :: PosixPath -> PosixPath -> IO ()
createSymbolicLink = Files.createSymbolicLink

-- | What a symbolic link leads to.
readSymbolicLink :: PosixPath -> IO PosixPath
readSymbolicLink = Files.readSymbolicLink

-- | Rename: the old name, and the new one, which is replaced.
rename :: PosixPath -> PosixPath -> IO ()
rename = Files.rename

-- | Set the owner and the group. One that is -1 stays as it is.
setOwnerAndGroup :: PosixPath -> UserID -> GroupID -> IO ()
setOwnerAndGroup = Files.setOwnerAndGroup

-- | 'setOwnerAndGroup', but of a symbolic link itself.
setSymbolicLinkOwnerAndGroup :: PosixPath -> UserID -> GroupID -> IO ()
setSymbolicLinkOwnerAndGroup = Files.setSymbolicLinkOwnerAndGroup

-- | Set when a file was read last and changed last, in seconds since 1970.
setFileTimes :: PosixPath -> EpochTime -> EpochTime -> IO ()
setFileTimes = Files.setFileTimes

-- | 'setFileTimes' to the nanosecond, or as far as the file system goes.
setFileTimesHiRes :: PosixPath -> POSIXTime -> POSIXTime -> IO ()
setFileTimesHiRes = Files.setFileTimesHiRes

-- | 'setFileTimesHiRes', but of a symbolic link itself.
setSymbolicLinkTimesHiRes :: PosixPath -> POSIXTime -> POSIXTime -> IO ()
setSymbolicLinkTimesHiRes = Files.setSymbolicLinkTimesHiRes

-- | Set both times of a file to now.
touchFile :: PosixPath -> IO ()
touchFile = Files.touchFile

-- | 'touchFile', but of a symbolic link itself.
touchSymbolicLink :: PosixPath -> IO ()
touchSymbolicLink = Files.touchSymbolicLink

-- | Cut a file off at so many bytes, or fill it with NULs up to there.
setFileSize :: PosixPath -> FileOffset -> IO ()
setFileSize = Files.setFileSize

-- | A limit of a path.
getPathVar :: PosixPath -> PathVar -> IO Limit
getPathVar = Files.getPathVar
