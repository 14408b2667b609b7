/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a process notices neighbours, and for how long it assumes that they are there (neighbours.h). A *hint* is a point
 * in time, shared by all threads, until which neighbours want the processors. Three things set one:
 *
 *	a spinning thread's look came late	its processor was taken away (thread__neighbours_noticed)
 *	a yield took long			another program ran meanwhile (thread__yield)
 *	the system says so			more threads are runnable than this process accounts for
 *						(thread__ask_for_company)
 *
 * Hints by the system double from one to the next, as in exponential backoff. An oversubscribed team makes a *trial*
 * before it acts on them (is_trial).
 *
 * What may go wrong: every sign may be wrong for a moment, which costs time, nothing else. What may change: the numbers
 * below; `ferry measure --check bench/targets.toml openmp-beside` shows the effect.
 */
#include "neighbours.h"
#include "clock.h"
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	/*
	 * How long a hint holds: FIRST_HINT_NS when the system has said for the first time that others want to run,
	 * because they may run for microseconds only; SECOND_HINT_NS the second time, and twice as long each further
	 * time, up to HINT_NS. So when a neighbour has gone, its hint lasts no longer than the neighbour was there.
	 * Hints that are too long are dear: without neighbours an oversubscribed team that sleeps is several times
	 * slower than one that yields.
	 */
	FIRST_HINT_NS = 100000,
	SECOND_HINT_NS = 1000000,
	HINT_NS = 25000000,
	/*
	 * How long no thread asks the system or yields after a hint has ended. The system and the process count a
	 * thread that has just been woken, or put to sleep, at slightly different times; the difference would look like
	 * a neighbour.
	 */
	SETTLE_NS = 50000,
	/* After a yield that took long, where the system cannot be asked: the next one would take as long. */
	YIELD_HINT_NS = 100000000,
	/* In a trial (is_trial): how often the system is asked. */
	TRIAL_ASK_NS = 2000000,
	/*
	 * How much time a trial may lose in long yields: LOSS_NS, and nothing more until the team has regained it. In
	 * each nanosecond in which no thread waits in a long yield the team regains REGAIN. So a trial goes on while
	 * long yields take less than eight ninths of the time, and ends after three time slices of a neighbour that
	 * computes. Where threads sleep instead of yielding, a region takes five to ten times as long.
	 */
	LOSS_NS = 10000000,
	REGAIN = 8,
	/*
	 * No trial begins where this many other threads want each processor, because each of them may take a time
	 * slice.
	 */
	TRIAL_OTHERS = 4,
	/*
	 * The pause from the end of a trial to the next trial, or TRIAL_COST times the yield that ended the trial if
	 * that is longer. The pause doubles up to a maximum.
	 */
	TRIAL_COST = 20,
	TRIAL_PAUSE_NS = 50000000,
	TRIAL_PAUSE_MAX_NS = 1600000000,
	/* For how long after neighbours were seen thread__neighbours_lately() says so. */
	LATELY_NS = 200000000,
	/* How old the sample may be that a long yield is compared with. */
	SAMPLE_NS = 2000000,
};

/* relaxed everywhere: these are hints, and no data is published through them */

/* Until when the hint holds. */
static _Atomic uint64_t until_ns;
/* When neighbours were last seen. */
static _Atomic uint64_t seen_ns;
/*
 * When the system may be asked again; and how long the hint was that its last answer gave, 0 when there was no
 * neighbour.
 */
static _Atomic uint64_t ask_ns, last_hint_ns;
static _Atomic bool is_asking;
/* When the next trial may begin, and how long the pause after it will be. */
static _Atomic uint64_t trial_ns, trial_pause_ns = TRIAL_PAUSE_NS;
/*
 * When the last long yield of a trial ended, and how much time had been lost by then. Two threads that write at once
 * leave a loss that is slightly wrong.
 */
static _Atomic uint64_t loss_until_ns, loss_ns;
/* How much processor time the process had used, and when. Two threads that write at once leave a sample that is
 * slightly wrong. */
static _Atomic uint64_t sample_ns, sample_cpu_ns;

bool thread__has_neighbours(uint64_t now_ns)
{
	return now_ns < atomic_load_explicit(&until_ns, memory_order_relaxed);
}

void thread__neighbours_seen(uint64_t now_ns)
{
	atomic_store_explicit(&seen_ns, now_ns, memory_order_relaxed);
}

bool thread__neighbours_lately(uint64_t now_ns)
{
	uint64_t seen = atomic_load_explicit(&seen_ns, memory_order_relaxed);

	return seen && now_ns - seen < LATELY_NS;
}

