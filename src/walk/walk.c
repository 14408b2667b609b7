/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A walk from beginning to end: options, threads, the root.
 *
 * Thread 0 is the caller. Where only one thread walks none is created, and the kernel then looks up descriptors without
 * touching a shared count, which is worth a few percent.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "../batch/syscall.h"
#include "internal.h"

int walk_threads(const struct walk_options *options)
{
	long online;

	if (options && options->threads)
		return options->threads <= WALK_THREADS_MAX ? (int)options->threads : -EINVAL;
	online = sysconf(_SC_NPROCESSORS_ONLN);
	if (online < 1)
		return 1;
	return online < WALK_THREADS_MAX ? (int)online : WALK_THREADS_MAX;
}

/* Parked directories one thread may keep open. */
static unsigned int quota_of(const struct walk_options *options)
{
	unsigned long descriptors = options->descriptors ? options->descriptors : WALK_DESCRIPTORS;
	struct rlimit limit;

	if (batch__syscall6(__NR_prlimit64, 0, RLIMIT_NOFILE, 0, (long)&limit, 0, 0) == 0 &&
	    limit.rlim_cur / 2 < descriptors)
		descriptors = limit.rlim_cur / 2;
	descriptors /= options->threads;
	return descriptors < 2 ? 2 : (unsigned int)descriptors;
}

static int check_options(struct walk_options *options)
{
	int threads = walk_threads(options);

	if (threads < 0 || options->data_bytes > WALK_DATA_BYTES_MAX ||
	    (options->stat_flags & ~(unsigned int)(AT_STATX_FORCE_SYNC | AT_STATX_DONT_SYNC)) ||
	    (unsigned int)options->follow > WALK_FOLLOW_ALL)
		return -EINVAL;
	options->threads = (unsigned int)threads;
	options->data_bytes = (options->data_bytes + _Alignof(max_align_t) - 1) & ~(_Alignof(max_align_t) - 1);
	options->mask = options->mask ? options->mask : STATX_BASIC_STATS;
	return 0;
}

/* See scan.c: whether the path lies on ext4, and on which device. */
static void find_ext4(struct walk *walk, const char *path)
{
	struct statx stat;
	struct statfs fs;

	walk->has_ext4 = batch__syscall6(__NR_statfs, (long)path, (long)&fs, 0, 0, 0, 0) == 0 &&
			 fs.f_type == EXT4_SUPER_MAGIC &&
			 batch__syscall6(__NR_statx, AT_FDCWD, (long)path, 0, STATX_INO, (long)&stat, 0) == 0;
	if (!walk->has_ext4)
		return;
	walk->ext4_major = stat.stx_dev_major;
	walk->ext4_minor = stat.stx_dev_minor;
}

/*
 * Which executor runs the batches where the options leave that open: the kernel, where it does. Never io_uring, which
 * carries none of the walk's batches: so a program that walks is not linked with liburing.
 */
static void choose_executor(struct walk *walk)
{
	walk->executor = walk->options.executor;
	if (walk->executor)
		return;
	batch_auto_open_without_uring(&walk->automatic);
	walk->executor = walk->automatic.kernel ? &walk->automatic.executor : &batch_executor_loop;
}

static int thread_init(struct walk *walk, unsigned int index)
{
	struct walk__thread *thread = &walk->threads[index];

	thread->walk = walk;
	thread->index = index;
	pthread_mutex_init(&thread->lock, NULL);
	walk->thread_count++;
	return walk__batches_init(thread);
}

static int walk_init(struct walk *walk)
{
	int code = 0;

	pthread_mutex_init(&walk->reopen_lock, NULL);
	pthread_mutex_init(&walk->idle_lock, NULL);
	pthread_cond_init(&walk->idle_wake, NULL);
	walk->quota = quota_of(&walk->options);
	choose_executor(walk);
	walk->threads = calloc(walk->options.threads, sizeof(*walk->threads));
	if (!walk->threads)
		return -ENOMEM;
	for (unsigned int i = 0; i < walk->options.threads && code == 0; i++)
		code = thread_init(walk, i);
	return code;
}

static void walk_free(struct walk *walk)
{
	for (unsigned int i = 0; i < walk->thread_count; i++) {
		walk__batches_free(&walk->threads[i]);
		pthread_mutex_destroy(&walk->threads[i].lock);
	}
	free(walk->threads);
	if (!walk->options.executor)
		batch_kernel_close(&walk->automatic.in_kernel);
	pthread_cond_destroy(&walk->idle_wake);
	pthread_mutex_destroy(&walk->idle_lock);
	pthread_mutex_destroy(&walk->reopen_lock);
}

static void *run_thread(void *argument)
{
	struct walk__thread *thread = argument;
	struct walk_directory *directory;

	while ((directory = walk__queue_next(thread)))
		walk__scan(thread, directory);
	return NULL;
}

static void run_threads(struct walk *walk)
{
	unsigned int started = 1;

	while (started < walk->options.threads &&
	       pthread_create(&walk->threads[started].handle, NULL, run_thread, &walk->threads[started]) == 0)
		started++;
	run_thread(&walk->threads[0]);
	for (unsigned int i = 1; i < started; i++)
		pthread_join(walk->threads[i].handle, NULL);
}

/* The filter's word on the path itself. */
static bool is_wanted(struct walk *walk, const char *path)
{
	int answer = WALK_CONTINUE;

	if (walk->visitor->filter)
		answer = walk->visitor->filter(walk->context, 0, NULL, path, DT_UNKNOWN);
	walk__stop_on(walk, answer);
	return answer == WALK_CONTINUE;
}

int walk_run(const char *path, const struct walk_options *options, const struct walk_visitor *visitor, void *context)
{
	struct walk walk = { .visitor = visitor, .context = context };
	struct walk_directory *root;
	int code;

	if (options)
		walk.options = *options;
	code = check_options(&walk.options);
	if (code)
		return code;
	if (!is_wanted(&walk, path))
		return atomic_load_explicit(&walk.stop, memory_order_relaxed);
	code = walk_init(&walk);
	if (code)
		goto out_walk;
	root = walk__directory_new(&walk, NULL, path);
	code = root ? 0 : -ENOMEM;
	if (!root)
		goto out_walk;
	find_ext4(&walk, path);
	walk__queue_push(&walk.threads[0], &(struct walk__list){ root, root });
	run_threads(&walk);
	code = atomic_load_explicit(&walk.stop, memory_order_relaxed);
out_walk:
	walk_free(&walk);
	return code;
}
