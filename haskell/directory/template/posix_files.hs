-- SPDX-License-Identifier: BSD-3-Clause

-- The text of Ferry.Posix.Files and of its modules for other types of paths. A module that includes it has defined
-- OUR_MODULE, its name, and PATH_TYPE, the type of its paths, which PATH_MODULE exports.

module OUR_MODULE
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
import PATH_MODULE (PATH_TYPE)
import System.Posix.Types
import Prelude (Bool, IO)

-- | Set the permissions of a file.
setFileMode :: PATH_TYPE -> FileMode -> IO ()
setFileMode = Files.setFileMode

-- | Whether this process may read, write and execute a file: those that are asked for, all of them.
fileAccess :: PATH_TYPE -> Bool -> Bool -> Bool -> IO Bool
fileAccess = Files.fileAccess

-- | Whether there is something of this name; a symbolic link that leads nowhere is nothing.
fileExist :: PATH_TYPE -> IO Bool
fileExist = Files.fileExist

-- | What the file system says of a file. Symbolic links are followed.
getFileStatus :: PATH_TYPE -> IO FileStatus
getFileStatus = Files.getFileStatus

-- | 'getFileStatus', but of a symbolic link itself.
getSymbolicLinkStatus :: PATH_TYPE -> IO FileStatus
getSymbolicLinkStatus = Files.getSymbolicLinkStatus

-- | Make a FIFO.
createNamedPipe :: PATH_TYPE -> FileMode -> IO ()
createNamedPipe = Files.createNamedPipe

-- | Make a device, a FIFO or a socket: the mode says which. Most of them need privileges.
createDevice :: PATH_TYPE -> FileMode -> DeviceID -> IO ()
createDevice = Files.createDevice

-- | Give the file of the first name the second one as well.
createLink :: PATH_TYPE -> PATH_TYPE -> IO ()
createLink = Files.createLink

-- | Remove a name that is not a directory's.
removeLink :: PATH_TYPE -> IO ()
removeLink = Files.removeLink

-- | Make a symbolic link: what it leads to, and its name.
createSymbolicLink :: PATH_TYPE -> PATH_TYPE -> IO ()
createSymbolicLink = Files.createSymbolicLink

-- | What a symbolic link leads to.
readSymbolicLink :: PATH_TYPE -> IO PATH_TYPE
readSymbolicLink = Files.readSymbolicLink

-- | Rename: the old name, and the new one, which is replaced.
rename :: PATH_TYPE -> PATH_TYPE -> IO ()
rename = Files.rename

-- | Set the owner and the group. One that is -1 stays as it is.
setOwnerAndGroup :: PATH_TYPE -> UserID -> GroupID -> IO ()
setOwnerAndGroup = Files.setOwnerAndGroup

-- | 'setOwnerAndGroup', but of a symbolic link itself.
setSymbolicLinkOwnerAndGroup :: PATH_TYPE -> UserID -> GroupID -> IO ()
setSymbolicLinkOwnerAndGroup = Files.setSymbolicLinkOwnerAndGroup

-- | Set when a file was read last and changed last, in seconds since 1970.
setFileTimes :: PATH_TYPE -> EpochTime -> EpochTime -> IO ()
setFileTimes = Files.setFileTimes

-- | 'setFileTimes' to the nanosecond, or as far as the file system goes.
setFileTimesHiRes :: PATH_TYPE -> POSIXTime -> POSIXTime -> IO ()
setFileTimesHiRes = Files.setFileTimesHiRes

-- | 'setFileTimesHiRes', but of a symbolic link itself.
setSymbolicLinkTimesHiRes :: PATH_TYPE -> POSIXTime -> POSIXTime -> IO ()
setSymbolicLinkTimesHiRes = Files.setSymbolicLinkTimesHiRes

-- | Set both times of a file to now.
touchFile :: PATH_TYPE -> IO ()
touchFile = Files.touchFile

-- | 'touchFile', but of a symbolic link itself.
touchSymbolicLink :: PATH_TYPE -> IO ()
touchSymbolicLink = Files.touchSymbolicLink

-- | Cut a file off at so many bytes, or fill it with NULs up to there.
setFileSize :: PATH_TYPE -> FileOffset -> IO ()
setFileSize = Files.setFileSize

-- | A limit of a path.
getPathVar :: PATH_TYPE -> PathVar -> IO Limit
getPathVar = Files.getPathVar
