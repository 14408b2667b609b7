/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of contexts: looking a token up, starting, ending, and the pool of idle places.
 *
 * In a forked child (fork.c) every place is empty, and knows which context of the parent's was there: its tokens have
 * ended, and the next context there goes on with its generations.
 */
#include "context.h"
#include "reply.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct ingress__context *) places[INGRESS__PLACES_MAX];
/* The parent process's, where this one has not used the place. Written in a child, and under table_lock. */
static _Atomic(struct ingress__context *) parents[INGRESS__PLACES_MAX];
static uint32_t place_count;		    /* under table_lock */
static uint32_t inherited, inherited_count; /* under table_lock: places of the parent's, looked at for use, and all */
static struct ingress__library *libraries;
static _Atomic uint32_t static_contexts; /* an eventcount: one was started, or could not be */

/* ---- tokens ------------------------------------------------------------------------------------------------------ */

/* Why there is no context at the place of a token: the parent process had it, or nobody. */
static enum ingress_status why_none(ingress_token token, uint32_t number, uint32_t generation)
{
	const struct ingress__context *parent = atomic_load_explicit(&parents[number - 1], memory_order_acquire);

	return parent && generation <= ingress__lanes_generation(&parent->lanes) &&
			       token == ingress__token_make(number - 1, generation)
		       ? INGRESS_CLOSED
		       : INGRESS_BAD_TOKEN;
}

struct ingress__context *ingress__context_find(ingress_token token, enum ingress_status *why)
{
	uint32_t number = (uint32_t)token & 0xffff, generation = ingress__token_generation(token);
	struct ingress__context *context;
	ingress_token now;

	*why = INGRESS_BAD_TOKEN;
	if (number == 0)
		return NULL;
	/* acquire: the place is made; the token's owner has filled it */
	context = atomic_load_explicit(&places[number - 1], memory_order_acquire);
	if (__builtin_expect(!context, 0)) {
		*why = why_none(token, number, generation);
		return NULL;
	}
	now = atomic_load_explicit(&context->token, memory_order_acquire);
	if (__builtin_expect(now == token, 1))
		return context;
	if (generation < ingress__token_generation(now) && token == ingress__token_make(number - 1, generation))
		*why = INGRESS_CLOSED;
	return NULL;
}

struct ingress__context *ingress__context_once(ingress_token token, enum ingress_status *why)
{
	struct ingress__context *context = ingress__context_find(token, why);

