-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE CApiFFI #-}

-- | The constants that system calls on files, memory and time take, by their C names in Haskell's spelling: @O_RDONLY@ is 'oRdonly'. Combine flags
-- with 'Data.Bits..|.'. The values are those of the C headers that the package was built with.
module Ferry.Constants
  ( -- * Opening files
    -- $for0
    oRdonly,
    oWronly,
    oRdwr,
    oAppend,
    oCloexec,
    oCreat,
    oDirect,
    oDirectory,
    oDsync,
    oExcl,
    oNoatime,
    oNoctty,
    oNofollow,
    oNonblock,
    oPath,
    oSync,
    oTmpfile,
    oTrunc,

    -- * Directories
    -- $for1
    atFdcwd,
    atEmptyPath,
    atNoAutomount,
    atRemovedir,
    atSymlinkFollow,
    atSymlinkNofollow,
    atEaccess,
    atStatxSyncAsStat,
    atStatxForceSync,
    atStatxDontSync,

    -- * What to ask statx for
    -- $for2
    statxType,
    statxMode,
    statxNlink,
    statxUid,
    statxGid,
    statxAtime,
    statxMtime,
    statxCtime,
    statxIno,
    statxSize,
    statxBlocks,
    statxBasicStats,
    statxBtime,

    -- * File types
    -- $for3
    sIfmt,
    sIfreg,
    sIfdir,
    sIflnk,
    sIfifo,
    sIfsock,
    sIfchr,
    sIfblk,

    -- * Permissions
    -- $for4
    sIsuid,
    sIsgid,
    sIsvtx,
    sIrwxu,
    sIrusr,
    sIwusr,
    sIxusr,
    sIrwxg,
    sIrgrp,
    sIwgrp,
    sIxgrp,
    sIrwxo,
    sIroth,
    sIwoth,
    sIxoth,

    -- * Access
    -- $for5
    fOk,
    rOk,
    wOk,
    xOk,

    -- * Positions
    -- $for6
    seekSet,
    seekCur,
    seekEnd,
    seekData,
    seekHole,

    -- * Reading
    -- $for7
    rwfNowait,

    -- * Memory
    -- $for8
    protNone,
    protRead,
    protWrite,
    protExec,
    mapShared,
    mapPrivate,
    mapAnonymous,
    mapFixed,
    mapFixedNoreplace,
    mapNoreserve,
    mapPopulate,

    -- * Advice on memory
    -- $for9
    madvNormal,
    madvSequential,
    madvWillneed,
    madvDontneed,
    madvFree,
    madvHugepage,
    madvNohugepage,

    -- * Advice on files
    -- $for10
    posixFadvNormal,
    posixFadvRandom,
    posixFadvSequential,
    posixFadvWillneed,
    posixFadvDontneed,
    posixFadvNoreuse,

    -- * Renaming
    -- $for11
    renameNoreplace,
    renameExchange,

    -- * Room for files
    -- $for12
    fallocFlKeepSize,
    fallocFlPunchHole,
    fallocFlZeroRange,

    -- * Descriptors
    -- $for13
    fGetfd,
    fSetfd,
    fGetfl,
    fSetfl,
    fDupfdCloexec,
    fdCloexec,

    -- * Locks
    -- $for14
    lockSh,
    lockEx,
    lockUn,
    lockNb,

    -- * Times
    -- $for15
    utimeNow,
    utimeOmit,

    -- * Clocks
    -- $for16
    clockRealtime,
    clockMonotonic,
    clockMonotonicCoarse,
    clockBoottime,
    timerAbstime,

    -- * Futexes
    -- $for17
    futexWait,
    futexWake,
    futexWaitBitset,
    futexWakeBitset,
    futexPrivateFlag,
  )
where

import Data.Int (Int64)
import Foreign.C.Types (CInt (..), CUInt (..))
import System.Posix.Types (CMode (..))

-- $for0
-- For @open@, @openat@.

foreign import capi "fcntl.h value O_RDONLY" oRdonly :: CInt

foreign import capi "fcntl.h value O_WRONLY" oWronly :: CInt

