/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The library thread of a context: takes requests, hands them to the provider in batches, gives it turns, sleeps when
 * there is nothing to do, and ends the context when it is told to or its constructor has failed.
 */
#include "event.h"
#include "reply.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

bool ingress__table_grow(struct ingress__context *context, uint32_t room)
{
	struct ingress__table *table;
	uint32_t *places;

	if (room <= context->table_room)
		return true;
	table = calloc(1, sizeof(*table) + room * sizeof(table->at[0]));
	places = malloc(room * sizeof(*places));
	if (!table || !places) {
		free(table);
		free(places);
		return false;
	}
	free(context->free_places);
	context->free_places = places;
	context->table_room = room;
	context->free_place_count = room;
	for (uint32_t i = 0; i < room; i++)
		places[i] = room - 1 - i;
	/*
	 * The event thread may be looking at the old one, which is kept: rooms are powers of two, so all of them
	 * together are no larger than the last. Nothing runs here now, so there is nothing to copy.
	 */
	table->older = atomic_load_explicit(&context->table, memory_order_relaxed);
	atomic_store_explicit(&context->table, table, memory_order_release);
	return true;
}

/* ---- handing over ------------------------------------------------------------------------------------------------ */

void ingress__take_lanes(struct ingress__context *context, uint32_t lanes)
{
	for (; lanes; lanes &= lanes - 1) {
		uint32_t newest = ingress__lane_take(&context->lanes.lane[__builtin_ctz(lanes)]);
		struct ingress__block *last, *list;

		if (!newest)
			continue;
		list = ingress__blocks_turn(newest, &last);
		if (atomic_load_explicit(&context->pending, memory_order_relaxed))
			context->pending_last->after = list;
		else
			atomic_store_explicit(&context->pending, list, memory_order_relaxed);
		context->pending_last = last;
	}
}

/* Whether the oldest request may be handed over: until the constructor has succeeded, only that one. */
static bool may_begin(struct ingress__context *context)
{
	if (atomic_load_explicit(&context->is_static, memory_order_relaxed))
		context->is_open = context->constructed = true;
	if (context->constructed)
		return true;
	if (context->is_open)
		return false;
	context->is_open = true;
	return true;
}

/* A batch below this is small. */
#define GATHERED 64u

/* Take what was submitted, and choose what is handed over now. *awaited: whether a thread waits for one of them. */
static uint32_t gather(struct ingress__context *context, struct ingress_request **batch, bool *awaited)
{
	struct ingress__block *block;
	uint32_t count = 0;
	bool is_open;

	if (!atomic_load_explicit(&context->pending, memory_order_relaxed) && ingress__lanes_are_empty(&context->lanes))
		return 0;
	/* The event thread cuts under this lock: what is gathered is in the table before it looks there. */
	pthread_mutex_lock(&context->take_lock);
	/*
	 * The constructor is the first request in the first lane. Who pushes to another has learnt of the context after
	 * it, but this thread may have looked at the first lane before:
	 *
	 *	library thread			starter			another thread
	 *	first lane: empty
	 *					pushes the constructor
	 *								pushes to the second lane
	 *	second lane: not looked at
	 */
	is_open = context->is_open || atomic_load_explicit(&context->is_static, memory_order_relaxed);
	ingress__take_lanes(context, is_open ? ingress__lanes_awake(&context->lanes) : 1);
	/* Its pusher may be suspended before it says so: a lane that is empty and does not sleep is one to look in. */
	if (!is_open)
		ingress__lanes_awaken(&context->lanes, &context->lanes.lane[0]);
	while ((block = atomic_load_explicit(&context->pending, memory_order_relaxed)) && count < INGRESS__BATCH_MAX &&
	       may_begin(context)) {
		atomic_store_explicit(&context->pending, block->after, memory_order_relaxed);
		if (block->after)
			__builtin_prefetch(&block->after->state, 1);
		ingress__reply_begin(context, block);
		*awaited |= block->kind == INGRESS__WAITER;
		batch[count++] = &block->request;
	}
	pthread_mutex_unlock(&context->take_lock);
	return count;
}

