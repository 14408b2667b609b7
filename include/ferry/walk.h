/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ferry's tree walk: visit everything below a path, with the system calls in batches and the work shared by threads.
 *
 * Trees may have any depth, directories any size, names up to NAME_MAX bytes, and paths far more than PATH_MAX: nothing
 * here recurses, and every name is looked up relative to the directory in which it was listed. Symbolic links are not
 * followed unless the options say so (but a path given with a trailing slash is, as everywhere). A directory that is
 * its own ancestor, which a bind mount or a symbolic link that is followed can make, is reported and not walked into.
 * That a name vanishes after it was listed is normal, and not reported. Neither is a directory that was replaced by a
 * file, or was moved away while its descriptor was closed.
 *
 * Conventions. Functions return >= 0, or -errno; none reads or sets errno. Different walks may run at once.
 */
#ifndef FERRY_WALK_H
#define FERRY_WALK_H

#include <dirent.h>
#include <linux/stat.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <ferry/batch.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- limits ---------------------------------------------------------------------------------------------------- */

/* threads one walk may use */
#define WALK_THREADS_MAX 256

/* bytes of visitor data one directory may carry */
#define WALK_DATA_BYTES_MAX 65536

/*
 * Descriptors of directories that wait for their subdirectories to be opened, all threads together, unless the options
 * say another number; half of RLIMIT_NOFILE where that is less. Each thread holds at most four more while it works. A
 * directory whose descriptor was closed to stay within the limit is opened again when it is needed.
 */
#define WALK_DESCRIPTORS 256

/* ---- what a visitor sees --------------------------------------------------------------------------------------- */

/* A directory that is being walked. Lives from `listed` (or `enter`) until its `leave` has returned. */
struct walk_directory;

/* The directory in which this one was listed; NULL for the path that was given to walk_run. */
struct walk_directory *walk_directory_parent(const struct walk_directory *directory);

/* The directory's name in its parent; for the path given to walk_run, that path. Lives as long as the directory. */
const char *walk_directory_name(const struct walk_directory *directory);

/* How deep the directory lies below the path given to walk_run; 0 for that path itself. */
size_t walk_directory_depth(const struct walk_directory *directory);

/* The visitor's own data_bytes bytes in the directory: zero at first, aligned for any type. */
void *walk_directory_data(const struct walk_directory *directory);

/*
 * The directory's open descriptor, for use in `enter`, `file` and `scanned` of this very directory and no later; -1
 * when the directory could not be opened. The descriptor belongs to the walk.
 */
int walk_directory_descriptor(const struct walk_directory *directory);

/*
 * Write the path of `name` in `directory` (of the directory itself when name is NULL; of name alone when directory is
 * NULL) into path[bytes], terminated if bytes > 0. Returns the length it wanted, as snprintf does.
 */
size_t walk_path(const struct walk_directory *directory, const char *name, char *path, size_t bytes);

/*
 * A file that is not a directory. Valid during the call it is passed to. Where options->mask asks for nothing beyond
 * STATX_BASIC_STATS, which stat(2) knows too, its attributes are not looked up: stx_attributes_mask is 0.
 */
struct walk_file {
	struct walk_directory *parent; /* NULL for the path given to walk_run */
	const char *name;
	const struct statx *stat; /* what options->mask asked for, and the type in stx_mode */
};

/* What went wrong with a name. */
enum walk_failure {
	WALK_CANNOT_STAT, /* nothing is known about the name; it was passed to no other callback */
	WALK_CANNOT_READ, /* a directory that cannot be opened or listed to its end; its `enter` has been called */
	WALK_LOOP	  /* a directory that is its own ancestor: not entered; code is -ELOOP */
};

/* An error of one name. Valid during the call it is passed to. */
struct walk_error {
	enum walk_failure failure;
	int code;		       /* -errno */
	struct walk_directory *parent; /* NULL for the path given to walk_run */
	const char *name;
};

/* The answers of `filter` and `enter`. */
#define WALK_CONTINUE 0
#define WALK_SKIP 1