foreign import capi "fcntl.h value O_RDWR" oRdwr :: CInt

foreign import capi "fcntl.h value O_APPEND" oAppend :: CInt

foreign import capi "fcntl.h value O_CLOEXEC" oCloexec :: CInt

foreign import capi "fcntl.h value O_CREAT" oCreat :: CInt

foreign import capi "fcntl.h value O_DIRECT" oDirect :: CInt

foreign import capi "fcntl.h value O_DIRECTORY" oDirectory :: CInt

foreign import capi "fcntl.h value O_DSYNC" oDsync :: CInt

foreign import capi "fcntl.h value O_EXCL" oExcl :: CInt

foreign import capi "fcntl.h value O_NOATIME" oNoatime :: CInt

foreign import capi "fcntl.h value O_NOCTTY" oNoctty :: CInt

foreign import capi "fcntl.h value O_NOFOLLOW" oNofollow :: CInt

foreign import capi "fcntl.h value O_NONBLOCK" oNonblock :: CInt

foreign import capi "fcntl.h value O_PATH" oPath :: CInt

foreign import capi "fcntl.h value O_SYNC" oSync :: CInt

foreign import capi "fcntl.h value O_TMPFILE" oTmpfile :: CInt

foreign import capi "fcntl.h value O_TRUNC" oTrunc :: CInt

-- $for1
-- For the calls that end in @at@.

foreign import capi "fcntl.h value AT_FDCWD" atFdcwd :: CInt

foreign import capi "fcntl.h value AT_EMPTY_PATH" atEmptyPath :: CInt

foreign import capi "fcntl.h value AT_NO_AUTOMOUNT" atNoAutomount :: CInt

foreign import capi "fcntl.h value AT_REMOVEDIR" atRemovedir :: CInt

foreign import capi "fcntl.h value AT_SYMLINK_FOLLOW" atSymlinkFollow :: CInt

foreign import capi "fcntl.h value AT_SYMLINK_NOFOLLOW" atSymlinkNofollow :: CInt

foreign import capi "fcntl.h value AT_EACCESS" atEaccess :: CInt

foreign import capi "fcntl.h value AT_STATX_SYNC_AS_STAT" atStatxSyncAsStat :: CInt

foreign import capi "fcntl.h value AT_STATX_FORCE_SYNC" atStatxForceSync :: CInt

foreign import capi "fcntl.h value AT_STATX_DONT_SYNC" atStatxDontSync :: CInt

-- $for2
-- For @statx@.

foreign import capi "sys/stat.h value STATX_TYPE" statxType :: CUInt

foreign import capi "sys/stat.h value STATX_MODE" statxMode :: CUInt

foreign import capi "sys/stat.h value STATX_NLINK" statxNlink :: CUInt

foreign import capi "sys/stat.h value STATX_UID" statxUid :: CUInt

foreign import capi "sys/stat.h value STATX_GID" statxGid :: CUInt

foreign import capi "sys/stat.h value STATX_ATIME" statxAtime :: CUInt

foreign import capi "sys/stat.h value STATX_MTIME" statxMtime :: CUInt

foreign import capi "sys/stat.h value STATX_CTIME" statxCtime :: CUInt

foreign import capi "sys/stat.h value STATX_INO" statxIno :: CUInt

foreign import capi "sys/stat.h value STATX_SIZE" statxSize :: CUInt

foreign import capi "sys/stat.h value STATX_BLOCKS" statxBlocks :: CUInt

foreign import capi "sys/stat.h value STATX_BASIC_STATS" statxBasicStats :: CUInt

foreign import capi "sys/stat.h value STATX_BTIME" statxBtime :: CUInt

-- $for3
-- For modes.

foreign import capi "sys/stat.h value S_IFMT" sIfmt :: CMode

foreign import capi "sys/stat.h value S_IFREG" sIfreg :: CMode

foreign import capi "sys/stat.h value S_IFDIR" sIfdir :: CMode

foreign import capi "sys/stat.h value S_IFLNK" sIflnk :: CMode