static void notice(uint64_t now_ns, uint64_t hint_ns)
{
	uint64_t until = atomic_load_explicit(&until_ns, memory_order_relaxed);

	thread__neighbours_seen(now_ns);
	if (until < now_ns + hint_ns)
		atomic_store_explicit(&until_ns, now_ns + hint_ns, memory_order_relaxed);
}

/* Set the hint, or a longer one: the system says that others want to run. */
static void notice_more(uint64_t now_ns)
{
	uint64_t last = atomic_load_explicit(&last_hint_ns, memory_order_relaxed);
	uint64_t hint = last == 0 ? FIRST_HINT_NS : last == FIRST_HINT_NS ? SECOND_HINT_NS : last * 2;

	hint = hint < HINT_NS ? hint : HINT_NS;
	atomic_store_explicit(&last_hint_ns, hint, memory_order_relaxed);
	notice(now_ns, hint);
}

void thread__neighbours_noticed(uint64_t now_ns)
{
	notice(now_ns, HINT_NS);
}

void thread__neighbours_forget(void)
{
	atomic_store_explicit(&until_ns, 0, memory_order_relaxed);
	atomic_store_explicit(&seen_ns, 0, memory_order_relaxed);
	atomic_store_explicit(&sample_ns, 0, memory_order_relaxed);
	atomic_store_explicit(&ask_ns, 0, memory_order_relaxed);
	atomic_store_explicit(&last_hint_ns, 0, memory_order_relaxed);
	atomic_store_explicit(&trial_ns, 0, memory_order_relaxed);
	atomic_store_explicit(&trial_pause_ns, TRIAL_PAUSE_NS, memory_order_relaxed);
	atomic_store_explicit(&loss_until_ns, 0, memory_order_relaxed);
	atomic_store_explicit(&loss_ns, 0, memory_order_relaxed);
	/* the thread that was asking in the parent does not exist in the child */
	atomic_store_explicit(&is_asking, false, memory_order_relaxed);
}

/*
 * How many threads of the whole system are runnable, from /proc/loadavg ("0.20 0.18 0.12 3/80 11206": 3); 0 where it
 * cannot be read.
 */
static unsigned running_now(void)
{
	char text[128];
	const char *at = text;

	if (!thread__file_read(AT_FDCWD, "/proc/loadavg", text, sizeof(text)))
		return 0;
	for (int i = 0; at && i < 3; i++)
		at = strchr(at + (i > 0), ' ');
	return at ? (unsigned)strtoul(at, NULL, 10) : 0;
}

static unsigned online_processors(void)
{
	static _Atomic unsigned online;
	unsigned known = atomic_load_explicit(&online, memory_order_relaxed);

	if (known == 0) {
		known = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
		atomic_store_explicit(&online, known, memory_order_relaxed);
	}
	return known;
}

/*
 * How many threads of the system would be runnable without neighbours: the awake threads of this process, and one on
 * each processor that it may not use.
 */
static unsigned expected_to_run(unsigned awake, unsigned processors)
{
	unsigned online = online_processors();

	return awake + (online > processors ? online - processors : 0);
}

bool thread__others_run(unsigned awake, unsigned processors)
{
	int saved = errno;
	bool others = running_now() > expected_to_run(awake, processors);

	errno = saved;
	return others;
}

/*
 * A trial: an oversubscribed team yields among neighbours, and finds out whether these yield or sleep as well, as a
 * second copy of the same program does. Then a yield takes microseconds, and a team that sleeps instead takes 1.5 to 2
 * times as long for a region. Beside a busy loop a trial costs two time slices.
 */
static bool is_trial(uint64_t now_ns, unsigned awake, unsigned processors)
{
	return awake > processors && now_ns >= atomic_load_explicit(&trial_ns, memory_order_relaxed);
}

enum thread__company thread__ask_for_company(uint64_t now_ns, unsigned awake, unsigned processors)
{
	uint64_t due = atomic_load_explicit(&ask_ns, memory_order_relaxed);
	uint64_t until = atomic_load_explicit(&until_ns, memory_order_relaxed);
	unsigned expected, running;
	int saved = errno;

	if (now_ns < until)
		return THREAD__NEIGHBOURS;
	if (now_ns - until < SETTLE_NS)
		return THREAD__UNKNOWN;
	if (now_ns < due)
		return THREAD__ALONE;
	/* of the threads that come at the same time only one asks; the others spin on until it has the answer */
	if (atomic_exchange_explicit(&is_asking, true, memory_order_relaxed))
		return THREAD__UNKNOWN;
	expected = expected_to_run(awake, processors);
	running = running_now();
	if (running > expected) {
		if (running - expected < TRIAL_OTHERS * processors && is_trial(now_ns, awake, processors))
			atomic_store_explicit(&ask_ns, now_ns + TRIAL_ASK_NS, memory_order_relaxed);
		else
			notice_more(now_ns);
	} else {
		atomic_store_explicit(&ask_ns, now_ns + THREAD__ASK_NS, memory_order_relaxed);
		atomic_store_explicit(&last_hint_ns, 0, memory_order_relaxed);
	}
	/* release: published after the answer; a thread that does not see the answer yet asks again */
	atomic_store_explicit(&is_asking, false, memory_order_release);
	errno = saved;
	return thread__has_neighbours(now_ns) ? THREAD__NEIGHBOURS : THREAD__ALONE;
}

