/* SPDX-License-Identifier: BSD-3-Clause */
/* Generated from spec/batch.toml by spec/generate.py; edit that file and run `make generate`. */
/*
 * Typed builders: batch_builder_NAME adds one system call with the argument types its manual page gives and
 * returns its slot's index, or -errno as batch_builder_call does. Include <ferry/batch.h>, not this file.
 */
#ifndef FERRY_TYPED_H
#define FERRY_TYPED_H

/* FERRY_INLINE is `static inline` for C callers; the library instantiates it once for other languages. */
#ifndef FERRY_INLINE
#define FERRY_INLINE static inline
#endif

struct iovec;
struct stat;
struct statx;
struct timespec;

#ifdef __NR_read
FERRY_INLINE long batch_builder_read(struct batch_builder *builder, int fd, void *buffer, size_t bytes)
{
	const long words[] = { (long)fd, (long)buffer, (long)bytes };
	return batch_builder_call(builder, __NR_read, 3, words);
}
#endif

#ifdef __NR_write
FERRY_INLINE long batch_builder_write(struct batch_builder *builder, int fd, const void *buffer, size_t bytes)
{
	const long words[] = { (long)fd, (long)buffer, (long)bytes };
	return batch_builder_call(builder, __NR_write, 3, words);
}
#endif

#ifdef __NR_open
FERRY_INLINE long batch_builder_open(struct batch_builder *builder, const char *path, int flags, mode_t mode)
{
	const long words[] = { (long)path, (long)flags, (long)mode };
	return batch_builder_call(builder, __NR_open, 3, words);
}
#endif

#ifdef __NR_close
FERRY_INLINE long batch_builder_close(struct batch_builder *builder, int fd)
{
	const long words[] = { (long)fd };
	return batch_builder_call(builder, __NR_close, 1, words);
}
#endif

#ifdef __NR_fstat
FERRY_INLINE long batch_builder_fstat(struct batch_builder *builder, int fd, struct stat *out)
{
	const long words[] = { (long)fd, (long)out };
	return batch_builder_call(builder, __NR_fstat, 2, words);
}
#endif

#ifdef __NR_lseek
FERRY_INLINE long batch_builder_lseek(struct batch_builder *builder, int fd, off_t offset, int whence)
{
	const long words[] = { (long)fd, (long)offset, (long)whence };
	return batch_builder_call(builder, __NR_lseek, 3, words);
}
#endif

#ifdef __NR_mmap
FERRY_INLINE long batch_builder_mmap(struct batch_builder *builder, void *address, size_t bytes, int protection, int flags, int fd, off_t offset)
{
	const long words[] = { (long)address, (long)bytes, (long)protection, (long)flags, (long)fd, (long)offset };
	return batch_builder_call(builder, __NR_mmap, 6, words);
}
#endif

#ifdef __NR_munmap
FERRY_INLINE long batch_builder_munmap(struct batch_builder *builder, void *address, size_t bytes)
{
	const long words[] = { (long)address, (long)bytes };
	return batch_builder_call(builder, __NR_munmap, 2, words);
}
#endif

#ifdef __NR_rt_sigaction
FERRY_INLINE long batch_builder_rt_sigaction(struct batch_builder *builder, int signal, const void *action, void *old_action, size_t mask_bytes)
{
	const long words[] = { (long)signal, (long)action, (long)old_action, (long)mask_bytes };
	return batch_builder_call(builder, __NR_rt_sigaction, 4, words);
}
#endif

#ifdef __NR_ioctl
FERRY_INLINE long batch_builder_ioctl(struct batch_builder *builder, int fd, unsigned long request, void *argument)
{
	const long words[] = { (long)fd, (long)request, (long)argument };
	return batch_builder_call(builder, __NR_ioctl, 3, words);
}
#endif

#ifdef __NR_pread64
FERRY_INLINE long batch_builder_pread64(struct batch_builder *builder, int fd, void *buffer, size_t bytes, off_t offset)
{
	const long words[] = { (long)fd, (long)buffer, (long)bytes, (long)offset };
	return batch_builder_call(builder, __NR_pread64, 4, words);
}
#endif

#ifdef __NR_pwrite64
FERRY_INLINE long batch_builder_pwrite64(struct batch_builder *builder, int fd, const void *buffer, size_t bytes, off_t offset)
{
	const long words[] = { (long)fd, (long)buffer, (long)bytes, (long)offset };
	return batch_builder_call(builder, __NR_pwrite64, 4, words);
}
#endif

