/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random delays before every atomic operation of the OpenMP runtime and the ingress: the build variant DELAYS=1
 * includes this file before each of their sources, so that no hand-over is forgotten and the ordinary build knows
 * nothing of it.
 *
 * A delay between two atomic operations lets every other thread do anything in between, which a scheduler alone does
 * once in a million times. FERRY_SEED chooses the delays; delays.c prints the seed of a run that was given none.
 */
#ifndef OPENMP_DELAYS_H
#define OPENMP_DELAYS_H

#include <stdatomic.h>
#include <stdint.h>

/* Operations until the thread's next delay. */
extern __thread uint32_t omp__delay_countdown __attribute__((tls_model("initial-exec")));

void omp__delay_now(void);

static inline void omp__delay(void)
{
	if (omp__delay_countdown-- == 0)
		omp__delay_now();
}

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

#endif
