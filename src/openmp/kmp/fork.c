/* SPDX-License-Identifier: BSD-3-Clause */
/* Parallel regions and leagues: run the compiler's outlined body, which takes any number of words, on a team. */
#include "openmp/abi/gomp.h"
#include "openmp/kmp/abi.h"
#include "openmp/process/initial_thread.h"
#include "openmp/kmp/thread.h"
#include "openmp/system/coscheduler.h"
#include "openmp/state/task_icv.h"
#include "openmp/state/task_memory.h"
#include "openmp/state/team_state.h"
#include "openmp/system/no_memory.h"
#include "openmp/team/tool_region.h"
#include "openmp/worksharing/league.h"

#include <omp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* How many words a body may take. */
#define WORDS_MAX 256

/*
 * This many words lie in the struct itself, beside the body, so that a worker reads one cache line of the primary's.
 * Reading a second line took a third of the time of a fork and join on 2 processors.
 */
#define WORDS_FEW 4

struct fork {
	_Alignas(OMP__LINE_BYTES) kmp_micro body;
	unsigned words;
	void **word; /* followed by zeros, up to the number that call_body passes */
	void *few[WORDS_FEW];
};

/* A fork whose region has further clauses. */
struct fork_with_clause {
	struct fork *fork;
	const struct kmp__clause *clause;
	struct kmp__list inside;
};

#define WORDS_4(w) (w)[0], (w)[1], (w)[2], (w)[3]
#define WORDS_16(w) WORDS_4(w), WORDS_4((w) + 4), WORDS_4((w) + 8), WORDS_4((w) + 12)
#define WORDS_64(w) WORDS_16(w), WORDS_16((w) + 16), WORDS_16((w) + 32), WORDS_16((w) + 48)
#define WORDS_256(w) WORDS_64(w), WORDS_64((w) + 64), WORDS_64((w) + 128), WORDS_64((w) + 192)

/* The body's address, by which the team's size is chosen. */
static void (*code_of(const struct fork *fork))(void *)
{
	return (void (*)(void *))(void *)fork->body;
}

static unsigned words_passed(unsigned words)
{
	return words <= 4 ? 4 : words <= 16 ? 16 : words <= 64 ? 64 : WORDS_MAX;
}

/*
 * A body may be called with more words than it takes. That is safe in the calling conventions of x86-64 and AArch64:
 * the caller allocates the arguments and frees them, and the callee reads only those that it declares.
 */
static inline __attribute__((always_inline)) void pass_words(const struct fork *fork, int32_t bound_num)
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

static void call_body(const struct fork *fork, int32_t bound_num)
{
	pass_words(fork, bound_num);
}

static void run_body(void *opaque)
{
	call_body(opaque, (int32_t)omp__self()->region->thread_num);
}

/* A tool is told from which frame the body is called. */
static void run_body_for_tool(void *opaque)
{
	struct omp__thread *thread = omp__self();

	omp__tool_task_exit(thread->task, __builtin_frame_address(0));
	pass_words(opaque, (int32_t)thread->region->thread_num);
}

