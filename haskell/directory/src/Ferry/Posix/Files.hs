-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE Trustworthy #-}

-- | "System.Posix.Files" of the package @unix@, but no call stops other Haskell threads, however slow the disk is.
--
-- Change the import, and nothing else:
--
-- > import Ferry.Posix.Files
-- >
-- > main :: IO ()
-- > main = do
-- >   status <- getFileStatus "/etc/hostname"
-- >   print (fileSize status)
--
-- The names, the types and the exceptions are those of @unix@, and so is 'FileStatus' itself. Each call keeps its
-- Capability while it is short, and loses it to other Haskell threads when it is not ("Ferry.Foreign").
--
-- One difference: a path that contains a NUL is an error in every version ('System.IO.Error.isUserError' is false; its
-- type is @InvalidArgument@). @unix@ 2.7 cuts such a path off and takes what is before the NUL.
module Ferry.Posix.Files
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
import System.Posix.Types

-- | Set the permissions of a file.
setFileMode :: FilePath -> FileMode -> IO ()
setFileMode = Files.setFileMode

-- | Whether this process may read, write and execute a file: those that are asked for, all of them.
fileAccess :: FilePath -> Bool -> Bool -> Bool -> IO Bool
fileAccess = Files.fileAccess

-- | Whether there is something of this name; a symbolic link that leads nowhere is nothing.
fileExist :: FilePath -> IO Bool
fileExist = Files.fileExist

-- | What the file system says of a file. Symbolic links are followed.
getFileStatus :: FilePath -> IO FileStatus
getFileStatus = Files.getFileStatus

-- | 'getFileStatus', but of a symbolic link itself.
getSymbolicLinkStatus :: FilePath -> IO FileStatus
getSymbolicLinkStatus = Files.getSymbolicLinkStatus

-- | Make a FIFO.
createNamedPipe :: FilePath -> FileMode -> IO ()
createNamedPipe = Files.createNamedPipe

-- | Make a device, a FIFO or a socket: the mode says which. Most of them need privileges.
createDevice :: FilePath -> FileMode -> DeviceID -> IO ()
createDevice = Files.createDevice

-- | Give the file of the first name the second one as well.
createLink :: FilePath -> FilePath -> IO ()
createLink = Files.createLink

-- | Remove a name that is not a directory's.
removeLink :: FilePath -> IO ()
removeLink = Files.removeLink

-- | Make a symbolic link: what it leads to, and its name.
createSymbolicLink :: FilePath -> FilePath -> IO ()
createSymbolicLink = Files.createSymbolicLink

-- | What a symbolic link leads to.
readSymbolicLink :: FilePath -> IO FilePath
readSymbolicLink = Files.readSymbolicLink

-- | Rename: the old name, and the new one, which is replaced.
rename :: FilePath -> FilePath -> IO ()
rename = Files.rename

-- | Set the owner and the group. One that is -1 stays as it is.
setOwnerAndGroup :: FilePath -> UserID -> GroupID -> IO ()
setOwnerAndGroup = Files.setOwnerAndGroup

-- | 'setOwnerAndGroup', but of a symbolic link itself.
setSymbolicLinkOwnerAndGroup :: FilePath -> UserID -> GroupID -> IO ()
setSymbolicLinkOwnerAndGroup = Files.setSymbolicLinkOwnerAndGroup

-- | Set when a file was read last and changed last, in seconds since 1970.
setFileTimes :: FilePath -> EpochTime -> EpochTime -> IO ()
setFileTimes = Files.setFileTimes

-- | 'setFileTimes' to the nanosecond, or as far as the file system goes.
setFileTimesHiRes :: FilePath -> POSIXTime -> POSIXTime -> IO ()
setFileTimesHiRes = Files.setFileTimesHiRes

-- | 'setFileTimesHiRes', but of a symbolic link itself.
setSymbolicLinkTimesHiRes :: FilePath -> POSIXTime -> POSIXTime -> IO ()
setSymbolicLinkTimesHiRes = Files.setSymbolicLinkTimesHiRes

-- | Set both times of a file to now.
touchFile :: FilePath -> IO ()
touchFile = Files.touchFile

-- | 'touchFile', but of a symbolic link itself.
touchSymbolicLink :: FilePath -> IO ()
touchSymbolicLink = Files.touchSymbolicLink

-- | Cut a file off at so many bytes, or fill it with NULs up to there.
setFileSize :: FilePath -> FileOffset -> IO ()
setFileSize = Files.setFileSize

-- | A limit of a path.
getPathVar :: FilePath -> PathVar -> IO Limit
getPathVar = Files.getPathVar