foreign import capi "sys/stat.h value S_IFIFO" sIfifo :: CMode

foreign import capi "sys/stat.h value S_IFSOCK" sIfsock :: CMode

foreign import capi "sys/stat.h value S_IFCHR" sIfchr :: CMode

foreign import capi "sys/stat.h value S_IFBLK" sIfblk :: CMode

-- $for4
-- For modes.

foreign import capi "sys/stat.h value S_ISUID" sIsuid :: CMode

foreign import capi "sys/stat.h value S_ISGID" sIsgid :: CMode

foreign import capi "sys/stat.h value S_ISVTX" sIsvtx :: CMode

foreign import capi "sys/stat.h value S_IRWXU" sIrwxu :: CMode

foreign import capi "sys/stat.h value S_IRUSR" sIrusr :: CMode

foreign import capi "sys/stat.h value S_IWUSR" sIwusr :: CMode

foreign import capi "sys/stat.h value S_IXUSR" sIxusr :: CMode

foreign import capi "sys/stat.h value S_IRWXG" sIrwxg :: CMode

foreign import capi "sys/stat.h value S_IRGRP" sIrgrp :: CMode

foreign import capi "sys/stat.h value S_IWGRP" sIwgrp :: CMode

foreign import capi "sys/stat.h value S_IXGRP" sIxgrp :: CMode

foreign import capi "sys/stat.h value S_IRWXO" sIrwxo :: CMode

foreign import capi "sys/stat.h value S_IROTH" sIroth :: CMode

foreign import capi "sys/stat.h value S_IWOTH" sIwoth :: CMode

foreign import capi "sys/stat.h value S_IXOTH" sIxoth :: CMode

-- $for5
-- For @faccessat2@.

foreign import capi "unistd.h value F_OK" fOk :: CInt

foreign import capi "unistd.h value R_OK" rOk :: CInt

foreign import capi "unistd.h value W_OK" wOk :: CInt

foreign import capi "unistd.h value X_OK" xOk :: CInt

-- $for6
-- For @lseek@.

foreign import capi "unistd.h value SEEK_SET" seekSet :: CInt

foreign import capi "unistd.h value SEEK_CUR" seekCur :: CInt

foreign import capi "unistd.h value SEEK_END" seekEnd :: CInt

foreign import capi "unistd.h value SEEK_DATA" seekData :: CInt

foreign import capi "unistd.h value SEEK_HOLE" seekHole :: CInt

-- $for7
-- For @preadv2@.

foreign import capi "sys/uio.h value RWF_NOWAIT" rwfNowait :: CInt

-- $for8
-- For @mmap@, @mprotect@.

foreign import capi "sys/mman.h value PROT_NONE" protNone :: CInt

foreign import capi "sys/mman.h value PROT_READ" protRead :: CInt

foreign import capi "sys/mman.h value PROT_WRITE" protWrite :: CInt

foreign import capi "sys/mman.h value PROT_EXEC" protExec :: CInt

foreign import capi "sys/mman.h value MAP_SHARED" mapShared :: CInt

foreign import capi "sys/mman.h value MAP_PRIVATE" mapPrivate :: CInt

foreign import capi "sys/mman.h value MAP_ANONYMOUS" mapAnonymous :: CInt

foreign import capi "sys/mman.h value MAP_FIXED" mapFixed :: CInt

foreign import capi "sys/mman.h value MAP_FIXED_NOREPLACE" mapFixedNoreplace :: CInt

foreign import capi "sys/mman.h value MAP_NORESERVE" mapNoreserve :: CInt

foreign import capi "sys/mman.h value MAP_POPULATE" mapPopulate :: CInt

-- $for9
-- For @madvise@.

foreign import capi "sys/mman.h value MADV_NORMAL" madvNormal :: CInt

foreign import capi "sys/mman.h value MADV_SEQUENTIAL" madvSequential :: CInt

foreign import capi "sys/mman.h value MADV_WILLNEED" madvWillneed :: CInt

foreign import capi "sys/mman.h value MADV_DONTNEED" madvDontneed :: CInt