#ifdef __NR_readv
FERRY_INLINE long batch_builder_readv(struct batch_builder *builder, int fd, const struct iovec *vector, int count)
{
	const long words[] = { (long)fd, (long)vector, (long)count };
	return batch_builder_call(builder, __NR_readv, 3, words);
}
#endif

#ifdef __NR_writev
FERRY_INLINE long batch_builder_writev(struct batch_builder *builder, int fd, const struct iovec *vector, int count)
{
	const long words[] = { (long)fd, (long)vector, (long)count };
	return batch_builder_call(builder, __NR_writev, 3, words);
}
#endif

#ifdef __NR_access
FERRY_INLINE long batch_builder_access(struct batch_builder *builder, const char *path, int mode)
{
	const long words[] = { (long)path, (long)mode };
	return batch_builder_call(builder, __NR_access, 2, words);
}
#endif

#ifdef __NR_nanosleep
FERRY_INLINE long batch_builder_nanosleep(struct batch_builder *builder, const struct timespec *request, struct timespec *remaining)
{
	const long words[] = { (long)request, (long)remaining };
	return batch_builder_call(builder, __NR_nanosleep, 2, words);
}
#endif

#ifdef __NR_fsync
FERRY_INLINE long batch_builder_fsync(struct batch_builder *builder, int fd)
{
	const long words[] = { (long)fd };
	return batch_builder_call(builder, __NR_fsync, 1, words);
}
#endif

#ifdef __NR_fdatasync
FERRY_INLINE long batch_builder_fdatasync(struct batch_builder *builder, int fd)
{
	const long words[] = { (long)fd };
	return batch_builder_call(builder, __NR_fdatasync, 1, words);
}
#endif

#ifdef __NR_ftruncate
FERRY_INLINE long batch_builder_ftruncate(struct batch_builder *builder, int fd, off_t bytes)
{
	const long words[] = { (long)fd, (long)bytes };
	return batch_builder_call(builder, __NR_ftruncate, 2, words);
}
#endif

#ifdef __NR_getdents64
FERRY_INLINE long batch_builder_getdents64(struct batch_builder *builder, int fd, void *buffer, size_t bytes)
{
	const long words[] = { (long)fd, (long)buffer, (long)bytes };
	return batch_builder_call(builder, __NR_getdents64, 3, words);
}
#endif

#ifdef __NR_openat
FERRY_INLINE long batch_builder_openat(struct batch_builder *builder, int dirfd, const char *path, int flags, mode_t mode)
{
	const long words[] = { (long)dirfd, (long)path, (long)flags, (long)mode };
	return batch_builder_call(builder, __NR_openat, 4, words);
}
#endif

#ifdef __NR_mkdirat
FERRY_INLINE long batch_builder_mkdirat(struct batch_builder *builder, int dirfd, const char *path, mode_t mode)
{
	const long words[] = { (long)dirfd, (long)path, (long)mode };
	return batch_builder_call(builder, __NR_mkdirat, 3, words);
}
#endif

#ifdef __NR_newfstatat
FERRY_INLINE long batch_builder_newfstatat(struct batch_builder *builder, int dirfd, const char *path, struct stat *out, int flags)
{
	const long words[] = { (long)dirfd, (long)path, (long)out, (long)flags };
	return batch_builder_call(builder, __NR_newfstatat, 4, words);
}
#endif

#ifdef __NR_unlinkat
FERRY_INLINE long batch_builder_unlinkat(struct batch_builder *builder, int dirfd, const char *path, int flags)
{
	const long words[] = { (long)dirfd, (long)path, (long)flags };
	return batch_builder_call(builder, __NR_unlinkat, 3, words);
}
#endif

#ifdef __NR_linkat
FERRY_INLINE long batch_builder_linkat(struct batch_builder *builder, int old_dirfd, const char *old_path, int new_dirfd, const char *new_path, int flags)
{
	const long words[] = { (long)old_dirfd, (long)old_path, (long)new_dirfd, (long)new_path, (long)flags };
	return batch_builder_call(builder, __NR_linkat, 5, words);
}
#endif

#ifdef __NR_symlinkat
FERRY_INLINE long batch_builder_symlinkat(struct batch_builder *builder, const char *target, int dirfd, const char *path)
{
	const long words[] = { (long)target, (long)dirfd, (long)path };
	return batch_builder_call(builder, __NR_symlinkat, 3, words);
}
#endif

