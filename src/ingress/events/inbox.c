/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Inboxes. An inbox is a completion queue with a descriptor to poll (an eventfd): a lane whose consumer is a thread of
 * the host's. The producers are library threads, event threads, and all other threads that give a reply.
 *
 * How the consumer sleeps. When it has found nothing, it puts the lane to sleep and waits on the descriptor, itself or
 * in its event loop. The push that finds the lane asleep writes to the descriptor. A push that comes before that write
 * is complete writes too, since the other producer may be suspended. All other pushes make no system call.
 *
 * Invariant: the lane is asleep, or the descriptor is readable or about to become so, or the consumer is in
 * ingress_inbox_take. So a consumer that polls the descriptor misses nothing, however it mixes polling and taking.
 *
 * The race between taking and writing. The consumer knows how many writes there were, or will be: one for each sleep,
 * and `extra`. So it reads the descriptor only when there is something to read, and never while it keeps finding items:
 *
 *	consumer					producer
 *	lane asleep					LANE_ASLEEP -> block
 *	takes the block: signals = 1
 *	takes nothing; reads: nothing there yet
 *	lane asleep again				writes
 *	polls: readable; takes nothing, reads, sleeps
 *
 * The race between two producers. `unsignalled` is the number of the sleep for which no write is complete. A producer
 * that has written clears it, if it still has that number:
 *
 *	consumer			producer A			producer B
 *	unsignalled = 7, lane asleep
 *					LANE_ASLEEP -> block
 *					unsignalled is 7; suspended
 *									block -> block; unsignalled
 *									is 7: writes; 7 -> 0
 *	takes both
 *	unsignalled = 8, lane asleep
 *					writes; unsignalled is not 7
 *
 * What may change: how long the consumer spins. What may not: begin_sleep() comes before the lane is put to sleep, and
 * every write to the descriptor is counted, in `signals` or in `extra`.
 */
#include "ingress/events/inbox.h"
#include "ingress/context/event_queue.h"
#include "ingress/process/fork.h"
#include "ingress/waiting/wait.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* ---- the descriptor ---------------------------------------------------------------------------------------------- */

static void signal_descriptor(int descriptor)
{
	const uint64_t one = 1;
	int saved = errno, cancel = ingress__hold_cancel();

	/* The write fails only if 2^64 - 2 writes were not read yet. */
	while (write(descriptor, &one, sizeof(one)) < 0 && errno == EINTR)
		;
	ingress__resume_cancel(cancel);
	errno = saved;
}

static uint64_t read_descriptor(int descriptor)
{
	uint64_t count = 0;
	int saved = errno, cancel = ingress__hold_cancel();

	while (read(descriptor, &count, sizeof(count)) < 0 && errno == EINTR)
		;
	ingress__resume_cancel(cancel);
	errno = saved;
	return count;
}

/* Producer: make the descriptor readable, for the sleep of that number. */
static void signal_sleep(struct ingress_inbox *inbox, uint32_t unsignalled)
{
	signal_descriptor(inbox->descriptor);
	/* relaxed: a producer that sees 0 has nothing to do; the consumer learns it from the descriptor */
	atomic_compare_exchange_strong_explicit(&inbox->unsignalled, &unsignalled, 0, memory_order_relaxed,
						memory_order_relaxed);
}

/* ---- producers --------------------------------------------------------------------------------------------------- */

static void end_block(struct ingress__block *block)
{
	if (block->kind == INGRESS__EVENT)
		ingress__block_release_payload(block);
	else
		ingress__block_release_answer(block);
	ingress__block_give(block);
}

bool ingress__inbox_put(struct ingress_inbox *inbox, uint32_t generation, struct ingress__block *block)
{
	enum ingress__pushed pushed;
	uint32_t unsignalled, below;

	block->after = NULL;
	pushed = ingress__lane_push(&inbox->lane, generation, block, block, 0, &below);
	/* relaxed: the push acquired what the consumer wrote before it put the lane to sleep */
	unsignalled = atomic_load_explicit(&inbox->unsignalled, memory_order_relaxed);
	switch (pushed) {
	case INGRESS__PUSHED_WAKE:
		ingress__self.has_woken = true;
		signal_sleep(inbox, unsignalled);
		return true;
	case INGRESS__PUSHED:
		if (__builtin_expect(unsignalled != 0, 0)) {
			/* relaxed: a consumer that misses it looks again when it is woken */
			atomic_fetch_add_explicit(&inbox->extra, 1, memory_order_relaxed);
			signal_sleep(inbox, unsignalled);
		}
		return true;
	case INGRESS__PUSH_ENDED:
		if (block->kind != INGRESS__NOTICE)
			end_block(block);
		return false;
	default:
		return true;
	}
}

/* ---- making an inbox --------------------------------------------------------------------------------------------- */

