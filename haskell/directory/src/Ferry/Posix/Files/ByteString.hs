-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE Trustworthy #-}

-- | "Ferry.Posix.Files" for paths as the kernel has them: "System.Posix.Files.ByteString" of the package @unix@, but no
-- call stops other Haskell threads.
module Ferry.Posix.Files.ByteString
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
import System.Posix.ByteString.FilePath (RawFilePath)
import System.Posix.Types

-- | Set the permissions of a file.
setFileMode :: RawFilePath -> FileMode -> IO ()
setFileMode = Files.setFileMode

-- | Whether this process may read, write and execute a file: those that are asked for, all of them.
fileAccess :: RawFilePath -> Bool -> Bool -> Bool -> IO Bool
fileAccess = Files.fileAccess

-- | Whether there is something of this name; a symbolic link that leads nowhere is nothing.
fileExist :: RawFilePath -> IO Bool
fileExist = Files.fileExist

-- | What the file system says of a file. Symbolic links are followed.
getFileStatus :: RawFilePath -> IO FileStatus
getFileStatus = Files.getFileStatus

-- | 'getFileStatus', but of a symbolic link itself.
getSymbolicLinkStatus :: RawFilePath -> IO FileStatus
getSymbolicLinkStatus = Files.getSymbolicLinkStatus

-- | Make a FIFO.
createNamedPipe :: RawFilePath -> FileMode -> IO ()
createNamedPipe = Files.createNamedPipe

-- | Make a device, a FIFO or a socket: the mode says which. Most of them need privileges.
createDevice :: RawFilePath -> FileMode -> DeviceID -> IO ()
createDevice = Files.createDevice

-- | Give the file of the first name the second one as well.
createLink :: RawFilePath -> RawFilePath -> IO ()
createLink = Files.createLink

-- | Remove a name that is not a directory's.
removeLink :: RawFilePath -> IO ()
removeLink = Files.removeLink

-- | Make a symbolic link: what it leads to, and its name.
createSymbolicLink :: RawFilePath -> RawFilePath -> IO ()
createSymbolicLink = Files.createSymbolicLink

-- | What a symbolic link leads to.
readSymbolicLink :: RawFilePath -> IO RawFilePath
readSymbolicLink = Files.readSymbolicLink

-- | Rename: the old name, and the new one, which is replaced.
rename :: RawFilePath -> RawFilePath -> IO ()
rename = Files.rename

-- | Set the owner and the group. One that is -1 stays as it is.
setOwnerAndGroup :: RawFilePath -> UserID -> GroupID -> IO ()
setOwnerAndGroup = Files.setOwnerAndGroup

-- | 'setOwnerAndGroup', but of a symbolic link itself.
setSymbolicLinkOwnerAndGroup :: RawFilePath -> UserID -> GroupID -> IO ()
setSymbolicLinkOwnerAndGroup = Files.setSymbolicLinkOwnerAndGroup

-- | Set when a file was read last and changed last, in seconds since 1970.
setFileTimes :: RawFilePath -> EpochTime -> EpochTime -> IO ()
setFileTimes = Files.setFileTimes

-- | 'setFileTimes' to the nanosecond, or as far as the file system goes.
setFileTimesHiRes :: RawFilePath -> POSIXTime -> POSIXTime -> IO ()
setFileTimesHiRes = Files.setFileTimesHiRes

-- | 'setFileTimesHiRes', but of a symbolic link itself.
setSymbolicLinkTimesHiRes :: RawFilePath -> POSIXTime -> POSIXTime -> IO ()
setSymbolicLinkTimesHiRes = Files.setSymbolicLinkTimesHiRes

-- | Set both times of a file to now.
touchFile :: RawFilePath -> IO ()
touchFile = Files.touchFile

-- | 'touchFile', but of a symbolic link itself.
touchSymbolicLink :: RawFilePath -> IO ()
touchSymbolicLink = Files.touchSymbolicLink

-- | Cut a file off at so many bytes, or fill it with NULs up to there.
setFileSize :: RawFilePath -> FileOffset -> IO ()
setFileSize = Files.setFileSize

-- | A limit of a path.
getPathVar :: RawFilePath -> PathVar -> IO Limit
getPathVar = Files.getPathVar
