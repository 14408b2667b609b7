/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of contexts: tokens, starting, ending, and the pool of idle places.
 *
 * A token is 28 bits of check, 20 of generation and 16 of place. The check is a keyed hash of the rest, with a key that
 * is drawn when the process first starts a context: so a token that was never given is told from one whose context has
 * ended. The generation is also the one of the place's lanes, and part of the step that pushes (lane.h): that is what
 * keeps a request from reaching another context, whatever was checked before. A place whose generations are used up is
 * not used again.
 */
#include "context.h"
#include "reply.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#define CHECK_SHIFT 36

/* A library that was seen once; under table_lock. */
struct ingress__library {
	const struct ingress_library *library;
	struct ingress__library *next;
	struct ingress__context *idle; /* places with threads */
	struct ingress__context *bare; /* places without */
	uint32_t idle_count;	       /* of `idle` */
	uint32_t in_use;	       /* contexts that have not ended */
	ingress_token static_token;    /* 0: none yet */
	bool is_starting;	       /* a thread starts the static context */
};

_Atomic bool ingress__forked;

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct ingress__context *) places[INGRESS__PLACES_MAX];
static uint32_t place_count; /* under table_lock */
static struct ingress__library *libraries;
static uint64_t key; /* written before the first token is given */
static bool is_ready;
static _Atomic uint32_t static_contexts; /* an eventcount: one was started, or could not be */

/* ---- tokens ------------------------------------------------------------------------------------------------------ */

static ingress_token make_token(uint32_t number, uint32_t generation)
{
	uint64_t low = (uint64_t)generation << 16 | (number + 1);
	uint64_t z = low + key;

	/* splitmix64's output function, twice with the key: it has to keep mistakes out, not attackers of the process
	 */
	for (int i = 0; i < 2; i++) {
		z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
		z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
		z = (z ^ (z >> 31)) + key;
	}
	return z >> CHECK_SHIFT << CHECK_SHIFT | low;
}

struct ingress__context *ingress__context_find(ingress_token token, enum ingress_status *why)
{
	uint32_t number = (uint32_t)token & 0xffff, generation = ingress__token_generation(token);
	struct ingress__context *context;
	ingress_token now;

	*why = INGRESS_CLOSED;
	/* relaxed: it is set when there is one thread */
	if (__builtin_expect(atomic_load_explicit(&ingress__forked, memory_order_relaxed), 0))
		return NULL;
	*why = INGRESS_BAD_TOKEN;
	if (number == 0)
		return NULL;
	/* acquire: the place is made; the token's owner has filled it */
	context = atomic_load_explicit(&places[number - 1], memory_order_acquire);
	if (!context)
		return NULL;
	now = atomic_load_explicit(&context->token, memory_order_acquire);
	if (__builtin_expect(now == token, 1))
		return context;
	if (generation < ingress__token_generation(now) && token == make_token(number - 1, generation))
		*why = INGRESS_CLOSED;
	return NULL;
}

struct ingress__context *ingress__context_once(ingress_token token, enum ingress_status *why)
{
	struct ingress__context *context = ingress__context_find(token, why);

	if (context || *why != INGRESS_CLOSED || atomic_load_explicit(&ingress__forked, memory_order_relaxed))
		return context;
	return ingress__context_at(token);
}

struct ingress__context *ingress__context_at(ingress_token token)
{
	return atomic_load_explicit(&places[((uint32_t)token & 0xffff) - 1], memory_order_acquire);
}

bool ingress__context_is_open(struct ingress__context *context, ingress_token token)
{
	return ingress__lanes_generation(&context->lanes) == ingress__token_generation(token);
}

/* ---- libraries and places ---------------------------------------------------------------------------------------- */

/* The child has one thread, and none of ours: from now on it has no contexts. */
static void child_of_fork(void)
{
	atomic_store_explicit(&ingress__forked, true, memory_order_relaxed);
}

/* Under table_lock. */
static bool get_ready(void)
{
	if (is_ready)
		return true;
	if (getrandom(&key, sizeof(key), GRND_NONBLOCK) != sizeof(key))
		key = ingress__now_ns() ^ (uint64_t)(uintptr_t)&key ^ (uint64_t)getpid() << 40;
	is_ready = pthread_atfork(NULL, NULL, child_of_fork) == 0;
	return is_ready;
}