/* Tell the event thread that something runs, once in a while: see event_thread.c. */
static void note_activity(struct ingress__context *context)
{
	/* relaxed: only this thread writes it. seq_cst: with `watching`. */
	atomic_store_explicit(&context->activity, atomic_load_explicit(&context->activity, memory_order_relaxed) + 1,
			      memory_order_seq_cst);
	if (__builtin_expect(atomic_load_explicit(&context->watching, memory_order_seq_cst), 1))
		return;
	atomic_store_explicit(&context->watching, 1, memory_order_seq_cst);
	ingress__event_thread_wake(context);
}

/* Where those who wait for answers can see it: wait.h. */
static void show_processor(struct ingress__context *context)
{
	const volatile uint32_t *own = thread__cpu_word();
	uint32_t now = own ? *own : 0;

	/* relaxed: a hint */
	if (now != atomic_load_explicit(&context->cpu, memory_order_relaxed))
		atomic_store_explicit(&context->cpu, now, memory_order_relaxed);
}

/*
 * After a small batch for which nobody waits: let more gather. A library thread that takes each request as it comes has
 * the lane's line travel to and fro with each of them, and a push then costs its thread 150 ns instead of 35.
 */
static void let_gather(uint32_t count)
{
	if (count < GATHERED)
		for (uint32_t pauses = 64; pauses; pauses--)
			thread__relax();
}

static bool hand_over(struct ingress__context *context)
{
	struct ingress_request *batch[INGRESS__BATCH_MAX];
	bool awaited = false;
	uint32_t count = gather(context, batch, &awaited);

	if (!count)
		return false;
	show_processor(context);
	note_activity(context);
	ingress__library_out();
	context->library->requests(context->state, batch, count);
	ingress__library_back(context);
	if (!awaited)
		let_gather(count);
	return true;
}

/* ---- the end of a context ---------------------------------------------------------------------------------------- */

/* Answer what was not handed over. */
static void refuse_pending(struct ingress__context *context)
{
	struct ingress__block *list, *block;

	pthread_mutex_lock(&context->take_lock);
	/* also from lanes whose pushers have not said yet that they are awake: after this the place is another's */
	ingress__take_lanes(context, INGRESS__LANES_ALL);
	list = atomic_load_explicit(&context->pending, memory_order_relaxed);
	atomic_store_explicit(&context->pending, NULL, memory_order_relaxed);
	atomic_store_explicit(&context->delivering, 1, memory_order_relaxed);
	pthread_mutex_unlock(&context->take_lock);
	while ((block = list)) {
		list = block->after;
		ingress__reply_unhandled(block, INGRESS_CLOSED);
		ingress__library_came_back(context);
	}
	/* release: the callbacks have returned */
	atomic_store_explicit(&context->delivering, 0, memory_order_release);
}

/* The number of the library's destructor, or -1. */
static int64_t destructor_of(const struct ingress_library *library)
{
	for (uint32_t method = 0; method < library->method_count; method++)
		if (library->methods[method] == INGRESS_DESTRUCTOR)
			return method;
	return -1;
}

static void destruct(struct ingress__context *context, uint32_t method)
{
	struct ingress__block *block = &context->farewell;
	struct ingress_request *request = &block->request;

	context->destructing = true;
	block->kind = INGRESS__NOBODY;
	block->holds = 0;
	block->constructs = false;
	*request = (struct ingress_request){ method, INGRESS_WIRE_C, block->payload, 0 };
	pthread_mutex_lock(&context->take_lock);
	ingress__reply_begin(context, block);
	pthread_mutex_unlock(&context->take_lock);
	ingress__library_out();
	context->library->requests(context->state, &request, 1);
	ingress__library_back(context);
}

/* Nothing runs any more: forget the context. False: and this thread has to end. */
static bool end_context(struct ingress__context *context)
{
	/* of the lanes: one more than the context's */
	uint32_t generation = ingress__lanes_generation(&context->lanes);
	struct ingress__block *constructor = context->constructor;
	bool leaves;

	if (context->is_open) {
		ingress__library_out();
		context->library->context_end(context->state);
		ingress__library_back(context);
	}
	ingress__handles_end(&context->handles);
	ingress__events_end(context);
	context->constructor = NULL;
	context->is_open = context->constructed = context->constructor_failed = context->destructing = false;
	context->due_ns = UINT64_MAX;
	leaves = ingress__context_leave(context);
	if (leaves && context->library->thread_end) {
		ingress__library_out();
		context->library->thread_end(context->state);
		ingress__library_back(context);
	}
	ingress__context_recycle(context);
	/* From here on the next context may be using the place; its requests wait in the lanes. */
	if (constructor) {
		ingress__reply_failed_constructor(constructor);
		ingress__library_came_back(context);
	}
	ingress__context_ended(context, generation);
	ingress__blocks_flush();
	return !leaves;
}

