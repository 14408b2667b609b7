/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Neighbours: other programs that want the processors that this one runs on. A waiting thread notices them when a look
 * or a yield takes too long, or by asking the system, and leaves a hint for all threads of the process. A hint ends by
 * itself.
 *
 * A yield beside a busy neighbour gives a whole time slice away, 3 to 4 ms, and since Linux 6.18 also the processor
 * time that the kernel still owed the thread (yield_task_fair). A thread that sleeps keeps what it is owed, and
 * preempts the neighbour when it is woken. So a waiter that has neighbours sleeps where it would yield if it had none.
 * An oversubscribed team first makes a trial: it yields to find out whether its neighbours yield too, as another
 * oversubscribed team does. If they do, it goes on yielding.
 */
#ifndef THREAD_NEIGHBOURS_H
#define THREAD_NEIGHBOURS_H

#include <stdbool.h>
#include <stdint.h>

/* A spinning thread that finds that more time than this has passed since its last look had lost its processor. */
#define THREAD__LOST_NS 500000
#define THREAD__ASK_NS 20000000

/* Whether a hint says that others want the processors. `now_ns` is thread__now_ns(). */
bool thread__has_neighbours(uint64_t now_ns);
/* The caller has noticed neighbours: leave a hint. */
void thread__neighbours_noticed(uint64_t now_ns);
/*
 * A neighbour has had the processor of one of this process's threads: it may be there for a while. No hint, because
 * other threads may have their processors for themselves.
 */
void thread__neighbours_seen(uint64_t now_ns);
/* Whether one was seen or noticed lately. */
bool thread__neighbours_lately(uint64_t now_ns);

/*
 * UNKNOWN: for a moment after a hint has ended, and while another thread asks the system. The caller then spins on
 * without yielding.
 */
enum thread__company { THREAD__ALONE, THREAD__UNKNOWN, THREAD__NEIGHBOURS };

/*
 * NEIGHBOURS while a hint holds. Otherwise the caller asks the system, at most once in THREAD__ASK_NS, whether more
 * threads are runnable than the `awake` threads of this process, which may use `processors`, and one thread on each
 * other processor. The answer is ALONE where /proc does not say, and during a trial of an oversubscribed team.
 */
enum thread__company thread__ask_for_company(uint64_t now_ns, unsigned awake, unsigned processors);
/*
 * Ask the system the same question now, without hints and trials, for a caller that asks seldom and does not yield.
 * False where /proc does not say.
 */
bool thread__others_run(unsigned awake, unsigned processors);
/*
 * Yield the processor, and notice neighbours by how long that took. `awake` threads of the process want one of
 * `processors`. Returns the time afterwards.
 */
uint64_t thread__yield(uint64_t now_ns, unsigned awake, unsigned processors);
/* In the child of a fork, and for tests: forget every hint. */
void thread__neighbours_forget(void);

#endif
