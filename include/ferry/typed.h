/* SPDX-License-Identifier: BSD-3-Clause */
/* Generated from spec/batch.toml by spec/generate.py; edit that file and run `make generate`. */
/*
 * Typed builders: batch_builder_NAME adds one system call with the argument types its manual page gives and
 * returns the value it will have. Each argument is a plain one of its type, or a value of the same batch.
 * Include <ferry/batch.h>, not this file.
 */
#ifndef FERRY_TYPED_H
#define FERRY_TYPED_H

struct iovec;
struct stat;
struct statx;
struct timespec;

/* Whether the compiler sees that no argument is a value; then the words alone are passed. */
#define BATCH__ARE_WORDS(kinds) (__builtin_constant_p(kinds) && !(kinds))

#ifndef __cplusplus
/* What a plain argument of each type goes through, for its type to be checked. */
static inline struct batch_argument batch__from_char_pointer(char *word)
{
	return batch__from_long((long)word);
}

static inline struct batch_argument batch__from_const_char_pointer(const char *word)
{
	return batch__from_long((long)word);
}

static inline struct batch_argument batch__from_const_iovec_pointer(const struct iovec *word)
{
	return batch__from_long((long)word);
}

static inline struct batch_argument batch__from_const_timespec_pointer(const struct timespec *word)
{
	return batch__from_long((long)word);
}

static inline struct batch_argument batch__from_const_void_pointer(const void *word)
{
	return batch__from_long((long)word);
}

static inline struct batch_argument batch__from_gid_t(gid_t word)
{
	return batch__from_long((long)word);
}

static inline struct batch_argument batch__from_int(int word)
{
	return batch__from_long((long)word);
}

static inline struct batch_argument batch__from_int_pointer(int *word)
{
	return batch__from_long((long)word);
}

static inline struct batch_argument batch__from_mode_t(mode_t word)
{
	return batch__from_long((long)word);
}

static inline struct batch_argument batch__from_off_t(off_t word)
{
	return batch__from_long((long)word);
}

static inline struct batch_argument batch__from_off_t_pointer(off_t *word)
{
	return batch__from_long((long)word);
}

static inline struct batch_argument batch__from_size_t(size_t word)
{
	return batch__from_long((long)word);
}

static inline struct batch_argument batch__from_stat_pointer(struct stat *word)
{
	return batch__from_long((long)word);
}

static inline struct batch_argument batch__from_statx_pointer(struct statx *word)
{
	return batch__from_long((long)word);
}

static inline struct batch_argument batch__from_timespec_pointer(struct timespec *word)
{
	return batch__from_long((long)word);
}

static inline struct batch_argument batch__from_uid_t(uid_t word)
{
	return batch__from_long((long)word);
}

static inline struct batch_argument batch__from_unsigned_int(unsigned int word)
{
	return batch__from_long((long)word);
}

static inline struct batch_argument batch__from_unsigned_int_pointer(unsigned int *word)
{
	return batch__from_long((long)word);
}