enum ending { ENDING_WAITS, ENDING_GOES_ON, ENDING_LEAVES };

/* Go on with ending, unless the provider has to finish something first. */
static enum ending end_further(struct ingress__context *context)
{
	int64_t destructor;

	refuse_pending(context);
	if (context->running)
		return ENDING_WAITS;
	destructor = context->constructed && !context->destructing ? destructor_of(context->library) : -1;
	if (destructor >= 0) {
		destruct(context, (uint32_t)destructor);
		return ENDING_GOES_ON;
	}
	return end_context(context) ? ENDING_GOES_ON : ENDING_LEAVES;
}

/* ---- waiting ----------------------------------------------------------------------------------------------------- */

static bool is_closing(const struct ingress__context *context)
{
	/* seq_cst: with `parked`, as in ingress__context_close() */
	return atomic_load_explicit(&context->closing, memory_order_seq_cst);
}

/* Sleep on the wake descriptor and the provider's. */
static void poll_descriptors(struct ingress__context *context, int descriptor, uint64_t due_ns)
{
	struct pollfd fds[2] = { { .fd = context->wake_descriptor, .events = POLLIN },
				 { .fd = descriptor, .events = POLLIN } };
	struct timespec left = { 0, 0 };
	int saved = errno;

	if (due_ns != UINT64_MAX) {
		uint64_t now = thread__now_ns();
		uint64_t ns = due_ns > now ? due_ns - now : 0;

		left.tv_sec = (time_t)(ns / 1000000000u);
		left.tv_nsec = (long)(ns % 1000000000u);
	}
	if (ppoll(fds, 2, due_ns == UINT64_MAX ? NULL : &left, NULL) > 0 && fds[0].revents) {
		uint64_t count;

		while (read(context->wake_descriptor, &count, sizeof(count)) < 0 && errno == EINTR)
			;
	}
	errno = saved;
}

/* The provider's descriptor, when there is one and a wake-up can be had beside it. */
static int descriptor_of(struct ingress__context *context)
{
	int descriptor = -1;

	if (context->is_open && context->library->descriptor) {
		ingress__library_out();
		descriptor = context->library->descriptor(context->state);
		ingress__library_back(context);
	}
	if (descriptor >= 0 && context->wake_descriptor < 0)
		context->wake_descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	return descriptor;
}

/* Without a descriptor to be woken by, the provider's is looked at this often. */
#define NO_DESCRIPTOR_NS 1000000u

static void sleep_until(struct ingress__context *context, uint64_t due_ns, bool knows_of_closing)
{
	int descriptor = descriptor_of(context);
	bool polls = descriptor >= 0 && context->wake_descriptor >= 0;
	uint32_t parked = polls ? (context->polls += INGRESS__POLL_ONE) | INGRESS__POLLING : INGRESS__PARKED;

	if (descriptor >= 0 && !polls && due_ns == UINT64_MAX)
		due_ns = thread__now_ns() + NO_DESCRIPTOR_NS;
	if (!ingress__lanes_doze(&context->lanes))
		return;
	/* seq_cst, all three: see lanes.h, and ingress__context_wake() */
	atomic_store_explicit(&context->lanes.parked, parked, memory_order_seq_cst);
	if (!atomic_load_explicit(&context->lanes.awake, memory_order_seq_cst) &&
	    is_closing(context) == knows_of_closing) {
		if (polls)
			poll_descriptors(context, descriptor, due_ns);
		else
			thread__futex_wait(&context->lanes.parked, INGRESS__PARKED, due_ns);
	}
	atomic_store_explicit(&context->lanes.parked, INGRESS__AWAKE, memory_order_relaxed);
}

/*
 * When calls follow each other closely and their threads find this one on their own processor, each of them costs two
 * switches (4 us), beside 0.25 us with a processor for each; the kernel leaves two threads that wake each other
 * together. Calls that are far apart are better off so: waking a processor that is idle takes 20 us more.
 */
#define CROSSED_MANY 64u
#define CROSSED_NS 2000000u
#define MOVE_INTERVAL_NS 20000000u

