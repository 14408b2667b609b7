/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The library thread of a context: an event loop that runs all of the provider's code. A *context* is a running
 * instance of a library; the *provider* is the library's code (a struct of functions, struct ingress_library); *hosts*
 * are the programs whose threads submit requests, which come by the context's *lanes* (lanes.h). In each iteration of
 * the loop the thread
 *	- hands requests to the provider (serve.c), or, when the context is closing, takes the next step of the
 *	  context's end (context_end.c),
 *	- gives the replies that other threads have posted (post.c), and cancels requests (cancel.h),
 *	- lets the provider run what has become ready: the provider's ->turn() returns when it wants to be called next,
 *	- waits, if nothing is left to do: the thread spins for a while, then sleeps on its parker (a futex), or in
 *	  poll(2) if the provider has a descriptor. While the thread spins, for 50 us at most unless the host chose a
 *	  longer time, it does not look at the provider's timer and descriptor.
 *
 * What may go wrong is a lost wake-up. The rule (lanes.h, parker.h): before the thread sleeps it puts the lanes to
 * sleep, stores PARKED or POLLING into the parker, and then looks again at all that gives it work: lanes with requests
 * (`awake`), the end of the context (`closing`), posted replies (`posted`), and requests that are to be cancelled
 * (`filed`). A thread that gives it work stores that first and then looks at the parker. tests/ingress/model/lane.pml
 * and cancel.pml enumerate this order, for the futex alone; tests/ingress/stress/frozen_ingress.c and
 * tests/ingress/unit/test_ingress_wait.c run the code, poll(2) too.
 *
 * Another rule: a call of a function of the provider is a callout, and so is a call of a host's function by serve.c or
 * reply.c. Each callout stands between ingress__library_out() and ingress__library_back(). The function may submit,
 * take any time, or fork; in the child of such a fork ingress__library_back() ends the process (fork.c).
 *
 * Fields of the context that are not atomic belong to this thread alone (context.h).
 *
 * What may change: how long the thread spins; `ferry measure ingress` shows the effect. What may not change: the order
 * of the steps in sleep_until(). placement.c moves the thread to another processor.
 */
#include "ingress/threads/library_thread.h"
#include "ingress/requests/cancel.h"
#include "ingress/requests/post.h"
#include "ingress/requests/serve.h"
#include "ingress/threads/context_end.h"
#include "ingress/waiting/eventcount.h"
#include "ingress/waiting/wait.h"

#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* ---- sleeping ---------------------------------------------------------------------------------------------------- */

