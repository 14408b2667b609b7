/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a team is: its members, what a worker needs to start, and what the members share. Members 0 … size - 1 take part
 * in the region. The members beyond are idle: they park until the primary unparks them.
 */
#ifndef OMP_TEAM_STATE_H
#define OMP_TEAM_STATE_H

#include "openmp/system/system.h"
#include "openmp/state/thread_state.h"
#include "openmp/state/workshares.h"

#include "thread/gather.h"

#include <stdatomic.h>

/* What the flag of a barrier says besides its count. */
enum {
	OMP__FLAG_TASKS = 1,
	OMP__FLAG_BITS = 1,
};

/*
 * The flags through which two members meet, one pair for even and one for odd barriers. Two members that signal each
 * other in the same round share the cache line, and nothing else lies in the line that processors fetch with it.
 */
struct omp__meeting {
	_Alignas(OMP__PAIR_BYTES) _Atomic uint32_t side[2][2];
};

/* What one member does in one round of the barrier; set when the team's size is set. */
struct omp__round {
	_Atomic uint32_t *out; /* the two flags that it writes */
	_Atomic uint32_t *in;  /* the two flags that it waits for */
	struct omp__parker *to;
	struct omp__parker *from;
};

/*
 * In a member's `unpark`. The primary sets NEEDED before a region with this member and clears it before one without; a
 * worker that is idle and not needed sets LEFT and ends. Both are in one word, so one of the two comes first.
 */
enum {
	OMP__UNPARK_NEEDED = 1,
	OMP__UNPARK_LEFT = 2,
	OMP__UNPARK_ONE = 4,
};

/*
 * A worker that no region has needed for so long ends. Starting it again takes some 50 us, so that 40 of them cost
 * 0.2% of that time.
 */
#define OMP__KEPT_NS UINT64_C(1000000000)

/*
 * One thread's place in a team. What other threads read or write has cache lines of its own: only the owner writes the
 * line of `arrived`, and what a waker reads of a member does not change.
 */
struct omp__member {
	/* The generation of the last region that this member has left. */
	_Alignas(OMP__LINE_BYTES) _Atomic uint32_t arrived;
	/*
	 * How many constructs this member has passed; a slot of the ring of work shares is free when all have passed
	 * its construct.
	 */
	_Atomic uint32_t passed;
	/* For members beyond the region's size: how often they were unparked, and the bits OMP__UNPARK_*. */
	_Alignas(OMP__LINE_BYTES) _Atomic uint32_t unpark;
	unsigned num;
	struct omp__thread *thread;
	struct omp__team *team;
	_Alignas(OMP__LINE_BYTES) uint32_t barrier_count;
	/* Its part in the team's rounds, one for each: omp__barrier_connect makes them. */
	struct omp__round first_round; /* a copy */
	struct omp__round *rounds;
	struct omp__meeting *meetings;
	/*
	 * The count of the barrier before which the data that this member has published for copyprivate must stay; kept
	 * where regions may be cancelled.
	 */
	uint32_t published_at;
	uint32_t generation; /* of the region this member is in */
	struct thread__meetings met;
	unsigned place; /* 0: unbound, else number + 1 */
	unsigned partition_first;
	unsigned partition_count;
	/*
	 * `retired`: the team needs this member no more, so its worker ends; `gone`: the worker has ended. See
	 * members.c.
	 */
	_Atomic bool retired;
	_Atomic bool gone;
	struct omp__member *next_leaving;
	struct omp__worker_start start;
	struct omp__region region;
	struct omp__crew tasks;
};

/* All that a worker needs to start, in one cache line. The primary writes `go` last. */
struct omp__fork {
	/* size << 32 | generation */
	_Alignas(OMP__LINE_BYTES) _Atomic uint64_t go;
	void (*fn)(void *data);
	void *data;
	struct omp__icv icv;
};

/* What the primary knows of regions after a rest (team/rest.h). Nobody else reads or writes it. */
struct omp__rest {
	/* Whether it has woken a worker for the region that runs. */
	bool has_woken;
	/* Whether it wakes the workers of this region apart, and in how many more regions it will. */
	bool is_apart;
	unsigned apart_left;
	/* When it woke the first of them, and its processor then. */
	uint64_t begun_ns;
	uint32_t cpu;
	/* Until when it wakes no worker apart, how often that time has doubled; in how many regions it has since. */
	uint64_t as_usual_until_ns;
	unsigned doublings, apart_count;
};