#ifdef __NR_readlinkat
FERRY_INLINE long batch_builder_readlinkat(struct batch_builder *builder, int dirfd, const char *path, char *buffer, size_t bytes)
{
	const long words[] = { (long)dirfd, (long)path, (long)buffer, (long)bytes };
	return batch_builder_call(builder, __NR_readlinkat, 4, words);
}
#endif

#ifdef __NR_fchmodat
FERRY_INLINE long batch_builder_fchmodat(struct batch_builder *builder, int dirfd, const char *path, mode_t mode)
{
	const long words[] = { (long)dirfd, (long)path, (long)mode };
	return batch_builder_call(builder, __NR_fchmodat, 3, words);
}
#endif

#ifdef __NR_fchownat
FERRY_INLINE long batch_builder_fchownat(struct batch_builder *builder, int dirfd, const char *path, uid_t owner, gid_t group, int flags)
{
	const long words[] = { (long)dirfd, (long)path, (long)owner, (long)group, (long)flags };
	return batch_builder_call(builder, __NR_fchownat, 5, words);
}
#endif

#ifdef __NR_faccessat2
FERRY_INLINE long batch_builder_faccessat2(struct batch_builder *builder, int dirfd, const char *path, int mode, int flags)
{
	const long words[] = { (long)dirfd, (long)path, (long)mode, (long)flags };
	return batch_builder_call(builder, __NR_faccessat2, 4, words);
}
#endif

#ifdef __NR_utimensat
FERRY_INLINE long batch_builder_utimensat(struct batch_builder *builder, int dirfd, const char *path, const struct timespec *times, int flags)
{
	const long words[] = { (long)dirfd, (long)path, (long)times, (long)flags };
	return batch_builder_call(builder, __NR_utimensat, 4, words);
}
#endif

#ifdef __NR_renameat2
FERRY_INLINE long batch_builder_renameat2(struct batch_builder *builder, int old_dirfd, const char *old_path, int new_dirfd, const char *new_path, unsigned int flags)
{
	const long words[] = { (long)old_dirfd, (long)old_path, (long)new_dirfd, (long)new_path, (long)flags };
	return batch_builder_call(builder, __NR_renameat2, 5, words);
}
#endif

#ifdef __NR_statx
FERRY_INLINE long batch_builder_statx(struct batch_builder *builder, int dirfd, const char *path, int flags, unsigned int mask, struct statx *out)
{
	const long words[] = { (long)dirfd, (long)path, (long)flags, (long)mask, (long)out };
	return batch_builder_call(builder, __NR_statx, 5, words);
}
#endif

#ifdef __NR_futex
FERRY_INLINE long batch_builder_futex(struct batch_builder *builder, void *word, int operation, unsigned int value, const struct timespec *timeout, void *word2, unsigned int value3)
{
	const long words[] = { (long)word, (long)operation, (long)value, (long)timeout, (long)word2, (long)value3 };
	return batch_builder_call(builder, __NR_futex, 6, words);
}
#endif

#ifdef __NR_fallocate
FERRY_INLINE long batch_builder_fallocate(struct batch_builder *builder, int fd, int mode, off_t offset, off_t bytes)
{
	const long words[] = { (long)fd, (long)mode, (long)offset, (long)bytes };
	return batch_builder_call(builder, __NR_fallocate, 4, words);
}
#endif

#ifdef __NR_dup3
FERRY_INLINE long batch_builder_dup3(struct batch_builder *builder, int old_fd, int new_fd, int flags)
{
	const long words[] = { (long)old_fd, (long)new_fd, (long)flags };
	return batch_builder_call(builder, __NR_dup3, 3, words);
}
#endif

#ifdef __NR_getrandom
FERRY_INLINE long batch_builder_getrandom(struct batch_builder *builder, void *buffer, size_t bytes, unsigned int flags)
{
	const long words[] = { (long)buffer, (long)bytes, (long)flags };
	return batch_builder_call(builder, __NR_getrandom, 3, words);
}
#endif

#ifdef __NR_mprotect
FERRY_INLINE long batch_builder_mprotect(struct batch_builder *builder, void *address, size_t bytes, int protection)
{
	const long words[] = { (long)address, (long)bytes, (long)protection };
	return batch_builder_call(builder, __NR_mprotect, 3, words);
}
#endif

#ifdef __NR_madvise
FERRY_INLINE long batch_builder_madvise(struct batch_builder *builder, void *address, size_t bytes, int advice)
{
	const long words[] = { (long)address, (long)bytes, (long)advice };
	return batch_builder_call(builder, __NR_madvise, 3, words);
}
#endif