/* Keep the object that holds the library from being unloaded: its threads will be in its code for good. */
static void pin(const struct ingress_library *library)
{
	Dl_info info;
	void *object;

	if (!dladdr(library, &info) || !info.dli_fname)
		return;
	object = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
	if (object)
		dlclose(object);
}

/* Under table_lock: what is known of the library, or NULL: no memory. */
static struct ingress__library *know(const struct ingress_library *library)
{
	struct ingress__library *known;

	for (known = libraries; known; known = known->next)
		if (known->library == library)
			return known;
	known = calloc(1, sizeof(*known));
	if (!known)
		return NULL;
	pin(library);
	known->library = library;
	known->next = libraries;
	libraries = known;
	return known;
}

/* Under table_lock: a new place, or NULL: no memory, or all are taken. */
static struct ingress__context *make_place(struct ingress__library *known)
{
	struct ingress__context *context;

	if (place_count >= INGRESS__PLACES_MAX)
		return NULL;
	context = aligned_alloc(INGRESS__LINE_BYTES, sizeof(*context));
	if (!context)
		return NULL;
	memset(context, 0, sizeof(*context));
	context->library = known->library;
	context->known = known;
	context->number = place_count;
	context->wake_descriptor = -1;
	context->due_ns = UINT64_MAX;
	if (!ingress__events_start(context)) {
		free(context);
		return NULL;
	}
	pthread_mutex_init(&context->take_lock, NULL);
	pthread_mutex_init(&context->life_lock, NULL);
	ingress__lanes_start(&context->lanes, 1);
	/* release: with the acquire of who looks a token up */
	atomic_store_explicit(&places[place_count++], context, memory_order_release);
	return context;
}

/* A place for a new context of the library, which counts as in use. */
static enum ingress_status take_place(const struct ingress_library *library, bool is_static,
				      struct ingress__context **place)
{
	struct ingress__context *context = NULL;
	enum ingress_status status = INGRESS_NO_MEMORY;
	struct ingress__library *known;

	ingress__lock(&table_lock);
	known = get_ready() ? know(library) : NULL;
	if (!known)
		goto out;
	status = INGRESS_NO_CONTEXT;
	if (!is_static && library->contexts_max && known->in_use >= library->contexts_max)
		goto out;
	context = known->idle;
	if (context) {
		known->idle = context->next_idle;
		known->idle_count--;
	} else if ((context = known->bare)) {
		known->bare = context->next_idle;
	} else {
		status = place_count < INGRESS__PLACES_MAX ? INGRESS_NO_MEMORY : INGRESS_NO_CONTEXT;
		context = make_place(known);
	}
	if (context) {
		atomic_store_explicit(&context->is_static, is_static, memory_order_relaxed);
		known->in_use += !is_static;
		status = INGRESS_OK;
	}
out:
	ingress__unlock(&table_lock);
	*place = context;
	return status;
}

/* Under table_lock. */
static void put_idle(struct ingress__context *context)
{
	struct ingress__library *known = context->known;
	struct ingress__context **list = context->has_threads ? &known->idle : &known->bare;

	context->next_idle = *list;
	*list = context;
	known->idle_count += context->has_threads;
}

/* Put a place back that no context was started in. */
static void leave_place(struct ingress__context *context)
{
	ingress__lock(&table_lock);
	context->known->in_use -= !atomic_load_explicit(&context->is_static, memory_order_relaxed);
	put_idle(context);
	ingress__unlock(&table_lock);
}

/* The context is not cut any more; when this returns the event thread is not at it. */
static void wait_for_cut(struct ingress__context *context, uint32_t generation)
{
	for (;;) {
		uint32_t life = ingress__eventcount_read(&context->life);
		bool cutting;

		pthread_mutex_lock(&context->life_lock);
		context->ending = generation;
		cutting = context->cutting;
		pthread_mutex_unlock(&context->life_lock);
		if (!cutting)
			return;
		ingress__park(&context->life, life, UINT64_MAX);
	}
}

