/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Suspended at any point. A scenario has a victim, a thread that is suspended by a signal whose handler waits, and
 * others that have to make progress meanwhile. The scenario runs again and again, and each time the victim is suspended
 * at another of the points of delays.h, until it has been at each that it comes to. The others are not timed: the
 * victim stays where it is until they have done what they have to, and a scenario fails when that takes
 * FREEZE_PATIENCE_S.
 *
 * A victim that has signals blocked, as the core has while it holds some locks, is suspended when it lets them through,
 * as a garbage collector's or a debugger's signal would have it. Threads that let no signal through at all, as those of
 * the libraries, are forced to.
 *
 * FERRY_FREEZE_MS is how long a victim stays suspended at least, while the others go on and on; 0, the default, is once
 * through. With FERRY_STRESS_SECONDS it is a second, and points that a victim comes to several times are tried more
 * often. FERRY_FREEZE_BUDGET_S is how long a scenario goes on for at most, a run that was begun aside; it takes points
 * in a random order, so that on a slow machine each has its turn in some run of the tests.
 */
#ifndef FREEZE_H
#define FREEZE_H

#include <stdbool.h>
#include <stdint.h>

#define FREEZE_PATIENCE_S 60
/* Suspends who gets it while a victim is. */
#define FREEZE_SIGNAL SIGUSR1

struct freeze_scenario {
	const char *name;
	void (*begin)(void);	 /* before each run; may be NULL */
	void (*act)(void);	 /* in a thread of its own: the victim, unless there is `is_victim` */
	bool (*is_victim)(void); /* whether the calling thread is; it is forced to let the signal through */
	void (*others)(void);	 /* while the victim is suspended */
	void (*end)(void);	 /* after each run; may be NULL */
};

/* Run a scenario; ends the program when it fails. */
void freeze_run(const struct freeze_scenario *scenario);

/* Run those that the arguments name, or all of them. */
int freeze_main(int count, char **arguments, const struct freeze_scenario *scenarios, int scenario_count);

/* The calling thread is not to be suspended, or may be again. */
void freeze_spare(bool spared);

/* Whether the victim of this run has been told to stay where it is. */
bool freeze_is_suspended(void);

/* End the program, naming the point at which the victim is, unless it is true. */
#define freeze_check(is_true) freeze_check_at(is_true, #is_true, __FILE__, __LINE__)
void freeze_check_at(bool is_true, const char *what, const char *file, int line);

#endif
