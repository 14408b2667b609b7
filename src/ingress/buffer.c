/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See buffer.h. Each size has a list of kept buffers under a lock. A thread that cannot get the lock soon does without
 * the list and calls the allocator: the lock's holder may be suspended.
 */
#include "buffer.h"
#include "limits.h"

#include "thread/processor.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* Buffers have 2^n bytes behind a header; the least n, and how many sizes there are. */
#define BUFFER_LEAST_BITS 9
#define BUFFER_SIZES 14

struct buffer {
	struct buffer *next;
	uint32_t size; /* index in `kept`, or BUFFER_SIZES when it is larger than any of those */
	_Alignas(INGRESS__LINE_BYTES) unsigned char data[];
};

static struct {
	_Alignas(INGRESS__LINE_BYTES) pthread_mutex_t lock;
	struct buffer *first;
	uint32_t count;
} kept[BUFFER_SIZES] = { [0 ... BUFFER_SIZES - 1] = { PTHREAD_MUTEX_INITIALIZER, NULL, 0 } };

void ingress__buffers_lock(void)
{
	for (size_t size = 0; size < BUFFER_SIZES; size++)
		pthread_mutex_lock(&kept[size].lock);
}

void ingress__buffers_unlock(void)
{
	for (size_t size = BUFFER_SIZES; size--;)
		pthread_mutex_unlock(&kept[size].lock);
}

static uint32_t buffer_size(size_t bytes)
{
	uint32_t size = 0;

	while (size < BUFFER_SIZES && bytes > (size_t)1 << (BUFFER_LEAST_BITS + size))
		size++;
	return size;
}

/* How often a thread tries to get the lock of a size, whose holder runs only a few instructions. */
#define LOCK_TRIES 64u

/* Take the lock of a size. False: its holder seems to be suspended. */
static bool lock_size(uint32_t size)
{
	for (uint32_t tries = 0; tries < LOCK_TRIES; tries++) {
		if (pthread_mutex_trylock(&kept[size].lock) == 0)
			return true;
		thread__relax();
	}
	return false;
}

void *ingress__buffer_take(size_t bytes)
{
	uint32_t size = buffer_size(bytes);
	struct buffer *buffer = NULL;

	if (size < BUFFER_SIZES) {
		bytes = (size_t)1 << (BUFFER_LEAST_BITS + size);
		if (lock_size(size)) {
			buffer = kept[size].first;
			if (buffer) {
				kept[size].first = buffer->next;
				kept[size].count--;
			}
			pthread_mutex_unlock(&kept[size].lock);
		}
	}
	if (!buffer) {
		size_t size_with_header =
			(sizeof(*buffer) + bytes + INGRESS__LINE_BYTES - 1) & ~(size_t)(INGRESS__LINE_BYTES - 1);

		buffer = aligned_alloc(INGRESS__LINE_BYTES, size_with_header);
		if (!buffer)
			return NULL;
	}
	buffer->size = size;
	return buffer->data;
}

void ingress__buffer_give(void *data)
{
	struct buffer *buffer;
	uint32_t size;

	if (!data)
		return;
	buffer = (struct buffer *)((unsigned char *)data - offsetof(struct buffer, data));
	size = buffer->size;
	if (size < BUFFER_SIZES && lock_size(size)) {
		if ((uint64_t)kept[size].count << (BUFFER_LEAST_BITS + size) < INGRESS__BUFFERS_KEPT_BYTES) {
			buffer->next = kept[size].first;
			kept[size].first = buffer;
			kept[size].count++;
			buffer = NULL;
		}
		pthread_mutex_unlock(&kept[size].lock);
	}
	free(buffer);
}