void ingress__context_recycle(struct ingress__context *context)
{
	uint32_t generation = ingress__lanes_generation(&context->lanes);

	/*
	 * A cut that comes late must not find the next context here.
	 *
	 *	event thread				library thread
	 *	cutting					ending: waits until it is not
	 *	or: ending has passed it: does nothing	goes on
	 */
	wait_for_cut(context, generation);
	atomic_store_explicit(&context->answered, 0, memory_order_relaxed);
	atomic_store_explicit(&context->closing, 0, memory_order_relaxed);
	ingress__lanes_start(&context->lanes, generation);
	ingress__lock(&table_lock);
	context->known->in_use--;
	if (generation < INGRESS__GENERATION_MAX)
		put_idle(context);
	ingress__unlock(&table_lock);
}

void ingress__context_ended(struct ingress__context *context, uint32_t generation)
{
	/* release: all of the context comes before */
	atomic_store_explicit(&context->ended, generation, memory_order_release);
	ingress__eventcount_advance(&context->life);
}

/* ---- starting ---------------------------------------------------------------------------------------------------- */

bool ingress__context_leave(struct ingress__context *context)
{
	uint32_t generation = ingress__lanes_generation(&context->lanes);

	ingress__lock(&table_lock);
	if (context->known->idle_count >= INGRESS__IDLE_MAX || generation >= INGRESS__GENERATION_MAX)
		context->has_threads = false;
	ingress__unlock(&table_lock);
	if (context->has_threads)
		return false;
	ingress__event_thread_stop(context);
	pthread_detach(pthread_self());
	return true;
}

static uint32_t power_of_two(uint32_t least)
{
	return least <= 1 ? 1 : 1u << (32 - __builtin_clz(least - 1));
}

#define CHOOSE(field, standard)                                                                                        \
	(given.field					 ? given.field                                                 \
	 : library->defaults && library->defaults->field ? library->defaults->field                                    \
							 : (standard))

/* Fill the options in; false: one is over its maximum. */
static bool choose_options(const struct ingress_library *library, const struct ingress_options *options,
			   struct ingress_options *chosen)
{
	const struct ingress_options none = { 0 }, given = options ? *options : none;

	for (size_t i = 0; i < sizeof(given.reserved) / sizeof(given.reserved[0]); i++)
		if (given.reserved[i])
			return false;
	*chosen = (struct ingress_options){
		.queue_depth = CHOOSE(queue_depth, INGRESS__QUEUE_DEPTH),
		.event_depth = CHOOSE(event_depth, INGRESS__EVENT_DEPTH),
		.payload_bytes = CHOOSE(payload_bytes, INGRESS__PAYLOAD_BYTES),
		.stale_ns = CHOOSE(stale_ns, INGRESS__STALE_NS),
		.stuck_ns = CHOOSE(stuck_ns, INGRESS__STUCK_NS),
		.spin_ns = CHOOSE(spin_ns, INGRESS__SPIN_NS),
	};
	if (chosen->queue_depth > INGRESS__QUEUE_DEPTH_MAX || chosen->event_depth > INGRESS__EVENT_DEPTH_MAX ||
	    chosen->payload_bytes > INGRESS__PAYLOAD_BYTES_MAX || chosen->stale_ns < 0 || chosen->stuck_ns < 0 ||
	    chosen->spin_ns > INGRESS__SPIN_NS_MAX)
		return false;
	chosen->queue_depth = power_of_two(chosen->queue_depth);
	chosen->event_depth = power_of_two(chosen->event_depth);
	return true;
}

/* relaxed: the store of the token publishes them. A thread with an older token may see them, and its push fails. */
static void set_options(struct ingress__context *context, const struct ingress_options *options)
{
	atomic_store_explicit(&context->payload_max, options->payload_bytes, memory_order_relaxed);
	atomic_store_explicit(&context->stuck_ns, (uint64_t)options->stuck_ns, memory_order_relaxed);
	/* The event thread may sleep for as long as the owner before wanted it to. seq_cst: is_current() there. */
	if (atomic_exchange_explicit(&context->stale_ns, options->stale_ns, memory_order_seq_cst) > options->stale_ns)
		ingress__event_thread_wake(context);
	atomic_store_explicit(&context->spin_ns, options->spin_ns, memory_order_relaxed);
	atomic_store_explicit(&context->depth, options->queue_depth, memory_order_relaxed);
	atomic_store_explicit(&context->event_depth, options->event_depth, memory_order_relaxed);
}