static void move_if_crossed(struct ingress__context *context)
{
	/* relaxed: a hint */
	uint32_t crossed = atomic_load_explicit(&context->crossed, memory_order_relaxed);
	uint64_t now;

	if (crossed - context->crossed_seen < CROSSED_MANY)
		return;
	now = thread__now_ns();
	if (now - context->crossed_ns < CROSSED_NS && now - context->moved_ns > MOVE_INTERVAL_NS) {
		context->moved_ns = now;
		thread__move_away();
	}
	context->crossed_seen = crossed;
	context->crossed_ns = now;
}

/* What waited for the constructor counts once that has succeeded, in a turn perhaps. */
static bool has_requests(const struct ingress__context *context)
{
	return !ingress__lanes_are_empty(&context->lanes) ||
	       (context->constructed && atomic_load_explicit(&context->pending, memory_order_relaxed));
}

static void wait_for_requests(struct ingress__context *context, bool knows_of_closing)
{
	int64_t most_ns = atomic_load_explicit(&context->spin_ns, memory_order_relaxed);
	struct ingress__spin spin = ingress__spin_begin(&context->budget_ns, most_ns, NULL);

	/*
	 * Who was woken may be on this processor, which it gets the sooner the sooner this thread sleeps. So may who
	 * has woken this one, and waits for it in the middle of that; when requests are far apart, the next is not
	 * about to come, and looking eagerly would take 0.8 us of the 6 that a call takes then.
	 */
	if (ingress__self.has_woken || context->budget_ns < INGRESS__SPIN_LEAST_NS)
		ingress__spin_hurry(&spin);
	ingress__self.has_woken = false;

	while (!has_requests(context) && is_closing(context) == knows_of_closing && ingress__spin_step(&spin))
		;
	if (has_requests(context) || is_closing(context) != knows_of_closing) {
		ingress__spin_end(&spin);
		return;
	}
	move_if_crossed(context);
	sleep_until(context, context->due_ns, knows_of_closing);
	/* what the provider waited for says nothing about the next request */
	if (!ingress__lanes_are_empty(&context->lanes))
		ingress__spin_slept(&spin);
}

/* ---- the thread -------------------------------------------------------------------------------------------------- */

/* Let the provider run what is ready. Returns whether it is to be called again at once. */
static bool take_turn(struct ingress__context *context)
{
	int64_t in_ns;

	context->due_ns = UINT64_MAX;
	if (!context->is_open || !context->library->turn)
		return false;
	ingress__library_out();
	in_ns = context->library->turn(context->state);
	ingress__library_back(context);
	if (in_ns <= 0)
		return true;
	context->due_ns = ingress__deadline_ns(in_ns);
	return false;
}

/* Its thread leaves when enough others are idle; `begun` says whether it came to serve at all. */
static bool begin(struct ingress__context *context)
{
	bool begun;

	ingress__self.library_of = context;
	ingress__hold_cancel();
	thread__runner_start(&context->runner);
	/* a copy, which outlives the thread */
	atomic_store_explicit(&context->runner.cpu,
			      thread__cpu_word() ? (const volatile uint32_t *)&context->cpu : NULL,
			      memory_order_relaxed);
	context->state = NULL;
	ingress__library_out();
	begun = !context->library->thread_begin ||
		context->library->thread_begin((struct ingress_provider *)context, &context->state) == 0;
	ingress__library_back(context);
	/* release: what thread_begin() did */
	atomic_store_explicit(&context->begun, begun ? 1 : -1, memory_order_release);
	ingress__eventcount_advance(&context->life);
	return begun;
}

void *ingress__library_thread(void *argument)
{
	struct ingress__context *context = argument;

	if (!begin(context))
		return NULL;
	for (;;) {
		bool closing = is_closing(context), again;
		enum ending ending = closing ? end_further(context) : ENDING_WAITS;

		if (ending == ENDING_LEAVES)
			return NULL;
		again = closing ? ending == ENDING_GOES_ON : hand_over(context);
		if (context->constructor_failed && !closing) {
			ingress__context_close(context,
					       ingress__token_generation(
						       atomic_load_explicit(&context->token, memory_order_relaxed)));
			continue;
		}
		again |= take_turn(context);
		if (again)
			continue;
		ingress__blocks_flush();
		if (closing && !context->running)
			continue;
		wait_for_requests(context, closing);
	}
}