struct omp__team {
	struct omp__fork fork;
	/* Written rarely, read by all members. */
	_Alignas(OMP__LINE_BYTES) unsigned size;
	unsigned level;
	unsigned active_level;
	unsigned rounds; /* of the barrier; 0: its members are counted */
	struct omp__region *outer;
	unsigned outer_partition_first;
	unsigned outer_partition_count;
	struct omp__task *parent;
	struct omp__taskgroup *taskgroup; /* the taskgroup that each implicit task starts in */
	struct omp__member **members;
	unsigned league_num;
	unsigned league_count;
	/* Whether there are unfinished tasks: task_state.h. */
	_Atomic uint32_t tasks_live;
	/* Whether the region was cancelled. */
	_Atomic uint32_t cancelled;
	_Atomic uint32_t loop_cancelled; /* the count of the barrier that ends the cancelled loop */
	bool oversubscribed;		 /* more members than processors */
	bool is_pair;			 /* two members, and a processor for each */
	/*
	 * What members do while they wait for the next region: enum omp__between. Only the OS thread that has the
	 * initial thread writes it.
	 */
	_Atomic uint32_t between;
	/*
	 * In the child of a fork, for the one member that is left: its number and the team's size as the program knows
	 * them from before; 0: not in such a child. See fork.c.
	 */
	unsigned told_num;
	unsigned told_count;

	/* For the primary alone. The hot team that it keeps inside this one. */
	_Alignas(OMP__LINE_BYTES) struct omp__team *inner; /* its hot team inside this one */
	struct omp__team **slot;			   /* where this team is kept */
	struct omp__thread *primary;
	uint32_t generation;
	/* The generation of the last region whose block the primary has left; kept where regions may be cancelled. */
	_Atomic uint32_t joining;
	struct omp__meeting *meetings; /* of all members, with what they write and read of them behind */
	size_t meetings_bytes;
	unsigned member_count;	/* members that exist */
	unsigned idle_from;	/* members from here on are idle, and have been told so */
	_Atomic unsigned users; /* threads that still use this memory */
	/*
	 * The largest number of members needed since window_ns, and the members that were told to end. See members.c.
	 */
	unsigned needed;
	uint64_t window_ns;
	struct omp__rest rest;
	struct omp__member *leaving;
	_Atomic uint64_t spread_ns; /* when a member last left an oversubscribed processor: spread() in team.c */

	/* How many members are past the region's end and look for its tasks. */
	_Alignas(OMP__LINE_BYTES) _Atomic uint32_t helpers;
	/* The count of the next single construct that no member has claimed. */
	_Alignas(OMP__LINE_BYTES) _Atomic uint32_t single;
	/* On which members of an oversubscribed team sleep, between regions and at barriers. */
	_Alignas(OMP__LINE_BYTES) struct thread__eventcount event;
	/*
	 * In an oversubscribed team: how many members have not arrived at the join. The primary sleeps once for all of
	 * them, and not once for each.
	 */
	_Alignas(OMP__LINE_BYTES) _Atomic uint32_t missing;
	/* The barrier of oversubscribed teams counts arrivals here. */
	_Alignas(OMP__LINE_BYTES) _Atomic uint32_t barrier_arrived;
	_Alignas(OMP__LINE_BYTES) _Atomic uint32_t barrier_passed;
	/* copyprivate: the count of the last single construct whose data was published; and where the data is */
	_Atomic uint32_t copy_ready;
	void *copyprivate;
	struct omp__task_team tasks;
	struct omp__workshares workshares;
};

/*
 * Whether the region of this generation has unfinished tasks. seq_cst: a member that goes to sleep marks its parker
 * before this load, and a thread that defers the first task stores tasks_live before it looks at the parkers
 * (helper.h).
 */
static inline bool omp__team_has_tasks(const struct omp__team *team, uint32_t generation)
{
	return atomic_load_explicit(&team->tasks_live, memory_order_seq_cst) == generation;
}

/* Set up the member's place in the region that its team begins. */
static inline void omp__region_start(struct omp__region *region, const struct omp__team *team,
				     const struct omp__icv *icv, unsigned num)
{
	region->outer = team->outer;
	region->thread_num = num;
	region->thread_count = team->size;
	region->level = team->level;
	region->active_level = team->active_level;
	region->loop.share = NULL;
	region->loop.hand_out = OMP__HAND_OUT_NONE;
	region->icv = *icv;
	omp__task_start_implicit(&region->implicit, team->parent, &region->icv, team->taskgroup);
}

static inline struct omp__member *omp__member_of(const struct omp__thread *thread)
{
	return thread->region->member;
}

#endif
