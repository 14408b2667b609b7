/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What this process remembers of idempotent requests, so that one that comes again is not done again: it is still
 * running, and its answer goes where it was asked for last; or it was answered, and gets the same answer. The oldest
 * are forgotten first (NETWORK__REMEMBERED, NETWORK__REMEMBERED_BYTES): a request that comes again after that is done
 * again, which its method allows.
 *
 * Invariant: `running` of an entry and `remembered` of a request are each other's, both under the lock.
 */
#include "serve.h"

#include <stdlib.h>
#include <string.h>

/* A power of two. */
#define BUCKETS NETWORK__REMEMBERED
#define NO_ENTRY UINT32_MAX

struct remembered {
	uint64_t session, id;
	struct under_way *running; /* NULL: it was answered */
	uint32_t next;		   /* in its bucket */
	uint8_t status, wire;
	bool is_forgotten;
	void *data;
	size_t bytes;
};

struct memory {
	pthread_mutex_t lock;
	struct remembered entries[NETWORK__REMEMBERED]; /* a ring, oldest first */
	uint64_t first, end;				/* of all that there ever were */
	size_t bytes;
	uint32_t buckets[BUCKETS];
};

struct memory *serve__memory_make(void)
{
	struct memory *memory = calloc(1, sizeof(*memory));

	if (!memory)
		return NULL;
	pthread_mutex_init(&memory->lock, NULL);
	memset(memory->buckets, 0xff, sizeof(memory->buckets));
	return memory;
}

static uint32_t *bucket_of(struct memory *memory, uint64_t session, uint64_t id)
{
	return &memory->buckets[((session ^ id) * UINT64_C(0x9e3779b97f4a7c15) >> 32) % BUCKETS];
}

/* Under the lock, as all that follow. */
static struct remembered *find(struct memory *memory, uint64_t session, uint64_t id)
{
	for (uint32_t at = *bucket_of(memory, session, id); at != NO_ENTRY; at = memory->entries[at].next) {
		struct remembered *entry = &memory->entries[at];

		if (entry->session == session && entry->id == id && !entry->is_forgotten)
			return entry;
	}
	return NULL;
}

static void forget_oldest(struct memory *memory)
{
	uint32_t index = (uint32_t)(memory->first++ % NETWORK__REMEMBERED);
	struct remembered *entry = &memory->entries[index];
	uint32_t *at = bucket_of(memory, entry->session, entry->id);

	while (*at != index)
		at = &memory->entries[*at].next;
	*at = entry->next;
	if (entry->running)
		entry->running->remembered = NULL;
	memory->bytes -= entry->bytes;
	free(entry->data);
}

/* The request goes on running; its answer belongs to the session that asked last. */
static void adopt(struct under_way *request, struct session *session)
{
	struct session *before = request->session;

	if (before == session)
		return;
	atomic_fetch_add(&session->unanswered, 1);
	atomic_fetch_add(&session->refs, 1);
	request->session = session;
	atomic_fetch_sub(&before->unanswered, 1);
	serve__session_unref(before);
}

bool serve__memory_has(struct session *session, uint64_t id)
{
	struct memory *memory = session->serve->memory;
	struct remembered *entry;

	pthread_mutex_lock(&memory->lock);
	entry = find(memory, session->id, id);
	if (entry && entry->running) {
		adopt(entry->running, session);
	} else if (entry) {
		atomic_fetch_add(&session->unanswered, 1);
		serve__answer(session, id, entry->wire, (enum ingress_status)entry->status, entry->data, entry->bytes);
	}
	pthread_mutex_unlock(&memory->lock);
	return entry;
}

void serve__memory_add(struct under_way *request)
{
	struct memory *memory = request->memory;
	struct remembered *entry;
	uint32_t index, *bucket;

	pthread_mutex_lock(&memory->lock);
	if (memory->end - memory->first == NETWORK__REMEMBERED)
		forget_oldest(memory);
	index = (uint32_t)(memory->end++ % NETWORK__REMEMBERED);
	entry = &memory->entries[index];
	bucket = bucket_of(memory, request->session->id, request->id);
	*entry = (struct remembered){
		.session = request->session->id, .id = request->id, .running = request, .next = *bucket
	};
	*bucket = index;
	request->remembered = entry;
	pthread_mutex_unlock(&memory->lock);
}

void serve__memory_answer(struct under_way *request, const struct ingress_reply *reply)
{
	/* not by way of its session: the network thread may be giving it another, and the one before is freed then */
	struct memory *memory = request->memory;
	struct remembered *entry;

	pthread_mutex_lock(&memory->lock);
	entry = request->remembered;
	request->remembered = NULL;
	if (entry) {
		entry->running = NULL;
		/* without memory it is forgotten, as when it does not fit */
		entry->data = reply && reply->bytes <= NETWORK__REMEMBERED_BYTES / 4 ? malloc(reply->bytes + 1) : NULL;
		entry->is_forgotten = !entry->data;
	}
	if (entry && entry->data) {
		entry->status = (uint8_t)reply->status;
		entry->wire = (uint8_t)reply->wire;
		entry->bytes = reply->bytes;
		if (reply->bytes)
			memcpy(entry->data, reply->data, reply->bytes);
		memory->bytes += reply->bytes;
		while (memory->bytes > NETWORK__REMEMBERED_BYTES)
			forget_oldest(memory);
	}
	pthread_mutex_unlock(&memory->lock);
}
