-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE CPP #-}
{-# OPTIONS_GHC -fexpose-all-unfoldings -fspecialise-aggressively #-}
{-# OPTIONS_HADDOCK not-home #-}

-- | The functions of "System.Posix.Files", by held calls, for every kind of path.
--
-- 'FileStatus' is the type of the package @unix@, so what is made here can be given to any function of it.
module Ferry.Internal.Posix.Files
  ( -- * Modes
    setFileMode,
    setFdMode,

    -- * Looking
    fileAccess,
    fileExist,
    getFileStatus,
    getFdStatus,
    getSymbolicLinkStatus,
    modeOf,

    -- * Making and removing
    createNamedPipe,
    createDevice,
    createLink,
    removeLink,
    createSymbolicLink,
    readSymbolicLink,
    rename,

    -- * Owners
    setOwnerAndGroup,
    setFdOwnerAndGroup,
    setSymbolicLinkOwnerAndGroup,

    -- * Times
    setFileTimes,
    setFileTimesHiRes,
    setFdTimesHiRes,
    setSymbolicLinkTimesHiRes,
    touchFile,
    touchFd,
    touchSymbolicLink,
    setFileTimesOrKeep,

    -- * Sizes
    setFileSize,
    setFdSize,

    -- * Limits
    getPathVar,
    getFdPathVar,
  )
where


import Data.Bits ((.|.))
import Data.Fixed (Fixed (MkFixed))
import Data.Time.Clock (nominalDiffTimeToSeconds)
import Data.Time.Clock.POSIX (POSIXTime)
import qualified Ferry.Internal.Posix.C as C
import Ferry.Internal.Posix.Path
import Foreign.C.Error
  ( Errno,
    eACCES,
    eINTR,
    eNOENT,
    ePERM,
    eROFS,
    eTXTBSY,
    getErrno,
    throwErrnoIfMinus1,
    throwErrnoIfMinus1_,
  )
import Foreign.C.String (CString)
import Foreign.C.Types (CInt, CLong, CTime (CTime))
import Foreign.ForeignPtr (ForeignPtr, mallocForeignPtrBytes, withForeignPtr)
import Foreign.Marshal.Alloc (allocaBytes)
import Foreign.Marshal.Array (withArray)
import Foreign.Ptr (Ptr, nullPtr)
import System.Posix.Types
#if MIN_VERSION_unix(2,8,0)
import System.Posix.Files (FileStatus (..), PathVar (..))
#else
import System.Posix.Files (FileStatus, PathVar (..))
import Unsafe.Coerce (unsafeCoerce)
#endif

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

-- ---- modes ------------------------------------------------------------------------------------------------------

setFileMode :: Path path => path -> FileMode -> IO ()
setFileMode path mode = withPath path $ \at -> checked_ "setFileMode" path (C.chmod at mode)

setFdMode :: Fd -> FileMode -> IO ()
setFdMode (Fd fd) mode = throwErrnoIfMinus1_ "setFdMode" (C.fchmod fd mode)

-- ---- looking ----------------------------------------------------------------------------------------------------

fileAccess :: Path path => path -> Bool -> Bool -> Bool -> IO Bool
fileAccess path reads' writes executes = accessible "fileAccess" [eACCES, eROFS, eTXTBSY, ePERM] path wanted
  where
    wanted = bit' reads' (#{const R_OK}) .|. bit' writes (#{const W_OK}) .|. bit' executes (#{const X_OK})
    bit' on flag = if on then flag else 0

fileExist :: Path path => path -> IO Bool
fileExist path = accessible "fileExist" [eNOENT] path (#{const F_OK})

-- | Whether the call succeeds; these errors say that it is not so.
accessible :: Path path => String -> [Errno] -> path -> CInt -> IO Bool
accessible call refusals path wanted = withPath path $ \at -> do
  result <- C.access at wanted
  if result == 0
    then pure True
    else do
      errno <- getErrno
      if errno `elem` refusals then pure False else throwPath call path

getFileStatus :: Path path => path -> IO FileStatus
getFileStatus path = newStatus $ \to -> withPath path $ \at -> retried_ "getFileStatus" path (C.stat at to)

getSymbolicLinkStatus :: Path path => path -> IO FileStatus
getSymbolicLinkStatus path = newStatus $ \to ->
  withPath path $ \at -> checked_ "getSymbolicLinkStatus" path (C.lstat at to)

getFdStatus :: Fd -> IO FileStatus
getFdStatus (Fd fd) = newStatus (throwErrnoIfMinus1_ "getFdStatus" . C.fstat fd)

-- | A status that this fills.
newStatus :: (Ptr C.CStat -> IO ()) -> IO FileStatus
newStatus fill = do
  memory <- mallocForeignPtrBytes C.statBytes
  withForeignPtr memory fill
  pure (statusAt memory)
{-# INLINE newStatus #-}

-- | A status in memory. @unix@ has always had @newtype FileStatus = FileStatus (ForeignPtr CStat)@, and exports the
-- constructor from 2.8 on.
statusAt :: ForeignPtr C.CStat -> FileStatus
#if MIN_VERSION_unix(2,8,0)
statusAt = FileStatus
#else
statusAt = unsafeCoerce
#endif

-- | The mode of what a path leads to, or why there is none: 'getFileStatus' for who asks often and minds no error.
modeOf :: Path path => path -> IO (Either Errno FileMode)
modeOf path = allocaBytes C.statBytes $ \to -> withPath path $ \at -> go at to
  where
    go at to = do
      result <- C.stat at to
      if result == 0
        then Right <$> C.statMode to
        else do
          errno <- getErrno
          if errno == eINTR then go at to else pure (Left errno)

-- ---- making and removing ----------------------------------------------------------------------------------------

createNamedPipe :: Path path => path -> FileMode -> IO ()
createNamedPipe path mode = withPath path $ \at -> checked_ "createNamedPipe" path (C.mkfifo at mode)

createDevice :: Path path => path -> FileMode -> DeviceID -> IO ()
createDevice path mode device = withPath path $ \at -> checked_ "createDevice" path (C.mknod at mode device)

createLink :: Path path => path -> path -> IO ()
createLink old new = withPaths old new $ \atOld atNew -> checkedTwo "createLink" old new old (C.link atOld atNew)

removeLink :: Path path => path -> IO ()
removeLink path = withPath path $ \at -> checked_ "removeLink" path (C.unlink at)

createSymbolicLink :: Path path => path -> path -> IO ()
createSymbolicLink old new = withPaths old new $ \atOld atNew ->
  checkedTwo "createSymbolicLink" old new new (C.symlink atOld atNew)

readSymbolicLink :: Path path => path -> IO path
readSymbolicLink path = allocaBytes C.pathBytesMax $ \to -> withPath path $ \at -> do
  count <- checked "readSymbolicLink" path (C.readlink at to (fromIntegral C.pathBytesMax))
  pathFrom (to, fromIntegral count)

rename :: Path path => path -> path -> IO ()
rename old new = withPaths old new $ \atOld atNew -> checkedTwo "rename" old new old (C.rename atOld atNew)

-- | A call with two paths that fails with -1. Errors have both, or in older versions of @unix@ the last one given here.
checkedTwo :: Path path => String -> path -> path -> path -> IO CInt -> IO ()
#if MIN_VERSION_unix(2,8,0)
checkedTwo call old new _ = throwErrnoIfMinus1_ (call ++ both)
  where
    both = " '" ++ pathName old ++ "' to '" ++ pathName new ++ "'"
#else
checkedTwo call _ _ = checked_ call
#endif

withPaths :: Path path => path -> path -> (CString -> CString -> IO a) -> IO a
withPaths first second use = withPath first $ \atFirst -> withPath second (use atFirst)

-- ---- owners -----------------------------------------------------------------------------------------------------

setOwnerAndGroup :: Path path => path -> UserID -> GroupID -> IO ()
setOwnerAndGroup path user group = withPath path $ \at -> checked_ "setOwnerAndGroup" path (C.chown at user group)

setSymbolicLinkOwnerAndGroup :: Path path => path -> UserID -> GroupID -> IO ()
setSymbolicLinkOwnerAndGroup path user group = withPath path $ \at ->
  checked_ "setSymbolicLinkOwnerAndGroup" path (C.lchown at user group)

setFdOwnerAndGroup :: Fd -> UserID -> GroupID -> IO ()
setFdOwnerAndGroup (Fd fd) user group = throwErrnoIfMinus1_ "setFdOwnerAndGroup" (C.fchown fd user group)

-- ---- times ------------------------------------------------------------------------------------------------------

setFileTimes :: Path path => path -> EpochTime -> EpochTime -> IO ()
setFileTimes path accessed changed = withArray [seconds accessed, 0, seconds changed, 0] $ \times ->
  setTimes "setFileTimes" path times 0
  where
    seconds (CTime count) = fromIntegral count

setFileTimesHiRes :: Path path => path -> POSIXTime -> POSIXTime -> IO ()
setFileTimesHiRes path accessed changed = withArray (timespec accessed ++ timespec changed) $ \times ->
  setTimes "setFileTimesHiRes" path times 0

setSymbolicLinkTimesHiRes :: Path path => path -> POSIXTime -> POSIXTime -> IO ()
setSymbolicLinkTimesHiRes path accessed changed = withArray (timespec accessed ++ timespec changed) $ \times ->
  setTimes "setSymbolicLinkTimesHiRes" path times C.atSymlinkNofollow

setFdTimesHiRes :: Fd -> POSIXTime -> POSIXTime -> IO ()
setFdTimesHiRes (Fd fd) accessed changed = withArray (timespec accessed ++ timespec changed) $ \times ->
  throwErrnoIfMinus1_ "setFdTimesHiRes" (C.futimens fd times)

touchFile :: Path path => path -> IO ()
touchFile path = setTimes "touchFile" path nullPtr 0

touchSymbolicLink :: Path path => path -> IO ()
touchSymbolicLink path = setTimes "touchSymbolicLink" path nullPtr C.atSymlinkNofollow

touchFd :: Fd -> IO ()
touchFd (Fd fd) = throwErrnoIfMinus1_ "touchFd" (C.futimens fd nullPtr)

-- | Set the times that are given, and keep the others. The errors say nothing of where they happened.
setFileTimesOrKeep :: Path path => path -> Maybe POSIXTime -> Maybe POSIXTime -> IO ()
setFileTimesOrKeep path accessed changed = withArray (orKeep accessed ++ orKeep changed) $ \times ->
  setTimes "" path times 0
  where
    orKeep = maybe [0, #{const UTIME_OMIT}] timespec

setTimes :: Path path => String -> path -> Ptr CLong -> CInt -> IO ()
setTimes call path times flags = withPath path $ \at -> checked_ call path (C.utimensat C.atFdcwd at times flags)

-- | Seconds, and the nanoseconds after them, which are never negative.
timespec :: POSIXTime -> [CLong]
timespec time = [fromInteger seconds, fromInteger (picoseconds `div` 1000)]
  where
    MkFixed total = nominalDiffTimeToSeconds time
    (seconds, picoseconds) = total `divMod` 1000000000000

-- ---- sizes ------------------------------------------------------------------------------------------------------

setFileSize :: Path path => path -> FileOffset -> IO ()
setFileSize path bytes = withPath path $ \at -> checked_ "setFileSize" path (C.truncate at bytes)

setFdSize :: Fd -> FileOffset -> IO ()
setFdSize (Fd fd) bytes = throwErrnoIfMinus1_ "setFdSize" (C.ftruncate fd bytes)

-- ---- limits -----------------------------------------------------------------------------------------------------

getPathVar :: Path path => path -> PathVar -> IO Limit
getPathVar path variable = withPath path $ \at -> checked "getPathVar" path (C.pathconf at (numberOf variable))

getFdPathVar :: Fd -> PathVar -> IO Limit
getFdPathVar (Fd fd) variable = throwErrnoIfMinus1 "getFdPathVar" (C.fpathconf fd (numberOf variable))

numberOf :: PathVar -> CInt
numberOf variable = case variable of
  FileSizeBits -> #{const _PC_FILESIZEBITS}
  LinkLimit -> #{const _PC_LINK_MAX}
  InputLineLimit -> #{const _PC_MAX_CANON}
  InputQueueLimit -> #{const _PC_MAX_INPUT}
  FileNameLimit -> #{const _PC_NAME_MAX}
  PathNameLimit -> #{const _PC_PATH_MAX}
  PipeBufferLimit -> #{const _PC_PIPE_BUF}
  SymbolicLinkLimit -> #{const _PC_SYMLINK_MAX}
  SetOwnerAndGroupIsRestricted -> #{const _PC_CHOWN_RESTRICTED}
  FileNamesAreNotTruncated -> #{const _PC_NO_TRUNC}
  VDisableChar -> #{const _PC_VDISABLE}
  AsyncIOAvailable -> #{const _PC_ASYNC_IO}
  PrioIOAvailable -> #{const _PC_PRIO_IO}
  SyncIOAvailable -> #{const _PC_SYNC_IO}