/* Call it before the lane is put to sleep: no write is complete for this sleep. */
static void begin_sleep(struct ingress_inbox *inbox)
{
	inbox->sleeps += inbox->sleeps == UINT32_MAX ? 2 : 1;
	/* relaxed: putting the lane to sleep releases it */
	atomic_store_explicit(&inbox->unsignalled, inbox->sleeps, memory_order_relaxed);
}

enum ingress_status ingress_inbox_create(struct ingress_inbox **inbox)
{
	struct ingress_inbox *made;
	uint32_t generation = 1;

	if (!inbox)
		return INGRESS_BAD_ARGUMENT;
	*inbox = NULL;
	INGRESS__ENTER(INGRESS_REENTRANT);
	if (ingress__forked_inside())
		return INGRESS_CLOSED;
	if (!ingress__fork_ready())
		return INGRESS_NO_MEMORY;
	made = ingress__inbox_pool_take();
	if (made) {
		generation = atomic_load_explicit(&made->generation, memory_order_relaxed) + 1;
	} else {
		made = aligned_alloc(INGRESS__LINE_BYTES, sizeof(*made));
		if (!made)
			return INGRESS_NO_MEMORY;
		memset(made, 0, sizeof(*made));
		made->descriptor = -1;
	}
	if (made->descriptor < 0) {
		made->signals = made->signals_read = 0;
		made->descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	}
	if (made->descriptor < 0) {
		atomic_store_explicit(&made->generation, generation - 1, memory_order_relaxed);
		ingress__inbox_pool_give(made);
		return INGRESS_NO_MEMORY;
	}
	made->process = ingress__process();
	made->first = made->last = NULL;
	atomic_store_explicit(&made->asked, NULL, memory_order_relaxed);
	made->armed = true;
	begin_sleep(made);
	atomic_store_explicit(&made->generation, generation, memory_order_relaxed);
	ingress__lane_start(&made->lane, generation, INGRESS__LANE_ASLEEP);
	*inbox = made;
	return INGRESS_OK;
}

int ingress_inbox_descriptor(const struct ingress_inbox *inbox)
{
	return inbox && ingress__inbox_is_own(inbox) ? inbox->descriptor : -1;
}

/* ---- the consumer ------------------------------------------------------------------------------------------------ */

/* Move the blocks in the lane to the consumer's list. */
static void empty_lane(struct ingress_inbox *inbox)
{
	struct ingress__block *list, *block;
	uint32_t newest;

	if (ingress__lane_is_empty(&inbox->lane))
		return;
	inbox->signals += inbox->armed;
	inbox->armed = false;
	newest = ingress__lane_take(&inbox->lane);
	list = newest ? ingress__blocks_reverse(newest, NULL) : NULL;
	while ((block = list)) {
		struct ingress__block *last = block;

		list = block->after;
		block->after = NULL;
		if (block->kind == INGRESS__NOTICE) {
			block = last = ingress__notice_take(block);
			while (last && last->after)
				last = last->after;
		}
		if (!block)
			continue;
		if (inbox->first)
			inbox->last->after = block;
		else
			inbox->first = block;
		inbox->last = last;
	}
}

/* Put the lane to sleep, so that the next push writes to the descriptor. False: something has come. */
static bool arm(struct ingress_inbox *inbox)
{
	/* relaxed: as in ingress__inbox_put() */
	bool reads = inbox->signals + atomic_load_explicit(&inbox->extra, memory_order_relaxed) != inbox->signals_read;

	if (reads)
		inbox->signals_read += read_descriptor(inbox->descriptor);
	else if (inbox->armed)
		return ingress__lane_is_empty(&inbox->lane);
	/* Needed also if the lane is asleep already, because the write for that sleep has been read. */
	begin_sleep(inbox);
	if (ingress__lane_sleep(&inbox->lane)) {
		inbox->armed = true;
		return true;
	}
	/* relaxed: to a lane that is awake, producers push without writing */
	atomic_store_explicit(&inbox->unsignalled, 0, memory_order_relaxed);
	/*
	 * The descriptor was read, and the producer saw no sleeping lane or had written before that: write in its
	 * place.
	 */
	signal_descriptor(inbox->descriptor);
	inbox->signals++;
	return false;
}

/* Wait until there is a block. False: the deadline has passed. */
static bool wait_for_any(struct ingress_inbox *inbox, uint64_t deadline_ns)
{
	struct ingress__context *asked = atomic_load_explicit(&inbox->asked, memory_order_relaxed);
	struct ingress__spin spin =
		ingress__spin_begin(&inbox->budget_ns, INGRESS__SPIN_NS, asked ? &asked->runner : NULL);
	struct pollfd pollfd = { .fd = inbox->descriptor, .events = POLLIN };

	/* as in a blocking call: the library thread may need this processor (ask.c) */
	if (ingress__self.has_woken)
		ingress__spin_skip_eager(&spin);
	ingress__self.has_woken = false;
	while (ingress__lane_is_empty(&inbox->lane) && ingress__spin_step(&spin))
		;
	if (spin.was_here)
		ingress__placement_is_colocated(&asked->placement);
	if (!ingress__lane_is_empty(&inbox->lane)) {
		ingress__spin_end(&spin);
		return true;
	}
	while (arm(inbox)) {
		struct timespec left = { 0, 0 };
		uint64_t now = thread__now_ns();
		int saved = errno, cancel;

		if (now >= deadline_ns)
			return false;
		left.tv_sec = (time_t)((deadline_ns - now) / 1000000000u);
		left.tv_nsec = (long)((deadline_ns - now) % 1000000000u);
		cancel = ingress__hold_cancel();
		ppoll(&pollfd, 1, deadline_ns == UINT64_MAX ? NULL : &left, NULL);
		ingress__resume_cancel(cancel);
		errno = saved;
	}
	ingress__spin_slept(&spin);
	return true;
}

