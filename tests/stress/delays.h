/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A point before every atomic operation, lock and system call of the OpenMP runtime and the ingress, at which something
 * may happen to the thread: the build variant DELAYS=1 includes this file before each of their sources, so that no
 * hand-over is forgotten and the ordinary build knows nothing of it. There is a point after a lock was taken too.
 *
 * With delays.c it is a random delay: it lets every other thread do anything in between, which a scheduler alone does
 * once in a million times. FERRY_SEED chooses the delays; delays.c prints the seed of a run that was given none. With
 * freeze.c it is the suspension of the thread, at each point in turn.
 */
#ifndef OPENMP_DELAYS_H
#define OPENMP_DELAYS_H

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>

/* Points until the thread's next delay. */
extern __thread uint32_t omp__delay_countdown __attribute__((tls_model("initial-exec")));

/* `file` and `line` say where the point is. */
void omp__delay_now(const char *file, int line);

static inline void omp__delay_at(const char *file, int line)
{
	if (omp__delay_countdown-- == 0)
		omp__delay_now(file, line);
}

#define omp__delay() omp__delay_at(__FILE__, __LINE__)

#undef atomic_load_explicit
#undef atomic_store_explicit
#undef atomic_exchange_explicit
#undef atomic_compare_exchange_strong_explicit
#undef atomic_compare_exchange_weak_explicit
#undef atomic_fetch_add_explicit
#undef atomic_fetch_sub_explicit
#undef atomic_fetch_or_explicit
#undef atomic_fetch_and_explicit
#undef atomic_flag_test_and_set_explicit
#undef atomic_flag_clear_explicit

#define atomic_load_explicit(at, order) (omp__delay(), __atomic_load_n(at, order))
#define atomic_store_explicit(at, value, order) (omp__delay(), __atomic_store_n(at, value, order))
#define atomic_exchange_explicit(at, value, order) (omp__delay(), __atomic_exchange_n(at, value, order))
#define atomic_compare_exchange_strong_explicit(at, expected, value, order, failed)                                    \
	(omp__delay(), __atomic_compare_exchange_n(at, expected, value, 0, order, failed))
#define atomic_compare_exchange_weak_explicit(at, expected, value, order, failed)                                      \
	(omp__delay(), __atomic_compare_exchange_n(at, expected, value, 1, order, failed))
#define atomic_fetch_add_explicit(at, value, order) (omp__delay(), __atomic_fetch_add(at, value, order))
#define atomic_fetch_sub_explicit(at, value, order) (omp__delay(), __atomic_fetch_sub(at, value, order))
#define atomic_fetch_or_explicit(at, value, order) (omp__delay(), __atomic_fetch_or(at, value, order))
#define atomic_fetch_and_explicit(at, value, order) (omp__delay(), __atomic_fetch_and(at, value, order))
#define atomic_flag_test_and_set_explicit(at, order) (omp__delay(), __atomic_test_and_set(at, order))
#define atomic_flag_clear_explicit(at, order) (omp__delay(), __atomic_clear(at, order))

#define syscall(...) (omp__delay(), (syscall)(__VA_ARGS__))
#ifdef DELAY_DESCRIPTORS /* the ingress alone has some; elsewhere these may be names of other things */
#define write(...) (omp__delay(), (write)(__VA_ARGS__))
#define read(...) (omp__delay(), (read)(__VA_ARGS__))
#define ppoll(...) (omp__delay(), (ppoll)(__VA_ARGS__))
#endif
#define pthread_mutex_lock(lock) omp__delay_locked(__FILE__, __LINE__, lock, (pthread_mutex_lock))
#define pthread_mutex_trylock(lock) omp__delay_locked(__FILE__, __LINE__, lock, (pthread_mutex_trylock))
#define pthread_mutex_unlock(lock) (omp__delay(), (pthread_mutex_unlock)(lock))
#define pthread_cond_broadcast(condition) (omp__delay(), (pthread_cond_broadcast)(condition))
#define pthread_create(...) (omp__delay(), (pthread_create)(__VA_ARGS__))

static inline int omp__delay_locked(const char *file, int line, pthread_mutex_t *lock, int (*take)(pthread_mutex_t *))
{
	int failed;

	omp__delay_at(file, line);
	failed = take(lock);
	omp__delay_at(file, line);
	return failed;
}

#endif