static inline struct batch_argument batch__from_void_pointer(void *word)
{
	return batch__from_long((long)word);
}
#else
extern "C++" {
#endif

#ifdef __NR_read
FERRY_INLINE struct batch_value batch_builder_read(
	struct batch_builder *builder, BATCH__PARAMETER(int) fd, BATCH__PARAMETER(void *) buffer, BATCH__PARAMETER(size_t) bytes)
{
	const struct batch_argument arguments[] = { fd, buffer, bytes };
	const long words[] = { fd.word, buffer.word, bytes.word };
	if (BATCH__ARE_WORDS(fd.kind | buffer.kind | bytes.kind))
		return batch_builder_call(builder, __NR_read, 3, words);
	return batch_builder_add_arguments(builder, __NR_read, 3, arguments);
}
#ifndef __cplusplus
#define batch_builder_read(builder, fd, buffer, bytes) \
	batch_builder_read(builder, BATCH__ARGUMENT(batch__from_int, fd), BATCH__ARGUMENT(batch__from_void_pointer, buffer), BATCH__ARGUMENT(batch__from_size_t, bytes))
#endif
#endif

#ifdef __NR_write
FERRY_INLINE struct batch_value batch_builder_write(
	struct batch_builder *builder, BATCH__PARAMETER(int) fd, BATCH__PARAMETER(const void *) buffer, BATCH__PARAMETER(size_t) bytes)
{
	const struct batch_argument arguments[] = { fd, buffer, bytes };
	const long words[] = { fd.word, buffer.word, bytes.word };
	if (BATCH__ARE_WORDS(fd.kind | buffer.kind | bytes.kind))
		return batch_builder_call(builder, __NR_write, 3, words);
	return batch_builder_add_arguments(builder, __NR_write, 3, arguments);
}
#ifndef __cplusplus
#define batch_builder_write(builder, fd, buffer, bytes) \
	batch_builder_write(builder, BATCH__ARGUMENT(batch__from_int, fd), BATCH__ARGUMENT(batch__from_const_void_pointer, buffer), BATCH__ARGUMENT(batch__from_size_t, bytes))
#endif
#endif

#ifdef __NR_open
FERRY_INLINE struct batch_value batch_builder_open(
	struct batch_builder *builder, BATCH__PARAMETER(const char *) path, BATCH__PARAMETER(int) flags, BATCH__PARAMETER(mode_t) mode)
{
	const struct batch_argument arguments[] = { path, flags, mode };
	const long words[] = { path.word, flags.word, mode.word };
	if (BATCH__ARE_WORDS(path.kind | flags.kind | mode.kind))
		return batch_builder_call(builder, __NR_open, 3, words);
	return batch_builder_add_arguments(builder, __NR_open, 3, arguments);
}
#ifndef __cplusplus
#define batch_builder_open(builder, path, flags, mode) \
	batch_builder_open(builder, BATCH__ARGUMENT(batch__from_const_char_pointer, path), BATCH__ARGUMENT(batch__from_int, flags), BATCH__ARGUMENT(batch__from_mode_t, mode))
#endif
#endif

#ifdef __NR_close
FERRY_INLINE struct batch_value batch_builder_close(
	struct batch_builder *builder, BATCH__PARAMETER(int) fd)
{
	const struct batch_argument arguments[] = { fd };
	const long words[] = { fd.word };
	if (BATCH__ARE_WORDS(fd.kind))
		return batch_builder_call(builder, __NR_close, 1, words);
	return batch_builder_add_arguments(builder, __NR_close, 1, arguments);
}
#ifndef __cplusplus
#define batch_builder_close(builder, fd) \
	batch_builder_close(builder, BATCH__ARGUMENT(batch__from_int, fd))
#endif
#endif

#ifdef __NR_fstat
FERRY_INLINE struct batch_value batch_builder_fstat(
	struct batch_builder *builder, BATCH__PARAMETER(int) fd, BATCH__PARAMETER(struct stat *) out)
{
	const struct batch_argument arguments[] = { fd, out };
	const long words[] = { fd.word, out.word };
	if (BATCH__ARE_WORDS(fd.kind | out.kind))
		return batch_builder_call(builder, __NR_fstat, 2, words);
	return batch_builder_add_arguments(builder, __NR_fstat, 2, arguments);
}
#ifndef __cplusplus
#define batch_builder_fstat(builder, fd, out) \
	batch_builder_fstat(builder, BATCH__ARGUMENT(batch__from_int, fd), BATCH__ARGUMENT(batch__from_stat_pointer, out))
#endif
#endif

#ifdef __NR_lseek
FERRY_INLINE struct batch_value batch_builder_lseek(
	struct batch_builder *builder, BATCH__PARAMETER(int) fd, BATCH__PARAMETER(off_t) offset, BATCH__PARAMETER(int) whence)
{
	const struct batch_argument arguments[] = { fd, offset, whence };
	const long words[] = { fd.word, offset.word, whence.word };
	if (BATCH__ARE_WORDS(fd.kind | offset.kind | whence.kind))
		return batch_builder_call(builder, __NR_lseek, 3, words);
	return batch_builder_add_arguments(builder, __NR_lseek, 3, arguments);
}
#ifndef __cplusplus
#define batch_builder_lseek(builder, fd, offset, whence) \
	batch_builder_lseek(builder, BATCH__ARGUMENT(batch__from_int, fd), BATCH__ARGUMENT(batch__from_off_t, offset), BATCH__ARGUMENT(batch__from_int, whence))
#endif
#endif

#ifdef __NR_mmap
FERRY_INLINE struct batch_value batch_builder_mmap(
	struct batch_builder *builder, BATCH__PARAMETER(void *) address, BATCH__PARAMETER(size_t) bytes, BATCH__PARAMETER(int) protection, BATCH__PARAMETER(int) flags, BATCH__PARAMETER(int) fd, BATCH__PARAMETER(off_t) offset)
{
	const struct batch_argument arguments[] = { address, bytes, protection, flags, fd, offset };
	const long words[] = { address.word, bytes.word, protection.word, flags.word, fd.word, offset.word };
	if (BATCH__ARE_WORDS(address.kind | bytes.kind | protection.kind | flags.kind | fd.kind | offset.kind))
		return batch_builder_call(builder, __NR_mmap, 6, words);
	return batch_builder_add_arguments(builder, __NR_mmap, 6, arguments);
}
#ifndef __cplusplus
#define batch_builder_mmap(builder, address, bytes, protection, flags, fd, offset) \
	batch_builder_mmap(builder, BATCH__ARGUMENT(batch__from_void_pointer, address), BATCH__ARGUMENT(batch__from_size_t, bytes), BATCH__ARGUMENT(batch__from_int, protection), BATCH__ARGUMENT(batch__from_int, flags), BATCH__ARGUMENT(batch__from_int, fd), BATCH__ARGUMENT(batch__from_off_t, offset))
#endif
#endif

#ifdef __NR_munmap
FERRY_INLINE struct batch_value batch_builder_munmap(
	struct batch_builder *builder, BATCH__PARAMETER(void *) address, BATCH__PARAMETER(size_t) bytes)
{
	const struct batch_argument arguments[] = { address, bytes };
	const long words[] = { address.word, bytes.word };
	if (BATCH__ARE_WORDS(address.kind | bytes.kind))
		return batch_builder_call(builder, __NR_munmap, 2, words);
	return batch_builder_add_arguments(builder, __NR_munmap, 2, arguments);
}
#ifndef __cplusplus
#define batch_builder_munmap(builder, address, bytes) \
	batch_builder_munmap(builder, BATCH__ARGUMENT(batch__from_void_pointer, address), BATCH__ARGUMENT(batch__from_size_t, bytes))
#endif
#endif

#ifdef __NR_rt_sigaction
FERRY_INLINE struct batch_value batch_builder_rt_sigaction(
	struct batch_builder *builder, BATCH__PARAMETER(int) signal, BATCH__PARAMETER(const void *) action, BATCH__PARAMETER(void *) old_action, BATCH__PARAMETER(size_t) mask_bytes)
{
	const struct batch_argument arguments[] = { signal, action, old_action, mask_bytes };
	const long words[] = { signal.word, action.word, old_action.word, mask_bytes.word };
	if (BATCH__ARE_WORDS(signal.kind | action.kind | old_action.kind | mask_bytes.kind))
		return batch_builder_call(builder, __NR_rt_sigaction, 4, words);
	return batch_builder_add_arguments(builder, __NR_rt_sigaction, 4, arguments);
}
#ifndef __cplusplus
#define batch_builder_rt_sigaction(builder, signal, action, old_action, mask_bytes) \
	batch_builder_rt_sigaction(builder, BATCH__ARGUMENT(batch__from_int, signal), BATCH__ARGUMENT(batch__from_const_void_pointer, action), BATCH__ARGUMENT(batch__from_void_pointer, old_action), BATCH__ARGUMENT(batch__from_size_t, mask_bytes))
#endif
#endif

#ifdef __NR_ioctl
FERRY_INLINE struct batch_value batch_builder_ioctl(
	struct batch_builder *builder, BATCH__PARAMETER(int) fd, BATCH__PARAMETER(unsigned long) request, BATCH__PARAMETER(void *) argument)
{
	const struct batch_argument arguments[] = { fd, request, argument };
	const long words[] = { fd.word, request.word, argument.word };
	if (BATCH__ARE_WORDS(fd.kind | request.kind | argument.kind))
		return batch_builder_call(builder, __NR_ioctl, 3, words);
	return batch_builder_add_arguments(builder, __NR_ioctl, 3, arguments);
}
#ifndef __cplusplus
#define batch_builder_ioctl(builder, fd, request, argument) \
	batch_builder_ioctl(builder, BATCH__ARGUMENT(batch__from_int, fd), BATCH__ARGUMENT(batch__from_unsigned_long, request), BATCH__ARGUMENT(batch__from_void_pointer, argument))
#endif
#endif

#ifdef __NR_pread64
FERRY_INLINE struct batch_value batch_builder_pread64(
	struct batch_builder *builder, BATCH__PARAMETER(int) fd, BATCH__PARAMETER(void *) buffer, BATCH__PARAMETER(size_t) bytes, BATCH__PARAMETER(off_t) offset)
{
	const struct batch_argument arguments[] = { fd, buffer, bytes, offset };
	const long words[] = { fd.word, buffer.word, bytes.word, offset.word };
	if (BATCH__ARE_WORDS(fd.kind | buffer.kind | bytes.kind | offset.kind))
		return batch_builder_call(builder, __NR_pread64, 4, words);
	return batch_builder_add_arguments(builder, __NR_pread64, 4, arguments);
}
#ifndef __cplusplus
#define batch_builder_pread64(builder, fd, buffer, bytes, offset) \
	batch_builder_pread64(builder, BATCH__ARGUMENT(batch__from_int, fd), BATCH__ARGUMENT(batch__from_void_pointer, buffer), BATCH__ARGUMENT(batch__from_size_t, bytes), BATCH__ARGUMENT(batch__from_off_t, offset))
#endif
#endif

#ifdef __NR_pwrite64
FERRY_INLINE struct batch_value batch_builder_pwrite64(
	struct batch_builder *builder, BATCH__PARAMETER(int) fd, BATCH__PARAMETER(const void *) buffer, BATCH__PARAMETER(size_t) bytes, BATCH__PARAMETER(off_t) offset)
{
	const struct batch_argument arguments[] = { fd, buffer, bytes, offset };
	const long words[] = { fd.word, buffer.word, bytes.word, offset.word };
	if (BATCH__ARE_WORDS(fd.kind | buffer.kind | bytes.kind | offset.kind))
		return batch_builder_call(builder, __NR_pwrite64, 4, words);
	return batch_builder_add_arguments(builder, __NR_pwrite64, 4, arguments);
}
#ifndef __cplusplus
#define batch_builder_pwrite64(builder, fd, buffer, bytes, offset) \
	batch_builder_pwrite64(builder, BATCH__ARGUMENT(batch__from_int, fd), BATCH__ARGUMENT(batch__from_const_void_pointer, buffer), BATCH__ARGUMENT(batch__from_size_t, bytes), BATCH__ARGUMENT(batch__from_off_t, offset))
#endif
#endif

#ifdef __NR_readv
FERRY_INLINE struct batch_value batch_builder_readv(
	struct batch_builder *builder, BATCH__PARAMETER(int) fd, BATCH__PARAMETER(const struct iovec *) vector, BATCH__PARAMETER(int) count)
{
	const struct batch_argument arguments[] = { fd, vector, count };
	const long words[] = { fd.word, vector.word, count.word };
	if (BATCH__ARE_WORDS(fd.kind | vector.kind | count.kind))
		return batch_builder_call(builder, __NR_readv, 3, words);
	return batch_builder_add_arguments(builder, __NR_readv, 3, arguments);
}
#ifndef __cplusplus
#define batch_builder_readv(builder, fd, vector, count) \
	batch_builder_readv(builder, BATCH__ARGUMENT(batch__from_int, fd), BATCH__ARGUMENT(batch__from_const_iovec_pointer, vector), BATCH__ARGUMENT(batch__from_int, count))
#endif
#endif

#ifdef __NR_writev
FERRY_INLINE struct batch_value batch_builder_writev(
	struct batch_builder *builder, BATCH__PARAMETER(int) fd, BATCH__PARAMETER(const struct iovec *) vector, BATCH__PARAMETER(int) count)
{
	const struct batch_argument arguments[] = { fd, vector, count };
	const long words[] = { fd.word, vector.word, count.word };
	if (BATCH__ARE_WORDS(fd.kind | vector.kind | count.kind))
		return batch_builder_call(builder, __NR_writev, 3, words);
	return batch_builder_add_arguments(builder, __NR_writev, 3, arguments);
}
#ifndef __cplusplus
#define batch_builder_writev(builder, fd, vector, count) \
	batch_builder_writev(builder, BATCH__ARGUMENT(batch__from_int, fd), BATCH__ARGUMENT(batch__from_const_iovec_pointer, vector), BATCH__ARGUMENT(batch__from_int, count))
#endif
#endif

#ifdef __NR_access
FERRY_INLINE struct batch_value batch_builder_access(
	struct batch_builder *builder, BATCH__PARAMETER(const char *) path, BATCH__PARAMETER(int) mode)
{
	const struct batch_argument arguments[] = { path, mode };
	const long words[] = { path.word, mode.word };
	if (BATCH__ARE_WORDS(path.kind | mode.kind))
		return batch_builder_call(builder, __NR_access, 2, words);
	return batch_builder_add_arguments(builder, __NR_access, 2, arguments);
}
#ifndef __cplusplus
#define batch_builder_access(builder, path, mode) \
	batch_builder_access(builder, BATCH__ARGUMENT(batch__from_const_char_pointer, path), BATCH__ARGUMENT(batch__from_int, mode))
#endif
#endif

#ifdef __NR_nanosleep
FERRY_INLINE struct batch_value batch_builder_nanosleep(
	struct batch_builder *builder, BATCH__PARAMETER(const struct timespec *) request, BATCH__PARAMETER(struct timespec *) remaining)
{
	const struct batch_argument arguments[] = { request, remaining };
	const long words[] = { request.word, remaining.word };
	if (BATCH__ARE_WORDS(request.kind | remaining.kind))
		return batch_builder_call(builder, __NR_nanosleep, 2, words);
	return batch_builder_add_arguments(builder, __NR_nanosleep, 2, arguments);
}
#ifndef __cplusplus
#define batch_builder_nanosleep(builder, request, remaining) \
	batch_builder_nanosleep(builder, BATCH__ARGUMENT(batch__from_const_timespec_pointer, request), BATCH__ARGUMENT(batch__from_timespec_pointer, remaining))
#endif
#endif

#ifdef __NR_fsync
FERRY_INLINE struct batch_value batch_builder_fsync(
	struct batch_builder *builder, BATCH__PARAMETER(int) fd)
{
	const struct batch_argument arguments[] = { fd };
	const long words[] = { fd.word };
	if (BATCH__ARE_WORDS(fd.kind))
		return batch_builder_call(builder, __NR_fsync, 1, words);
	return batch_builder_add_arguments(builder, __NR_fsync, 1, arguments);
}
#ifndef __cplusplus
#define batch_builder_fsync(builder, fd) \
	batch_builder_fsync(builder, BATCH__ARGUMENT(batch__from_int, fd))
#endif
#endif

#ifdef __NR_fdatasync
FERRY_INLINE struct batch_value batch_builder_fdatasync(
	struct batch_builder *builder, BATCH__PARAMETER(int) fd)
{
	const struct batch_argument arguments[] = { fd };
	const long words[] = { fd.word };
	if (BATCH__ARE_WORDS(fd.kind))
		return batch_builder_call(builder, __NR_fdatasync, 1, words);
	return batch_builder_add_arguments(builder, __NR_fdatasync, 1, arguments);
}
#ifndef __cplusplus
#define batch_builder_fdatasync(builder, fd) \
	batch_builder_fdatasync(builder, BATCH__ARGUMENT(batch__from_int, fd))
#endif
#endif

#ifdef __NR_ftruncate
FERRY_INLINE struct batch_value batch_builder_ftruncate(
	struct batch_builder *builder, BATCH__PARAMETER(int) fd, BATCH__PARAMETER(off_t) bytes)
{
	const struct batch_argument arguments[] = { fd, bytes };
	const long words[] = { fd.word, bytes.word };
	if (BATCH__ARE_WORDS(fd.kind | bytes.kind))
		return batch_builder_call(builder, __NR_ftruncate, 2, words);
	return batch_builder_add_arguments(builder, __NR_ftruncate, 2, arguments);
}
#ifndef __cplusplus
#define batch_builder_ftruncate(builder, fd, bytes) \
	batch_builder_ftruncate(builder, BATCH__ARGUMENT(batch__from_int, fd), BATCH__ARGUMENT(batch__from_off_t, bytes))
#endif
#endif

#ifdef __NR_getdents64
FERRY_INLINE struct batch_value batch_builder_getdents64(
	struct batch_builder *builder, BATCH__PARAMETER(int) fd, BATCH__PARAMETER(void *) buffer, BATCH__PARAMETER(size_t) bytes)
{
	const struct batch_argument arguments[] = { fd, buffer, bytes };
	const long words[] = { fd.word, buffer.word, bytes.word };
	if (BATCH__ARE_WORDS(fd.kind | buffer.kind | bytes.kind))
		return batch_builder_call(builder, __NR_getdents64, 3, words);
	return batch_builder_add_arguments(builder, __NR_getdents64, 3, arguments);
}
#ifndef __cplusplus
#define batch_builder_getdents64(builder, fd, buffer, bytes) \
	batch_builder_getdents64(builder, BATCH__ARGUMENT(batch__from_int, fd), BATCH__ARGUMENT(batch__from_void_pointer, buffer), BATCH__ARGUMENT(batch__from_size_t, bytes))
#endif
#endif

#ifdef __NR_openat
FERRY_INLINE struct batch_value batch_builder_openat(
	struct batch_builder *builder, BATCH__PARAMETER(int) dirfd, BATCH__PARAMETER(const char *) path, BATCH__PARAMETER(int) flags, BATCH__PARAMETER(mode_t) mode)
{
	const struct batch_argument arguments[] = { dirfd, path, flags, mode };
	const long words[] = { dirfd.word, path.word, flags.word, mode.word };
	if (BATCH__ARE_WORDS(dirfd.kind | path.kind | flags.kind | mode.kind))
		return batch_builder_call(builder, __NR_openat, 4, words);
	return batch_builder_add_arguments(builder, __NR_openat, 4, arguments);
}
#ifndef __cplusplus
#define batch_builder_openat(builder, dirfd, path, flags, mode) \
	batch_builder_openat(builder, BATCH__ARGUMENT(batch__from_int, dirfd), BATCH__ARGUMENT(batch__from_const_char_pointer, path), BATCH__ARGUMENT(batch__from_int, flags), BATCH__ARGUMENT(batch__from_mode_t, mode))
#endif
#endif

#ifdef __NR_mkdirat
FERRY_INLINE struct batch_value batch_builder_mkdirat(
	struct batch_builder *builder, BATCH__PARAMETER(int) dirfd, BATCH__PARAMETER(const char *) path, BATCH__PARAMETER(mode_t) mode)
{
	const struct batch_argument arguments[] = { dirfd, path, mode };
	const long words[] = { dirfd.word, path.word, mode.word };
	if (BATCH__ARE_WORDS(dirfd.kind | path.kind | mode.kind))
		return batch_builder_call(builder, __NR_mkdirat, 3, words);
	return batch_builder_add_arguments(builder, __NR_mkdirat, 3, arguments);
}
#ifndef __cplusplus
#define batch_builder_mkdirat(builder, dirfd, path, mode) \
	batch_builder_mkdirat(builder, BATCH__ARGUMENT(batch__from_int, dirfd), BATCH__ARGUMENT(batch__from_const_char_pointer, path), BATCH__ARGUMENT(batch__from_mode_t, mode))
#endif
#endif

#ifdef __NR_newfstatat
FERRY_INLINE struct batch_value batch_builder_newfstatat(
	struct batch_builder *builder, BATCH__PARAMETER(int) dirfd, BATCH__PARAMETER(const char *) path, BATCH__PARAMETER(struct stat *) out, BATCH__PARAMETER(int) flags)
{
	const struct batch_argument arguments[] = { dirfd, path, out, flags };
	const long words[] = { dirfd.word, path.word, out.word, flags.word };
	if (BATCH__ARE_WORDS(dirfd.kind | path.kind | out.kind | flags.kind))
		return batch_builder_call(builder, __NR_newfstatat, 4, words);
	return batch_builder_add_arguments(builder, __NR_newfstatat, 4, arguments);
}
#ifndef __cplusplus
#define batch_builder_newfstatat(builder, dirfd, path, out, flags) \
	batch_builder_newfstatat(builder, BATCH__ARGUMENT(batch__from_int, dirfd), BATCH__ARGUMENT(batch__from_const_char_pointer, path), BATCH__ARGUMENT(batch__from_stat_pointer, out), BATCH__ARGUMENT(batch__from_int, flags))
#endif
#endif

#ifdef __NR_unlinkat
FERRY_INLINE struct batch_value batch_builder_unlinkat(
	struct batch_builder *builder, BATCH__PARAMETER(int) dirfd, BATCH__PARAMETER(const char *) path, BATCH__PARAMETER(int) flags)
{
	const struct batch_argument arguments[] = { dirfd, path, flags };
	const long words[] = { dirfd.word, path.word, flags.word };
	if (BATCH__ARE_WORDS(dirfd.kind | path.kind | flags.kind))
		return batch_builder_call(builder, __NR_unlinkat, 3, words);
	return batch_builder_add_arguments(builder, __NR_unlinkat, 3, arguments);
}
#ifndef __cplusplus
#define batch_builder_unlinkat(builder, dirfd, path, flags) \
	batch_builder_unlinkat(builder, BATCH__ARGUMENT(batch__from_int, dirfd), BATCH__ARGUMENT(batch__from_const_char_pointer, path), BATCH__ARGUMENT(batch__from_int, flags))
#endif
#endif

#ifdef __NR_linkat
FERRY_INLINE struct batch_value batch_builder_linkat(
	struct batch_builder *builder, BATCH__PARAMETER(int) old_dirfd, BATCH__PARAMETER(const char *) old_path, BATCH__PARAMETER(int) new_dirfd, BATCH__PARAMETER(const char *) new_path, BATCH__PARAMETER(int) flags)
{
	const struct batch_argument arguments[] = { old_dirfd, old_path, new_dirfd, new_path, flags };
	const long words[] = { old_dirfd.word, old_path.word, new_dirfd.word, new_path.word, flags.word };
	if (BATCH__ARE_WORDS(old_dirfd.kind | old_path.kind | new_dirfd.kind | new_path.kind | flags.kind))
		return batch_builder_call(builder, __NR_linkat, 5, words);
	return batch_builder_add_arguments(builder, __NR_linkat, 5, arguments);
}
#ifndef __cplusplus
#define batch_builder_linkat(builder, old_dirfd, old_path, new_dirfd, new_path, flags) \
	batch_builder_linkat(builder, BATCH__ARGUMENT(batch__from_int, old_dirfd), BATCH__ARGUMENT(batch__from_const_char_pointer, old_path), BATCH__ARGUMENT(batch__from_int, new_dirfd), BATCH__ARGUMENT(batch__from_const_char_pointer, new_path), BATCH__ARGUMENT(batch__from_int, flags))
#endif
#endif

#ifdef __NR_symlinkat
FERRY_INLINE struct batch_value batch_builder_symlinkat(
	struct batch_builder *builder, BATCH__PARAMETER(const char *) target, BATCH__PARAMETER(int) dirfd, BATCH__PARAMETER(const char *) path)
{
	const struct batch_argument arguments[] = { target, dirfd, path };
	const long words[] = { target.word, dirfd.word, path.word };
	if (BATCH__ARE_WORDS(target.kind | dirfd.kind | path.kind))
		return batch_builder_call(builder, __NR_symlinkat, 3, words);
	return batch_builder_add_arguments(builder, __NR_symlinkat, 3, arguments);
}
#ifndef __cplusplus
#define batch_builder_symlinkat(builder, target, dirfd, path) \
	batch_builder_symlinkat(builder, BATCH__ARGUMENT(batch__from_const_char_pointer, target), BATCH__ARGUMENT(batch__from_int, dirfd), BATCH__ARGUMENT(batch__from_const_char_pointer, path))
#endif
#endif

#ifdef __NR_readlinkat
FERRY_INLINE struct batch_value batch_builder_readlinkat(
	struct batch_builder *builder, BATCH__PARAMETER(int) dirfd, BATCH__PARAMETER(const char *) path, BATCH__PARAMETER(char *) buffer, BATCH__PARAMETER(size_t) bytes)
{
	const struct batch_argument arguments[] = { dirfd, path, buffer, bytes };
	const long words[] = { dirfd.word, path.word, buffer.word, bytes.word };
	if (BATCH__ARE_WORDS(dirfd.kind | path.kind | buffer.kind | bytes.kind))
		return batch_builder_call(builder, __NR_readlinkat, 4, words);
	return batch_builder_add_arguments(builder, __NR_readlinkat, 4, arguments);
}
#ifndef __cplusplus
#define batch_builder_readlinkat(builder, dirfd, path, buffer, bytes) \
	batch_builder_readlinkat(builder, BATCH__ARGUMENT(batch__from_int, dirfd), BATCH__ARGUMENT(batch__from_const_char_pointer, path), BATCH__ARGUMENT(batch__from_char_pointer, buffer), BATCH__ARGUMENT(batch__from_size_t, bytes))
#endif
#endif

#ifdef __NR_fchmodat
FERRY_INLINE struct batch_value batch_builder_fchmodat(
	struct batch_builder *builder, BATCH__PARAMETER(int) dirfd, BATCH__PARAMETER(const char *) path, BATCH__PARAMETER(mode_t) mode)
{
	const struct batch_argument arguments[] = { dirfd, path, mode };
	const long words[] = { dirfd.word, path.word, mode.word };
	if (BATCH__ARE_WORDS(dirfd.kind | path.kind | mode.kind))
		return batch_builder_call(builder, __NR_fchmodat, 3, words);
	return batch_builder_add_arguments(builder, __NR_fchmodat, 3, arguments);
}
#ifndef __cplusplus
#define batch_builder_fchmodat(builder, dirfd, path, mode) \
	batch_builder_fchmodat(builder, BATCH__ARGUMENT(batch__from_int, dirfd), BATCH__ARGUMENT(batch__from_const_char_pointer, path), BATCH__ARGUMENT(batch__from_mode_t, mode))
#endif
#endif

#ifdef __NR_fchownat
FERRY_INLINE struct batch_value batch_builder_fchownat(
	struct batch_builder *builder, BATCH__PARAMETER(int) dirfd, BATCH__PARAMETER(const char *) path, BATCH__PARAMETER(uid_t) owner, BATCH__PARAMETER(gid_t) group, BATCH__PARAMETER(int) flags)
{
	const struct batch_argument arguments[] = { dirfd, path, owner, group, flags };
	const long words[] = { dirfd.word, path.word, owner.word, group.word, flags.word };
	if (BATCH__ARE_WORDS(dirfd.kind | path.kind | owner.kind | group.kind | flags.kind))
		return batch_builder_call(builder, __NR_fchownat, 5, words);
	return batch_builder_add_arguments(builder, __NR_fchownat, 5, arguments);
}
#ifndef __cplusplus
#define batch_builder_fchownat(builder, dirfd, path, owner, group, flags) \
	batch_builder_fchownat(builder, BATCH__ARGUMENT(batch__from_int, dirfd), BATCH__ARGUMENT(batch__from_const_char_pointer, path), BATCH__ARGUMENT(batch__from_uid_t, owner), BATCH__ARGUMENT(batch__from_gid_t, group), BATCH__ARGUMENT(batch__from_int, flags))
#endif
#endif

#ifdef __NR_faccessat2
FERRY_INLINE struct batch_value batch_builder_faccessat2(
	struct batch_builder *builder, BATCH__PARAMETER(int) dirfd, BATCH__PARAMETER(const char *) path, BATCH__PARAMETER(int) mode, BATCH__PARAMETER(int) flags)
{
	const struct batch_argument arguments[] = { dirfd, path, mode, flags };
	const long words[] = { dirfd.word, path.word, mode.word, flags.word };
	if (BATCH__ARE_WORDS(dirfd.kind | path.kind | mode.kind | flags.kind))
		return batch_builder_call(builder, __NR_faccessat2, 4, words);
	return batch_builder_add_arguments(builder, __NR_faccessat2, 4, arguments);
}
#ifndef __cplusplus
#define batch_builder_faccessat2(builder, dirfd, path, mode, flags) \
	batch_builder_faccessat2(builder, BATCH__ARGUMENT(batch__from_int, dirfd), BATCH__ARGUMENT(batch__from_const_char_pointer, path), BATCH__ARGUMENT(batch__from_int, mode), BATCH__ARGUMENT(batch__from_int, flags))
#endif
#endif

#ifdef __NR_utimensat
FERRY_INLINE struct batch_value batch_builder_utimensat(
	struct batch_builder *builder, BATCH__PARAMETER(int) dirfd, BATCH__PARAMETER(const char *) path, BATCH__PARAMETER(const struct timespec *) times, BATCH__PARAMETER(int) flags)
{
	const struct batch_argument arguments[] = { dirfd, path, times, flags };
	const long words[] = { dirfd.word, path.word, times.word, flags.word };
	if (BATCH__ARE_WORDS(dirfd.kind | path.kind | times.kind | flags.kind))
		return batch_builder_call(builder, __NR_utimensat, 4, words);
	return batch_builder_add_arguments(builder, __NR_utimensat, 4, arguments);
}
#ifndef __cplusplus
#define batch_builder_utimensat(builder, dirfd, path, times, flags) \
	batch_builder_utimensat(builder, BATCH__ARGUMENT(batch__from_int, dirfd), BATCH__ARGUMENT(batch__from_const_char_pointer, path), BATCH__ARGUMENT(batch__from_const_timespec_pointer, times), BATCH__ARGUMENT(batch__from_int, flags))
#endif
#endif

#ifdef __NR_renameat2
FERRY_INLINE struct batch_value batch_builder_renameat2(
	struct batch_builder *builder, BATCH__PARAMETER(int) old_dirfd, BATCH__PARAMETER(const char *) old_path, BATCH__PARAMETER(int) new_dirfd, BATCH__PARAMETER(const char *) new_path, BATCH__PARAMETER(unsigned int) flags)
{
	const struct batch_argument arguments[] = { old_dirfd, old_path, new_dirfd, new_path, flags };
	const long words[] = { old_dirfd.word, old_path.word, new_dirfd.word, new_path.word, flags.word };
	if (BATCH__ARE_WORDS(old_dirfd.kind | old_path.kind | new_dirfd.kind | new_path.kind | flags.kind))
		return batch_builder_call(builder, __NR_renameat2, 5, words);
	return batch_builder_add_arguments(builder, __NR_renameat2, 5, arguments);
}
#ifndef __cplusplus
#define batch_builder_renameat2(builder, old_dirfd, old_path, new_dirfd, new_path, flags) \
	batch_builder_renameat2(builder, BATCH__ARGUMENT(batch__from_int, old_dirfd), BATCH__ARGUMENT(batch__from_const_char_pointer, old_path), BATCH__ARGUMENT(batch__from_int, new_dirfd), BATCH__ARGUMENT(batch__from_const_char_pointer, new_path), BATCH__ARGUMENT(batch__from_unsigned_int, flags))
#endif
#endif

#ifdef __NR_statx
FERRY_INLINE struct batch_value batch_builder_statx(
	struct batch_builder *builder, BATCH__PARAMETER(int) dirfd, BATCH__PARAMETER(const char *) path, BATCH__PARAMETER(int) flags, BATCH__PARAMETER(unsigned int) mask, BATCH__PARAMETER(struct statx *) out)
{
	const struct batch_argument arguments[] = { dirfd, path, flags, mask, out };
	const long words[] = { dirfd.word, path.word, flags.word, mask.word, out.word };
	if (BATCH__ARE_WORDS(dirfd.kind | path.kind | flags.kind | mask.kind | out.kind))
		return batch_builder_call(builder, __NR_statx, 5, words);
	return batch_builder_add_arguments(builder, __NR_statx, 5, arguments);
}
#ifndef __cplusplus
#define batch_builder_statx(builder, dirfd, path, flags, mask, out) \
	batch_builder_statx(builder, BATCH__ARGUMENT(batch__from_int, dirfd), BATCH__ARGUMENT(batch__from_const_char_pointer, path), BATCH__ARGUMENT(batch__from_int, flags), BATCH__ARGUMENT(batch__from_unsigned_int, mask), BATCH__ARGUMENT(batch__from_statx_pointer, out))
#endif
#endif

#ifdef __NR_futex
FERRY_INLINE struct batch_value batch_builder_futex(
	struct batch_builder *builder, BATCH__PARAMETER(void *) word, BATCH__PARAMETER(int) operation, BATCH__PARAMETER(unsigned int) value, BATCH__PARAMETER(const struct timespec *) timeout, BATCH__PARAMETER(void *) word2, BATCH__PARAMETER(unsigned int) value3)
{
	const struct batch_argument arguments[] = { word, operation, value, timeout, word2, value3 };
	const long words[] = { word.word, operation.word, value.word, timeout.word, word2.word, value3.word };
	if (BATCH__ARE_WORDS(word.kind | operation.kind | value.kind | timeout.kind | word2.kind | value3.kind))
		return batch_builder_call(builder, __NR_futex, 6, words);
	return batch_builder_add_arguments(builder, __NR_futex, 6, arguments);
}
#ifndef __cplusplus
#define batch_builder_futex(builder, word, operation, value, timeout, word2, value3) \
	batch_builder_futex(builder, BATCH__ARGUMENT(batch__from_void_pointer, word), BATCH__ARGUMENT(batch__from_int, operation), BATCH__ARGUMENT(batch__from_unsigned_int, value), BATCH__ARGUMENT(batch__from_const_timespec_pointer, timeout), BATCH__ARGUMENT(batch__from_void_pointer, word2), BATCH__ARGUMENT(batch__from_unsigned_int, value3))
#endif
#endif

#ifdef __NR_fallocate
FERRY_INLINE struct batch_value batch_builder_fallocate(
	struct batch_builder *builder, BATCH__PARAMETER(int) fd, BATCH__PARAMETER(int) mode, BATCH__PARAMETER(off_t) offset, BATCH__PARAMETER(off_t) bytes)
{
	const struct batch_argument arguments[] = { fd, mode, offset, bytes };
	const long words[] = { fd.word, mode.word, offset.word, bytes.word };
	if (BATCH__ARE_WORDS(fd.kind | mode.kind | offset.kind | bytes.kind))
		return batch_builder_call(builder, __NR_fallocate, 4, words);
	return batch_builder_add_arguments(builder, __NR_fallocate, 4, arguments);
}
#ifndef __cplusplus
#define batch_builder_fallocate(builder, fd, mode, offset, bytes) \
	batch_builder_fallocate(builder, BATCH__ARGUMENT(batch__from_int, fd), BATCH__ARGUMENT(batch__from_int, mode), BATCH__ARGUMENT(batch__from_off_t, offset), BATCH__ARGUMENT(batch__from_off_t, bytes))
#endif
#endif

#ifdef __NR_dup3
FERRY_INLINE struct batch_value batch_builder_dup3(
	struct batch_builder *builder, BATCH__PARAMETER(int) old_fd, BATCH__PARAMETER(int) new_fd, BATCH__PARAMETER(int) flags)
{
	const struct batch_argument arguments[] = { old_fd, new_fd, flags };
	const long words[] = { old_fd.word, new_fd.word, flags.word };
	if (BATCH__ARE_WORDS(old_fd.kind | new_fd.kind | flags.kind))
		return batch_builder_call(builder, __NR_dup3, 3, words);
	return batch_builder_add_arguments(builder, __NR_dup3, 3, arguments);
}
#ifndef __cplusplus
#define batch_builder_dup3(builder, old_fd, new_fd, flags) \
	batch_builder_dup3(builder, BATCH__ARGUMENT(batch__from_int, old_fd), BATCH__ARGUMENT(batch__from_int, new_fd), BATCH__ARGUMENT(batch__from_int, flags))
#endif
#endif

#ifdef __NR_getrandom
FERRY_INLINE struct batch_value batch_builder_getrandom(
	struct batch_builder *builder, BATCH__PARAMETER(void *) buffer, BATCH__PARAMETER(size_t) bytes, BATCH__PARAMETER(unsigned int) flags)
{
	const struct batch_argument arguments[] = { buffer, bytes, flags };
	const long words[] = { buffer.word, bytes.word, flags.word };
	if (BATCH__ARE_WORDS(buffer.kind | bytes.kind | flags.kind))
		return batch_builder_call(builder, __NR_getrandom, 3, words);
	return batch_builder_add_arguments(builder, __NR_getrandom, 3, arguments);
}
#ifndef __cplusplus
#define batch_builder_getrandom(builder, buffer, bytes, flags) \
	batch_builder_getrandom(builder, BATCH__ARGUMENT(batch__from_void_pointer, buffer), BATCH__ARGUMENT(batch__from_size_t, bytes), BATCH__ARGUMENT(batch__from_unsigned_int, flags))
#endif
#endif

#ifdef __NR_mprotect
FERRY_INLINE struct batch_value batch_builder_mprotect(
	struct batch_builder *builder, BATCH__PARAMETER(void *) address, BATCH__PARAMETER(size_t) bytes, BATCH__PARAMETER(int) protection)
{
	const struct batch_argument arguments[] = { address, bytes, protection };
	const long words[] = { address.word, bytes.word, protection.word };
	if (BATCH__ARE_WORDS(address.kind | bytes.kind | protection.kind))
		return batch_builder_call(builder, __NR_mprotect, 3, words);
	return batch_builder_add_arguments(builder, __NR_mprotect, 3, arguments);
}
#ifndef __cplusplus
#define batch_builder_mprotect(builder, address, bytes, protection) \
	batch_builder_mprotect(builder, BATCH__ARGUMENT(batch__from_void_pointer, address), BATCH__ARGUMENT(batch__from_size_t, bytes), BATCH__ARGUMENT(batch__from_int, protection))
#endif
#endif

#ifdef __NR_madvise
FERRY_INLINE struct batch_value batch_builder_madvise(
	struct batch_builder *builder, BATCH__PARAMETER(void *) address, BATCH__PARAMETER(size_t) bytes, BATCH__PARAMETER(int) advice)
{
	const struct batch_argument arguments[] = { address, bytes, advice };
	const long words[] = { address.word, bytes.word, advice.word };
	if (BATCH__ARE_WORDS(address.kind | bytes.kind | advice.kind))
		return batch_builder_call(builder, __NR_madvise, 3, words);
	return batch_builder_add_arguments(builder, __NR_madvise, 3, arguments);
}
#ifndef __cplusplus
#define batch_builder_madvise(builder, address, bytes, advice) \
	batch_builder_madvise(builder, BATCH__ARGUMENT(batch__from_void_pointer, address), BATCH__ARGUMENT(batch__from_size_t, bytes), BATCH__ARGUMENT(batch__from_int, advice))
#endif
#endif

#ifdef __NR_fcntl
FERRY_INLINE struct batch_value batch_builder_fcntl(
	struct batch_builder *builder, BATCH__PARAMETER(int) fd, BATCH__PARAMETER(int) command, BATCH__PARAMETER(unsigned long) argument)
{
	const struct batch_argument arguments[] = { fd, command, argument };
	const long words[] = { fd.word, command.word, argument.word };
	if (BATCH__ARE_WORDS(fd.kind | command.kind | argument.kind))
		return batch_builder_call(builder, __NR_fcntl, 3, words);
	return batch_builder_add_arguments(builder, __NR_fcntl, 3, arguments);
}
#ifndef __cplusplus
#define batch_builder_fcntl(builder, fd, command, argument) \
	batch_builder_fcntl(builder, BATCH__ARGUMENT(batch__from_int, fd), BATCH__ARGUMENT(batch__from_int, command), BATCH__ARGUMENT(batch__from_unsigned_long, argument))
#endif
#endif

#ifdef __NR_flock
FERRY_INLINE struct batch_value batch_builder_flock(
	struct batch_builder *builder, BATCH__PARAMETER(int) fd, BATCH__PARAMETER(int) operation)
{
	const struct batch_argument arguments[] = { fd, operation };
	const long words[] = { fd.word, operation.word };
	if (BATCH__ARE_WORDS(fd.kind | operation.kind))
		return batch_builder_call(builder, __NR_flock, 2, words);
	return batch_builder_add_arguments(builder, __NR_flock, 2, arguments);
}
#ifndef __cplusplus
#define batch_builder_flock(builder, fd, operation) \
	batch_builder_flock(builder, BATCH__ARGUMENT(batch__from_int, fd), BATCH__ARGUMENT(batch__from_int, operation))
#endif
#endif

#ifdef __NR_fchmod
FERRY_INLINE struct batch_value batch_builder_fchmod(
	struct batch_builder *builder, BATCH__PARAMETER(int) fd, BATCH__PARAMETER(mode_t) mode)
{
	const struct batch_argument arguments[] = { fd, mode };
	const long words[] = { fd.word, mode.word };
	if (BATCH__ARE_WORDS(fd.kind | mode.kind))
		return batch_builder_call(builder, __NR_fchmod, 2, words);
	return batch_builder_add_arguments(builder, __NR_fchmod, 2, arguments);
}
#ifndef __cplusplus
#define batch_builder_fchmod(builder, fd, mode) \
	batch_builder_fchmod(builder, BATCH__ARGUMENT(batch__from_int, fd), BATCH__ARGUMENT(batch__from_mode_t, mode))
#endif
#endif

#ifdef __NR_fchown
FERRY_INLINE struct batch_value batch_builder_fchown(
	struct batch_builder *builder, BATCH__PARAMETER(int) fd, BATCH__PARAMETER(uid_t) owner, BATCH__PARAMETER(gid_t) group)
{
	const struct batch_argument arguments[] = { fd, owner, group };
	const long words[] = { fd.word, owner.word, group.word };
	if (BATCH__ARE_WORDS(fd.kind | owner.kind | group.kind))
		return batch_builder_call(builder, __NR_fchown, 3, words);
	return batch_builder_add_arguments(builder, __NR_fchown, 3, arguments);
}
#ifndef __cplusplus
#define batch_builder_fchown(builder, fd, owner, group) \
	batch_builder_fchown(builder, BATCH__ARGUMENT(batch__from_int, fd), BATCH__ARGUMENT(batch__from_uid_t, owner), BATCH__ARGUMENT(batch__from_gid_t, group))
#endif
#endif

#ifdef __NR_fadvise64
FERRY_INLINE struct batch_value batch_builder_fadvise64(
	struct batch_builder *builder, BATCH__PARAMETER(int) fd, BATCH__PARAMETER(off_t) offset, BATCH__PARAMETER(off_t) bytes, BATCH__PARAMETER(int) advice)
{
	const struct batch_argument arguments[] = { fd, offset, bytes, advice };
	const long words[] = { fd.word, offset.word, bytes.word, advice.word };
	if (BATCH__ARE_WORDS(fd.kind | offset.kind | bytes.kind | advice.kind))
		return batch_builder_call(builder, __NR_fadvise64, 4, words);
	return batch_builder_add_arguments(builder, __NR_fadvise64, 4, arguments);
}
#ifndef __cplusplus
#define batch_builder_fadvise64(builder, fd, offset, bytes, advice) \
	batch_builder_fadvise64(builder, BATCH__ARGUMENT(batch__from_int, fd), BATCH__ARGUMENT(batch__from_off_t, offset), BATCH__ARGUMENT(batch__from_off_t, bytes), BATCH__ARGUMENT(batch__from_int, advice))
#endif
#endif

#ifdef __NR_readahead
FERRY_INLINE struct batch_value batch_builder_readahead(
	struct batch_builder *builder, BATCH__PARAMETER(int) fd, BATCH__PARAMETER(off_t) offset, BATCH__PARAMETER(size_t) bytes)
{
	const struct batch_argument arguments[] = { fd, offset, bytes };
	const long words[] = { fd.word, offset.word, bytes.word };
	if (BATCH__ARE_WORDS(fd.kind | offset.kind | bytes.kind))
		return batch_builder_call(builder, __NR_readahead, 3, words);
	return batch_builder_add_arguments(builder, __NR_readahead, 3, arguments);
}
#ifndef __cplusplus
#define batch_builder_readahead(builder, fd, offset, bytes) \
	batch_builder_readahead(builder, BATCH__ARGUMENT(batch__from_int, fd), BATCH__ARGUMENT(batch__from_off_t, offset), BATCH__ARGUMENT(batch__from_size_t, bytes))
#endif
#endif

#ifdef __NR_copy_file_range
FERRY_INLINE struct batch_value batch_builder_copy_file_range(
	struct batch_builder *builder, BATCH__PARAMETER(int) in_fd, BATCH__PARAMETER(off_t *) in_offset, BATCH__PARAMETER(int) out_fd, BATCH__PARAMETER(off_t *) out_offset, BATCH__PARAMETER(size_t) bytes, BATCH__PARAMETER(unsigned int) flags)
{
	const struct batch_argument arguments[] = { in_fd, in_offset, out_fd, out_offset, bytes, flags };
	const long words[] = { in_fd.word, in_offset.word, out_fd.word, out_offset.word, bytes.word, flags.word };
	if (BATCH__ARE_WORDS(in_fd.kind | in_offset.kind | out_fd.kind | out_offset.kind | bytes.kind | flags.kind))
		return batch_builder_call(builder, __NR_copy_file_range, 6, words);
	return batch_builder_add_arguments(builder, __NR_copy_file_range, 6, arguments);
}
#ifndef __cplusplus
#define batch_builder_copy_file_range(builder, in_fd, in_offset, out_fd, out_offset, bytes, flags) \
	batch_builder_copy_file_range(builder, BATCH__ARGUMENT(batch__from_int, in_fd), BATCH__ARGUMENT(batch__from_off_t_pointer, in_offset), BATCH__ARGUMENT(batch__from_int, out_fd), BATCH__ARGUMENT(batch__from_off_t_pointer, out_offset), BATCH__ARGUMENT(batch__from_size_t, bytes), BATCH__ARGUMENT(batch__from_unsigned_int, flags))
#endif
#endif

#ifdef __NR_sendfile
FERRY_INLINE struct batch_value batch_builder_sendfile(
	struct batch_builder *builder, BATCH__PARAMETER(int) out_fd, BATCH__PARAMETER(int) in_fd, BATCH__PARAMETER(off_t *) offset, BATCH__PARAMETER(size_t) bytes)
{
	const struct batch_argument arguments[] = { out_fd, in_fd, offset, bytes };
	const long words[] = { out_fd.word, in_fd.word, offset.word, bytes.word };
	if (BATCH__ARE_WORDS(out_fd.kind | in_fd.kind | offset.kind | bytes.kind))
		return batch_builder_call(builder, __NR_sendfile, 4, words);
	return batch_builder_add_arguments(builder, __NR_sendfile, 4, arguments);
}
#ifndef __cplusplus
#define batch_builder_sendfile(builder, out_fd, in_fd, offset, bytes) \
	batch_builder_sendfile(builder, BATCH__ARGUMENT(batch__from_int, out_fd), BATCH__ARGUMENT(batch__from_int, in_fd), BATCH__ARGUMENT(batch__from_off_t_pointer, offset), BATCH__ARGUMENT(batch__from_size_t, bytes))
#endif
#endif

#ifdef __NR_pipe2
FERRY_INLINE struct batch_value batch_builder_pipe2(
	struct batch_builder *builder, BATCH__PARAMETER(int *) fds, BATCH__PARAMETER(int) flags)
{
	const struct batch_argument arguments[] = { fds, flags };
	const long words[] = { fds.word, flags.word };
	if (BATCH__ARE_WORDS(fds.kind | flags.kind))
		return batch_builder_call(builder, __NR_pipe2, 2, words);
	return batch_builder_add_arguments(builder, __NR_pipe2, 2, arguments);
}
#ifndef __cplusplus
#define batch_builder_pipe2(builder, fds, flags) \
	batch_builder_pipe2(builder, BATCH__ARGUMENT(batch__from_int_pointer, fds), BATCH__ARGUMENT(batch__from_int, flags))
#endif
#endif

#ifdef __NR_eventfd2
FERRY_INLINE struct batch_value batch_builder_eventfd2(
	struct batch_builder *builder, BATCH__PARAMETER(unsigned int) count, BATCH__PARAMETER(int) flags)
{
	const struct batch_argument arguments[] = { count, flags };
	const long words[] = { count.word, flags.word };
	if (BATCH__ARE_WORDS(count.kind | flags.kind))
		return batch_builder_call(builder, __NR_eventfd2, 2, words);
	return batch_builder_add_arguments(builder, __NR_eventfd2, 2, arguments);
}
#ifndef __cplusplus
#define batch_builder_eventfd2(builder, count, flags) \
	batch_builder_eventfd2(builder, BATCH__ARGUMENT(batch__from_unsigned_int, count), BATCH__ARGUMENT(batch__from_int, flags))
#endif
#endif

#ifdef __NR_memfd_create
FERRY_INLINE struct batch_value batch_builder_memfd_create(
	struct batch_builder *builder, BATCH__PARAMETER(const char *) name, BATCH__PARAMETER(unsigned int) flags)
{
	const struct batch_argument arguments[] = { name, flags };
	const long words[] = { name.word, flags.word };
	if (BATCH__ARE_WORDS(name.kind | flags.kind))
		return batch_builder_call(builder, __NR_memfd_create, 2, words);
	return batch_builder_add_arguments(builder, __NR_memfd_create, 2, arguments);
}
#ifndef __cplusplus
#define batch_builder_memfd_create(builder, name, flags) \
	batch_builder_memfd_create(builder, BATCH__ARGUMENT(batch__from_const_char_pointer, name), BATCH__ARGUMENT(batch__from_unsigned_int, flags))
#endif
#endif

#ifdef __NR_socket
FERRY_INLINE struct batch_value batch_builder_socket(
	struct batch_builder *builder, BATCH__PARAMETER(int) family, BATCH__PARAMETER(int) type, BATCH__PARAMETER(int) protocol)
{
	const struct batch_argument arguments[] = { family, type, protocol };
	const long words[] = { family.word, type.word, protocol.word };
	if (BATCH__ARE_WORDS(family.kind | type.kind | protocol.kind))
		return batch_builder_call(builder, __NR_socket, 3, words);
	return batch_builder_add_arguments(builder, __NR_socket, 3, arguments);
}
#ifndef __cplusplus
#define batch_builder_socket(builder, family, type, protocol) \
	batch_builder_socket(builder, BATCH__ARGUMENT(batch__from_int, family), BATCH__ARGUMENT(batch__from_int, type), BATCH__ARGUMENT(batch__from_int, protocol))
#endif
#endif

#ifdef __NR_socketpair
FERRY_INLINE struct batch_value batch_builder_socketpair(
	struct batch_builder *builder, BATCH__PARAMETER(int) family, BATCH__PARAMETER(int) type, BATCH__PARAMETER(int) protocol, BATCH__PARAMETER(int *) fds)
{
	const struct batch_argument arguments[] = { family, type, protocol, fds };
	const long words[] = { family.word, type.word, protocol.word, fds.word };
	if (BATCH__ARE_WORDS(family.kind | type.kind | protocol.kind | fds.kind))
		return batch_builder_call(builder, __NR_socketpair, 4, words);
	return batch_builder_add_arguments(builder, __NR_socketpair, 4, arguments);
}
#ifndef __cplusplus
#define batch_builder_socketpair(builder, family, type, protocol, fds) \
	batch_builder_socketpair(builder, BATCH__ARGUMENT(batch__from_int, family), BATCH__ARGUMENT(batch__from_int, type), BATCH__ARGUMENT(batch__from_int, protocol), BATCH__ARGUMENT(batch__from_int_pointer, fds))
#endif
#endif

#ifdef __NR_bind
FERRY_INLINE struct batch_value batch_builder_bind(
	struct batch_builder *builder, BATCH__PARAMETER(int) fd, BATCH__PARAMETER(const void *) address, BATCH__PARAMETER(unsigned int) bytes)
{
	const struct batch_argument arguments[] = { fd, address, bytes };
	const long words[] = { fd.word, address.word, bytes.word };
	if (BATCH__ARE_WORDS(fd.kind | address.kind | bytes.kind))
		return batch_builder_call(builder, __NR_bind, 3, words);
	return batch_builder_add_arguments(builder, __NR_bind, 3, arguments);
}
#ifndef __cplusplus
#define batch_builder_bind(builder, fd, address, bytes) \
	batch_builder_bind(builder, BATCH__ARGUMENT(batch__from_int, fd), BATCH__ARGUMENT(batch__from_const_void_pointer, address), BATCH__ARGUMENT(batch__from_unsigned_int, bytes))
#endif
#endif

#ifdef __NR_listen
FERRY_INLINE struct batch_value batch_builder_listen(
	struct batch_builder *builder, BATCH__PARAMETER(int) fd, BATCH__PARAMETER(int) backlog)
{
	const struct batch_argument arguments[] = { fd, backlog };
	const long words[] = { fd.word, backlog.word };
	if (BATCH__ARE_WORDS(fd.kind | backlog.kind))
		return batch_builder_call(builder, __NR_listen, 2, words);
	return batch_builder_add_arguments(builder, __NR_listen, 2, arguments);
}
#ifndef __cplusplus
#define batch_builder_listen(builder, fd, backlog) \
	batch_builder_listen(builder, BATCH__ARGUMENT(batch__from_int, fd), BATCH__ARGUMENT(batch__from_int, backlog))
#endif
#endif

#ifdef __NR_connect
FERRY_INLINE struct batch_value batch_builder_connect(
	struct batch_builder *builder, BATCH__PARAMETER(int) fd, BATCH__PARAMETER(const void *) address, BATCH__PARAMETER(unsigned int) bytes)
{
	const struct batch_argument arguments[] = { fd, address, bytes };
	const long words[] = { fd.word, address.word, bytes.word };
	if (BATCH__ARE_WORDS(fd.kind | address.kind | bytes.kind))
		return batch_builder_call(builder, __NR_connect, 3, words);
	return batch_builder_add_arguments(builder, __NR_connect, 3, arguments);
}
#ifndef __cplusplus
#define batch_builder_connect(builder, fd, address, bytes) \
	batch_builder_connect(builder, BATCH__ARGUMENT(batch__from_int, fd), BATCH__ARGUMENT(batch__from_const_void_pointer, address), BATCH__ARGUMENT(batch__from_unsigned_int, bytes))
#endif
#endif

#ifdef __NR_accept4
FERRY_INLINE struct batch_value batch_builder_accept4(
	struct batch_builder *builder, BATCH__PARAMETER(int) fd, BATCH__PARAMETER(void *) address, BATCH__PARAMETER(unsigned int *) bytes, BATCH__PARAMETER(int) flags)
{
	const struct batch_argument arguments[] = { fd, address, bytes, flags };
	const long words[] = { fd.word, address.word, bytes.word, flags.word };
	if (BATCH__ARE_WORDS(fd.kind | address.kind | bytes.kind | flags.kind))
		return batch_builder_call(builder, __NR_accept4, 4, words);
	return batch_builder_add_arguments(builder, __NR_accept4, 4, arguments);
}
#ifndef __cplusplus
#define batch_builder_accept4(builder, fd, address, bytes, flags) \
	batch_builder_accept4(builder, BATCH__ARGUMENT(batch__from_int, fd), BATCH__ARGUMENT(batch__from_void_pointer, address), BATCH__ARGUMENT(batch__from_unsigned_int_pointer, bytes), BATCH__ARGUMENT(batch__from_int, flags))
#endif
#endif

#ifdef __NR_sendto
FERRY_INLINE struct batch_value batch_builder_sendto(
	struct batch_builder *builder, BATCH__PARAMETER(int) fd, BATCH__PARAMETER(const void *) buffer, BATCH__PARAMETER(size_t) bytes, BATCH__PARAMETER(int) flags, BATCH__PARAMETER(const void *) address, BATCH__PARAMETER(unsigned int) address_bytes)
{
	const struct batch_argument arguments[] = { fd, buffer, bytes, flags, address, address_bytes };
	const long words[] = { fd.word, buffer.word, bytes.word, flags.word, address.word, address_bytes.word };
	if (BATCH__ARE_WORDS(fd.kind | buffer.kind | bytes.kind | flags.kind | address.kind | address_bytes.kind))
		return batch_builder_call(builder, __NR_sendto, 6, words);
	return batch_builder_add_arguments(builder, __NR_sendto, 6, arguments);
}
#ifndef __cplusplus
#define batch_builder_sendto(builder, fd, buffer, bytes, flags, address, address_bytes) \
	batch_builder_sendto(builder, BATCH__ARGUMENT(batch__from_int, fd), BATCH__ARGUMENT(batch__from_const_void_pointer, buffer), BATCH__ARGUMENT(batch__from_size_t, bytes), BATCH__ARGUMENT(batch__from_int, flags), BATCH__ARGUMENT(batch__from_const_void_pointer, address), BATCH__ARGUMENT(batch__from_unsigned_int, address_bytes))
#endif
#endif

#ifdef __NR_recvfrom
FERRY_INLINE struct batch_value batch_builder_recvfrom(
	struct batch_builder *builder, BATCH__PARAMETER(int) fd, BATCH__PARAMETER(void *) buffer, BATCH__PARAMETER(size_t) bytes, BATCH__PARAMETER(int) flags, BATCH__PARAMETER(void *) address, BATCH__PARAMETER(unsigned int *) address_bytes)
{
	const struct batch_argument arguments[] = { fd, buffer, bytes, flags, address, address_bytes };
	const long words[] = { fd.word, buffer.word, bytes.word, flags.word, address.word, address_bytes.word };
	if (BATCH__ARE_WORDS(fd.kind | buffer.kind | bytes.kind | flags.kind | address.kind | address_bytes.kind))
		return batch_builder_call(builder, __NR_recvfrom, 6, words);
	return batch_builder_add_arguments(builder, __NR_recvfrom, 6, arguments);
}
#ifndef __cplusplus
#define batch_builder_recvfrom(builder, fd, buffer, bytes, flags, address, address_bytes) \
	batch_builder_recvfrom(builder, BATCH__ARGUMENT(batch__from_int, fd), BATCH__ARGUMENT(batch__from_void_pointer, buffer), BATCH__ARGUMENT(batch__from_size_t, bytes), BATCH__ARGUMENT(batch__from_int, flags), BATCH__ARGUMENT(batch__from_void_pointer, address), BATCH__ARGUMENT(batch__from_unsigned_int_pointer, address_bytes))
#endif
#endif

#ifdef __NR_setsockopt
FERRY_INLINE struct batch_value batch_builder_setsockopt(
	struct batch_builder *builder, BATCH__PARAMETER(int) fd, BATCH__PARAMETER(int) level, BATCH__PARAMETER(int) option, BATCH__PARAMETER(const void *) value, BATCH__PARAMETER(unsigned int) bytes)
{
	const struct batch_argument arguments[] = { fd, level, option, value, bytes };
	const long words[] = { fd.word, level.word, option.word, value.word, bytes.word };
	if (BATCH__ARE_WORDS(fd.kind | level.kind | option.kind | value.kind | bytes.kind))
		return batch_builder_call(builder, __NR_setsockopt, 5, words);
	return batch_builder_add_arguments(builder, __NR_setsockopt, 5, arguments);
}
#ifndef __cplusplus
#define batch_builder_setsockopt(builder, fd, level, option, value, bytes) \
	batch_builder_setsockopt(builder, BATCH__ARGUMENT(batch__from_int, fd), BATCH__ARGUMENT(batch__from_int, level), BATCH__ARGUMENT(batch__from_int, option), BATCH__ARGUMENT(batch__from_const_void_pointer, value), BATCH__ARGUMENT(batch__from_unsigned_int, bytes))
#endif
#endif

#ifdef __NR_shutdown
FERRY_INLINE struct batch_value batch_builder_shutdown(
	struct batch_builder *builder, BATCH__PARAMETER(int) fd, BATCH__PARAMETER(int) how)
{
	const struct batch_argument arguments[] = { fd, how };
	const long words[] = { fd.word, how.word };
	if (BATCH__ARE_WORDS(fd.kind | how.kind))
		return batch_builder_call(builder, __NR_shutdown, 2, words);
	return batch_builder_add_arguments(builder, __NR_shutdown, 2, arguments);
}
#ifndef __cplusplus
#define batch_builder_shutdown(builder, fd, how) \
	batch_builder_shutdown(builder, BATCH__ARGUMENT(batch__from_int, fd), BATCH__ARGUMENT(batch__from_int, how))
#endif
#endif

#ifdef __NR_clock_gettime
FERRY_INLINE struct batch_value batch_builder_clock_gettime(
	struct batch_builder *builder, BATCH__PARAMETER(int) clock, BATCH__PARAMETER(struct timespec *) out)
{
	const struct batch_argument arguments[] = { clock, out };
	const long words[] = { clock.word, out.word };
	if (BATCH__ARE_WORDS(clock.kind | out.kind))
		return batch_builder_call(builder, __NR_clock_gettime, 2, words);
	return batch_builder_add_arguments(builder, __NR_clock_gettime, 2, arguments);
}
#ifndef __cplusplus
#define batch_builder_clock_gettime(builder, clock, out) \
	batch_builder_clock_gettime(builder, BATCH__ARGUMENT(batch__from_int, clock), BATCH__ARGUMENT(batch__from_timespec_pointer, out))
#endif
#endif

#ifdef __NR_clock_nanosleep
FERRY_INLINE struct batch_value batch_builder_clock_nanosleep(
	struct batch_builder *builder, BATCH__PARAMETER(int) clock, BATCH__PARAMETER(int) flags, BATCH__PARAMETER(const struct timespec *) request, BATCH__PARAMETER(struct timespec *) remaining)
{
	const struct batch_argument arguments[] = { clock, flags, request, remaining };
	const long words[] = { clock.word, flags.word, request.word, remaining.word };
	if (BATCH__ARE_WORDS(clock.kind | flags.kind | request.kind | remaining.kind))
		return batch_builder_call(builder, __NR_clock_nanosleep, 4, words);
	return batch_builder_add_arguments(builder, __NR_clock_nanosleep, 4, arguments);
}
#ifndef __cplusplus
#define batch_builder_clock_nanosleep(builder, clock, flags, request, remaining) \
	batch_builder_clock_nanosleep(builder, BATCH__ARGUMENT(batch__from_int, clock), BATCH__ARGUMENT(batch__from_int, flags), BATCH__ARGUMENT(batch__from_const_timespec_pointer, request), BATCH__ARGUMENT(batch__from_timespec_pointer, remaining))
#endif
#endif

#ifdef __NR_getpid
FERRY_INLINE struct batch_value batch_builder_getpid(
	struct batch_builder *builder)
{
	return batch_builder_call(builder, __NR_getpid, 0, NULL);
}
#endif

#ifdef __NR_getppid
FERRY_INLINE struct batch_value batch_builder_getppid(
	struct batch_builder *builder)
{
	return batch_builder_call(builder, __NR_getppid, 0, NULL);
}
#endif

#ifdef __NR_gettid
FERRY_INLINE struct batch_value batch_builder_gettid(
	struct batch_builder *builder)
{
	return batch_builder_call(builder, __NR_gettid, 0, NULL);
}
#endif

#ifdef __NR_preadv2
FERRY_INLINE struct batch_value batch_builder_preadv2(
	struct batch_builder *builder, BATCH__PARAMETER(int) fd, BATCH__PARAMETER(const struct iovec *) vector, BATCH__PARAMETER(unsigned long) count, BATCH__PARAMETER(unsigned long) offset_low, BATCH__PARAMETER(unsigned long) offset_high, BATCH__PARAMETER(int) flags)
{
	const struct batch_argument arguments[] = { fd, vector, count, offset_low, offset_high, flags };
	const long words[] = { fd.word, vector.word, count.word, offset_low.word, offset_high.word, flags.word };
	if (BATCH__ARE_WORDS(fd.kind | vector.kind | count.kind | offset_low.kind | offset_high.kind | flags.kind))
		return batch_builder_call(builder, __NR_preadv2, 6, words);
	return batch_builder_add_arguments(builder, __NR_preadv2, 6, arguments);
}
#ifndef __cplusplus
#define batch_builder_preadv2(builder, fd, vector, count, offset_low, offset_high, flags) \
	batch_builder_preadv2(builder, BATCH__ARGUMENT(batch__from_int, fd), BATCH__ARGUMENT(batch__from_const_iovec_pointer, vector), BATCH__ARGUMENT(batch__from_unsigned_long, count), BATCH__ARGUMENT(batch__from_unsigned_long, offset_low), BATCH__ARGUMENT(batch__from_unsigned_long, offset_high), BATCH__ARGUMENT(batch__from_int, flags))
#endif
#endif

#ifdef __cplusplus
} /* extern "C++" */
#endif

#endif /* FERRY_TYPED_H */
