/* SPDX-License-Identifier: BSD-3-Clause */
/* The interface between Ferry.Internal.OpenMP and the C code that runs its loops; see loop.c. */
#ifndef FERRY_HASKELL_REGION_LOOP_H
#define FERRY_HASKELL_REGION_LOOP_H

#include <stdbool.h>

/* How iterations are handed out. Ferry.Internal.OpenMP.Loop has the same numbers, but for the last. */
enum ferry_schedule {
	FERRY_STATIC,  /* one range for each thread, as equal as can be */
	FERRY_CYCLIC,  /* chunks, dealt to the threads one after the other */
	FERRY_DYNAMIC, /* chunks, to the thread that asks next */
	FERRY_GUIDED,  /* as dynamic, large chunks first */
	FERRY_RUNTIME, /* as OMP_SCHEDULE says */
	FERRY_EACH,    /* no iterations: the body once for each thread */
};

/* A C kernel over the half-open range [first, past), with what it works on. */
typedef void ferry_kernel(long first, long past, void *data);
typedef void ferry_kernel_to(long first, long past, const void *from, void *to);

/* A loop, in memory of the thread that opens its region. One of the functions ferry_openmp_init_* fills it in. */
struct ferry_loop {
	long begin, end, chunk;
	enum ferry_schedule schedule;
	unsigned threads; /* 0: the default */
	void *job;	  /* a StablePtr to what Haskell needs of this loop, or NULL */
	int stopped;	  /* set by any thread of the team, read between chunks. relaxed: the join orders it */
	/* One of these two is set, or neither where the job is the body. */
	ferry_kernel *kernel;
	ferry_kernel_to *kernel_to;
	const void *from;
	void *to;
	/*
	 * Of a loop whose iterations are blocks of a reduction: how many elements and blocks, and the bytes of one
	 * result.
	 */
	long elements, blocks, result_bytes;
};

/* The share of a loop that one thread of the team has. Haskell reads the first four fields. */
struct ferry_share {
	long first, past; /* the range that is next */
	long thread, threads;
	struct ferry_loop *loop;
	long left; /* the end of the range that the runtime gave, of which [first, past) is a chunk */
};

/* Move a share to its next range; false when there is none, or the loop was stopped. Neither blocks nor calls back. */
bool ferry_openmp_next(struct ferry_share *share);

/* Let no thread of the share's loop begin another range. */
void ferry_openmp_stop(struct ferry_share *share);

/* Why there can be no region here, as a sentence in static storage, or NULL. */
const char *ferry_openmp_refusal(void);

/* Exported by Ferry.Internal.OpenMP. Each takes a Capability, and gives it back. */
void ferryOpenmpShare(void *job, struct ferry_share *share);
int ferryOpenmpWanted(void *job);

/* The size of a team whose threads run Haskell, where 0 stands for the default. */
unsigned ferry_openmp_haskell_threads(unsigned threads);

#endif /* FERRY_HASKELL_REGION_LOOP_H */
