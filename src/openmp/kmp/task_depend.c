/* SPDX-License-Identifier: BSD-3-Clause */
/* Tasks with dependences: the ABI's lists are converted to GCC's form (scheduler/depend.c). */
#include "openmp/kmp/task.h"
#include "openmp/process/initial_thread.h"
#include "openmp/scheduler/task_wait.h"
#include "openmp/state/task_memory.h"
#include "openmp/state/thread_state.h"

#include <string.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* GCC's number of the kind in a depend object. */
enum { OBJECT_INOUTSET = 5 };

/* A list of up to this many words (about ten addresses) is built on the stack. */
#define WORDS_FEW 40

/*
 * A list in GCC's form: five words of a head, a word for each address, and for each address of an inoutset an object of
 * two words.
 */
enum { HEAD_WORDS = 5, WORDS_EACH = 3 };

struct lists {
	const struct kmp_depend *list[2];
	int32_t count[2];
};

/* A dependence on all memory (omp_all_memory) has a flag or the largest address; in GCC's form its address is NULL. */
static void *address_of(const struct kmp_depend *depend)
{
	return depend->flags & KMP_DEPEND_ALL || depend->address == UINTPTR_MAX ? NULL : (void *)depend->address;
}

static size_t words_of(const struct lists *lists)
{
	return HEAD_WORDS + WORDS_EACH * ((size_t)lists->count[0] + (size_t)lists->count[1]);
}

/* Where an address comes in the list: written, mutexinoutset, read, an object. */
enum { RANK_WRITTEN, RANK_MUTEXINOUTSET, RANK_READ, RANK_OBJECT, RANKS };

static inline unsigned rank_of(const struct kmp_depend *depend)
{
	if (depend->flags & (KMP_DEPEND_OUT | KMP_DEPEND_ALL))
		return RANK_WRITTEN;
	if (depend->flags & KMP_DEPEND_MUTEXINOUTSET)
		return RANK_MUTEXINOUTSET;
	return depend->flags & KMP_DEPEND_INOUTSET ? RANK_OBJECT : RANK_READ;
}

static inline void count_ranks(const struct kmp_depend *list, int32_t count, size_t *counts)
{
	for (int32_t i = 0; i < count; i++)
		counts[rank_of(&list[i])]++;
}

/* `at` has the next free place of each rank. */
static inline void place(void **addresses, const struct kmp_depend *list, int32_t count, size_t *at, void ***object)
{
	for (int32_t i = 0; i < count; i++) {
		unsigned rank = rank_of(&list[i]);
		void *address = address_of(&list[i]);

		if (__builtin_expect(rank == RANK_OBJECT, 0)) {
			(*object)[0] = address;
			(*object)[1] = (void *)(uintptr_t)OBJECT_INOUTSET;
			address = *object;
			*object += 2;
		}
		addresses[at[rank]++] = address;
	}
}

/*
 * The addresses are sorted by counting, in two passes: this was a third of a dependent task's instructions in four
 * passes. The words of the objects lie behind the list.
 */
static void convert(void **to, const struct lists *lists)
{
	size_t all = (size_t)lists->count[0] + (size_t)lists->count[1];
	void **object = to + HEAD_WORDS + all;
	size_t counts[RANKS] = { 0 };
	size_t at[RANKS] = { 0 };

	for (int of = 0; of < 2; of++)
		count_ranks(lists->list[of], lists->count[of], counts);
	for (unsigned rank = 1; rank < RANKS; rank++)
		at[rank] = at[rank - 1] + counts[rank - 1];
	to[0] = NULL;
	to[1] = (void *)all;
	/* the head has a count of each rank but of the objects */
	for (unsigned rank = 0; rank < RANK_OBJECT; rank++)
		to[2 + rank] = (void *)counts[rank];
	for (int of = 0; of < 2; of++)
		place(to + HEAD_WORDS, lists->list[of], lists->count[of], at, &object);
}

static void start_with(struct kmp_task *handed_in, const struct lists *lists, struct omp__tool_call call)
{
	struct omp__thread *thread = omp__self();
	struct kmp__task *task = kmp__task_of(handed_in);
	void *few[WORDS_FEW];
	void **depend = few;

	/*
	 * A parent without a family has deferred no child: there is none to wait for, and no later one has to know of
	 * a task that runs now.
	 */
	if (!thread->task->family && kmp__task_is_undeferred(thread->task, task, true)) {
		kmp__task_start(thread, task, NULL, true, call);
		return;
	}
	if (words_of(lists) > WORDS_FEW)
		depend = omp__memory_get(thread, words_of(lists) * sizeof(*depend));
	convert(depend, lists);
	kmp__task_start(thread, task, lists->count[0] + lists->count[1] ? depend : NULL, true, call);
	if (depend != few)
		omp__memory_put(omp__self(), depend);
}

OMP__EXPORT int32_t __kmpc_omp_task_with_deps(const struct kmp_ident *where, int32_t number, struct kmp_task *task,
					      int32_t count, const struct kmp_depend *list, int32_t other_count,
					      const struct kmp_depend *other)
{
	struct lists lists = { { list, other }, { count, other_count } };

	(void)where;
	(void)number;
	start_with(task, &lists, OMP__TOOL_CALL());
	return 0;
}

static void wait_for(const struct lists *lists, struct omp__tool_call call)
{
	struct omp__thread *thread = omp__self();
	void *few[WORDS_FEW];
	void **depend = few;

	if (lists->count[0] + lists->count[1] == 0)
		return;
	if (words_of(lists) > WORDS_FEW)
		depend = omp__memory_get(thread, words_of(lists) * sizeof(*depend));
	convert(depend, lists);
	omp__depend_wait_here(thread, depend, call);
	if (depend != few)
		omp__memory_put(omp__self(), depend);
}

OMP__EXPORT void __kmpc_omp_wait_deps(const struct kmp_ident *where, int32_t number, int32_t count,
				      const struct kmp_depend *list, int32_t other_count,
				      const struct kmp_depend *other)
{
	struct lists lists = { { list, other }, { count, other_count } };

	(void)where;
	(void)number;
	wait_for(&lists, OMP__TOOL_CALL());
}

static int32_t do_nothing(int32_t number, struct kmp_task *task)
{
	(void)number;
	(void)task;
	return 0;
}

struct kmp_task *__kmpc_omp_task_alloc(const struct kmp_ident *where, int32_t number, int32_t flags, size_t task_bytes,
				       size_t shareds_bytes, kmp_task_entry entry);

/* Called since LLVM 16. With `nowait`, creates a task that does nothing and on which others can depend. */
OMP__EXPORT void __kmpc_omp_taskwait_deps_51(const struct kmp_ident *where, int32_t number, int32_t count,
					     const struct kmp_depend *list, int32_t other_count,
					     const struct kmp_depend *other, int32_t nowait)
{
	struct lists lists = { { list, other }, { count, other_count } };
	struct kmp_task *task;

	if (!nowait) {
		wait_for(&lists, OMP__TOOL_CALL());
		return;
	}
	task = __kmpc_omp_task_alloc(where, number, KMP_TASK_TIED, sizeof(*task), 0, do_nothing);
	start_with(task, &lists, OMP__TOOL_CALL());
}
