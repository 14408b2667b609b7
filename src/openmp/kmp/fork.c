/* SPDX-License-Identifier: BSD-3-Clause */
/* Parallel regions and leagues: from the compiler's outlined bodies, which take any number of words, to a team. */
#include "openmp/abi/gomp.h"
#include "openmp/kmp/abi.h"
#include "openmp/process/initial_thread.h"
#include "openmp/kmp/thread.h"
#include "openmp/system/coscheduler.h"
#include "openmp/state/task_memory.h"
#include "openmp/state/team_state.h"
#include "openmp/team/team.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* Words that a body may take. */
#define WORDS_MAX 256

struct fork {
	kmp_micro body;
	unsigned words;
	void **word; /* filled up with zeros to what call_body passes */
};

#define WORDS_4(w) (w)[0], (w)[1], (w)[2], (w)[3]
#define WORDS_16(w) WORDS_4(w), WORDS_4((w) + 4), WORDS_4((w) + 8), WORDS_4((w) + 12)
#define WORDS_64(w) WORDS_16(w), WORDS_16((w) + 16), WORDS_16((w) + 32), WORDS_16((w) + 48)
#define WORDS_256(w) WORDS_64(w), WORDS_64((w) + 64), WORDS_64((w) + 128), WORDS_64((w) + 192)

static unsigned words_passed(unsigned words)
{
	return words <= 4 ? 4 : words <= 16 ? 16 : words <= 64 ? 64 : WORDS_MAX;
}

/*
 * A body is called with a few more words than it takes: in the calling conventions of x86-64 and AArch64 the caller
 * makes room for them and takes it back, and the callee looks at its own alone.
 */
static void call_body(const struct fork *fork, int32_t bound_num)
{
	int32_t global_num = kmp__number();
	void **word = fork->word;

	switch (words_passed(fork->words)) {
	case 4:
		fork->body(&global_num, &bound_num, WORDS_4(word));
		break;
	case 16:
		fork->body(&global_num, &bound_num, WORDS_16(word));
		break;
	case 64:
		fork->body(&global_num, &bound_num, WORDS_64(word));
		break;
	default:
		fork->body(&global_num, &bound_num, WORDS_256(word));
	}
}

static void run_body(void *opaque)
{
	call_body(opaque, (int32_t)omp__self()->region->thread_num);
}

static void check_words(int32_t words)
{
	if (words <= WORDS_MAX)
		return;
	fprintf(stderr,
		"libferryomp: a parallel region takes %d variables, and can take %d; put some of them into a struct\n",
		words, WORDS_MAX);
	abort();
}

static void take_words(void **word, unsigned words, va_list arguments)
{
	for (unsigned i = 0; i < words; i++)
		word[i] = va_arg(arguments, void *);
	memset(word + words, 0, (words_passed(words) - words) * sizeof(*word));
}

/* ---- parallel ------------------------------------------------------------------------------------------------------
 */

OMP__EXPORT void __kmpc_push_num_threads(const struct kmp_ident *where, int32_t number, int32_t threads)
{
	(void)where;
	(void)number;
	kmp__tls.threads = threads > 0 ? (unsigned)threads : 0;
}

OMP__EXPORT void __kmpc_pop_num_threads(const struct kmp_ident *where, int32_t number)
{
	(void)where;
	(void)number;
	kmp__tls.threads = 0;
}

OMP__EXPORT void __kmpc_push_proc_bind(const struct kmp_ident *where, int32_t number, int32_t bind)
{
	(void)where;
	(void)number;
	kmp__tls.bind = bind >= OMP__BIND_PRIMARY && bind <= OMP__BIND_SPREAD ? (unsigned)bind : 0;
}

OMP__EXPORT void __kmpc_fork_call(const struct kmp_ident *where, int32_t words, kmp_micro body, ...)
{
	unsigned threads = kmp__tls.threads;
	unsigned bind = kmp__tls.bind;
	struct fork fork = { .body = body, .words = (unsigned)words };
	va_list arguments;

	(void)where;
	check_words(words);
	void *word[words_passed(fork.words)];

	va_start(arguments, body);
	take_words(word, fork.words, arguments);
	va_end(arguments);
	fork.word = word;
	kmp__tls.threads = 0;
	kmp__tls.bind = 0;
	omp__team_run(omp__self(), (void (*)(void *))(void *)body, run_body, &fork, threads, bind);
}

