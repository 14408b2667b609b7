/* SPDX-License-Identifier: BSD-3-Clause */
/* See freeze.h. */
#include "freeze.h"

/* not delays.h: nothing here is to be a point itself */
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
	SITES_MAX = 4096,
	OCCURRENCES_MAX = 8,
	/* Runs in a row in which the victim came to no new point, before a scenario is over. */
	VAIN_RUNS = 8,
	/* New points that the first run may pass by. */
	FIRST_SKIPS = 16,
	/* How long a thread that is not the scenario's own may take to come to a point once that has ended. */
	SETTLE_NS = 3000000,
	NAP_NS = 20000,
};

/* A point, and which of its passages in a run have been tried. */
struct site {
	const char *file;
	int line;
	uint32_t passed; /* in this run */
	bool tried[OCCURRENCES_MAX];
};

__thread uint32_t omp__delay_countdown __attribute__((tls_model("initial-exec")));
void omp__delay_now(const char *file, int line);

static const struct freeze_scenario *scenario;
/* The victim's, while it runs. */
static struct site sites[SITES_MAX];
static uint32_t occurrences = 1, freezes;
static const struct site *where;
static uint32_t where_occurrence;
static long hold_ms, budget_s;
/* Points not tried yet: how many this run passes by, and how many it has come to. */
static uint32_t skips, untried;

static __thread bool is_actor, is_spared;
/* 1: the next new point of the victim is it */
static _Atomic uint32_t armed, frozen, done;
/* Which run this is, and up to which victims go on. */
static _Atomic uint32_t run, thawed;

static void nap(long ns)
{
	const struct timespec time = { ns / 1000000000, ns % 1000000000 };

	nanosleep(&time, NULL);
}

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ll + now.tv_nsec;
}

/* Async-signal-safe, since the alarm calls it. */
static void fail(const char *why, const char *file, int line)
{
	char text[512];
	int length = snprintf(text, sizeof(text), "%s: the victim is suspended at %s:%d, passage %u: %s (%s:%d)\n",
			      scenario->name, where ? where->file : "-", where ? where->line : 0, where_occurrence + 1,
			      why, file, line);

	if (write(STDERR_FILENO, text, (size_t)length) < 0)
		abort();
	_exit(1);
}

void freeze_check_at(bool is_true, const char *what, const char *file, int line)
{
	if (!is_true)
		fail(what, file, line);
}

void freeze_spare(bool spared)
{
	is_spared = spared;
}

bool freeze_is_suspended(void)
{
	return atomic_load(&frozen);
}

/* ---- the victim -------------------------------------------------------------------------------------------------- */

/* Until it is thawed this thread does nothing, wherever it was. */
static void stay(int number)
{
	uint32_t mine = atomic_load(&run);
	int saved = errno;

	(void)number;
	atomic_store(&frozen, 1);
	while (atomic_load(&thawed) < mine)
		syscall(SYS_futex, &thawed, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, mine - 1, NULL, NULL, 0);
	errno = saved;
}

