-- SPDX-License-Identifier: BSD-3-Clause
-- Generated from spec/batch.toml by spec/generate.py; edit that file and run `make generate`.
{-# LANGUAGE CPP #-}
{-# LANGUAGE DataKinds #-}
{-# OPTIONS_HADDOCK not-home #-}

-- | System calls as the calls of a program, with the argument types their manual pages give.
module Ferry.Internal.SystemCalls
  ( -- * Structures
    Iovec,
    Stat,
    Statx,
    Timespec,

    -- * Calls
    read,
    write,
    close,
    fstat,
    lseek,
    mmap,
    munmap,
    rt_sigaction,
    ioctl,
    pread64,
    pwrite64,
    readv,
    writev,
    nanosleep,
    fsync,
    fdatasync,
    ftruncate,
    getdents64,
    openat,
    mkdirat,
    newfstatat,
    unlinkat,
    linkat,
    symlinkat,
    readlinkat,
    fchmodat,
    fchownat,
    faccessat2,
    utimensat,
    renameat2,
    statx,
    futex,
    fallocate,
    dup3,
    getrandom,
  )
where

import Ferry.Internal.Program (Kind (..), Program, Source, Target (..), Value (..), addCall)
import Foreign.C.Types (CChar, CInt, CSize, CUInt, CULong)
import Foreign.Ptr (Ptr)
import System.Posix.Types (CGid, CMode, COff, CSsize, CUid)
import Prelude (Int, String)

#include <asm/unistd.h>

-- | @struct iovec@
data Iovec

-- | @struct stat@
data Stat

-- | @struct statx@
data Statx

-- | @struct timespec@
data Timespec

system :: Int -> String -> [Source] -> Program 'SystemCalls (Value r)
system number = addCall (TargetSystemCall number)

-- | @read(int fd, void *buffer, size_t bytes)@
read ::
  Value CInt ->
  Value (Ptr a) ->
  Value CSize ->
  Program 'SystemCalls (Value CSsize)
read (Value fd) (Value buffer) (Value bytes) =
  system __NR_read "read" [fd, buffer, bytes]

-- | @write(int fd, const void *buffer, size_t bytes)@
write ::
  Value CInt ->
  Value (Ptr a) ->
  Value CSize ->
  Program 'SystemCalls (Value CSsize)
write (Value fd) (Value buffer) (Value bytes) =
  system __NR_write "write" [fd, buffer, bytes]

-- | @close(int fd)@
close ::
  Value CInt ->
  Program 'SystemCalls (Value CInt)
close (Value fd) =
  system __NR_close "close" [fd]

-- | @fstat(int fd, struct stat *out)@
fstat ::
  Value CInt ->
  Value (Ptr Stat) ->
  Program 'SystemCalls (Value CInt)
fstat (Value fd) (Value out) =
  system __NR_fstat "fstat" [fd, out]

-- | @lseek(int fd, off_t offset, int whence)@
lseek ::
  Value CInt ->
  Value COff ->
  Value CInt ->
  Program 'SystemCalls (Value COff)
lseek (Value fd) (Value offset) (Value whence) =
  system __NR_lseek "lseek" [fd, offset, whence]

-- | @mmap(void *address, size_t bytes, int protection, int flags, int fd, off_t offset)@
mmap ::
  Value (Ptr a) ->
  Value CSize ->
  Value CInt ->
  Value CInt ->
  Value CInt ->
  Value COff ->
  Program 'SystemCalls (Value (Ptr b))
mmap (Value address) (Value bytes) (Value protection) (Value flags) (Value fd) (Value offset) =
  system __NR_mmap "mmap" [address, bytes, protection, flags, fd, offset]

-- | @munmap(void *address, size_t bytes)@
munmap ::
  Value (Ptr a) ->
  Value CSize ->
  Program 'SystemCalls (Value CInt)
munmap (Value address) (Value bytes) =
  system __NR_munmap "munmap" [address, bytes]

-- | @rt_sigaction(int signal, const void *action, void *old_action, size_t mask_bytes)@
rt_sigaction ::
  Value CInt ->
  Value (Ptr a) ->
  Value (Ptr b) ->
  Value CSize ->
  Program 'SystemCalls (Value CInt)
rt_sigaction (Value signal) (Value action) (Value old_action) (Value mask_bytes) =
  system __NR_rt_sigaction "rt_sigaction" [signal, action, old_action, mask_bytes]

-- | @ioctl(int fd, unsigned long request, void *argument)@
ioctl ::
  Value CInt ->
  Value CULong ->
  Value (Ptr a) ->
  Program 'SystemCalls (Value CInt)
ioctl (Value fd) (Value request) (Value argument) =
  system __NR_ioctl "ioctl" [fd, request, argument]

-- | @pread64(int fd, void *buffer, size_t bytes, off_t offset)@
pread64 ::
  Value CInt ->
  Value (Ptr a) ->
  Value CSize ->
  Value COff ->
  Program 'SystemCalls (Value CSsize)
pread64 (Value fd) (Value buffer) (Value bytes) (Value offset) =
  system __NR_pread64 "pread64" [fd, buffer, bytes, offset]

-- | @pwrite64(int fd, const void *buffer, size_t bytes, off_t offset)@
pwrite64 ::
  Value CInt ->
  Value (Ptr a) ->
  Value CSize ->
  Value COff ->
  Program 'SystemCalls (Value CSsize)
pwrite64 (Value fd) (Value buffer) (Value bytes) (Value offset) =
  system __NR_pwrite64 "pwrite64" [fd, buffer, bytes, offset]

-- | @readv(int fd, const struct iovec *vector, int count)@
readv ::
  Value CInt ->
  Value (Ptr Iovec) ->
  Value CInt ->
  Program 'SystemCalls (Value CSsize)
readv (Value fd) (Value vector) (Value count) =
  system __NR_readv "readv" [fd, vector, count]

-- | @writev(int fd, const struct iovec *vector, int count)@
writev ::
  Value CInt ->
  Value (Ptr Iovec) ->
  Value CInt ->
  Program 'SystemCalls (Value CSsize)
writev (Value fd) (Value vector) (Value count) =
  system __NR_writev "writev" [fd, vector, count]

-- | @nanosleep(const struct timespec *request, struct timespec *remaining)@
nanosleep ::
  Value (Ptr Timespec) ->
  Value (Ptr Timespec) ->
  Program 'SystemCalls (Value CInt)
nanosleep (Value request) (Value remaining) =
  system __NR_nanosleep "nanosleep" [request, remaining]

-- | @fsync(int fd)@
fsync ::
  Value CInt ->
  Program 'SystemCalls (Value CInt)
fsync (Value fd) =
  system __NR_fsync "fsync" [fd]

-- | @fdatasync(int fd)@
fdatasync ::
  Value CInt ->
  Program 'SystemCalls (Value CInt)
fdatasync (Value fd) =
  system __NR_fdatasync "fdatasync" [fd]

-- | @ftruncate(int fd, off_t bytes)@
ftruncate ::
  Value CInt ->
  Value COff ->
  Program 'SystemCalls (Value CInt)
ftruncate (Value fd) (Value bytes) =
  system __NR_ftruncate "ftruncate" [fd, bytes]

-- | @getdents64(int fd, void *buffer, size_t bytes)@
getdents64 ::
  Value CInt ->
  Value (Ptr a) ->
  Value CSize ->
  Program 'SystemCalls (Value CSsize)
getdents64 (Value fd) (Value buffer) (Value bytes) =
  system __NR_getdents64 "getdents64" [fd, buffer, bytes]

-- | @openat(int dirfd, const char *path, int flags, mode_t mode)@
openat ::
  Value CInt ->
  Value (Ptr CChar) ->
  Value CInt ->
  Value CMode ->
  Program 'SystemCalls (Value CInt)
openat (Value dirfd) (Value path) (Value flags) (Value mode) =
  system __NR_openat "openat" [dirfd, path, flags, mode]

-- | @mkdirat(int dirfd, const char *path, mode_t mode)@
mkdirat ::
  Value CInt ->
  Value (Ptr CChar) ->
  Value CMode ->
  Program 'SystemCalls (Value CInt)
mkdirat (Value dirfd) (Value path) (Value mode) =
  system __NR_mkdirat "mkdirat" [dirfd, path, mode]

-- | @newfstatat(int dirfd, const char *path, struct stat *out, int flags)@
newfstatat ::
  Value CInt ->
  Value (Ptr CChar) ->
  Value (Ptr Stat) ->
  Value CInt ->
  Program 'SystemCalls (Value CInt)
newfstatat (Value dirfd) (Value path) (Value out) (Value flags) =
  system __NR_newfstatat "newfstatat" [dirfd, path, out, flags]

-- | @unlinkat(int dirfd, const char *path, int flags)@
unlinkat ::
  Value CInt ->
  Value (Ptr CChar) ->
  Value CInt ->
  Program 'SystemCalls (Value CInt)
unlinkat (Value dirfd) (Value path) (Value flags) =
  system __NR_unlinkat "unlinkat" [dirfd, path, flags]

-- | @linkat(int old_dirfd, const char *old_path, int new_dirfd, const char *new_path, int flags)@
linkat ::
  Value CInt ->
  Value (Ptr CChar) ->
  Value CInt ->
  Value (Ptr CChar) ->
  Value CInt ->
  Program 'SystemCalls (Value CInt)
linkat (Value old_dirfd) (Value old_path) (Value new_dirfd) (Value new_path) (Value flags) =
  system __NR_linkat "linkat" [old_dirfd, old_path, new_dirfd, new_path, flags]

-- | @symlinkat(const char *target, int dirfd, const char *path)@
symlinkat ::
  Value (Ptr CChar) ->
  Value CInt ->
  Value (Ptr CChar) ->
  Program 'SystemCalls (Value CInt)
symlinkat (Value target) (Value dirfd) (Value path) =
  system __NR_symlinkat "symlinkat" [target, dirfd, path]

-- | @readlinkat(int dirfd, const char *path, char *buffer, size_t bytes)@
readlinkat ::
  Value CInt ->
  Value (Ptr CChar) ->
  Value (Ptr CChar) ->
  Value CSize ->
  Program 'SystemCalls (Value CSsize)
readlinkat (Value dirfd) (Value path) (Value buffer) (Value bytes) =
  system __NR_readlinkat "readlinkat" [dirfd, path, buffer, bytes]

-- | @fchmodat(int dirfd, const char *path, mode_t mode)@
fchmodat ::
  Value CInt ->
  Value (Ptr CChar) ->
  Value CMode ->
  Program 'SystemCalls (Value CInt)
fchmodat (Value dirfd) (Value path) (Value mode) =
  system __NR_fchmodat "fchmodat" [dirfd, path, mode]

-- | @fchownat(int dirfd, const char *path, uid_t owner, gid_t group, int flags)@
fchownat ::
  Value CInt ->
  Value (Ptr CChar) ->
  Value CUid ->
  Value CGid ->
  Value CInt ->
  Program 'SystemCalls (Value CInt)
fchownat (Value dirfd) (Value path) (Value owner) (Value group) (Value flags) =
  system __NR_fchownat "fchownat" [dirfd, path, owner, group, flags]

-- | @faccessat2(int dirfd, const char *path, int mode, int flags)@
faccessat2 ::
  Value CInt ->
  Value (Ptr CChar) ->
  Value CInt ->
  Value CInt ->
  Program 'SystemCalls (Value CInt)
faccessat2 (Value dirfd) (Value path) (Value mode) (Value flags) =
  system __NR_faccessat2 "faccessat2" [dirfd, path, mode, flags]

-- | @utimensat(int dirfd, const char *path, const struct timespec *times, int flags)@
utimensat ::
  Value CInt ->
  Value (Ptr CChar) ->
  Value (Ptr Timespec) ->
  Value CInt ->
  Program 'SystemCalls (Value CInt)
utimensat (Value dirfd) (Value path) (Value times) (Value flags) =
  system __NR_utimensat "utimensat" [dirfd, path, times, flags]

-- | @renameat2(int old_dirfd, const char *old_path, int new_dirfd, const char *new_path, unsigned int flags)@
renameat2 ::
  Value CInt ->
  Value (Ptr CChar) ->
  Value CInt ->
  Value (Ptr CChar) ->
  Value CUInt ->
  Program 'SystemCalls (Value CInt)
renameat2 (Value old_dirfd) (Value old_path) (Value new_dirfd) (Value new_path) (Value flags) =
  system __NR_renameat2 "renameat2" [old_dirfd, old_path, new_dirfd, new_path, flags]

-- | @statx(int dirfd, const char *path, int flags, unsigned int mask, struct statx *out)@
statx ::
  Value CInt ->
  Value (Ptr CChar) ->
  Value CInt ->
  Value CUInt ->
  Value (Ptr Statx) ->
  Program 'SystemCalls (Value CInt)
statx (Value dirfd) (Value path) (Value flags) (Value mask) (Value out) =
  system __NR_statx "statx" [dirfd, path, flags, mask, out]

-- | @futex(void *word, int operation, unsigned int value, const struct timespec *timeout, void *word2, unsigned int value3)@
futex ::
  Value (Ptr a) ->
  Value CInt ->
  Value CUInt ->
  Value (Ptr Timespec) ->
  Value (Ptr b) ->
  Value CUInt ->
  Program 'SystemCalls (Value CInt)
futex (Value word) (Value operation) (Value value) (Value timeout) (Value word2) (Value value3) =
  system __NR_futex "futex" [word, operation, value, timeout, word2, value3]

-- | @fallocate(int fd, int mode, off_t offset, off_t bytes)@
fallocate ::
  Value CInt ->
  Value CInt ->
  Value COff ->
  Value COff ->
  Program 'SystemCalls (Value CInt)
fallocate (Value fd) (Value mode) (Value offset) (Value bytes) =
  system __NR_fallocate "fallocate" [fd, mode, offset, bytes]

-- | @dup3(int old_fd, int new_fd, int flags)@
dup3 ::
  Value CInt ->
  Value CInt ->
  Value CInt ->
  Program 'SystemCalls (Value CInt)
dup3 (Value old_fd) (Value new_fd) (Value flags) =
  system __NR_dup3 "dup3" [old_fd, new_fd, flags]

-- | @getrandom(void *buffer, size_t bytes, unsigned int flags)@
getrandom ::
  Value (Ptr a) ->
  Value CSize ->
  Value CUInt ->
  Program 'SystemCalls (Value CSsize)
getrandom (Value buffer) (Value bytes) (Value flags) =
  system __NR_getrandom "getrandom" [buffer, bytes, flags]