/*
 * Callbacks; NULL for one that is not wanted. `thread` is the index of the calling thread, 0 to options->threads - 1:
 * calls with the same index never overlap, calls with different ones do. For one directory the order is: `filter`,
 * `listed`, `enter`, `file`, `filter` and `listed` of its entries in the order the kernel lists them, `scanned`, and
 * `leave` once everything below it has left. All but `leave` of one directory come from one thread, except `filter` and
 * `listed`, which come from its parent's. Each of these happens before the next, whatever threads they run on, and the
 * `leave` of a directory happens before the `leave` of its parent. A callback that returns a negative number ends the
 * walk, and walk_run returns that number.
 */
struct walk_visitor {
	/*
	 * Called when only the name and the type are known (a DT_ constant, maybe DT_UNKNOWN). WALK_SKIP: the walk goes
	 * on as if the name were not there.
	 */
	int (*filter)(void *context, unsigned int thread, struct walk_directory *parent, const char *name,
		      unsigned char type);
	/* A subdirectory was found. Nothing but its name and parent is known. `scanned` will follow, whatever happens.
	 */
	int (*listed)(void *context, unsigned int thread, struct walk_directory *directory);
	/* A directory, before its entries. WALK_SKIP: do not look into it. */
	int (*enter)(void *context, unsigned int thread, struct walk_directory *directory, const struct statx *stat);
	/* Anything that is not a directory. */
	int (*file)(void *context, unsigned int thread, const struct walk_file *file);
	/*
	 * Every entry of the directory has been passed on. code: 0, WALK_SKIP if `enter` said so, or -errno: why it was
	 * not entered (-ENOENT: it has vanished) or not listed to its end.
	 */
	int (*scanned)(void *context, unsigned int thread, struct walk_directory *directory, int code);
	/* Everything below the directory has been visited; `enter` was called. */
	int (*leave)(void *context, unsigned int thread, struct walk_directory *directory);
	/* Something could not be visited. Without this callback errors are passed over. */
	int (*error)(void *context, unsigned int thread, const struct walk_error *error);
};

/* ---- walking --------------------------------------------------------------------------------------------------- */

/* Which symbolic links a walk follows: their targets are then visited in place of the links, under the links' names. */
enum walk_follow {
	WALK_FOLLOW_NONE,
	WALK_FOLLOW_PATH, /* the path given to walk_run */
	/*
	 * All of them. One that leads to nothing is WALK_CANNOT_STAT with -ENOENT, one that leads to an ancestor is
	 * WALK_LOOP. A directory to which several links lead is visited once for each.
	 */
	WALK_FOLLOW_ALL
};

/* All zero is a good choice. */
struct walk_options {
	unsigned int threads;	  /* 0: one for each online core */
	unsigned int mask;	  /* STATX_ fields wanted besides STATX_TYPE; 0: STATX_BASIC_STATS */
	unsigned int stat_flags;  /* AT_STATX_DONT_SYNC or AT_STATX_FORCE_SYNC; 0: as stat(2) */
	unsigned int descriptors; /* 0: WALK_DESCRIPTORS */
	unsigned int one_device; /* not 0: stay on the device of the path; other devices' directories are not entered */
	enum walk_follow follow;
	size_t data_bytes;		       /* visitor data in each directory */
	const struct batch_executor *executor; /* used by all threads at once; NULL: as the walk finds best here */
};

/* The number of threads a walk with these options uses. Returns it, or -EINVAL when it is above WALK_THREADS_MAX. */
int walk_threads(const struct walk_options *options);

/*
 * Walk `path` (relative to the working directory) and everything below it. The calling thread is thread 0; the others
 * live until the walk ends, and where the system refuses some the walk goes on with fewer. Options, visitor and path
 * must stay as they are meanwhile; options may be NULL. Memory in use: one small record for each directory that is
 * listed and not left, whatever the number of files. Returns 0, even when some names could not be visited; the negative
 * number that a callback returned; -EINVAL for options beyond a limit; or -ENOMEM.
 */
int walk_run(const char *path, const struct walk_options *options, const struct walk_visitor *visitor, void *context);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif /* FERRY_WALK_H */
