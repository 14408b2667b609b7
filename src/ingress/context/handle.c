/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Handles. An id has 44 bits that number all handles of the process, above 20 bits for the index in the table. So no id
 * is given twice, and a context does not find an id of another context.
 */
#include "ingress/context/context.h"

#include <stdlib.h>

/* A context takes this many numbers at once from the count of the process. */
#define SERIALS 4096u
#define SERIAL_MAX ((1ull << (64 - INGRESS__HANDLE_BITS)) - 1)

static _Atomic uint64_t serials = 1;

/* The next number, or 0: all are used up. */
static uint64_t next_serial(struct ingress__handles *handles)
{
	if (handles->serial == handles->serial_end) {
		/* relaxed: all that matters is that each number is given once */
		handles->serial = atomic_fetch_add_explicit(&serials, SERIALS, memory_order_relaxed);
		handles->serial_end = handles->serial + SERIALS;
	}
	if (handles->serial > SERIAL_MAX) {
		handles->serial_end = handles->serial;
		return 0;
	}
	return handles->serial++;
}

static bool grow(struct ingress__handles *handles)
{
	uint32_t capacity = handles->capacity ? handles->capacity * 2 : 64;
	struct ingress__handle *more;

	if (handles->capacity >= INGRESS__HANDLES_MAX)
		return false;
	more = realloc(handles->table, capacity * sizeof(*more));
	if (!more)
		return false;
	handles->table = more;
	handles->capacity = capacity;
	return true;
}

uint64_t ingress_handle_open(struct ingress_provider *provider, uint32_t kind, void *object)
{
	struct ingress__handles *handles = &ingress__context_of(provider)->handles;
	struct ingress__handle *handle;
	uint64_t serial;
	uint32_t index;

	INGRESS__ENTER(0);
	if (!ingress__is_library_thread(provider))
		return 0;
	if (!handles->first_free && handles->used == handles->capacity && !grow(handles))
		return 0;
	serial = next_serial(handles);
	if (!serial)
		return 0;
	if (handles->first_free) {
		index = handles->first_free - 1;
		handles->first_free = handles->table[index].next_free;
	} else {
		index = handles->used++;
	}
	handle = &handles->table[index];
	*handle = (struct ingress__handle){ serial << INGRESS__HANDLE_BITS | index, kind, 0, object };
	return handle->id;
}

static struct ingress__handle *find(struct ingress__handles *handles, uint32_t kind, uint64_t id)
{
	uint32_t index = (uint32_t)id & (INGRESS__HANDLES_MAX - 1);
	struct ingress__handle *handle;

	if (!id || index >= handles->used)
		return NULL;
	handle = &handles->table[index];
	return handle->id == id && handle->kind == kind ? handle : NULL;
}

void *ingress_handle_object(struct ingress_provider *provider, uint32_t kind, uint64_t id)
{
	const struct ingress__handle *handle;

	INGRESS__ENTER(NULL);
	handle = ingress__is_library_thread(provider) ? find(&ingress__context_of(provider)->handles, kind, id) : NULL;
	return handle ? handle->object : NULL;
}

static void *end(struct ingress__handles *handles, struct ingress__handle *handle)
{
	handle->id = 0;
	handle->next_free = handles->first_free;
	handles->first_free = (uint32_t)(handle - handles->table) + 1;
	return handle->object;
}

void *ingress_handle_close(struct ingress_provider *provider, uint32_t kind, uint64_t id)
{
	struct ingress__handles *handles = &ingress__context_of(provider)->handles;
	struct ingress__handle *handle;

	INGRESS__ENTER(NULL);
	handle = ingress__is_library_thread(provider) ? find(handles, kind, id) : NULL;
	return handle ? end(handles, handle) : NULL;
}

void *ingress_handle_close_any(struct ingress_provider *provider, uint32_t *kind)
{
	struct ingress__handles *handles = &ingress__context_of(provider)->handles;

	INGRESS__ENTER(NULL);
	if (!ingress__is_library_thread(provider))
		return NULL;
	while (handles->used) {
		struct ingress__handle *handle = &handles->table[handles->used - 1];

		if (handle->id) {
			if (kind)
				*kind = handle->kind;
			return end(handles, handle);
		}
		/* every entry above this one is free: forget the list of free entries */
		handles->used--;
		handles->first_free = 0;
	}
	return NULL;
}