static void fill_item(struct ingress_item *item, struct ingress__block *block)
{
	bool is_event = block->kind == INGRESS__EVENT;

	*item = (struct ingress_item){
		.kind = is_event ? INGRESS_ITEM_EVENT : INGRESS_ITEM_REPLY,
		.status = is_event ? INGRESS_OK : block->status,
		.wire = block->request.wire,
		.number = is_event ? block->request.method : 0,
		.tag = block->tag,
		.lost = is_event ? block->lost : 0,
		.data = is_event ? block->request.data : block->answer,
		.bytes = is_event ? block->request.bytes : block->answer_bytes,
		.private_block = block,
	};
}

/*
 * Items are left in the consumer's list, of which no producer knows. Make the descriptor readable now: it must not
 * depend on a producer whose write is not complete.
 */
static void keep_readable(struct ingress_inbox *inbox)
{
	/* relaxed: as in ingress__inbox_put() */
	uint32_t unsignalled = atomic_load_explicit(&inbox->unsignalled, memory_order_relaxed);

	if (!unsignalled)
		return;
	atomic_fetch_add_explicit(&inbox->extra, 1, memory_order_relaxed);
	signal_sleep(inbox, unsignalled);
}

size_t ingress_inbox_take(struct ingress_inbox *inbox, struct ingress_item *items, size_t capacity, int64_t timeout_ns)
{
	uint64_t deadline_ns = 0;
	size_t count = 0;

	if (!inbox || !items || !capacity)
		return 0;
	INGRESS__ENTER(0);
	if (!ingress__inbox_is_own(inbox))
		return 0;
	for (;;) {
		empty_lane(inbox);
		while (inbox->first && count < capacity) {
			struct ingress__block *block = inbox->first;

			inbox->first = block->after;
			if (block->kind == INGRESS__EVENT && !ingress__event_goes_out(block))
				end_block(block);
			else
				fill_item(&items[count++], block);
		}
		if (count && inbox->first)
			keep_readable(inbox);
		if (count)
			return count;
		if (timeout_ns <= 0) {
			if (arm(inbox))
				return 0;
			continue;
		}
		if (!deadline_ns)
			deadline_ns = ingress__deadline_ns(timeout_ns);
		if (!wait_for_any(inbox, deadline_ns))
			return 0;
	}
}

void ingress_items_release(struct ingress_item *items, size_t count)
{
	INGRESS__ENTER();
	for (size_t i = 0; items && i < count; i++) {
		struct ingress__block *block = items[i].private_block;

		items[i] = (struct ingress_item){ 0 };
		if (block)
			end_block(block);
	}
}

/* ---- closing ----------------------------------------------------------------------------------------------------- */

/* A child closes an inbox of its parent's: no thread pushes to it here, so its memory serves for another inbox. */
static void close_parents(struct ingress_inbox *inbox)
{
	int cancel;

	if (inbox->descriptor < 0)
		return;
	cancel = ingress__hold_cancel();
	close(inbox->descriptor);
	ingress__resume_cancel(cancel);
	inbox->descriptor = -1;
	ingress__inbox_pool_give(inbox);
}

void ingress_inbox_close(struct ingress_inbox *inbox)
{
	struct ingress__block *block;

	if (!inbox)
		return;
	INGRESS__ENTER();
	if (!ingress__inbox_is_own(inbox)) {
		close_parents(inbox);
		return;
	}
	if (!ingress__lane_end(&inbox->lane, atomic_load_explicit(&inbox->generation, memory_order_relaxed)))
		return;
	empty_lane(inbox);
	while ((block = inbox->first)) {
		inbox->first = block->after;
		if (block->kind == INGRESS__EVENT)
			ingress__event_goes_out(block);
		end_block(block);
	}
	/* A write that a producer has yet to make is counted already: the inbox's next owner reads it. */
	if (atomic_load_explicit(&inbox->generation, memory_order_relaxed) + 1 >= INGRESS__GENERATION_MAX)
		return; /* its generations are used up: after a million uses the memory of one inbox is lost */
	/* false in a child that was forked by the `release` of a loan just now */
	if (ingress__inbox_is_own(inbox))
		ingress__inbox_pool_give(inbox);
}
