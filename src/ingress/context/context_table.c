/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The context table. See context_table.h.
 *
 * In a forked child (fork.c) the table is empty, and each entry knows which context of the parent's was there: the
 * parent's tokens have ended, and the next context in the entry continues with the generations after the parent's.
 */
#include "ingress/context/context_table.h"
#include "ingress/context/event_queue.h"
#include "ingress/context/request.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

pthread_mutex_t ingress__context_table_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct ingress__context *) entries[INGRESS__CONTEXTS_MAX];
/* The parent process's entries that this process has not used. Written in a new child, and under the lock. */
static _Atomic(struct ingress__context *) parents[INGRESS__CONTEXTS_MAX];
/* All of these under the lock. */
static uint32_t entry_count;
static uint32_t inherited;	 /* the parent's entries below this index were considered for use */
static uint32_t inherited_count; /* entries of the parent's */
static struct ingress__library_record *records;

/* ---- looking tokens up ------------------------------------------------------------------------------------------- */

/* Why the entry of a token has no context: the parent process had it (CLOSED), or no process had (BAD_TOKEN). */
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
	uint32_t number = ingress__token_number(token), generation = ingress__token_generation(token);
	struct ingress__context *context;
	ingress_token now;

	*why = INGRESS_BAD_TOKEN;
	if (number == 0)
		return NULL;
	/* acquire: the entry was made before, and what its starter wrote comes with the token */
	context = atomic_load_explicit(&entries[number - 1], memory_order_acquire);
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

struct ingress__context *ingress__context_find_ended(ingress_token token, enum ingress_status *why)
{
	struct ingress__context *context = ingress__context_find(token, why);

	if (context || *why != INGRESS_CLOSED)
		return context;
	/* NULL if the context was the parent process's */
	return ingress__context_at(token);
}

struct ingress__context *ingress__context_at(ingress_token token)
{
	return atomic_load_explicit(&entries[ingress__token_number(token) - 1], memory_order_acquire);
}

/* ---- fork.c ------------------------------------------------------------------------------------------------------ */

void ingress__contexts_lock(void)
{
	pthread_mutex_lock(&ingress__context_table_lock);
}

void ingress__contexts_unlock(void)
{
	pthread_mutex_unlock(&ingress__context_table_lock);
}

void ingress__contexts_forget(void)
{
	/* relaxed: there is one thread */
	for (uint32_t number = 0; number < entry_count; number++) {
		struct ingress__context *context = atomic_load_explicit(&entries[number], memory_order_relaxed);

		if (!context)
			continue;
		atomic_store_explicit(&parents[number], context, memory_order_relaxed);
		atomic_store_explicit(&entries[number], NULL, memory_order_relaxed);
		if (context->wake_descriptor >= 0)
			close(context->wake_descriptor);
	}
	inherited = 0;
	inherited_count = entry_count;
	for (struct ingress__library_record *record = records; record; record = record->next) {
		record->idle = record->bare = NULL;
		record->idle_count = record->in_use = 0;
		record->static_token = 0;
		record->is_starting = false;
	}
}

/* ---- libraries --------------------------------------------------------------------------------------------------- */

/* Keep the shared object that holds the library from being unloaded: its threads will be in its code for good. */
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

/* Under the lock. */
static struct ingress__library_record *find_record(const struct ingress_library *library)
{
	struct ingress__library_record *record = records;

	while (record && record->library != library)
		record = record->next;
	return record;
}

struct ingress__library_record *ingress__library_record_of(const struct ingress_library *library)
{
	struct ingress__library_record *record, *made;

	ingress__lock(&ingress__context_table_lock);
	ingress__token_draw_key();
	record = find_record(library);
	ingress__unlock(&ingress__context_table_lock);
	if (record)
		return record;
	/* without the lock: a thread that loads an object holds the loader's lock, and may fork or start a context */
	pin(library);
	made = calloc(1, sizeof(*made));
	if (!made)
		return NULL;
	made->library = library;
	ingress__lock(&ingress__context_table_lock);
	record = find_record(library);
	if (!record) {
		made->next = records;
		records = record = made;
		made = NULL;
	}
	ingress__unlock(&ingress__context_table_lock);
	free(made);
	return record;
}

/* ---- entries ----------------------------------------------------------------------------------------------------- */

/* Under the lock: the index of an entry that can be made; INGRESS__CONTEXTS_MAX: there is none. */
static uint32_t free_index(void)
{
	for (; inherited < inherited_count; inherited++) {
		const struct ingress__context *parent = atomic_load_explicit(&parents[inherited], memory_order_relaxed);

		if (ingress__lanes_generation(&parent->lanes) + 1 < INGRESS__GENERATION_MAX)
			return inherited;
	}
	return entry_count;
}