static bool is_sound(const struct ingress_library *library)
{
	return library && library->abi == INGRESS_ABI && library->requests && library->context_end &&
	       (library->methods || !library->method_count) && (library->events || !library->event_count);
}

/* A place with threads and options, and the token of the context that is to be in it. */
static enum ingress_status open_place(const struct ingress_library *library, const struct ingress_options *options,
				      bool is_static, struct ingress__context **place, ingress_token *token)
{
	struct ingress__context *context;
	struct ingress_options chosen;
	enum ingress_status status;

	if (!is_sound(library) || !choose_options(library, options, &chosen))
		return INGRESS_BAD_ARGUMENT;
	status = take_place(library, is_static, &context);
	if (status != INGRESS_OK)
		return status;
	/* one place more: for the destructor */
	if (!ingress__table_grow(context, chosen.queue_depth * 2) || !ingress__threads_start(context)) {
		leave_place(context);
		return INGRESS_NO_MEMORY;
	}
	set_options(context, &chosen);
	*token = make_token(context->number, ingress__lanes_generation(&context->lanes));
	*place = context;
	return INGRESS_OK;
}

enum ingress_status ingress__context_open(const struct ingress_library *library, const struct ingress_options *options,
					  const struct ingress_call *constructor, ingress_token *token,
					  struct ingress__block **block)
{
	struct ingress__context *context;
	enum ingress_status status;

	*token = 0;
	if (atomic_load_explicit(&ingress__forked, memory_order_relaxed))
		return INGRESS_CLOSED;
	status = open_place(library, options, false, &context, token);
	if (status != INGRESS_OK)
		return status;
	status = ingress__submit_constructor(context, *token, constructor, block);
	if (status != INGRESS_OK) {
		*token = 0;
		leave_place(context);
	}
	return status;
}

enum ingress_status ingress_library_check(const struct ingress_library *library, uint64_t interface_hash)
{
	if (!library)
		return INGRESS_BAD_ARGUMENT;
	return is_sound(library) && library->interface_hash == interface_hash ? INGRESS_OK : INGRESS_WRONG_INTERFACE;
}

/*
 * Under table_lock: what is known of the library, once nobody else starts its static context, or NULL: no memory. Who
 * waits holds no lock, and other libraries are not concerned.
 */
static struct ingress__library *know_settled(const struct ingress_library *library)
{
	for (;;) {
		struct ingress__library *known = get_ready() ? know(library) : NULL;
		uint32_t started = ingress__eventcount_read(&static_contexts);

		if (!known || !known->is_starting)
			return known;
		ingress__unlock(&table_lock);
		ingress__park(&static_contexts, started, UINT64_MAX);
		ingress__lock(&table_lock);
	}
}

static enum ingress_status start_static(struct ingress__library *known, ingress_token *token)
{
	struct ingress__context *context;
	enum ingress_status status = open_place(known->library, NULL, true, &context, token);

	/* release: the token is true from here on */
	if (status == INGRESS_OK)
		atomic_store_explicit(&context->token, *token, memory_order_release);
	ingress__lock(&table_lock);
	known->static_token = *token;
	known->is_starting = false;
	ingress__unlock(&table_lock);
	ingress__eventcount_advance(&static_contexts);
	return status;
}

enum ingress_status ingress_static_context(const struct ingress_library *library, ingress_token *token)
{
	struct ingress__library *known;
	bool starts;

	if (!token || !library)
		return INGRESS_BAD_ARGUMENT;
	*token = 0;
	if (atomic_load_explicit(&ingress__forked, memory_order_relaxed))
		return INGRESS_CLOSED;
	ingress__lock(&table_lock);
	known = know_settled(library);
	if (known)
		*token = known->static_token;
	starts = known && !*token;
	if (starts)
		known->is_starting = true;
	ingress__unlock(&table_lock);
	if (!known)
		return INGRESS_NO_MEMORY;
	return starts ? start_static(known, token) : INGRESS_OK;
}