static void take_sample(uint64_t now_ns)
{
	atomic_store_explicit(&sample_ns, now_ns, memory_order_relaxed);
	atomic_store_explicit(&sample_cpu_ns, thread__clock_ns(CLOCK_PROCESS_CPUTIME_ID), memory_order_relaxed);
}

/*
 * Whether another program had the processor during a yield that took long, and not a thread of this process. If no more
 * of our threads are awake than there are processors, another program had it, because two of our threads share a
 * processor for moments only. If more are awake, the processor time that the process has used in the meantime tells.
 */
static bool others_ran(uint64_t now_ns, unsigned awake, unsigned processors)
{
	uint64_t since = atomic_load_explicit(&sample_ns, memory_order_relaxed);
	uint64_t cpu = atomic_load_explicit(&sample_cpu_ns, memory_order_relaxed);

	if (awake <= processors)
		return true;
	return (thread__clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu) * 2 < (now_ns - since) * (2 * processors - 1);
}

/*
 * Whether a trial goes on after a yield that took long. A team that yields loses the time of such yields, and is
 * several times faster than one that sleeps in the rest of the time. So what counts is how much of the time is lost
 * (LOSS_NS): nearly all of it beside a busy loop, half of it beside a program that rests as long as it computes. Yields
 * that two threads make at the same time on two processors lose their common time once:
 *
 *	processor 0	team  yield ........  team  team         yield ....  team
 *	processor 1	team  team  yield ........  team         team  team  team
 *	lost		      xxxxxxxxxxxxxxxxxxxx               xxxxxxxxxx
 */
static bool tolerates(uint64_t began_ns, uint64_t now_ns)
{
	uint64_t until = atomic_load_explicit(&loss_until_ns, memory_order_relaxed);
	uint64_t loss = atomic_load_explicit(&loss_ns, memory_order_relaxed), regained;

	if (now_ns <= until)
		return true;
	regained = began_ns > until ? (began_ns - until) * REGAIN : 0;
	loss = loss > regained ? loss - regained : 0;
	loss += now_ns - (began_ns > until ? began_ns : until);
	/* the next trial begins without a loss */
	atomic_store_explicit(&loss_ns, loss > LOSS_NS ? 0 : loss, memory_order_relaxed);
	atomic_store_explicit(&loss_until_ns, now_ns, memory_order_relaxed);
	return loss <= LOSS_NS;
}

static void end_trial(uint64_t now_ns, uint64_t lost_ns)
{
	uint64_t pause = atomic_load_explicit(&trial_pause_ns, memory_order_relaxed);

	if (pause < lost_ns * TRIAL_COST)
		pause = lost_ns * TRIAL_COST;
	atomic_store_explicit(&trial_ns, now_ns + pause, memory_order_relaxed);
	pause = pause * 2 < TRIAL_PAUSE_MAX_NS ? pause * 2 : TRIAL_PAUSE_MAX_NS;
	atomic_store_explicit(&trial_pause_ns, pause, memory_order_relaxed);
}

/* Whether a yield that took long shows that there are neighbours that do not yield. */
static bool is_telling(uint64_t began_ns, uint64_t now_ns, unsigned awake, unsigned processors)
{
	if (!others_ran(now_ns, awake, processors))
		return false;
	if (!is_trial(began_ns, awake, processors))
		return true;
	if (tolerates(began_ns, now_ns))
		return false;
	if (is_trial(now_ns, awake, processors))
		end_trial(now_ns, now_ns - began_ns);
	return true;
}

uint64_t thread__yield(uint64_t now_ns, unsigned awake, unsigned processors)
{
	uint64_t after;

	if (now_ns - atomic_load_explicit(&sample_ns, memory_order_relaxed) > SAMPLE_NS)
		take_sample(now_ns);
	sched_yield();
	after = thread__now_ns();
	if (after - now_ns > THREAD__LOST_NS && is_telling(now_ns, after, awake, processors)) {
		if (running_now())
			notice_more(after);
		else
			notice(after, YIELD_HINT_NS);
	}
	return after;
}