#ifdef __NR_fcntl
FERRY_INLINE long batch_builder_fcntl(struct batch_builder *builder, int fd, int command, unsigned long argument)
{
	const long words[] = { (long)fd, (long)command, (long)argument };
	return batch_builder_call(builder, __NR_fcntl, 3, words);
}
#endif

#ifdef __NR_flock
FERRY_INLINE long batch_builder_flock(struct batch_builder *builder, int fd, int operation)
{
	const long words[] = { (long)fd, (long)operation };
	return batch_builder_call(builder, __NR_flock, 2, words);
}
#endif

#ifdef __NR_fchmod
FERRY_INLINE long batch_builder_fchmod(struct batch_builder *builder, int fd, mode_t mode)
{
	const long words[] = { (long)fd, (long)mode };
	return batch_builder_call(builder, __NR_fchmod, 2, words);
}
#endif

#ifdef __NR_fchown
FERRY_INLINE long batch_builder_fchown(struct batch_builder *builder, int fd, uid_t owner, gid_t group)
{
	const long words[] = { (long)fd, (long)owner, (long)group };
	return batch_builder_call(builder, __NR_fchown, 3, words);
}
#endif

#ifdef __NR_fadvise64
FERRY_INLINE long batch_builder_fadvise64(struct batch_builder *builder, int fd, off_t offset, off_t bytes, int advice)
{
	const long words[] = { (long)fd, (long)offset, (long)bytes, (long)advice };
	return batch_builder_call(builder, __NR_fadvise64, 4, words);
}
#endif

#ifdef __NR_readahead
FERRY_INLINE long batch_builder_readahead(struct batch_builder *builder, int fd, off_t offset, size_t bytes)
{
	const long words[] = { (long)fd, (long)offset, (long)bytes };
	return batch_builder_call(builder, __NR_readahead, 3, words);
}
#endif

#ifdef __NR_copy_file_range
FERRY_INLINE long batch_builder_copy_file_range(struct batch_builder *builder, int in_fd, off_t *in_offset, int out_fd, off_t *out_offset, size_t bytes, unsigned int flags)
{
	const long words[] = { (long)in_fd, (long)in_offset, (long)out_fd, (long)out_offset, (long)bytes, (long)flags };
	return batch_builder_call(builder, __NR_copy_file_range, 6, words);
}
#endif

#ifdef __NR_sendfile
FERRY_INLINE long batch_builder_sendfile(struct batch_builder *builder, int out_fd, int in_fd, off_t *offset, size_t bytes)
{
	const long words[] = { (long)out_fd, (long)in_fd, (long)offset, (long)bytes };
	return batch_builder_call(builder, __NR_sendfile, 4, words);
}
#endif

#ifdef __NR_pipe2
FERRY_INLINE long batch_builder_pipe2(struct batch_builder *builder, int *fds, int flags)
{
	const long words[] = { (long)fds, (long)flags };
	return batch_builder_call(builder, __NR_pipe2, 2, words);
}
#endif

#ifdef __NR_eventfd2
FERRY_INLINE long batch_builder_eventfd2(struct batch_builder *builder, unsigned int count, int flags)
{
	const long words[] = { (long)count, (long)flags };
	return batch_builder_call(builder, __NR_eventfd2, 2, words);
}
#endif

#ifdef __NR_memfd_create
FERRY_INLINE long batch_builder_memfd_create(struct batch_builder *builder, const char *name, unsigned int flags)
{
	const long words[] = { (long)name, (long)flags };
	return batch_builder_call(builder, __NR_memfd_create, 2, words);
}
#endif

#ifdef __NR_socket
FERRY_INLINE long batch_builder_socket(struct batch_builder *builder, int family, int type, int protocol)
{
	const long words[] = { (long)family, (long)type, (long)protocol };
	return batch_builder_call(builder, __NR_socket, 3, words);
}
#endif

#ifdef __NR_socketpair
FERRY_INLINE long batch_builder_socketpair(struct batch_builder *builder, int family, int type, int protocol, int *fds)
{
	const long words[] = { (long)family, (long)type, (long)protocol, (long)fds };
	return batch_builder_call(builder, __NR_socketpair, 4, words);
}
#endif