static void suspend(bool by_force)
{
	sigset_t it, before;

	sigemptyset(&it);
	sigaddset(&it, FREEZE_SIGNAL);
	if (by_force)
		pthread_sigmask(SIG_UNBLOCK, &it, &before);
	syscall(SYS_tgkill, getpid(), gettid(), FREEZE_SIGNAL);
	if (by_force)
		pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static struct site *site_of(const char *file, int line)
{
	uint32_t at = (uint32_t)(((uintptr_t)file * 31 + (uint32_t)line) * 2654435761u) % SITES_MAX;

	for (;; at = (at + 1) % SITES_MAX) {
		if (sites[at].file == file && sites[at].line == line)
			return &sites[at];
		if (sites[at].file)
			continue;
		sites[at].file = file;
		sites[at].line = line;
		return &sites[at];
	}
}

void omp__delay_now(const char *file, int line)
{
	struct site *site;
	uint32_t passage;

	omp__delay_countdown = 0;
	if (is_spared || !atomic_load_explicit(&armed, memory_order_acquire) ||
	    !(scenario->is_victim ? scenario->is_victim() : is_actor))
		return;
	site = site_of(file, line);
	passage = site->passed++;
	if (passage >= occurrences || site->tried[passage] || untried++ < skips)
		return;
	site->tried[passage] = true;
	where = site;
	where_occurrence = passage;
	freezes++;
	atomic_store(&armed, 0);
	suspend(scenario->is_victim);
}

/* ---- a run ------------------------------------------------------------------------------------------------------- */

static void out_of_patience(int number)
{
	(void)number;
	fail("the others make no progress", __FILE__, __LINE__);
}

static void *act(void *unused)
{
	(void)unused;
	is_actor = true;
	scenario->act();
	/* what is left of the thread, its end, is the victim's too */
	atomic_store(&done, 1);
	return NULL;
}

static void run_others(void)
{
	int64_t until = now_ns() + hold_ms * 1000000;

	do {
		alarm(FREEZE_PATIENCE_S);
		scenario->others();
		alarm(0);
	} while (now_ns() < until);
}

/* Whether the victim was suspended. */
static bool run_once(void)
{
	int64_t settled = 0;
	pthread_t thread;
	bool was_frozen;

	for (uint32_t i = 0; i < SITES_MAX; i++)
		sites[i].passed = 0;
	where = NULL;
	untried = 0;
	atomic_store(&frozen, 0);
	atomic_store(&done, 0);
	atomic_fetch_add(&run, 1);
	if (scenario->begin)
		scenario->begin();
	atomic_store(&armed, 1);
	if (pthread_create(&thread, NULL, act, NULL))
		fail("no thread can be had", __FILE__, __LINE__);
	alarm(FREEZE_PATIENCE_S);
	while (!atomic_load(&frozen)) {
		if (atomic_load(&done) && !settled)
			settled = now_ns() + SETTLE_NS;
		if (settled && now_ns() > settled && atomic_exchange(&armed, 0))
			break;
		nap(NAP_NS);
	}
	alarm(0);
	was_frozen = atomic_load(&frozen);
	if (was_frozen)
		run_others();
	atomic_store(&thawed, atomic_load(&run));
	syscall(SYS_futex, &thawed, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, INT32_MAX, NULL, NULL, 0);
	alarm(FREEZE_PATIENCE_S);
	pthread_join(thread, NULL);
	if (scenario->end)
		scenario->end();
	alarm(0);
	return was_frozen;
}

void freeze_run(const struct freeze_scenario *given)
{
	int64_t until = budget_s ? now_ns() + budget_s * 1000000000 : INT64_MAX;
	uint32_t points = 0, left = FIRST_SKIPS;
	bool all = true;

	scenario = given;
	freezes = 0;
	memset(sites, 0, sizeof(sites));
	/* in any order, so that each point's turn comes at some time where there is none for all of them */
	for (int vain = 0; vain < VAIN_RUNS && all;) {
		skips = (uint32_t)random() % (left + 1);
		if (run_once()) {
			vain = 0;
			left -= left > 0;
		} else {
			vain += !untried;
			left = untried;
		}
		all = now_ns() < until;
	}
	for (uint32_t i = 0; i < SITES_MAX; i++)
		points += sites[i].file != NULL;
	printf("%s: suspended %u times, at %u points%s\n", given->name, freezes, points,
	       all ? "" : " of more: its time was over");
	fflush(stdout);
	/* a scenario whose victim is suspended nowhere tests nothing */
	freeze_check(freezes > 0);
}

int freeze_main(int count, char **arguments, const struct freeze_scenario *scenarios, int scenario_count)
{
	const char *hold = getenv("FERRY_FREEZE_MS"), *budget = getenv("FERRY_FREEZE_BUDGET_S");
	struct sigaction action = { .sa_handler = stay };
	bool stress = getenv("FERRY_STRESS_SECONDS");
	int ran = 0;

	hold_ms = hold ? atol(hold) : stress ? 1000 : 0;
	budget_s = budget ? atol(budget) : 0;
	occurrences = stress ? 4 : 1;
	srandom((unsigned int)now_ns());
	/* what it interrupts goes on: a suspended thread's calls are to fail no more than a debugger's would */
	action.sa_flags = SA_RESTART;
	sigfillset(&action.sa_mask);
	sigaction(FREEZE_SIGNAL, &action, NULL);
	signal(SIGALRM, out_of_patience);
	for (int i = 0; i < scenario_count; i++) {
		bool wanted = count < 2;

		for (int a = 1; a < count; a++)
			wanted |= !strcmp(scenarios[i].name, arguments[a]);
		if (!wanted)
			continue;
		freeze_run(&scenarios[i]);
		ran++;
	}
	if (!ran)
		fprintf(stderr, "no scenario has such a name\n");
	return ran ? 0 : 2;
}