	if (context || *why != INGRESS_CLOSED)
		return context;
	/* none: it was the parent process's */
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

void ingress__places_lock(void)
{
	pthread_mutex_lock(&table_lock);
}

void ingress__places_unlock(void)
{
	pthread_mutex_unlock(&table_lock);
}

void ingress__places_forget(void)
{
	/* relaxed: there is one thread */
	for (uint32_t number = 0; number < place_count; number++) {
		struct ingress__context *context = atomic_load_explicit(&places[number], memory_order_relaxed);

		if (!context)
			continue;
		atomic_store_explicit(&parents[number], context, memory_order_relaxed);
		atomic_store_explicit(&places[number], NULL, memory_order_relaxed);
		if (context->wake_descriptor >= 0)
			close(context->wake_descriptor);
	}
	inherited = 0;
	inherited_count = place_count;
	for (struct ingress__library *known = libraries; known; known = known->next) {
		known->idle = known->bare = NULL;
		known->idle_count = known->in_use = 0;
		known->static_token = 0;
		known->is_starting = false;
	}
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

/* Under table_lock. */
static struct ingress__library *find_known(const struct ingress_library *library)
{
	struct ingress__library *known = libraries;

	while (known && known->library != library)
		known = known->next;
	return known;
}

/* The record of a library, made when it is seen first; NULL: no memory. */
static struct ingress__library *know(const struct ingress_library *library)
{
	struct ingress__library *known, *made;

	if (!ingress__fork_ready())
		return NULL;
	ingress__lock(&table_lock);
	ingress__token_draw_key();
	known = find_known(library);
	ingress__unlock(&table_lock);
	if (known)
		return known;
	/* without the lock: a thread that loads an object holds the loader's lock, and may fork or start a context */
	pin(library);
	made = calloc(1, sizeof(*made));
	if (!made)
		return NULL;
	made->library = library;
	ingress__lock(&table_lock);
	known = find_known(library);
	if (!known) {
		made->next = libraries;
		libraries = known = made;
		made = NULL;
	}
	ingress__unlock(&table_lock);
	free(made);
	return known;
}

/* Under table_lock: the number of a place that is free, or INGRESS__PLACES_MAX: all are taken. */
static uint32_t free_number(void)
{
	for (; inherited < inherited_count; inherited++) {
		const struct ingress__context *parent = atomic_load_explicit(&parents[inherited], memory_order_relaxed);

		if (ingress__lanes_generation(&parent->lanes) + 1 < INGRESS__GENERATION_MAX)
			return inherited;
	}
	return place_count;
}

/* Under table_lock: a new place, or NULL: no memory, or all are taken. */
static struct ingress__context *make_place(struct ingress__library *known)
{
	uint32_t number = free_number(), generation = 1;
	struct ingress__context *context;

	if (number >= INGRESS__PLACES_MAX)
		return NULL;
	context = aligned_alloc(INGRESS__LINE_BYTES, sizeof(*context));
	if (!context)
		return NULL;
	memset(context, 0, sizeof(*context));
	context->library = known->library;
	context->known = known;
	context->number = number;
	context->process = ingress__process();
	context->before = atomic_load_explicit(&parents[number], memory_order_relaxed);
	context->wake_descriptor = -1;
	context->due_ns = UINT64_MAX;
	if (!ingress__events_start(context)) {
		free(context);
		return NULL;
	}
	pthread_mutex_init(&context->take_lock, NULL);
	pthread_mutex_init(&context->life_lock, NULL);
	if (context->before) {
		generation = ingress__lanes_generation(&context->before->lanes) + 1;
		/* so that those of the parent's are seen to be older; nobody has this one yet */
		atomic_store_explicit(&context->token, ingress__token_make(number, generation), memory_order_relaxed);
	}
	/* relaxed: the place is published below */
	atomic_store_explicit(&context->ended, generation, memory_order_relaxed);
	atomic_store_explicit(&context->cut_done, generation, memory_order_relaxed);
	context->ending = generation;
	ingress__lanes_start(&context->lanes, generation);
	/* release: with the acquire of who looks a token up */
	atomic_store_explicit(&places[number], context, memory_order_release);
	inherited += number < inherited_count;
	place_count += number == place_count;
	return context;
}

/* A place for a new context of the library, which counts as in use. */
static enum ingress_status take_place(const struct ingress_library *library, bool is_static,
				      struct ingress__context **place)
{
	struct ingress__library *known = know(library);
	struct ingress__context *context = NULL;
	enum ingress_status status = INGRESS_NO_CONTEXT;

	if (!known)
		return INGRESS_NO_MEMORY;
	ingress__lock(&table_lock);
	if (!is_static && library->contexts_max && known->in_use >= library->contexts_max)
		goto out;
	context = known->idle;
	if (context) {
		known->idle = context->next_idle;
		known->idle_count--;
	} else if ((context = known->bare)) {
		known->bare = context->next_idle;
	} else {
		status = free_number() < INGRESS__PLACES_MAX ? INGRESS_NO_MEMORY : INGRESS_NO_CONTEXT;
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
	/* this is a child, which was forked where the constructor's loan ended */
	if (context->process != ingress__process())
		return;
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
		thread__futex_wait(&context->life, life, UINT64_MAX);
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

	if (!is_sound(library) || !ingress__options_choose(library, options, &chosen))
		return INGRESS_BAD_ARGUMENT;
	status = take_place(library, is_static, &context);
	if (status != INGRESS_OK)
		return status;
	/* one place more: for the destructor */
	if (!ingress__table_grow(context, chosen.queue_depth * 2) || !ingress__threads_start(context)) {
		leave_place(context);
		return INGRESS_NO_MEMORY;
	}
	ingress__options_set(context, &chosen);
	*token = ingress__token_make(context->number, ingress__lanes_generation(&context->lanes));
	*place = context;
	return INGRESS_OK;
}

enum ingress_status ingress__context_open(const struct ingress_library *library, const struct ingress_options *options,
					  const struct ingress_call *constructor, ingress_token *token,
					  struct ingress__block **block)
{
	struct ingress__context *context;
	enum ingress_status status;
	int cancel;

	*token = 0;
	if (ingress__forked_inside())
		return INGRESS_CLOSED;
	cancel = ingress__hold_cancel();
	status = open_place(library, options, false, &context, token);
	ingress__resume_cancel(cancel);
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
 * Under table_lock, which is let go meanwhile: wait until nobody starts the library's static context. The thread that
 * waits holds no lock, and other libraries are not concerned.
 */
static void wait_until_settled(const struct ingress__library *known)
{
	for (;;) {
		uint32_t started = ingress__eventcount_read(&static_contexts);

		if (!known->is_starting)
			return;
		ingress__unlock(&table_lock);
		thread__futex_wait(&static_contexts, started, UINT64_MAX);
		ingress__lock(&table_lock);
	}
}

/* Whether this thread begins, and its library's static context is to be the one that it begins for. */
static bool begins_static(const struct ingress_library *library)
{
	const struct ingress__context *own = ingress__self.library_of;

	return own && own->library == library && !atomic_load_explicit(&own->begun, memory_order_relaxed) &&
	       atomic_load_explicit(&own->is_static, memory_order_relaxed);
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
	enum ingress_status status = INGRESS_NO_MEMORY;
	bool starts = false;
	int cancel;

	if (!token || !library)
		return INGRESS_BAD_ARGUMENT;
	*token = 0;
	INGRESS__ENTER(INGRESS_REENTRANT);
	if (ingress__forked_inside())
		return INGRESS_CLOSED;
	if (begins_static(library))
		return INGRESS_REENTRANT;
	cancel = ingress__hold_cancel();
	known = know(library);
	if (known) {
		ingress__lock(&table_lock);
		wait_until_settled(known);
		*token = known->static_token;
		starts = known->is_starting = !*token;
		ingress__unlock(&table_lock);
		status = starts ? start_static(known, token) : INGRESS_OK;
	}
	ingress__resume_cancel(cancel);
	return status;
}
