-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE Trustworthy #-}
{-# OPTIONS_HADDOCK not-home #-}

-- | What "System.Posix.Files" has that takes no path: modes, what a status says, and open files. What makes no call of
-- a file system is that of @unix@.
module Ferry.Internal.Posix.Common
  ( -- * Modes
    unionFileModes,
    intersectFileModes,
    nullFileMode,
    ownerReadMode,
    ownerWriteMode,
    ownerExecuteMode,
    ownerModes,
    groupReadMode,
    groupWriteMode,
    groupExecuteMode,
    groupModes,
    otherReadMode,
    otherWriteMode,
    otherExecuteMode,
    otherModes,
    setUserIDMode,
    setGroupIDMode,
    stdFileMode,
    accessModes,
    fileTypeModes,
    blockSpecialMode,
    characterSpecialMode,
    namedPipeMode,
    regularFileMode,
    directoryMode,
    symbolicLinkMode,
    socketMode,
    setFileCreationMask,

    -- * A file's status
    FileStatus,
    deviceID,
    fileID,
    fileMode,
    linkCount,
    fileOwner,
    fileGroup,
    specialDeviceID,
    fileSize,
    accessTime,
    modificationTime,
    statusChangeTime,
    accessTimeHiRes,
    modificationTimeHiRes,
    statusChangeTimeHiRes,
    isBlockDevice,
    isCharacterDevice,
    isNamedPipe,
    isRegularFile,
    isDirectory,
    isSymbolicLink,
    isSocket,

    -- * Open files
    setFdMode,
    getFdStatus,
    setFdOwnerAndGroup,
    setFdTimesHiRes,
    touchFd,
    setFdSize,
    getFdPathVar,

    -- * Limits
    PathVar (..),
  )
where

import Data.Time.Clock.POSIX (POSIXTime)
import qualified Ferry.Internal.Posix.Files as Files
import System.Posix.Files hiding
  ( getFdPathVar,
    getFdStatus,
    setFdMode,
    setFdOwnerAndGroup,
    setFdSize,
    setFdTimesHiRes,
    touchFd,
  )
import System.Posix.Types

-- | Set the permissions of an open file.
setFdMode :: Fd -> FileMode -> IO ()
setFdMode = Files.setFdMode

-- | What the file system says of an open file.
getFdStatus :: Fd -> IO FileStatus
getFdStatus = Files.getFdStatus

-- | Set the owner and the group of an open file. One that is -1 stays as it is.
setFdOwnerAndGroup :: Fd -> UserID -> GroupID -> IO ()
setFdOwnerAndGroup = Files.setFdOwnerAndGroup

-- | Set when an open file was read last and changed last.
setFdTimesHiRes :: Fd -> POSIXTime -> POSIXTime -> IO ()
setFdTimesHiRes = Files.setFdTimesHiRes

-- | Set both times of an open file to now.
touchFd :: Fd -> IO ()
touchFd = Files.touchFd

-- | Cut an open file off at so many bytes, or fill it with NULs up to there.
setFdSize :: Fd -> FileOffset -> IO ()
setFdSize = Files.setFdSize

-- | A limit of an open file.
getFdPathVar :: Fd -> PathVar -> IO Limit
getFdPathVar = Files.getFdPathVar