static bool is_closing(const struct ingress__context *context)
{
	/*
	 * seq_cst: this thread stores its parker before this load, and ingress__context_close() stores `closing` first
	 */
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

/*
 * Ask the provider for its descriptor; -1: it has none. With a descriptor this thread sleeps in poll(2), where wakers
 * reach it by a wake descriptor, which is made here when it is first needed.
 */
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

/* If no wake descriptor can be had, the thread sleeps on its parker, and wakes this often to call ->turn(). */
#define NO_DESCRIPTOR_NS 1000000u

/*
 * Sleep until due_ns, until a request comes, or until the context is closing although the caller does not know that
 * yet.
 */
static void sleep_until(struct ingress__context *context, uint64_t due_ns, bool knows_of_closing)
{
	int descriptor = descriptor_of(context);
	bool polls = descriptor >= 0 && context->wake_descriptor >= 0;
	uint32_t parked = INGRESS__PARKED;

	if (polls) {
		/* the thread counts its polls, so that a waker can tell this sleep from a later one (parker.h) */
		context->polls += INGRESS__POLL_ONE;
		parked = context->polls | INGRESS__POLLING;
	} else if (descriptor >= 0) {
		uint64_t look_ns = thread__now_ns() + NO_DESCRIPTOR_NS;

		due_ns = due_ns < look_ns ? due_ns : look_ns;
	}
	if (!ingress__lanes_sleep(&context->lanes))
		return;
	/* seq_cst: this store, then the loads of `awake` and `closing`; wakers store those and then load the parker */
	atomic_store_explicit(&context->lanes.parker, parked, memory_order_seq_cst);
	if (!atomic_load_explicit(&context->lanes.awake, memory_order_seq_cst) &&
	    is_closing(context) == knows_of_closing && !ingress__has_posts(context) &&
	    !ingress__cancel_is_filed(context)) {
		if (polls)
			poll_descriptors(context, descriptor, due_ns);
		else
			thread__futex_wait(&context->lanes.parker, INGRESS__PARKED, due_ns);
	}
	/* relaxed: a waker that still sees the old value only wakes a thread that is awake */
	atomic_store_explicit(&context->lanes.parker, INGRESS__AWAKE, memory_order_relaxed);
}

/* Whether the thread has something to do, of which the caller does not know yet. */
static bool has_work(const struct ingress__context *context, bool knows_of_closing)
{
	return ingress__serve_has_requests(context) || is_closing(context) != knows_of_closing ||
	       ingress__has_posts(context) || ingress__cancel_is_filed(context);
}

static void wait_for_requests(struct ingress__context *context, bool knows_of_closing)
{
	int64_t most_ns = atomic_load_explicit(&context->spin_ns, memory_order_relaxed);
	struct ingress__spin spin = ingress__spin_begin(&context->budget_ns, most_ns, NULL);
	bool has_to_sleep;

	/*
	 * The eager looks are the first of a spin (wait.h). Skip them after this thread has woken another one: the
	 * other may need this processor, so sleep soon. Skip them too when the budget is small, which it is when the
	 * last requests came long after the thread began to wait.
	 */
	if (ingress__self.has_woken || context->budget_ns < INGRESS__SPIN_LEAST_NS)
		ingress__spin_skip_eager(&spin);
	has_to_sleep = ingress__placement_settle(&context->placement, ingress__self.has_woken);
	ingress__self.has_woken = false;

	if (has_to_sleep)
		ingress__spin_sleeps(&spin);
	else
		while (!has_work(context, knows_of_closing) && ingress__spin_step(&spin))
			;
	if (has_work(context, knows_of_closing)) {
		ingress__spin_end(&spin);
		return;
	}
	sleep_until(context, context->due_ns, knows_of_closing);
	/*
	 * Adapt the budget if a request has ended the sleep. A sleep that the provider's timer or descriptor ended says
	 * nothing about how soon the next request comes.
	 */
	if (!ingress__lanes_are_empty(&context->lanes))
		ingress__spin_slept(&spin);
}

/* ---- the thread -------------------------------------------------------------------------------------------------- */

/* Let the provider run what is ready. Returns whether it is to be called again at once. */
static bool run_ready(struct ingress__context *context)
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

/*
 * Set the thread up, and call the provider's ->thread_begin(). False: that failed. `begun` tells the starter, the
 * thread that waits in ingress__threads_start(); on a failure it joins this thread.
 */
static bool begin(struct ingress__context *context)
{
	bool begun;

	ingress__self.library_of = context;
	ingress__hold_cancel();
	thread__runner_start(&context->runner);
	/*
	 * Waiters read this thread's processor from context->cpu, which serve.c writes, and not from the word that the
	 * kernel writes for each thread: that word is freed when the thread ends, and a waiter may read it later.
	 */
	atomic_store_explicit(&context->runner.cpu,
			      thread__cpu_word() ? (const volatile uint32_t *)&context->cpu : NULL,
			      memory_order_relaxed);
	ingress__placement_begin(&context->placement);
	context->state = NULL;
	ingress__library_out();
	begun = !context->library->thread_begin ||
		context->library->thread_begin((struct ingress_provider *)context, &context->state) == 0;
	ingress__library_back(context);
	/* release: the starter sees what thread_begin() did */
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
		enum ingress__ending ending;

		ingress__posts_take(context);
		if (ingress__cancel_is_filed(context))
			ingress__cancel_filed(context);
		ending = closing ? ingress__context_end_further(context) : INGRESS__ENDING_WAITS;
		if (ending == INGRESS__ENDING_LEAVES)
			return NULL;
		again = closing ? ending == INGRESS__ENDING_GOES_ON : ingress__serve(context);
		if (context->constructor_failed && !closing) {
			ingress__context_close(context,
					       ingress__token_generation(
						       atomic_load_explicit(&context->token, memory_order_relaxed)));
			continue;
		}
		again |= run_ready(context);
		/* a constructor may fail in ->turn() too, after which no wake-up follows */
		again |= context->constructor_failed && !closing;
		if (again)
			continue;
		/*
		 * Before the thread waits, it gives the blocks that it has collected back to the heaps that they came
		 * from, because submitters may need them.
		 */
		ingress__blocks_flush();
		/* ->turn() has answered the last running request. No wake-up follows, so go on with the end at once. */
		if (closing && !context->running_count)
			continue;
		wait_for_requests(context, closing);
	}
}