#ifdef __NR_bind
FERRY_INLINE long batch_builder_bind(struct batch_builder *builder, int fd, const void *address, unsigned int bytes)
{
	const long words[] = { (long)fd, (long)address, (long)bytes };
	return batch_builder_call(builder, __NR_bind, 3, words);
}
#endif

#ifdef __NR_listen
FERRY_INLINE long batch_builder_listen(struct batch_builder *builder, int fd, int backlog)
{
	const long words[] = { (long)fd, (long)backlog };
	return batch_builder_call(builder, __NR_listen, 2, words);
}
#endif

#ifdef __NR_connect
FERRY_INLINE long batch_builder_connect(struct batch_builder *builder, int fd, const void *address, unsigned int bytes)
{
	const long words[] = { (long)fd, (long)address, (long)bytes };
	return batch_builder_call(builder, __NR_connect, 3, words);
}
#endif

#ifdef __NR_accept4
FERRY_INLINE long batch_builder_accept4(struct batch_builder *builder, int fd, void *address, unsigned int *bytes, int flags)
{
	const long words[] = { (long)fd, (long)address, (long)bytes, (long)flags };
	return batch_builder_call(builder, __NR_accept4, 4, words);
}
#endif

#ifdef __NR_sendto
FERRY_INLINE long batch_builder_sendto(struct batch_builder *builder, int fd, const void *buffer, size_t bytes, int flags, const void *address, unsigned int address_bytes)
{
	const long words[] = { (long)fd, (long)buffer, (long)bytes, (long)flags, (long)address, (long)address_bytes };
	return batch_builder_call(builder, __NR_sendto, 6, words);
}
#endif

#ifdef __NR_recvfrom
FERRY_INLINE long batch_builder_recvfrom(struct batch_builder *builder, int fd, void *buffer, size_t bytes, int flags, void *address, unsigned int *address_bytes)
{
	const long words[] = { (long)fd, (long)buffer, (long)bytes, (long)flags, (long)address, (long)address_bytes };
	return batch_builder_call(builder, __NR_recvfrom, 6, words);
}
#endif

#ifdef __NR_setsockopt
FERRY_INLINE long batch_builder_setsockopt(struct batch_builder *builder, int fd, int level, int option, const void *value, unsigned int bytes)
{
	const long words[] = { (long)fd, (long)level, (long)option, (long)value, (long)bytes };
	return batch_builder_call(builder, __NR_setsockopt, 5, words);
}
#endif

#ifdef __NR_shutdown
FERRY_INLINE long batch_builder_shutdown(struct batch_builder *builder, int fd, int how)
{
	const long words[] = { (long)fd, (long)how };
	return batch_builder_call(builder, __NR_shutdown, 2, words);
}
#endif

#ifdef __NR_clock_gettime
FERRY_INLINE long batch_builder_clock_gettime(struct batch_builder *builder, int clock, struct timespec *out)
{
	const long words[] = { (long)clock, (long)out };
	return batch_builder_call(builder, __NR_clock_gettime, 2, words);
}
#endif

#ifdef __NR_clock_nanosleep
FERRY_INLINE long batch_builder_clock_nanosleep(struct batch_builder *builder, int clock, int flags, const struct timespec *request, struct timespec *remaining)
{
	const long words[] = { (long)clock, (long)flags, (long)request, (long)remaining };
	return batch_builder_call(builder, __NR_clock_nanosleep, 4, words);
}
#endif

#ifdef __NR_getpid
FERRY_INLINE long batch_builder_getpid(struct batch_builder *builder)
{
	const long words[] = { 0 };
	return batch_builder_call(builder, __NR_getpid, 0, words);
}
#endif

#ifdef __NR_getppid
FERRY_INLINE long batch_builder_getppid(struct batch_builder *builder)
{
	const long words[] = { 0 };
	return batch_builder_call(builder, __NR_getppid, 0, words);
}
#endif

#ifdef __NR_gettid
FERRY_INLINE long batch_builder_gettid(struct batch_builder *builder)
{
	const long words[] = { 0 };
	return batch_builder_call(builder, __NR_gettid, 0, words);
}
#endif

#ifdef __NR_preadv2
FERRY_INLINE long batch_builder_preadv2(struct batch_builder *builder, int fd, const struct iovec *vector, unsigned long count, unsigned long offset_low, unsigned long offset_high, int flags)
{
	const long words[] = { (long)fd, (long)vector, (long)count, (long)offset_low, (long)offset_high, (long)flags };
	return batch_builder_call(builder, __NR_preadv2, 6, words);
}
#endif

#endif /* FERRY_TYPED_H */
