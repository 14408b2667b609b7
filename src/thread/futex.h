/* SPDX-License-Identifier: BSD-3-Clause */
/* Sleeping on a word of memory, and waking the threads that sleep on it (futex(2)). errno stays as it was. */
#ifndef THREAD_FUTEX_H
#define THREAD_FUTEX_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Sleep while *word is `value`, until deadline_ns. False: the deadline has passed. The sleep may also end for no
 * reason, but a signal handler that runs does not end it: otherwise the waiters of a program with a timer signal would
 * spin again after each signal.
 */
bool thread__futex_wait(_Atomic uint32_t *word, uint32_t value, uint64_t deadline_ns);
/* Wake at most `count` of the threads that sleep on word. */
void thread__futex_wake(_Atomic uint32_t *word, int count);
/*
 * Clear `bit` of *word and wake the threads that sleep on it, both in one system call: no thread finds the bit cleared
 * and a sleeper not yet woken. Several threads may do so at once.
 */
void thread__futex_wake_clear(_Atomic uint32_t *word, uint32_t bit);

#endif
