-- SPDX-License-Identifier: BSD-3-Clause
-- Generated from spec/batch.toml by spec/generate.py; edit that file and run `make generate`.
{-# LANGUAGE CPP #-}
{-# LANGUAGE DataKinds #-}
{-# OPTIONS_HADDOCK not-home #-}

-- | System calls as the calls of a program, with the argument types their manual pages give.
module Ferry.Internal.SystemCalls
  ( read
  , write
  , close
  , fstat
  , lseek
  , mmap
  , munmap
  , rt_sigaction
  , ioctl
  , pread64
  , pwrite64
  , readv
  , writev
  , nanosleep
  , fsync
  , fdatasync
  , ftruncate
  , getdents64
  , openat
  , mkdirat
  , newfstatat
  , unlinkat
  , linkat
  , symlinkat
  , readlinkat
  , fchmodat
  , fchownat
  , faccessat2
  , utimensat
  , renameat2
  , statx
  , futex
  , fallocate
  , dup3
  , getrandom
  , mprotect
  , madvise
  , fcntl
  , flock
  , fchmod
  , fchown
  , fadvise64
  , readahead
  , copy_file_range
  , sendfile
  , pipe2
  , eventfd2
  , memfd_create
  , socket
  , socketpair
  , bind
  , listen
  , connect
  , accept4
  , sendto
  , recvfrom
  , setsockopt
  , shutdown
  , clock_gettime
  , clock_nanosleep
  , getpid
  , getppid
  , gettid
  , preadv2
  )
where

import Ferry.Internal.Program (Kind (..), Program, Source, Target (..), Value (..), addCall)
import Ferry.Struct (Iovec, Stat, Statx, Timespec)
import Foreign.C.Types (CChar, CInt, CSize, CUInt, CULong)
import Foreign.Ptr (Ptr)
import System.Posix.Types (CGid, CMode, COff, CSsize, CUid)
import Prelude (Bool (..), Int, String)

#include <asm/unistd.h>

-- | A call whose nature it is that it may take long: its name, its paths, its arguments.
waiting :: Int -> String -> [Source] -> [Source] -> Program 'SystemCalls (Value r)
waiting number = addCall (TargetSystemCall number True)

-- | A call that ends within microseconds.
prompt :: Int -> String -> [Source] -> [Source] -> Program 'SystemCalls (Value r)
prompt number = addCall (TargetSystemCall number False)

-- | @read(int fd, void *buffer, size_t bytes)@. May block.
read ::
  Value CInt ->
  Value (Ptr a) ->
  Value CSize ->
  Program 'SystemCalls (Value CSsize)
read (Value fd) (Value buffer) (Value bytes) =
  waiting __NR_read "read" [] [fd, buffer, bytes]

-- | @write(int fd, const void *buffer, size_t bytes)@. May block.
write ::
  Value CInt ->
  Value (Ptr a) ->
  Value CSize ->
  Program 'SystemCalls (Value CSsize)
write (Value fd) (Value buffer) (Value bytes) =
  waiting __NR_write "write" [] [fd, buffer, bytes]

-- | @close(int fd)@. May block.
close ::
  Value CInt ->
  Program 'SystemCalls (Value CInt)
close (Value fd) =
  waiting __NR_close "close" [] [fd]

-- | @fstat(int fd, struct stat *out)@. May block.
fstat ::
  Value CInt ->
  Value (Ptr Stat) ->
  Program 'SystemCalls (Value CInt)
fstat (Value fd) (Value out) =
  waiting __NR_fstat "fstat" [] [fd, out]

-- | @lseek(int fd, off_t offset, int whence)@. May block.
lseek ::
  Value CInt ->
  Value COff ->
  Value CInt ->
  Program 'SystemCalls (Value COff)
lseek (Value fd) (Value offset) (Value whence) =
  waiting __NR_lseek "lseek" [] [fd, offset, whence]

-- | @mmap(void *address, size_t bytes, int protection, int flags, int fd, off_t offset)@. Never blocks.
mmap ::
  Value (Ptr a) ->
  Value CSize ->
  Value CInt ->
  Value CInt ->
  Value CInt ->
  Value COff ->
  Program 'SystemCalls (Value (Ptr b))
mmap (Value address) (Value bytes) (Value protection) (Value flags) (Value fd) (Value offset) =
  prompt __NR_mmap "mmap" [] [address, bytes, protection, flags, fd, offset]

-- | @munmap(void *address, size_t bytes)@. Never blocks.
munmap ::
  Value (Ptr a) ->
  Value CSize ->
  Program 'SystemCalls (Value CInt)
munmap (Value address) (Value bytes) =
  prompt __NR_munmap "munmap" [] [address, bytes]

-- | @rt_sigaction(int signal, const void *action, void *old_action, size_t mask_bytes)@. Never blocks.
rt_sigaction ::
  Value CInt ->
  Value (Ptr a) ->
  Value (Ptr b) ->
  Value CSize ->
  Program 'SystemCalls (Value CInt)
rt_sigaction (Value signal) (Value action) (Value old_action) (Value mask_bytes) =
  prompt __NR_rt_sigaction "rt_sigaction" [] [signal, action, old_action, mask_bytes]

-- | @ioctl(int fd, unsigned long request, void *argument)@. May block.
ioctl ::
  Value CInt ->
  Value CULong ->
  Value (Ptr a) ->
  Program 'SystemCalls (Value CInt)
ioctl (Value fd) (Value request) (Value argument) =
  waiting __NR_ioctl "ioctl" [] [fd, request, argument]

-- | @pread64(int fd, void *buffer, size_t bytes, off_t offset)@. May block.
pread64 ::
  Value CInt ->
  Value (Ptr a) ->
  Value CSize ->
  Value COff ->
  Program 'SystemCalls (Value CSsize)
pread64 (Value fd) (Value buffer) (Value bytes) (Value offset) =
  waiting __NR_pread64 "pread64" [] [fd, buffer, bytes, offset]

-- | @pwrite64(int fd, const void *buffer, size_t bytes, off_t offset)@. May block.
pwrite64 ::
  Value CInt ->
  Value (Ptr a) ->
  Value CSize ->
  Value COff ->
  Program 'SystemCalls (Value CSsize)
pwrite64 (Value fd) (Value buffer) (Value bytes) (Value offset) =
  waiting __NR_pwrite64 "pwrite64" [] [fd, buffer, bytes, offset]

-- | @readv(int fd, const struct iovec *vector, int count)@. May block.
readv ::
  Value CInt ->
  Value (Ptr Iovec) ->
  Value CInt ->
  Program 'SystemCalls (Value CSsize)
readv (Value fd) (Value vector) (Value count) =
  waiting __NR_readv "readv" [] [fd, vector, count]

-- | @writev(int fd, const struct iovec *vector, int count)@. May block.
writev ::
  Value CInt ->
  Value (Ptr Iovec) ->
  Value CInt ->
  Program 'SystemCalls (Value CSsize)
writev (Value fd) (Value vector) (Value count) =
  waiting __NR_writev "writev" [] [fd, vector, count]

-- | @nanosleep(const struct timespec *request, struct timespec *remaining)@. May block.
nanosleep ::
  Value (Ptr Timespec) ->
  Value (Ptr Timespec) ->
  Program 'SystemCalls (Value CInt)
nanosleep (Value request) (Value remaining) =
  waiting __NR_nanosleep "nanosleep" [] [request, remaining]

-- | @fsync(int fd)@. May block.
fsync ::
  Value CInt ->
  Program 'SystemCalls (Value CInt)
fsync (Value fd) =
  waiting __NR_fsync "fsync" [] [fd]

-- | @fdatasync(int fd)@. May block.
fdatasync ::
  Value CInt ->
  Program 'SystemCalls (Value CInt)
fdatasync (Value fd) =
  waiting __NR_fdatasync "fdatasync" [] [fd]

-- | @ftruncate(int fd, off_t bytes)@. May block.
ftruncate ::
  Value CInt ->
  Value COff ->
  Program 'SystemCalls (Value CInt)
ftruncate (Value fd) (Value bytes) =
  waiting __NR_ftruncate "ftruncate" [] [fd, bytes]

-- | @getdents64(int fd, void *buffer, size_t bytes)@. May block.
getdents64 ::
  Value CInt ->
  Value (Ptr a) ->
  Value CSize ->
  Program 'SystemCalls (Value CSsize)
getdents64 (Value fd) (Value buffer) (Value bytes) =
  waiting __NR_getdents64 "getdents64" [] [fd, buffer, bytes]

-- | @openat(int dirfd, const char *path, int flags, mode_t mode)@. May block.
openat ::
  Value CInt ->
  Value (Ptr CChar) ->
  Value CInt ->
  Value CMode ->
  Program 'SystemCalls (Value CInt)
openat (Value dirfd) (Value path) (Value flags) (Value mode) =
  waiting __NR_openat "openat" [path] [dirfd, path, flags, mode]

-- | @mkdirat(int dirfd, const char *path, mode_t mode)@. May block.
mkdirat ::
  Value CInt ->
  Value (Ptr CChar) ->
  Value CMode ->
  Program 'SystemCalls (Value CInt)
mkdirat (Value dirfd) (Value path) (Value mode) =
  waiting __NR_mkdirat "mkdirat" [path] [dirfd, path, mode]

-- | @newfstatat(int dirfd, const char *path, struct stat *out, int flags)@. May block.
newfstatat ::
  Value CInt ->
  Value (Ptr CChar) ->
  Value (Ptr Stat) ->
  Value CInt ->
  Program 'SystemCalls (Value CInt)
newfstatat (Value dirfd) (Value path) (Value out) (Value flags) =
  waiting __NR_newfstatat "newfstatat" [path] [dirfd, path, out, flags]

-- | @unlinkat(int dirfd, const char *path, int flags)@. May block.
unlinkat ::
  Value CInt ->
  Value (Ptr CChar) ->
  Value CInt ->
  Program 'SystemCalls (Value CInt)
unlinkat (Value dirfd) (Value path) (Value flags) =
  waiting __NR_unlinkat "unlinkat" [path] [dirfd, path, flags]

-- | @linkat(int old_dirfd, const char *old_path, int new_dirfd, const char *new_path, int flags)@. May block.
linkat ::
  Value CInt ->
  Value (Ptr CChar) ->
  Value CInt ->
  Value (Ptr CChar) ->
  Value CInt ->
  Program 'SystemCalls (Value CInt)
linkat (Value old_dirfd) (Value old_path) (Value new_dirfd) (Value new_path) (Value flags) =
  waiting __NR_linkat "linkat" [old_path, new_path] [old_dirfd, old_path, new_dirfd, new_path, flags]

-- | @symlinkat(const char *target, int dirfd, const char *path)@. May block.
symlinkat ::
  Value (Ptr CChar) ->
  Value CInt ->
  Value (Ptr CChar) ->
  Program 'SystemCalls (Value CInt)
symlinkat (Value target) (Value dirfd) (Value path) =
  waiting __NR_symlinkat "symlinkat" [path] [target, dirfd, path]

-- | @readlinkat(int dirfd, const char *path, char *buffer, size_t bytes)@. May block.
readlinkat ::
  Value CInt ->
  Value (Ptr CChar) ->
  Value (Ptr CChar) ->
  Value CSize ->
  Program 'SystemCalls (Value CSsize)
readlinkat (Value dirfd) (Value path) (Value buffer) (Value bytes) =
  waiting __NR_readlinkat "readlinkat" [path] [dirfd, path, buffer, bytes]

-- | @fchmodat(int dirfd, const char *path, mode_t mode)@. May block.
fchmodat ::
  Value CInt ->
  Value (Ptr CChar) ->
  Value CMode ->
  Program 'SystemCalls (Value CInt)
fchmodat (Value dirfd) (Value path) (Value mode) =
  waiting __NR_fchmodat "fchmodat" [path] [dirfd, path, mode]

-- | @fchownat(int dirfd, const char *path, uid_t owner, gid_t group, int flags)@. May block.
fchownat ::
  Value CInt ->
  Value (Ptr CChar) ->
  Value CUid ->
  Value CGid ->
  Value CInt ->
  Program 'SystemCalls (Value CInt)
fchownat (Value dirfd) (Value path) (Value owner) (Value group) (Value flags) =
  waiting __NR_fchownat "fchownat" [path] [dirfd, path, owner, group, flags]

-- | @faccessat2(int dirfd, const char *path, int mode, int flags)@. May block.
faccessat2 ::
  Value CInt ->
  Value (Ptr CChar) ->
  Value CInt ->
  Value CInt ->
  Program 'SystemCalls (Value CInt)
faccessat2 (Value dirfd) (Value path) (Value mode) (Value flags) =
  waiting __NR_faccessat2 "faccessat2" [path] [dirfd, path, mode, flags]

-- | @utimensat(int dirfd, const char *path, const struct timespec *times, int flags)@. May block.
utimensat ::
  Value CInt ->
  Value (Ptr CChar) ->
  Value (Ptr Timespec) ->
  Value CInt ->
  Program 'SystemCalls (Value CInt)
utimensat (Value dirfd) (Value path) (Value times) (Value flags) =
  waiting __NR_utimensat "utimensat" [path] [dirfd, path, times, flags]

-- | @renameat2(int old_dirfd, const char *old_path, int new_dirfd, const char *new_path, unsigned int flags)@. May block.
renameat2 ::
  Value CInt ->
  Value (Ptr CChar) ->
  Value CInt ->
  Value (Ptr CChar) ->
  Value CUInt ->
  Program 'SystemCalls (Value CInt)
renameat2 (Value old_dirfd) (Value old_path) (Value new_dirfd) (Value new_path) (Value flags) =
  waiting __NR_renameat2 "renameat2" [old_path, new_path] [old_dirfd, old_path, new_dirfd, new_path, flags]

-- | @statx(int dirfd, const char *path, int flags, unsigned int mask, struct statx *out)@. May block.
statx ::
  Value CInt ->
  Value (Ptr CChar) ->
  Value CInt ->
  Value CUInt ->
  Value (Ptr Statx) ->
  Program 'SystemCalls (Value CInt)
statx (Value dirfd) (Value path) (Value flags) (Value mask) (Value out) =
  waiting __NR_statx "statx" [path] [dirfd, path, flags, mask, out]

-- | @futex(void *word, int operation, unsigned int value, const struct timespec *timeout, void *word2, unsigned int value3)@. May block.
futex ::
  Value (Ptr a) ->
  Value CInt ->
  Value CUInt ->
  Value (Ptr Timespec) ->
  Value (Ptr b) ->
  Value CUInt ->
  Program 'SystemCalls (Value CInt)
futex (Value word) (Value operation) (Value value) (Value timeout) (Value word2) (Value value3) =
  waiting __NR_futex "futex" [] [word, operation, value, timeout, word2, value3]

-- | @fallocate(int fd, int mode, off_t offset, off_t bytes)@. May block.
fallocate ::
  Value CInt ->
  Value CInt ->
  Value COff ->
  Value COff ->
  Program 'SystemCalls (Value CInt)
fallocate (Value fd) (Value mode) (Value offset) (Value bytes) =
  waiting __NR_fallocate "fallocate" [] [fd, mode, offset, bytes]

-- | @dup3(int old_fd, int new_fd, int flags)@. May block.
dup3 ::
  Value CInt ->
  Value CInt ->
  Value CInt ->
  Program 'SystemCalls (Value CInt)
dup3 (Value old_fd) (Value new_fd) (Value flags) =
  waiting __NR_dup3 "dup3" [] [old_fd, new_fd, flags]

-- | @getrandom(void *buffer, size_t bytes, unsigned int flags)@. May block.
getrandom ::
  Value (Ptr a) ->
  Value CSize ->
  Value CUInt ->
  Program 'SystemCalls (Value CSsize)
getrandom (Value buffer) (Value bytes) (Value flags) =
  waiting __NR_getrandom "getrandom" [] [buffer, bytes, flags]

-- | @mprotect(void *address, size_t bytes, int protection)@. Never blocks.
mprotect ::
  Value (Ptr a) ->
  Value CSize ->
  Value CInt ->
  Program 'SystemCalls (Value CInt)
mprotect (Value address) (Value bytes) (Value protection) =
  prompt __NR_mprotect "mprotect" [] [address, bytes, protection]

-- | @madvise(void *address, size_t bytes, int advice)@. Never blocks.
madvise ::
  Value (Ptr a) ->
  Value CSize ->
  Value CInt ->
  Program 'SystemCalls (Value CInt)
madvise (Value address) (Value bytes) (Value advice) =
  prompt __NR_madvise "madvise" [] [address, bytes, advice]

-- | @fcntl(int fd, int command, unsigned long argument)@. May block.
fcntl ::
  Value CInt ->
  Value CInt ->
  Value CULong ->
  Program 'SystemCalls (Value CInt)
fcntl (Value fd) (Value command) (Value argument) =
  waiting __NR_fcntl "fcntl" [] [fd, command, argument]

-- | @flock(int fd, int operation)@. May block.
flock ::
  Value CInt ->
  Value CInt ->
  Program 'SystemCalls (Value CInt)
flock (Value fd) (Value operation) =
  waiting __NR_flock "flock" [] [fd, operation]

-- | @fchmod(int fd, mode_t mode)@. May block.
fchmod ::
  Value CInt ->
  Value CMode ->
  Program 'SystemCalls (Value CInt)
fchmod (Value fd) (Value mode) =
  waiting __NR_fchmod "fchmod" [] [fd, mode]

-- | @fchown(int fd, uid_t owner, gid_t group)@. May block.
fchown ::
  Value CInt ->
  Value CUid ->
  Value CGid ->
  Program 'SystemCalls (Value CInt)
fchown (Value fd) (Value owner) (Value group) =
  waiting __NR_fchown "fchown" [] [fd, owner, group]

-- | @fadvise64(int fd, off_t offset, off_t bytes, int advice)@. May block.
fadvise64 ::
  Value CInt ->
  Value COff ->
  Value COff ->
  Value CInt ->
  Program 'SystemCalls (Value CInt)
fadvise64 (Value fd) (Value offset) (Value bytes) (Value advice) =
  waiting __NR_fadvise64 "fadvise64" [] [fd, offset, bytes, advice]

-- | @readahead(int fd, off_t offset, size_t bytes)@. May block.
readahead ::
  Value CInt ->
  Value COff ->
  Value CSize ->
  Program 'SystemCalls (Value CSsize)
readahead (Value fd) (Value offset) (Value bytes) =
  waiting __NR_readahead "readahead" [] [fd, offset, bytes]

-- | @copy_file_range(int in_fd, off_t *in_offset, int out_fd, off_t *out_offset, size_t bytes, unsigned int flags)@. May block.
copy_file_range ::
  Value CInt ->
  Value (Ptr COff) ->
  Value CInt ->
  Value (Ptr COff) ->
  Value CSize ->
  Value CUInt ->
  Program 'SystemCalls (Value CSsize)
copy_file_range (Value in_fd) (Value in_offset) (Value out_fd) (Value out_offset) (Value bytes) (Value flags) =
  waiting __NR_copy_file_range "copy_file_range" [] [in_fd, in_offset, out_fd, out_offset, bytes, flags]

-- | @sendfile(int out_fd, int in_fd, off_t *offset, size_t bytes)@. May block.
sendfile ::
  Value CInt ->
  Value CInt ->
  Value (Ptr COff) ->
  Value CSize ->
  Program 'SystemCalls (Value CSsize)
sendfile (Value out_fd) (Value in_fd) (Value offset) (Value bytes) =
  waiting __NR_sendfile "sendfile" [] [out_fd, in_fd, offset, bytes]

-- | @pipe2(int *fds, int flags)@. Never blocks.
pipe2 ::
  Value (Ptr CInt) ->
  Value CInt ->
  Program 'SystemCalls (Value CInt)
pipe2 (Value fds) (Value flags) =
  prompt __NR_pipe2 "pipe2" [] [fds, flags]

-- | @eventfd2(unsigned int count, int flags)@. Never blocks.
eventfd2 ::
  Value CUInt ->
  Value CInt ->
  Program 'SystemCalls (Value CInt)
eventfd2 (Value count) (Value flags) =
  prompt __NR_eventfd2 "eventfd2" [] [count, flags]

-- | @memfd_create(const char *name, unsigned int flags)@. Never blocks.
memfd_create ::
  Value (Ptr CChar) ->
  Value CUInt ->
  Program 'SystemCalls (Value CInt)
memfd_create (Value name) (Value flags) =
  prompt __NR_memfd_create "memfd_create" [] [name, flags]

-- | @socket(int family, int type, int protocol)@. Never blocks.
socket ::
  Value CInt ->
  Value CInt ->
  Value CInt ->
  Program 'SystemCalls (Value CInt)
socket (Value family) (Value type_) (Value protocol) =
  prompt __NR_socket "socket" [] [family, type_, protocol]

-- | @socketpair(int family, int type, int protocol, int *fds)@. Never blocks.
socketpair ::
  Value CInt ->
  Value CInt ->
  Value CInt ->
  Value (Ptr CInt) ->
  Program 'SystemCalls (Value CInt)
socketpair (Value family) (Value type_) (Value protocol) (Value fds) =
  prompt __NR_socketpair "socketpair" [] [family, type_, protocol, fds]

-- | @bind(int fd, const void *address, unsigned int bytes)@. May block.
bind ::
  Value CInt ->
  Value (Ptr a) ->
  Value CUInt ->
  Program 'SystemCalls (Value CInt)
bind (Value fd) (Value address) (Value bytes) =
  waiting __NR_bind "bind" [] [fd, address, bytes]

-- | @listen(int fd, int backlog)@. May block.
listen ::
  Value CInt ->
  Value CInt ->
  Program 'SystemCalls (Value CInt)
listen (Value fd) (Value backlog) =
  waiting __NR_listen "listen" [] [fd, backlog]

-- | @connect(int fd, const void *address, unsigned int bytes)@. May block.
connect ::
  Value CInt ->
  Value (Ptr a) ->
  Value CUInt ->
  Program 'SystemCalls (Value CInt)
connect (Value fd) (Value address) (Value bytes) =
  waiting __NR_connect "connect" [] [fd, address, bytes]

-- | @accept4(int fd, void *address, unsigned int *bytes, int flags)@. May block.
accept4 ::
  Value CInt ->
  Value (Ptr a) ->
  Value (Ptr CUInt) ->
  Value CInt ->
  Program 'SystemCalls (Value CInt)
accept4 (Value fd) (Value address) (Value bytes) (Value flags) =
  waiting __NR_accept4 "accept4" [] [fd, address, bytes, flags]

-- | @sendto(int fd, const void *buffer, size_t bytes, int flags, const void *address, unsigned int address_bytes)@. May block.
sendto ::
  Value CInt ->
  Value (Ptr a) ->
  Value CSize ->
  Value CInt ->
  Value (Ptr b) ->
  Value CUInt ->
  Program 'SystemCalls (Value CSsize)
sendto (Value fd) (Value buffer) (Value bytes) (Value flags) (Value address) (Value address_bytes) =
  waiting __NR_sendto "sendto" [] [fd, buffer, bytes, flags, address, address_bytes]

-- | @recvfrom(int fd, void *buffer, size_t bytes, int flags, void *address, unsigned int *address_bytes)@. May block.
recvfrom ::
  Value CInt ->
  Value (Ptr a) ->
  Value CSize ->
  Value CInt ->
  Value (Ptr b) ->
  Value (Ptr CUInt) ->
  Program 'SystemCalls (Value CSsize)
recvfrom (Value fd) (Value buffer) (Value bytes) (Value flags) (Value address) (Value address_bytes) =
  waiting __NR_recvfrom "recvfrom" [] [fd, buffer, bytes, flags, address, address_bytes]

-- | @setsockopt(int fd, int level, int option, const void *value, unsigned int bytes)@. May block.
setsockopt ::
  Value CInt ->
  Value CInt ->
  Value CInt ->
  Value (Ptr a) ->
  Value CUInt ->
  Program 'SystemCalls (Value CInt)
setsockopt (Value fd) (Value level) (Value option) (Value value) (Value bytes) =
  waiting __NR_setsockopt "setsockopt" [] [fd, level, option, value, bytes]

-- | @shutdown(int fd, int how)@. May block.
shutdown ::
  Value CInt ->
  Value CInt ->
  Program 'SystemCalls (Value CInt)
shutdown (Value fd) (Value how) =
  waiting __NR_shutdown "shutdown" [] [fd, how]

-- | @clock_gettime(int clock, struct timespec *out)@. Never blocks.
clock_gettime ::
  Value CInt ->
  Value (Ptr Timespec) ->
  Program 'SystemCalls (Value CInt)
clock_gettime (Value clock) (Value out) =
  prompt __NR_clock_gettime "clock_gettime" [] [clock, out]

-- | @clock_nanosleep(int clock, int flags, const struct timespec *request, struct timespec *remaining)@. May block.
clock_nanosleep ::
  Value CInt ->
  Value CInt ->
  Value (Ptr Timespec) ->
  Value (Ptr Timespec) ->
  Program 'SystemCalls (Value CInt)
clock_nanosleep (Value clock) (Value flags) (Value request) (Value remaining) =
  waiting __NR_clock_nanosleep "clock_nanosleep" [] [clock, flags, request, remaining]

-- | @getpid(void)@. Never blocks.
getpid ::
  Program 'SystemCalls (Value CInt)
getpid =
  prompt __NR_getpid "getpid" [] []

-- | @getppid(void)@. Never blocks.
getppid ::
  Program 'SystemCalls (Value CInt)
getppid =
  prompt __NR_getppid "getppid" [] []

-- | @gettid(void)@. Never blocks.
gettid ::
  Program 'SystemCalls (Value CInt)
gettid =
  prompt __NR_gettid "gettid" [] []

-- | @preadv2(int fd, const struct iovec *vector, unsigned long count, unsigned long offset_low, unsigned long offset_high, int flags)@. May block.
preadv2 ::
  Value CInt ->
  Value (Ptr Iovec) ->
  Value CULong ->
  Value CULong ->
  Value CULong ->
  Value CInt ->
  Program 'SystemCalls (Value CSsize)
preadv2 (Value fd) (Value vector) (Value count) (Value offset_low) (Value offset_high) (Value flags) =
  waiting __NR_preadv2 "preadv2" [] [fd, vector, count, offset_low, offset_high, flags]