/* A region of one thread, whose body the program calls itself between the two. */
OMP__EXPORT void __kmpc_serialized_parallel(const struct kmp_ident *where, int32_t number)
{
	struct omp__thread *thread = omp__self();
	struct omp__region *region;
	unsigned bind = kmp__tls.bind;

	(void)where;
	(void)number;
	kmp__tls.threads = 0;
	kmp__tls.bind = 0;
	region = omp__memory_get(thread, sizeof(*region));
	omp__region_enter(thread, 1);
	omp__alone_begin(thread, region, bind);
}

OMP__EXPORT void __kmpc_end_serialized_parallel(const struct kmp_ident *where, int32_t number)
{
	struct omp__thread *thread = omp__self();
	struct omp__region *region = thread->region;

	(void)where;
	(void)number;
	omp__alone_end(thread, region);
	omp__memory_put(thread, region);
	omp__region_leave(thread);
}

/* ---- teams ---------------------------------------------------------------------------------------------------------
 */

OMP__EXPORT void __kmpc_push_num_teams(const struct kmp_ident *where, int32_t number, int32_t teams, int32_t limit)
{
	(void)where;
	(void)number;
	kmp__tls.teams = teams > 0 ? (unsigned)teams : 0;
	kmp__tls.thread_limit = limit > 0 ? (unsigned)limit : 0;
}

OMP__EXPORT void __kmpc_push_num_teams_51(const struct kmp_ident *where, int32_t number, int32_t lower, int32_t upper,
					  int32_t limit)
{
	__kmpc_push_num_teams(where, number, upper > 0 ? upper : lower, limit);
}

OMP__EXPORT void __kmpc_set_thread_limit(const struct kmp_ident *where, int32_t number, int32_t limit)
{
	(void)where;
	(void)number;
	kmp__tls.thread_limit = limit > 0 ? (unsigned)limit : 0;
}

/* The first number of a team's initial thread is a global one, the second the team's. */
static void run_team(void *opaque)
{
	call_body(opaque, (int32_t)omp__self()->league_num);
}

OMP__EXPORT void __kmpc_fork_teams(const struct kmp_ident *where, int32_t words, kmp_micro body, ...)
{
	unsigned teams = kmp__tls.teams;
	unsigned limit = kmp__tls.thread_limit;
	struct fork fork = { .body = body, .words = (unsigned)words };
	va_list arguments;

	(void)where;
	check_words(words);
	void *word[words_passed(fork.words)];

	va_start(arguments, body);
	take_words(word, fork.words, arguments);
	va_end(arguments);
	fork.word = word;
	kmp__tls.teams = 0;
	kmp__tls.thread_limit = 0;
	omp__self();
	/* what these compilers' users know: one team, unless a clause or OMP_NUM_TEAMS asks for more */
	if (teams == 0 && omp__globals.teams == 0)
		teams = 1;
	GOMP_teams_reg(run_team, &fork, teams, limit, 0);
}

/* ---- where the caller is -------------------------------------------------------------------------------------------
 */

OMP__EXPORT int32_t __kmpc_global_thread_num(const struct kmp_ident *where)
{
	(void)where;
	return kmp__number();
}

OMP__EXPORT int32_t __kmpc_bound_thread_num(const struct kmp_ident *where)
{
	(void)where;
	return (int32_t)omp__self()->region->thread_num;
}

OMP__EXPORT int32_t __kmpc_bound_num_threads(const struct kmp_ident *where)
{
	(void)where;
	return (int32_t)omp__self()->region->thread_count;
}

OMP__EXPORT int32_t __kmpc_global_num_threads(const struct kmp_ident *where)
{
	return __kmpc_bound_num_threads(where);
}

OMP__EXPORT int32_t __kmpc_in_parallel(const struct kmp_ident *where)
{
	(void)where;
	return omp__self()->region->active_level > 0;
}

OMP__EXPORT int32_t __kmpc_ok_to_fork(const struct kmp_ident *where)
{
	(void)where;
	return 1;
}

/* What a program may say at its start and end; the runtime needs neither. */
OMP__EXPORT void __kmpc_begin(const struct kmp_ident *where, int32_t flags)
{
	(void)where;
	(void)flags;
}

OMP__EXPORT void __kmpc_end(const struct kmp_ident *where)
{
	(void)where;
}