/* A body without words needs nothing but its address, which is in the line that each worker reads anyway. */
static void run_bare_body(void *opaque)
{
	int32_t global_num = kmp__number();
	int32_t bound_num = (int32_t)omp__self()->region->thread_num;

	((kmp_micro)opaque)(&global_num, &bound_num);
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

/* ---- parallel ---------------------------------------------------------------------------------------------------- */

/* The compiler's numbers for what happens when a team does not have the size that a strict clause prescribes. */
enum { SEVERITY_WARNING = 1, SEVERITY_FATAL = 2 };

static void set_clause(struct kmp__clause *clause)
{
	if (__builtin_expect(kmp__tls.clause != NULL, 0))
		free(kmp__tls.clause);
	kmp__tls.clause = clause;
}

/* The first number is for the team, the others for the regions inside. Out of memory is fatal, as for a team. */
static void push_list(uint32_t count, const int32_t *list, int32_t severity, const char *message)
{
	struct kmp__clause *clause = malloc(sizeof(*clause) + count * sizeof(*list));

	if (!clause)
		omp__no_memory("a parallel region");
	memcpy(clause->list, list, count * sizeof(*list));
	clause->threads = count && list[0] > 0 ? (unsigned)list[0] : 0;
	clause->severity = severity;
	clause->message = message;
	clause->inside.threads = clause->list + 1;
	clause->inside.count = count > 1 ? count - 1 : 0;
	set_clause(clause);
	kmp__tls.threads = clause->threads;
}

OMP__EXPORT void __kmpc_push_num_threads(const struct kmp_ident *where, int32_t number, int32_t threads)
{
	(void)where;
	(void)number;
	set_clause(NULL);
	kmp__tls.threads = threads > 0 ? (unsigned)threads : 0;
}

/* Since LLVM 19: OpenMP 6.0's num_threads(strict: …), and lists. */
OMP__EXPORT void __kmpc_push_num_threads_strict(const struct kmp_ident *where, int32_t number, int32_t threads,
						int32_t severity, const char *message)
{
	(void)where;
	(void)number;
	push_list(1, &threads, severity, message);
}

OMP__EXPORT void __kmpc_push_num_threads_list(const struct kmp_ident *where, int32_t number, uint32_t count,
					      const int32_t *list)
{
	(void)where;
	(void)number;
	push_list(count, list, 0, NULL);
}

OMP__EXPORT void __kmpc_push_num_threads_list_strict(const struct kmp_ident *where, int32_t number, uint32_t count,
						     const int32_t *list, int32_t severity, const char *message)
{
	(void)where;
	(void)number;
	push_list(count, list, severity, message);
}

OMP__EXPORT void __kmpc_pop_num_threads(const struct kmp_ident *where, int32_t number)
{
	(void)where;
	(void)number;
	set_clause(NULL);
	kmp__tls.threads = 0;
}

OMP__EXPORT void __kmpc_push_proc_bind(const struct kmp_ident *where, int32_t number, int32_t bind)
{
	(void)where;
	(void)number;
	kmp__tls.bind = bind >= OMP__BIND_PRIMARY && bind <= OMP__BIND_SPREAD ? (unsigned)bind : 0;
}

/* Whether the team may run. Only a strict clause checks the size, and only a fatal one refuses the team. */
static bool is_of_size(const struct kmp__clause *clause, const struct omp__region *region)
{
	bool is_fatal = clause->severity == SEVERITY_FATAL;

	if (clause->severity == 0 || clause->threads == 0 || region->thread_count == clause->threads)
		return true;
	if (region->thread_num == 0) {
		fprintf(stderr, "libferryomp: %snum_threads(strict: %u) gets %u threads%s%s\n",
			is_fatal ? "" : "warning: ", clause->threads, region->thread_count, clause->message ? ": " : "",
			clause->message ? clause->message : "");
		if (is_fatal)
			exit(EXIT_FAILURE);
	}
	return !is_fatal;
}

/* The caller's implicit task begins in a region for which a list holds; returns the list that holds outside. */
static struct kmp__list enter_list(struct kmp__list inside)
{
	struct kmp__list outside = kmp__tls.inside;

	if (inside.count == 0)
		return outside;
	omp_set_num_threads(inside.threads[0]);
	if (inside.count > 1)
		inside = (struct kmp__list){ inside.threads + 1, inside.count - 1 };
	kmp__tls.inside = inside;
	return outside;
}

static void run_body_with_clause(void *opaque)
{
	const struct fork_with_clause *with = opaque;
	const struct omp__region *region = omp__self()->region;
	struct kmp__list outside;

	if (with->clause && !is_of_size(with->clause, region))
		return;
	outside = enter_list(with->inside);
	call_body(with->fork, (int32_t)region->thread_num);
	kmp__tls.inside = outside;
}

/* Take the clause that was pushed; from then on it belongs to the region. */
static struct kmp__clause *take_clause(void)
{
	struct kmp__clause *clause = kmp__tls.clause;

	kmp__tls.clause = NULL;
	kmp__tls.threads = 0;
	kmp__tls.bind = 0;
	return clause;
}

static struct kmp__list list_inside(const struct kmp__clause *clause)
{
	return clause && clause->inside.count ? clause->inside : kmp__tls.inside;
}

static __attribute__((noinline)) void run_with_clause(struct fork *fork, unsigned threads, unsigned bind,
						      struct kmp__clause *clause, bool in_parallel,
						      struct omp__tool_call call)
{
	struct fork_with_clause with = {
		.fork = fork,
		.clause = in_parallel ? clause : NULL,
		.inside = list_inside(clause),
	};

	if (omp__tool_is_on())
		omp__team_run_for_tool(omp__self(), code_of(fork), run_body_with_clause, &with, threads, bind,
				       ompt_parallel_invoker_runtime, call);
	else
		omp__team_run(omp__self(), code_of(fork), run_body_with_clause, &with, threads, bind);
	free(clause);
}

static OMP__TOOL_ONLY void run_for_tool(struct fork *fork, unsigned threads, unsigned bind, struct omp__tool_call call)
{
	omp__team_run_for_tool(omp__self(), code_of(fork), run_body_for_tool, fork, threads, bind,
			       ompt_parallel_invoker_runtime, call);
}

static inline __attribute__((always_inline)) void run_region(struct fork *fork, bool in_parallel,
							     struct omp__tool_call call)
{
	/* first of all: this may be the call that starts a tool */
	struct omp__thread *thread = omp__self();
	unsigned threads = in_parallel ? kmp__tls.threads : 1;
	unsigned bind = kmp__tls.bind;
	struct kmp__clause *clause = take_clause();

	if (__builtin_expect(clause || kmp__tls.inside.count, 0))
		run_with_clause(fork, threads, bind, clause, in_parallel, call);
	else if (omp__tool_is_on())
		run_for_tool(fork, threads, bind, call);
	else if (fork->words == 0)
		omp__team_run(thread, code_of(fork), run_bare_body, (void *)fork->body, threads, bind);
	else
		omp__team_run(thread, code_of(fork), run_body, fork, threads, bind);
}

static __attribute__((noinline)) void run_with_words(struct fork *fork, va_list arguments, struct omp__tool_call call)
{
	void *word[words_passed(fork->words)];

	take_words(word, fork->words, arguments);
	fork->word = word;
	run_region(fork, true, call);
}

OMP__EXPORT void __kmpc_fork_call(const struct kmp_ident *where, int32_t words, kmp_micro body, ...)
{
	struct fork fork = { .body = body, .words = (unsigned)words, .word = fork.few };
	va_list arguments;

	(void)where;
	check_words(words);
	va_start(arguments, body);
	if (words <= WORDS_FEW) {
		take_words(fork.few, fork.words, arguments);
		run_region(&fork, true, OMP__TOOL_CALL());
	} else {
		run_with_words(&fork, arguments, OMP__TOOL_CALL());
	}
	va_end(arguments);
}

/* Since LLVM 16: the compiler leaves the `if` clause to the runtime. The body takes one word, or none. */
OMP__EXPORT void __kmpc_fork_call_if(const struct kmp_ident *where, int32_t words, kmp_micro body, int32_t in_parallel,
				     void *argument)
{
	struct fork fork = { .body = body, .words = argument != NULL, .word = fork.few, .few = { argument } };

	(void)where;
	(void)words;
	run_region(&fork, in_parallel, OMP__TOOL_CALL());
}

/* A region of one thread: the program itself calls the body between these two functions. */
struct serialized_region {
	struct omp__region region;
	struct kmp__clause *clause;
	struct kmp__list outside;
	/* NULL: no tool was at work. */
	struct omp__tool_opened *tool;
};

static OMP__TOOL_ONLY void open_for_tool(struct omp__thread *thread, struct serialized_region *serialized,
					 struct omp__tool_call call)
{
	serialized->tool = omp__memory_get(thread, sizeof(*serialized->tool));
	serialized->tool->watched.parallel = (struct omp__tool_parallel){
		.call = call,
		.flags = ompt_parallel_invoker_program,
	};
	omp__tool_watch(thread, &serialized->tool->watched, 1);
}

static OMP__TOOL_ONLY void closed_for_tool(struct omp__thread *thread, struct omp__tool_opened *tool)
{
	omp__tool_unwatch(thread, &tool->watched);
	omp__memory_put(thread, tool);
}

OMP__EXPORT void __kmpc_serialized_parallel(const struct kmp_ident *where, int32_t number)
{
	struct omp__thread *thread = omp__self();
	unsigned bind = kmp__tls.bind;
	struct serialized_region *serialized = omp__memory_get(thread, sizeof(*serialized));

	(void)where;
	(void)number;
	serialized->clause = take_clause();
	serialized->tool = NULL;
	if (omp__tool_is_on())
		open_for_tool(thread, serialized, OMP__TOOL_CALL());
	omp__region_enter(thread, 1);
	omp__alone_begin(thread, &serialized->region, bind);
	if (__builtin_expect(serialized->tool != NULL, 0))
		omp__tool_opened(thread, serialized->tool);
	serialized->outside = enter_list(list_inside(serialized->clause));
}

OMP__EXPORT void __kmpc_end_serialized_parallel(const struct kmp_ident *where, int32_t number)
{
	struct omp__thread *thread = omp__self();
	struct serialized_region *serialized = (struct serialized_region *)(void *)thread->region;

	(void)where;
	(void)number;
	kmp__tls.inside = serialized->outside;
	if (__builtin_expect(serialized->tool != NULL, 0))
		omp__tool_close(thread, serialized->tool, OMP__TOOL_CALL());
	omp__alone_end(thread, &serialized->region);
	if (__builtin_expect(serialized->tool != NULL, 0))
		closed_for_tool(thread, serialized->tool);
	free(serialized->clause);
	omp__memory_put(thread, serialized);
	omp__region_leave(thread);
}

/* ---- teams ------------------------------------------------------------------------------------------------------- */

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

/* Since LLVM 17: the thread_limit clause of a target construct, whose task calls it. */
OMP__EXPORT void __kmpc_set_thread_limit(const struct kmp_ident *where, int32_t number, int32_t limit)
{
	(void)where;
	(void)number;
	if (limit > 0)
		omp__icv_write(omp__self())->thread_limit = (unsigned)limit;
}

/* The body of a team gets the global number of its initial thread, then the team's number. */
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
	/* users of these compilers expect one team unless a clause or OMP_NUM_TEAMS asks for more */
	if (teams == 0 && omp__globals.teams == 0)
		teams = 1;
	omp__league_run(omp__self(), run_team, &fork, teams, limit, OMP__TOOL_CALL());
}
