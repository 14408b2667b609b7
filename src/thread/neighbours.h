/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Neighbours: other programs that want the processors that this one runs on. A thread that waits notices them, by the
 * time that a look or a yield took or by asking the system, and leaves a hint for all threads of the process. A hint
 * ends by itself.
 *
 * A yield beside a busy neighbour gives a whole time slice away, 3 to 4 ms, and since Linux 6.18 also what the thread
 * was owed itself (yield_task_fair). A sleeper keeps what it is owed, and preempts the neighbour when it is woken. So a
 * waiter that has neighbours sleeps where it would yield if it had none. An oversubscribed team first tries whether its
 * neighbours yield too, as another oversubscribed team does: then it yields as well.
 */
#ifndef THREAD_NEIGHBOURS_H
#define THREAD_NEIGHBOURS_H

#include <stdbool.h>
#include <stdint.h>

/* A thread that spins, and finds that so much time has passed since its last look, had lost its processor. */
#define THREAD__LOST_NS 500000
#define THREAD__ASK_NS 20000000

/* Whether others want the processors, as far as this process has noticed lately. `now_ns` is thread__now_ns(). */
bool thread__has_neighbours(uint64_t now_ns);
/* The caller has noticed some. */
void thread__neighbours_noticed(uint64_t now_ns);

/* UNKNOWN: for a moment after a hint has ended, and while another thread asks; the caller looks on without a yield. */
enum thread__company { THREAD__ALONE, THREAD__UNKNOWN, THREAD__NEIGHBOURS };

/*
 * What thread__has_neighbours says. Where no hint holds, the caller asks the system, at most once in THREAD__ASK_NS:
 * whether more threads want to run than are explained by the `awake` threads of this process, which may use
 * `processors`, and by one thread on each other processor. The answer is ALONE where /proc does not say, and while more
 * are awake than there are processors and yields among the neighbours are tried.
 */
enum thread__company thread__ask_for_company(uint64_t now_ns, unsigned awake, unsigned processors);
/*
 * Asks the system the same question now, without hints and trials: for a caller that asks seldom and does not yield.
 * False where /proc does not say.
 */
bool thread__others_run(unsigned awake, unsigned processors);
/*
 * Let another thread have this processor, and notice neighbours. `awake` of the process's threads want one of
 * `processors`. Returns the time after.
 */
uint64_t thread__yield(uint64_t now_ns, unsigned awake, unsigned processors);
/* In the child of a fork, and for tests: forget every hint. */
void thread__neighbours_forget(void);

#endif
