/* SPDX-License-Identifier: BSD-3-Clause */
/* See futex.h. */
#include "futex.h"
#include "clock.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

bool thread__futex_wait(_Atomic uint32_t *word, uint32_t value, uint64_t deadline_ns)
{
	struct timespec until = { (time_t)(deadline_ns / THREAD__SECOND_NS), (long)(deadline_ns % THREAD__SECOND_NS) };
	int saved = errno;
	long status;

	/*
	 * The bitset form takes the deadline as a time of CLOCK_MONOTONIC, so a sleep that a signal handler interrupted
	 * goes on to the same deadline. Each new call compares the word again; and the kernel reports EINTR only to a
	 * sleeper that no thread has woken. So no wake-up is lost, whatever comes first.
	 */
	do {
		status = syscall(SYS_futex, word, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, value,
				 deadline_ns == THREAD__NEVER ? NULL : &until, NULL, FUTEX_BITSET_MATCH_ANY);
	} while (status < 0 && errno == EINTR);
	status = status < 0 ? errno : 0;
	errno = saved;
	return status != ETIMEDOUT;
}

void thread__futex_wake(_Atomic uint32_t *word, int count)
{
	int saved = errno;

	syscall(SYS_futex, word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, count, NULL, NULL, 0);
	errno = saved;
}

/*
 * The kernel changes the word and wakes under one lock of its own, and no signal is delivered in between. (On a kernel
 * that preempts itself, a waker of a low priority may still lose its processor between the two halves of any futex
 * wake-up; no program can tell.)
 */
void thread__futex_wake_clear(_Atomic uint32_t *word, uint32_t bit)
{
	int saved = errno;

	/* The rest of the operation would wake again if the word had been less than 0, which it never is. */
	if (syscall(SYS_futex, word, FUTEX_WAKE_OP | FUTEX_PRIVATE_FLAG, INT32_MAX, NULL, word,
		    FUTEX_OP(FUTEX_OP_ANDN, bit, FUTEX_OP_CMP_LT, 0)) < 0) {
		/*
		 * A filter of system calls refuses the operation: clear and wake in two steps, which is better than not
		 * at all.
		 */
		atomic_fetch_and_explicit(word, ~bit, memory_order_seq_cst);
		thread__futex_wake(word, INT32_MAX);
	}
	errno = saved;
}