foreign import capi "sys/mman.h value MADV_FREE" madvFree :: CInt

foreign import capi "sys/mman.h value MADV_HUGEPAGE" madvHugepage :: CInt

foreign import capi "sys/mman.h value MADV_NOHUGEPAGE" madvNohugepage :: CInt

-- $for10
-- For @fadvise64@.

foreign import capi "fcntl.h value POSIX_FADV_NORMAL" posixFadvNormal :: CInt

foreign import capi "fcntl.h value POSIX_FADV_RANDOM" posixFadvRandom :: CInt

foreign import capi "fcntl.h value POSIX_FADV_SEQUENTIAL" posixFadvSequential :: CInt

foreign import capi "fcntl.h value POSIX_FADV_WILLNEED" posixFadvWillneed :: CInt

foreign import capi "fcntl.h value POSIX_FADV_DONTNEED" posixFadvDontneed :: CInt

foreign import capi "fcntl.h value POSIX_FADV_NOREUSE" posixFadvNoreuse :: CInt

-- $for11
-- For @renameat2@.

foreign import capi "linux/fs.h value RENAME_NOREPLACE" renameNoreplace :: CUInt

foreign import capi "linux/fs.h value RENAME_EXCHANGE" renameExchange :: CUInt

-- $for12
-- For @fallocate@.

foreign import capi "linux/falloc.h value FALLOC_FL_KEEP_SIZE" fallocFlKeepSize :: CInt

foreign import capi "linux/falloc.h value FALLOC_FL_PUNCH_HOLE" fallocFlPunchHole :: CInt

foreign import capi "linux/falloc.h value FALLOC_FL_ZERO_RANGE" fallocFlZeroRange :: CInt

-- $for13
-- For @fcntl@.

foreign import capi "fcntl.h value F_GETFD" fGetfd :: CInt

foreign import capi "fcntl.h value F_SETFD" fSetfd :: CInt

foreign import capi "fcntl.h value F_GETFL" fGetfl :: CInt

foreign import capi "fcntl.h value F_SETFL" fSetfl :: CInt

foreign import capi "fcntl.h value F_DUPFD_CLOEXEC" fDupfdCloexec :: CInt

foreign import capi "fcntl.h value FD_CLOEXEC" fdCloexec :: CInt

-- $for14
-- For @flock@.

foreign import capi "sys/file.h value LOCK_SH" lockSh :: CInt

foreign import capi "sys/file.h value LOCK_EX" lockEx :: CInt

foreign import capi "sys/file.h value LOCK_UN" lockUn :: CInt

foreign import capi "sys/file.h value LOCK_NB" lockNb :: CInt

-- $for15
-- For @utimensat@, in place of the nanoseconds.

foreign import capi "sys/stat.h value UTIME_NOW" utimeNow :: Int64

foreign import capi "sys/stat.h value UTIME_OMIT" utimeOmit :: Int64

-- $for16
-- For @clock_gettime@, @clock_nanosleep@.

foreign import capi "time.h value CLOCK_REALTIME" clockRealtime :: CInt

foreign import capi "time.h value CLOCK_MONOTONIC" clockMonotonic :: CInt

foreign import capi "time.h value CLOCK_MONOTONIC_COARSE" clockMonotonicCoarse :: CInt

foreign import capi "time.h value CLOCK_BOOTTIME" clockBoottime :: CInt

foreign import capi "time.h value TIMER_ABSTIME" timerAbstime :: CInt

-- $for17
-- For @futex@.

foreign import capi "linux/futex.h value FUTEX_WAIT" futexWait :: CInt

foreign import capi "linux/futex.h value FUTEX_WAKE" futexWake :: CInt

foreign import capi "linux/futex.h value FUTEX_WAIT_BITSET" futexWaitBitset :: CInt

foreign import capi "linux/futex.h value FUTEX_WAKE_BITSET" futexWakeBitset :: CInt

foreign import capi "linux/futex.h value FUTEX_PRIVATE_FLAG" futexPrivateFlag :: CInt
