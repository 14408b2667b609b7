-- SPDX-License-Identifier: BSD-3-Clause
{-# OPTIONS_HADDOCK not-home #-}

-- | The functions of C that this package calls, each as a held call ("Ferry.Foreign"): at the price of an @unsafe@ one,
-- and other Haskell threads run while a disk is slow. Those that may wait for another program, as at a FIFO, are
-- interruptible.
--
-- Each fails with -1, or a null pointer, and @errno@.
module Ferry.Internal.Posix.C
  ( -- * Paths
    CStat,
    statBytes,
    statMode,
    statSize,
    stat,
    lstat,
    access,
    chmod,
    chown,
    lchown,
    link,
    unlink,
    symlink,
    readlink,
    rename,
    mkdir,
    rmdir,
    mkfifo,
    mknod,
    utimensat,
    truncate,
    pathconf,
    realpath,
    chdir,
    getcwd,
    open,

    -- * Descriptors
    fstat,
    fchmod,
    fchown,
    futimens,
    ftruncate,
    fpathconf,
    fsync,
    read,
    write,
    copy,
    getdents64,
    close,

    -- * Constants
    atFdcwd,
    atSymlinkNofollow,
    pathBytesMax,
    readFlags,
    writeFlags,
    appendFlags,
    newFlags,
    listFlags,
  )
where

import Data.Word (Word8)
import Ferry.Foreign (foreignCall, foreignCallInterruptible)
import Foreign.C.String (CString)
import Foreign.C.Types
import Foreign.Ptr (FunPtr, Ptr)
import Foreign.Storable (peekByteOff)
import System.Posix.Internals (CStat)
import System.Posix.Types
import Prelude hiding (read, truncate)

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>

-- | Bytes of a @struct stat@.
statBytes :: Int
statBytes = #{size struct stat}

-- | The type and the permissions in a @struct stat@.
statMode :: Ptr CStat -> IO FileMode
statMode = #{peek struct stat, st_mode}

-- | The size in a @struct stat@.
statSize :: Ptr CStat -> IO FileOffset
statSize = #{peek struct stat, st_size}

-- ---- paths ------------------------------------------------------------------------------------------------------

foreign import ccall "&stat" statAt :: FunPtr (CString -> Ptr CStat -> IO CInt)

stat :: CString -> Ptr CStat -> IO CInt
stat = foreignCall statAt

foreign import ccall "&lstat" lstatAt :: FunPtr (CString -> Ptr CStat -> IO CInt)

lstat :: CString -> Ptr CStat -> IO CInt
lstat = foreignCall lstatAt

foreign import ccall "&access" accessAt :: FunPtr (CString -> CInt -> IO CInt)

access :: CString -> CInt -> IO CInt
access = foreignCall accessAt

foreign import ccall "&chmod" chmodAt :: FunPtr (CString -> CMode -> IO CInt)

chmod :: CString -> CMode -> IO CInt
chmod = foreignCall chmodAt

foreign import ccall "&chown" chownAt :: FunPtr (CString -> CUid -> CGid -> IO CInt)

chown :: CString -> CUid -> CGid -> IO CInt
chown = foreignCall chownAt

foreign import ccall "&lchown" lchownAt :: FunPtr (CString -> CUid -> CGid -> IO CInt)

lchown :: CString -> CUid -> CGid -> IO CInt
lchown = foreignCall lchownAt

foreign import ccall "&link" linkAt :: FunPtr (CString -> CString -> IO CInt)

link :: CString -> CString -> IO CInt
link = foreignCall linkAt

foreign import ccall "&unlink" unlinkAt :: FunPtr (CString -> IO CInt)

unlink :: CString -> IO CInt
unlink = foreignCall unlinkAt

foreign import ccall "&symlink" symlinkAt :: FunPtr (CString -> CString -> IO CInt)

symlink :: CString -> CString -> IO CInt
symlink = foreignCall symlinkAt

foreign import ccall "&readlink" readlinkAt :: FunPtr (CString -> CString -> CSize -> IO CSsize)

readlink :: CString -> CString -> CSize -> IO CSsize
readlink = foreignCall readlinkAt

foreign import ccall "&rename" renameAt :: FunPtr (CString -> CString -> IO CInt)

rename :: CString -> CString -> IO CInt
rename = foreignCall renameAt

foreign import ccall "&mkdir" mkdirAt :: FunPtr (CString -> CMode -> IO CInt)

mkdir :: CString -> CMode -> IO CInt
mkdir = foreignCall mkdirAt

foreign import ccall "&rmdir" rmdirAt :: FunPtr (CString -> IO CInt)

rmdir :: CString -> IO CInt
rmdir = foreignCall rmdirAt

foreign import ccall "&mkfifo" mkfifoAt :: FunPtr (CString -> CMode -> IO CInt)

mkfifo :: CString -> CMode -> IO CInt
mkfifo = foreignCall mkfifoAt

foreign import ccall "&mknod" mknodAt :: FunPtr (CString -> CMode -> CDev -> IO CInt)

mknod :: CString -> CMode -> CDev -> IO CInt
mknod = foreignCall mknodAt

foreign import ccall "&utimensat" utimensatAt :: FunPtr (CInt -> CString -> Ptr CLong -> CInt -> IO CInt)

-- | The times are two @struct timespec@, which is four words: of the last access, and of the last change.
utimensat :: CInt -> CString -> Ptr CLong -> CInt -> IO CInt
utimensat = foreignCall utimensatAt

foreign import ccall "&truncate" truncateAt :: FunPtr (CString -> COff -> IO CInt)

truncate :: CString -> COff -> IO CInt
truncate = foreignCall truncateAt

foreign import ccall "&pathconf" pathconfAt :: FunPtr (CString -> CInt -> IO CLong)

pathconf :: CString -> CInt -> IO CLong
pathconf = foreignCall pathconfAt

foreign import ccall "&realpath" realpathAt :: FunPtr (CString -> CString -> IO CString)

-- | The second is for the result: 'pathBytesMax' bytes and a NUL.
realpath :: CString -> CString -> IO CString
realpath = foreignCall realpathAt

foreign import ccall "&chdir" chdirAt :: FunPtr (CString -> IO CInt)

chdir :: CString -> IO CInt
chdir = foreignCall chdirAt

foreign import ccall "&getcwd" getcwdAt :: FunPtr (CString -> CSize -> IO CString)

getcwd :: CString -> CSize -> IO CString
getcwd = foreignCall getcwdAt

foreign import ccall "&ferry_directory_open" openAt :: FunPtr (CString -> CInt -> CMode -> IO CInt)

open :: CString -> CInt -> CMode -> IO CInt
open = foreignCallInterruptible openAt

-- ---- descriptors ------------------------------------------------------------------------------------------------

foreign import ccall "&fstat" fstatAt :: FunPtr (CInt -> Ptr CStat -> IO CInt)

fstat :: CInt -> Ptr CStat -> IO CInt
fstat = foreignCall fstatAt

foreign import ccall "&fchmod" fchmodAt :: FunPtr (CInt -> CMode -> IO CInt)

fchmod :: CInt -> CMode -> IO CInt
fchmod = foreignCall fchmodAt

foreign import ccall "&fchown" fchownAt :: FunPtr (CInt -> CUid -> CGid -> IO CInt)

fchown :: CInt -> CUid -> CGid -> IO CInt
fchown = foreignCall fchownAt

foreign import ccall "&futimens" futimensAt :: FunPtr (CInt -> Ptr CLong -> IO CInt)

-- | The times are as those of 'utimensat'.
futimens :: CInt -> Ptr CLong -> IO CInt
futimens = foreignCall futimensAt

foreign import ccall "&ftruncate" ftruncateAt :: FunPtr (CInt -> COff -> IO CInt)

ftruncate :: CInt -> COff -> IO CInt
ftruncate = foreignCall ftruncateAt

foreign import ccall "&fpathconf" fpathconfAt :: FunPtr (CInt -> CInt -> IO CLong)

fpathconf :: CInt -> CInt -> IO CLong
fpathconf = foreignCall fpathconfAt

foreign import ccall "&fsync" fsyncAt :: FunPtr (CInt -> IO CInt)

fsync :: CInt -> IO CInt
fsync = foreignCall fsyncAt

foreign import ccall "&read" readAt :: FunPtr (CInt -> Ptr Word8 -> CSize -> IO CSsize)

read :: CInt -> Ptr Word8 -> CSize -> IO CSsize
read = foreignCallInterruptible readAt

foreign import ccall "&write" writeAt :: FunPtr (CInt -> Ptr Word8 -> CSize -> IO CSsize)

write :: CInt -> Ptr Word8 -> CSize -> IO CSsize
write = foreignCallInterruptible writeAt

foreign import ccall "&ferry_directory_copy" copyAt :: FunPtr (CInt -> CInt -> CSize -> IO CSsize)

-- | Copy up to so many bytes of the first file to the second, in the kernel.
copy :: CInt -> CInt -> CSize -> IO CSsize
copy = foreignCall copyAt

foreign import ccall "&getdents64" getdents64At :: FunPtr (CInt -> Ptr Word8 -> CSize -> IO CSsize)

getdents64 :: CInt -> Ptr Word8 -> CSize -> IO CSsize
getdents64 = foreignCall getdents64At

foreign import ccall "&close" closeAt :: FunPtr (CInt -> IO CInt)

close :: CInt -> IO CInt
close = foreignCall closeAt

-- ---- constants --------------------------------------------------------------------------------------------------

-- | Paths are relative to the current directory.
atFdcwd :: CInt
atFdcwd = #{const AT_FDCWD}

-- | A symbolic link itself is meant.
atSymlinkNofollow :: CInt
atSymlinkNofollow = #{const AT_SYMLINK_NOFOLLOW}

-- | The longest path, with its NUL.
pathBytesMax :: Int
pathBytesMax = #{const PATH_MAX}

-- | How a file is opened: to be read, to be written from the start, to be written at its end, to be made, to be listed.
-- @O_NONBLOCK@: who opens a FIFO does not wait for its other end, as in "System.IO".
readFlags, writeFlags, appendFlags, newFlags, listFlags :: CInt
readFlags = #{const O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC}
writeFlags = #{const O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_NOCTTY | O_CLOEXEC}
appendFlags = #{const O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC}
newFlags = #{const O_RDWR | O_CREAT | O_EXCL | O_NOCTTY | O_CLOEXEC}
listFlags = #{const O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC}