/* Under the lock: a new entry, or NULL: no memory, or the table is full. */
static struct ingress__context *make_entry(struct ingress__library_record *record)
{
	uint32_t index = free_index(), generation = 1;
	struct ingress__context *context;

	if (index >= INGRESS__CONTEXTS_MAX)
		return NULL;
	context = aligned_alloc(INGRESS__LINE_BYTES, sizeof(*context));
	if (!context)
		return NULL;
	memset(context, 0, sizeof(*context));
	context->library = record->library;
	context->record = record;
	context->index = index;
	context->serial = (uint64_t)index << INGRESS__SERIAL_INDEX_SHIFT;
	context->process = ingress__process();
	context->before = atomic_load_explicit(&parents[index], memory_order_relaxed);
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
		/* so that the parent's tokens look older than this one, which no thread has yet */
		atomic_store_explicit(&context->token, ingress__token_make(index, generation), memory_order_relaxed);
	}
	/* relaxed: the store into the table publishes them */
	atomic_store_explicit(&context->ended, generation, memory_order_relaxed);
	atomic_store_explicit(&context->abandoned, generation, memory_order_relaxed);
	context->ending = generation;
	ingress__lanes_start(&context->lanes, generation);
	/* release: a thread that looks a token up finds the entry made */
	atomic_store_explicit(&entries[index], context, memory_order_release);
	inherited += index < inherited_count;
	entry_count += index == entry_count;
	return context;
}

enum ingress_status ingress__context_table_take(const struct ingress_library *library, bool is_static,
						struct ingress__context **taken)
{
	struct ingress__library_record *record = ingress__library_record_of(library);
	struct ingress__context *context = NULL;
	enum ingress_status status = INGRESS_NO_CONTEXT;

	if (!record)
		return INGRESS_NO_MEMORY;
	ingress__lock(&ingress__context_table_lock);
	if (!is_static && library->contexts_max && record->in_use >= library->contexts_max)
		goto out;
	context = record->idle;
	if (context) {
		record->idle = context->next_idle;
		record->idle_count--;
	} else if ((context = record->bare)) {
		record->bare = context->next_idle;
	} else {
		status = free_index() < INGRESS__CONTEXTS_MAX ? INGRESS_NO_MEMORY : INGRESS_NO_CONTEXT;
		context = make_entry(record);
	}
	if (context) {
		atomic_store_explicit(&context->is_static, is_static, memory_order_relaxed);
		record->in_use += !is_static;
		status = INGRESS_OK;
	}
out:
	ingress__unlock(&ingress__context_table_lock);
	*taken = context;
	return status;
}

/* Under the lock. */
static void put_idle(struct ingress__context *context)
{
	struct ingress__library_record *record = context->record;
	struct ingress__context **list = context->has_threads ? &record->idle : &record->bare;

	context->next_idle = *list;
	*list = context;
	record->idle_count += context->has_threads;
}

void ingress__context_table_put_back(struct ingress__context *context)
{
	/* in a child that was forked while the constructor's loan ended, the entry is the parent's */
	if (context->process != ingress__process())
		return;
	ingress__lock(&ingress__context_table_lock);
	context->record->in_use -= !atomic_load_explicit(&context->is_static, memory_order_relaxed);
	put_idle(context);
	ingress__unlock(&ingress__context_table_lock);
}

void ingress__context_uncount(struct ingress__context *context)
{
	ingress__lock(&ingress__context_table_lock);
	context->record->in_use--;
	ingress__unlock(&ingress__context_table_lock);
}

void ingress__context_recycle(struct ingress__context *context)
{
	uint32_t generation = ingress__lanes_generation(&context->lanes);

	atomic_store_explicit(&context->answered, 0, memory_order_relaxed);
	atomic_store_explicit(&context->closing, 0, memory_order_relaxed);
	ingress__lanes_start(&context->lanes, generation);
	ingress__lock(&ingress__context_table_lock);
	if (generation < INGRESS__GENERATION_MAX)
		put_idle(context);
	ingress__unlock(&ingress__context_table_lock);
}

bool ingress__context_keeps_threads(struct ingress__context *context)
{
	uint32_t generation = ingress__lanes_generation(&context->lanes);

	ingress__lock(&ingress__context_table_lock);
	if (context->record->idle_count >= INGRESS__IDLE_MAX || generation >= INGRESS__GENERATION_MAX)
		context->has_threads = false;
	ingress__unlock(&ingress__context_table_lock);
	return context->has_threads;
}
