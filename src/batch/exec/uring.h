/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the files of the uring executor share.
 *
 *	uring_plan.c	which batches are carried, and how they fall into chains and waves
 *	uring_wave.c	runs one wave: every chain's next call in one crossing, until all chains have ended
 *	uring.c		open, close, check, run
 *
 * A chain is a slot that opens a file and the slots after it that work on that descriptor, up to the next opening slot.
 * A wave is a run of consecutive chains that are in flight together.
 */
#ifndef FERRY_BATCH_URING_H
#define FERRY_BATCH_URING_H

#include <liburing.h>
#include <sys/uio.h>

#include "../internal.h"

/* A batch that batch_verify has accepted. */
struct batch__uring_batch {
	struct batch_slot *slots;
	long *rets;
	size_t count;
};

/* One chain: what the plan found out about it, and where a running one is. Slot numbers count from `first`. */
struct batch__uring_chain {
	size_t first;		/* its opening slot */
	uintptr_t low, high;	/* its reads write within [low, high); none when low >= high */
	uintptr_t path;		/* address of the path it opens */
	long descriptor;	/* what the opening slot gave */
	unsigned char length;	/* slots */
	unsigned char next;	/* slot to run next; >= length: ended */
	unsigned char reads;	/* slots that read */
	unsigned char open;	/* the direct descriptor is in use */
	unsigned char pending;	/* its request has not completed yet */
	unsigned char again;	/* io_uring cannot give what the call gives: loop runs the chain */
	unsigned short reached; /* bit s: control can reach slot s */
	unsigned short ran;	/* bit s: slot s ran, its result is results[s] */
	long results[BATCH_URING_CHAIN_SLOTS_MAX];
};

struct batch_uring_state {
	struct io_uring ring;
	unsigned int capacity; /* elements of chains[], entries of the ring, direct descriptors */
	unsigned int count;    /* chains of the wave that is planned or running */
	unsigned int reruns;   /* chains of the last batch that loop had to run */
	int broken;	       /* -errno once the ring has failed; it is gone then */
	struct batch__uring_chain chains[];
};

/* A read that io_uring may turn into waiting, where the call itself, on a file opened with O_NONBLOCK, would not wait.
 */
static inline int batch__uring_may_wait(const struct batch_slot *slot)
{
	return slot->nr == __NR_read || (slot->nr == __NR_preadv2 && !(slot->arg[5] & RWF_NOWAIT));
}

/* How a batch falls into waves. */
struct batch__uring_shape {
	size_t chains;
	size_t reading; /* chains that read */
	size_t waves;
};

/*
 * Accept the chain that starts at slot `first`; `model` is one that was accepted just before, or NULL. Returns 0, or
 * -EOPNOTSUPP with *error filled.
 */
int batch__uring_plan_chain(const struct batch__uring_batch *batch, size_t first,
			    const struct batch__uring_chain *model, struct batch__uring_chain *chain,
			    struct batch_error *error);

/* Fill state->chains[] with the wave that starts at slot `first`. Returns the slot after it, or -EOPNOTSUPP. */
long batch__uring_plan_wave(struct batch_uring_state *state, const struct batch__uring_batch *batch, size_t first,
			    struct batch__uring_shape *shape);

/* Run the planned wave. When the ring fails under way, the wave is finished without it, and state->broken says why. */
void batch__uring_wave_run(struct batch_uring_state *state, const struct batch__uring_batch *batch);

/* Index of the last slot that ran in the wave's last chain. */
size_t batch__uring_wave_last(const struct batch_uring_state *state);

/* Submit what is prepared and wait until `expected` completions are there. Returns 0, or -errno when the ring failed.
 */
int batch__uring_await(struct io_uring *ring, unsigned int expected);

/* Plan a whole batch before any of it runs. Returns 0, or -EOPNOTSUPP when it is not carried. */
int batch__uring_plan(struct batch_uring_state *state, const struct batch__uring_batch *batch,
		      struct batch__uring_shape *shape);

/* Run the batch that was just planned. Returns the index of the last slot that ran. */
long batch__uring_execute(struct batch_uring_state *state, const struct batch__uring_batch *batch,
			  const struct batch__uring_shape *shape);

#endif /* FERRY_BATCH_URING_H */
