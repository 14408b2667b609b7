/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Inboxes. A lane whose taker is a host's thread: while it sleeps, or has found nothing and went to poll its
 * descriptor, the lane is asleep, and the push that finds it so writes to the eventfd. A push that comes before that
 * write is over writes too, since the other pusher may be suspended; any other push makes no system call.
 *
 * Invariant: the lane is asleep, or the descriptor is readable or about to be, or the taker is in ingress_inbox_take.
 * So who polls the descriptor misses nothing, however it mixes polling and taking. The taker knows how many writes
 * there were: one for each sleep, and `extra`. So it reads the descriptor only when there is something to read, and
 * never while it goes on taking:
 *
 *	taker						pusher
 *	lane asleep					LANE_ASLEEP -> block
 *	takes: signals = 1
 *	takes nothing: reads: nothing there yet
 *	lane asleep again				writes
 *	polls: readable; takes nothing, reads, sleeps
 *
 * `unsaid` is the number of the sleep for which nothing is written yet. Who has written clears it, of that sleep alone:
 *
 *	taker				pusher A			pusher B
 *	unsaid = 7, lane asleep
 *					LANE_ASLEEP -> block
 *					unsaid is 7; suspended
 *									block -> block; unsaid is 7:
 *									writes; unsaid: 7 -> 0
 *	takes both
 *	unsaid = 8, lane asleep
 *					writes; unsaid is not 7
 *
 * Inboxes are kept for use again, with their descriptors: a pusher that was held up before its write wakes a stranger
 * for nothing, and never writes to a descriptor that became something else.
 */
#include "inbox.h"
#include "context.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

static pthread_mutex_t idle_lock = PTHREAD_MUTEX_INITIALIZER;
static struct ingress_inbox *idle;

