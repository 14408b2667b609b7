-- SPDX-License-Identifier: BSD-3-Clause
-- long: one list of constants, in the order of what takes them
{-# LANGUAGE CApiFFI #-}

-- | The constants that system calls on files, memory and time take, by their C names in Haskell's spelling: @O_RDONLY@
-- is 'oRdonly'. Combine flags with 'Data.Bits..|.'. The values are those of the C headers that the package was built
-- with.
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

-- | @O_RDONLY@
foreign import capi "fcntl.h value O_RDONLY" oRdonly :: CInt

-- | @O_WRONLY@
foreign import capi "fcntl.h value O_WRONLY" oWronly :: CInt

-- | @O_RDWR@
foreign import capi "fcntl.h value O_RDWR" oRdwr :: CInt

-- | @O_APPEND@
foreign import capi "fcntl.h value O_APPEND" oAppend :: CInt

-- | @O_CLOEXEC@
foreign import capi "fcntl.h value O_CLOEXEC" oCloexec :: CInt

-- | @O_CREAT@
foreign import capi "fcntl.h value O_CREAT" oCreat :: CInt

-- | @O_DIRECT@
foreign import capi "fcntl.h value O_DIRECT" oDirect :: CInt

-- | @O_DIRECTORY@
foreign import capi "fcntl.h value O_DIRECTORY" oDirectory :: CInt

-- | @O_DSYNC@
foreign import capi "fcntl.h value O_DSYNC" oDsync :: CInt

-- | @O_EXCL@
foreign import capi "fcntl.h value O_EXCL" oExcl :: CInt

-- | @O_NOATIME@
foreign import capi "fcntl.h value O_NOATIME" oNoatime :: CInt

-- | @O_NOCTTY@
foreign import capi "fcntl.h value O_NOCTTY" oNoctty :: CInt

-- | @O_NOFOLLOW@
foreign import capi "fcntl.h value O_NOFOLLOW" oNofollow :: CInt

-- | @O_NONBLOCK@
foreign import capi "fcntl.h value O_NONBLOCK" oNonblock :: CInt

-- | @O_PATH@
foreign import capi "fcntl.h value O_PATH" oPath :: CInt

-- | @O_SYNC@
foreign import capi "fcntl.h value O_SYNC" oSync :: CInt

-- | @O_TMPFILE@
foreign import capi "fcntl.h value O_TMPFILE" oTmpfile :: CInt

-- | @O_TRUNC@
foreign import capi "fcntl.h value O_TRUNC" oTrunc :: CInt

-- $for1
-- For the calls that end in @at@.

-- | @AT_FDCWD@
foreign import capi "fcntl.h value AT_FDCWD" atFdcwd :: CInt

-- | @AT_EMPTY_PATH@
foreign import capi "fcntl.h value AT_EMPTY_PATH" atEmptyPath :: CInt

-- | @AT_NO_AUTOMOUNT@
foreign import capi "fcntl.h value AT_NO_AUTOMOUNT" atNoAutomount :: CInt

-- | @AT_REMOVEDIR@
foreign import capi "fcntl.h value AT_REMOVEDIR" atRemovedir :: CInt

-- | @AT_SYMLINK_FOLLOW@
foreign import capi "fcntl.h value AT_SYMLINK_FOLLOW" atSymlinkFollow :: CInt

-- | @AT_SYMLINK_NOFOLLOW@
foreign import capi "fcntl.h value AT_SYMLINK_NOFOLLOW" atSymlinkNofollow :: CInt

-- | @AT_EACCESS@
foreign import capi "fcntl.h value AT_EACCESS" atEaccess :: CInt

-- | @AT_STATX_SYNC_AS_STAT@
foreign import capi "fcntl.h value AT_STATX_SYNC_AS_STAT" atStatxSyncAsStat :: CInt

-- | @AT_STATX_FORCE_SYNC@
foreign import capi "fcntl.h value AT_STATX_FORCE_SYNC" atStatxForceSync :: CInt

-- | @AT_STATX_DONT_SYNC@
foreign import capi "fcntl.h value AT_STATX_DONT_SYNC" atStatxDontSync :: CInt

-- $for2
-- For @statx@.

-- | @STATX_TYPE@
foreign import capi "sys/stat.h value STATX_TYPE" statxType :: CUInt

-- | @STATX_MODE@
foreign import capi "sys/stat.h value STATX_MODE" statxMode :: CUInt

-- | @STATX_NLINK@
foreign import capi "sys/stat.h value STATX_NLINK" statxNlink :: CUInt

-- | @STATX_UID@
foreign import capi "sys/stat.h value STATX_UID" statxUid :: CUInt

-- | @STATX_GID@
foreign import capi "sys/stat.h value STATX_GID" statxGid :: CUInt

-- | @STATX_ATIME@
foreign import capi "sys/stat.h value STATX_ATIME" statxAtime :: CUInt

-- | @STATX_MTIME@
foreign import capi "sys/stat.h value STATX_MTIME" statxMtime :: CUInt

-- | @STATX_CTIME@
foreign import capi "sys/stat.h value STATX_CTIME" statxCtime :: CUInt

-- | @STATX_INO@
foreign import capi "sys/stat.h value STATX_INO" statxIno :: CUInt

-- | @STATX_SIZE@
foreign import capi "sys/stat.h value STATX_SIZE" statxSize :: CUInt

-- | @STATX_BLOCKS@
foreign import capi "sys/stat.h value STATX_BLOCKS" statxBlocks :: CUInt

-- | @STATX_BASIC_STATS@
foreign import capi "sys/stat.h value STATX_BASIC_STATS" statxBasicStats :: CUInt

-- | @STATX_BTIME@
foreign import capi "sys/stat.h value STATX_BTIME" statxBtime :: CUInt

-- $for3
-- For modes.

-- | @S_IFMT@
foreign import capi "sys/stat.h value S_IFMT" sIfmt :: CMode

-- | @S_IFREG@
foreign import capi "sys/stat.h value S_IFREG" sIfreg :: CMode

-- | @S_IFDIR@
foreign import capi "sys/stat.h value S_IFDIR" sIfdir :: CMode

-- | @S_IFLNK@
foreign import capi "sys/stat.h value S_IFLNK" sIflnk :: CMode

-- | @S_IFIFO@
foreign import capi "sys/stat.h value S_IFIFO" sIfifo :: CMode

-- | @S_IFSOCK@
foreign import capi "sys/stat.h value S_IFSOCK" sIfsock :: CMode

-- | @S_IFCHR@
foreign import capi "sys/stat.h value S_IFCHR" sIfchr :: CMode

-- | @S_IFBLK@
foreign import capi "sys/stat.h value S_IFBLK" sIfblk :: CMode

-- $for4
-- For modes.

-- | @S_ISUID@
foreign import capi "sys/stat.h value S_ISUID" sIsuid :: CMode

-- | @S_ISGID@
foreign import capi "sys/stat.h value S_ISGID" sIsgid :: CMode

-- | @S_ISVTX@
foreign import capi "sys/stat.h value S_ISVTX" sIsvtx :: CMode

-- | @S_IRWXU@
foreign import capi "sys/stat.h value S_IRWXU" sIrwxu :: CMode

-- | @S_IRUSR@
foreign import capi "sys/stat.h value S_IRUSR" sIrusr :: CMode

-- | @S_IWUSR@
foreign import capi "sys/stat.h value S_IWUSR" sIwusr :: CMode

-- | @S_IXUSR@
foreign import capi "sys/stat.h value S_IXUSR" sIxusr :: CMode

-- | @S_IRWXG@
foreign import capi "sys/stat.h value S_IRWXG" sIrwxg :: CMode

-- | @S_IRGRP@
foreign import capi "sys/stat.h value S_IRGRP" sIrgrp :: CMode

-- | @S_IWGRP@
foreign import capi "sys/stat.h value S_IWGRP" sIwgrp :: CMode

-- | @S_IXGRP@
foreign import capi "sys/stat.h value S_IXGRP" sIxgrp :: CMode

-- | @S_IRWXO@
foreign import capi "sys/stat.h value S_IRWXO" sIrwxo :: CMode

-- | @S_IROTH@
foreign import capi "sys/stat.h value S_IROTH" sIroth :: CMode

-- | @S_IWOTH@
foreign import capi "sys/stat.h value S_IWOTH" sIwoth :: CMode

-- | @S_IXOTH@
foreign import capi "sys/stat.h value S_IXOTH" sIxoth :: CMode

-- $for5
-- For @faccessat2@.

-- | @F_OK@
foreign import capi "unistd.h value F_OK" fOk :: CInt

-- | @R_OK@
foreign import capi "unistd.h value R_OK" rOk :: CInt

-- | @W_OK@
foreign import capi "unistd.h value W_OK" wOk :: CInt

-- | @X_OK@
foreign import capi "unistd.h value X_OK" xOk :: CInt

-- $for6
-- For @lseek@.

-- | @SEEK_SET@
foreign import capi "unistd.h value SEEK_SET" seekSet :: CInt

-- | @SEEK_CUR@
foreign import capi "unistd.h value SEEK_CUR" seekCur :: CInt

-- | @SEEK_END@
foreign import capi "unistd.h value SEEK_END" seekEnd :: CInt

-- | @SEEK_DATA@
foreign import capi "unistd.h value SEEK_DATA" seekData :: CInt

-- | @SEEK_HOLE@
foreign import capi "unistd.h value SEEK_HOLE" seekHole :: CInt

-- $for7
-- For @preadv2@.

-- | @RWF_NOWAIT@
foreign import capi "sys/uio.h value RWF_NOWAIT" rwfNowait :: CInt

-- $for8
-- For @mmap@, @mprotect@.

-- | @PROT_NONE@
foreign import capi "sys/mman.h value PROT_NONE" protNone :: CInt

-- | @PROT_READ@
foreign import capi "sys/mman.h value PROT_READ" protRead :: CInt

-- | @PROT_WRITE@
foreign import capi "sys/mman.h value PROT_WRITE" protWrite :: CInt

-- | @PROT_EXEC@
foreign import capi "sys/mman.h value PROT_EXEC" protExec :: CInt

-- | @MAP_SHARED@
foreign import capi "sys/mman.h value MAP_SHARED" mapShared :: CInt

-- | @MAP_PRIVATE@
foreign import capi "sys/mman.h value MAP_PRIVATE" mapPrivate :: CInt

-- | @MAP_ANONYMOUS@
foreign import capi "sys/mman.h value MAP_ANONYMOUS" mapAnonymous :: CInt

-- | @MAP_FIXED@
foreign import capi "sys/mman.h value MAP_FIXED" mapFixed :: CInt

-- | @MAP_FIXED_NOREPLACE@
foreign import capi "sys/mman.h value MAP_FIXED_NOREPLACE" mapFixedNoreplace :: CInt

-- | @MAP_NORESERVE@
foreign import capi "sys/mman.h value MAP_NORESERVE" mapNoreserve :: CInt

-- | @MAP_POPULATE@
foreign import capi "sys/mman.h value MAP_POPULATE" mapPopulate :: CInt

-- $for9
-- For @madvise@.

-- | @MADV_NORMAL@
foreign import capi "sys/mman.h value MADV_NORMAL" madvNormal :: CInt

-- | @MADV_SEQUENTIAL@
foreign import capi "sys/mman.h value MADV_SEQUENTIAL" madvSequential :: CInt

-- | @MADV_WILLNEED@
foreign import capi "sys/mman.h value MADV_WILLNEED" madvWillneed :: CInt

-- | @MADV_DONTNEED@
foreign import capi "sys/mman.h value MADV_DONTNEED" madvDontneed :: CInt

-- | @MADV_FREE@
foreign import capi "sys/mman.h value MADV_FREE" madvFree :: CInt

-- | @MADV_HUGEPAGE@
foreign import capi "sys/mman.h value MADV_HUGEPAGE" madvHugepage :: CInt

-- | @MADV_NOHUGEPAGE@
foreign import capi "sys/mman.h value MADV_NOHUGEPAGE" madvNohugepage :: CInt

-- $for10
-- For @fadvise64@.

-- | @POSIX_FADV_NORMAL@
foreign import capi "fcntl.h value POSIX_FADV_NORMAL" posixFadvNormal :: CInt

-- | @POSIX_FADV_RANDOM@
foreign import capi "fcntl.h value POSIX_FADV_RANDOM" posixFadvRandom :: CInt

-- | @POSIX_FADV_SEQUENTIAL@
foreign import capi "fcntl.h value POSIX_FADV_SEQUENTIAL" posixFadvSequential :: CInt

-- | @POSIX_FADV_WILLNEED@
foreign import capi "fcntl.h value POSIX_FADV_WILLNEED" posixFadvWillneed :: CInt

-- | @POSIX_FADV_DONTNEED@
foreign import capi "fcntl.h value POSIX_FADV_DONTNEED" posixFadvDontneed :: CInt

-- | @POSIX_FADV_NOREUSE@
foreign import capi "fcntl.h value POSIX_FADV_NOREUSE" posixFadvNoreuse :: CInt

-- $for11
-- For @renameat2@.

-- | @RENAME_NOREPLACE@
foreign import capi "linux/fs.h value RENAME_NOREPLACE" renameNoreplace :: CUInt

-- | @RENAME_EXCHANGE@
foreign import capi "linux/fs.h value RENAME_EXCHANGE" renameExchange :: CUInt

-- $for12
-- For @fallocate@.

-- | @FALLOC_FL_KEEP_SIZE@
foreign import capi "linux/falloc.h value FALLOC_FL_KEEP_SIZE" fallocFlKeepSize :: CInt

-- | @FALLOC_FL_PUNCH_HOLE@
foreign import capi "linux/falloc.h value FALLOC_FL_PUNCH_HOLE" fallocFlPunchHole :: CInt

-- | @FALLOC_FL_ZERO_RANGE@
foreign import capi "linux/falloc.h value FALLOC_FL_ZERO_RANGE" fallocFlZeroRange :: CInt

-- $for13
-- For @fcntl@.

-- | @F_GETFD@
foreign import capi "fcntl.h value F_GETFD" fGetfd :: CInt

-- | @F_SETFD@
foreign import capi "fcntl.h value F_SETFD" fSetfd :: CInt

-- | @F_GETFL@
foreign import capi "fcntl.h value F_GETFL" fGetfl :: CInt

-- | @F_SETFL@
foreign import capi "fcntl.h value F_SETFL" fSetfl :: CInt

-- | @F_DUPFD_CLOEXEC@
foreign import capi "fcntl.h value F_DUPFD_CLOEXEC" fDupfdCloexec :: CInt

-- | @FD_CLOEXEC@
foreign import capi "fcntl.h value FD_CLOEXEC" fdCloexec :: CInt

-- $for14
-- For @flock@.

-- | @LOCK_SH@
foreign import capi "sys/file.h value LOCK_SH" lockSh :: CInt

-- | @LOCK_EX@
foreign import capi "sys/file.h value LOCK_EX" lockEx :: CInt

-- | @LOCK_UN@
foreign import capi "sys/file.h value LOCK_UN" lockUn :: CInt

-- | @LOCK_NB@
foreign import capi "sys/file.h value LOCK_NB" lockNb :: CInt

-- $for15
-- For @utimensat@, in place of the nanoseconds.

-- | @UTIME_NOW@
foreign import capi "sys/stat.h value UTIME_NOW" utimeNow :: Int64

-- | @UTIME_OMIT@
foreign import capi "sys/stat.h value UTIME_OMIT" utimeOmit :: Int64

-- $for16
-- For @clock_gettime@, @clock_nanosleep@.

-- | @CLOCK_REALTIME@
foreign import capi "time.h value CLOCK_REALTIME" clockRealtime :: CInt

-- | @CLOCK_MONOTONIC@
foreign import capi "time.h value CLOCK_MONOTONIC" clockMonotonic :: CInt

-- | @CLOCK_MONOTONIC_COARSE@
foreign import capi "time.h value CLOCK_MONOTONIC_COARSE" clockMonotonicCoarse :: CInt

-- | @CLOCK_BOOTTIME@
foreign import capi "time.h value CLOCK_BOOTTIME" clockBoottime :: CInt

-- | @TIMER_ABSTIME@
foreign import capi "time.h value TIMER_ABSTIME" timerAbstime :: CInt

-- $for17
-- For @futex@.

-- | @FUTEX_WAIT@
foreign import capi "linux/futex.h value FUTEX_WAIT" futexWait :: CInt

-- | @FUTEX_WAKE@
foreign import capi "linux/futex.h value FUTEX_WAKE" futexWake :: CInt

-- | @FUTEX_WAIT_BITSET@
foreign import capi "linux/futex.h value FUTEX_WAIT_BITSET" futexWaitBitset :: CInt

-- | @FUTEX_WAKE_BITSET@
foreign import capi "linux/futex.h value FUTEX_WAKE_BITSET" futexWakeBitset :: CInt

-- | @FUTEX_PRIVATE_FLAG@
foreign import capi "linux/futex.h value FUTEX_PRIVATE_FLAG" futexPrivateFlag :: CInt