static void signal_descriptor(int descriptor)
{
	const uint64_t one = 1;
	int saved = errno, cancel = ingress__hold_cancel();

	/* It can only fail when 2^64 - 2 are unread. */
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

static void put_idle(struct ingress_inbox *inbox)
{
	ingress__lock(&idle_lock);
	inbox->next = idle;
	idle = inbox;
	ingress__unlock(&idle_lock);
}

/* A child closes an inbox of its parent's: nobody pushes to it here, so its memory serves for another. */
static void close_parents(struct ingress_inbox *inbox)
{
	int cancel;

	if (inbox->descriptor < 0)
		return;
	cancel = ingress__hold_cancel();
	close(inbox->descriptor);
	ingress__resume_cancel(cancel);
	inbox->descriptor = -1;
	put_idle(inbox);
}

void ingress__inboxes_lock(void)
{
	pthread_mutex_lock(&idle_lock);
}

void ingress__inboxes_unlock(void)
{
	pthread_mutex_unlock(&idle_lock);
}

void ingress__inboxes_forget(void)
{
	for (struct ingress_inbox *inbox = idle; inbox; inbox = inbox->next) {
		close(inbox->descriptor);
		inbox->descriptor = -1;
	}
}

static void end_block(struct ingress__block *block)
{
	if (block->kind == INGRESS__EVENT)
		ingress__block_release_payload(block);
	else
		ingress__block_release_answer(block);
	ingress__block_give(block);
}

/* A pusher: make the descriptor readable, of the sleep `unsaid`. */
static void say(struct ingress_inbox *inbox, uint32_t unsaid)
{
	signal_descriptor(inbox->descriptor);
	/* relaxed: who sees that it is said has nothing to do; the descriptor tells the taker */
	atomic_compare_exchange_strong_explicit(&inbox->unsaid, &unsaid, 0, memory_order_relaxed, memory_order_relaxed);
}

bool ingress__inbox_put(struct ingress_inbox *inbox, uint32_t generation, struct ingress__block *block)
{
	enum ingress__pushed pushed;
	uint32_t unsaid, below;

	block->after = NULL;
	pushed = ingress__lane_push(&inbox->lane, generation, block, block, 0, &below);
	/* relaxed: the push acquired what the taker wrote before it put the lane to sleep */
	unsaid = atomic_load_explicit(&inbox->unsaid, memory_order_relaxed);
	switch (pushed) {
	case INGRESS__PUSHED_WAKE:
		say(inbox, unsaid);
		return true;
	case INGRESS__PUSHED:
		if (__builtin_expect(unsaid != 0, 0)) {
			/* relaxed: a taker that knows less looks again when it has been woken */
			atomic_fetch_add_explicit(&inbox->extra, 1, memory_order_relaxed);
			say(inbox, unsaid);
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

/* Before the lane is put to sleep: nothing is written for this sleep yet. */
static void begin_sleep(struct ingress_inbox *inbox)
{
	inbox->sleeps += inbox->sleeps == UINT32_MAX ? 2 : 1;
	/* relaxed: what puts the lane to sleep releases it */
	atomic_store_explicit(&inbox->unsaid, inbox->sleeps, memory_order_relaxed);
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
	ingress__lock(&idle_lock);
	made = idle;
	if (made)
		idle = made->next;
	ingress__unlock(&idle_lock);
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
		put_idle(made);
		return INGRESS_NO_MEMORY;
	}
	made->process = ingress__process();
	made->first = made->last = NULL;
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

/* Move what is in the lane to the taker's list. */
static void gather(struct ingress_inbox *inbox)
{
	struct ingress__block *list, *block;
	uint32_t newest;

	if (ingress__lane_is_empty(&inbox->lane))
		return;
	inbox->signals += inbox->armed;
	inbox->armed = false;
	newest = ingress__lane_take(&inbox->lane);
	list = newest ? ingress__blocks_turn(newest, NULL) : NULL;
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

/* Put the lane to sleep. False: something has come. */
static bool arm(struct ingress_inbox *inbox)
{
	/* relaxed: as in ingress__inbox_put() */
	bool reads = inbox->signals + atomic_load_explicit(&inbox->extra, memory_order_relaxed) != inbox->signals_read;

	if (reads)
		inbox->signals_read += read_descriptor(inbox->descriptor);
	else if (inbox->armed)
		return ingress__lane_is_empty(&inbox->lane);
	/* Also when the lane sleeps already: what was written for that sleep is gone. */
	begin_sleep(inbox);
	if (ingress__lane_doze(&inbox->lane)) {
		inbox->armed = true;
		return true;
	}
	/* relaxed: to a lane that is awake everybody pushes without a word */
	atomic_store_explicit(&inbox->unsaid, 0, memory_order_relaxed);
	/* The descriptor has been read; who pushed saw no sleeper, or has written already. */
	signal_descriptor(inbox->descriptor);
	inbox->signals++;
	return false;
}

/* Wait until there is something. False: the deadline has passed. */
static bool wait_for_any(struct ingress_inbox *inbox, uint64_t deadline_ns)
{
	struct ingress__spin spin = ingress__spin_begin(&inbox->budget_ns, INGRESS__SPIN_NS, NULL);
	struct pollfd pollfd = { .fd = inbox->descriptor, .events = POLLIN };

	while (ingress__lane_is_empty(&inbox->lane) && ingress__spin_step(&spin))
		;
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

/* Items are left, in a list that no pusher knows: the descriptor must not wait for one that has yet to write. */
static void keep_readable(struct ingress_inbox *inbox)
{
	/* relaxed: as in ingress__inbox_put() */
	uint32_t unsaid = atomic_load_explicit(&inbox->unsaid, memory_order_relaxed);

	if (!unsaid)
		return;
	atomic_fetch_add_explicit(&inbox->extra, 1, memory_order_relaxed);
	say(inbox, unsaid);
}

size_t ingress_inbox_take(struct ingress_inbox *inbox, struct ingress_item *items, size_t room, int64_t timeout_ns)
{
	uint64_t deadline_ns = 0;
	size_t count = 0;

	if (!inbox || !items || !room)
		return 0;
	INGRESS__ENTER(0);
	if (!ingress__inbox_is_own(inbox))
		return 0;
	for (;;) {
		gather(inbox);
		while (inbox->first && count < room) {
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
	gather(inbox);
	while ((block = inbox->first)) {
		inbox->first = block->after;
		if (block->kind == INGRESS__EVENT)
			ingress__event_goes_out(block);
		end_block(block);
	}
	/* What is still to be written is counted, whenever it comes: the next owner reads it. */
	if (atomic_load_explicit(&inbox->generation, memory_order_relaxed) + 1 >= INGRESS__GENERATION_MAX)
		return; /* its generations are used up; one inbox's memory in a million */
	/* a child that was forked where a loan ended just now */
	if (ingress__inbox_is_own(inbox))
		put_idle(inbox);
}
