/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The set of files that were counted: open addressing, split into shards with a lock each so that threads seldom wait
 * for each other. Entries are never removed.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "mdu.h"

/* a power of two */
#define SHARD_COUNT 64
#define CAPACITY_MIN 64

/* ino == 0 marks a free place; files with inode 0 are in zero_devices */
struct shard {
	_Alignas(64) pthread_mutex_t lock;
	struct mdu_identity *places;
	size_t capacity; /* a power of two, or 0 */
	size_t count;
	/* devices whose file with inode 0 was counted; so rare that linear search is enough */
	uint64_t *zero_devices;
	size_t zero_count;
};

struct mdu_links {
	struct shard shards[SHARD_COUNT];
};

/* splitmix64's finaliser (Steele, Lea, Flood, Fast splittable pseudorandom number generators, 2014) */
static uint64_t mix(struct mdu_identity identity)
{
	uint64_t z = identity.ino + identity.dev * 0x9e3779b97f4a7c15U;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
	return z ^ (z >> 31);
}

struct mdu_links *mdu_links_new(void)
{
	struct mdu_links *links = aligned_alloc(64, sizeof(*links));

	if (!links)
		return NULL;
	for (size_t i = 0; i < SHARD_COUNT; i++) {
		links->shards[i] = (struct shard){ 0 };
		pthread_mutex_init(&links->shards[i].lock, NULL);
	}
	return links;
}

void mdu_links_free(struct mdu_links *links)
{
	for (size_t i = 0; links && i < SHARD_COUNT; i++) {
		free(links->shards[i].places);
		free(links->shards[i].zero_devices);
		pthread_mutex_destroy(&links->shards[i].lock);
	}
	free(links);
}

/* The place of identity, or the free place for it. capacity > 0, and at least one place is free. */
static struct mdu_identity *find(struct mdu_identity *places, size_t capacity, struct mdu_identity identity,
				 uint64_t hash)
{
	for (size_t i = hash / SHARD_COUNT;; i++) {
		struct mdu_identity *place = &places[i & (capacity - 1)];

		if (place->ino == 0 || (place->ino == identity.ino && place->dev == identity.dev))
			return place;
	}
}

static int grow(struct shard *shard)
{
	size_t capacity = shard->capacity ? 2 * shard->capacity : CAPACITY_MIN;
	struct mdu_identity *places = calloc(capacity, sizeof(*places));

	if (!places)
		return -ENOMEM;
	for (size_t i = 0; i < shard->capacity; i++)
		if (shard->places[i].ino)
			*find(places, capacity, shard->places[i], mix(shard->places[i])) = shard->places[i];
	free(shard->places);
	shard->places = places;
	shard->capacity = capacity;
	return 0;
}

static bool has_zero(const struct shard *shard, uint64_t dev)
{
	for (size_t i = 0; i < shard->zero_count; i++)
		if (shard->zero_devices[i] == dev)
			return true;
	return false;
}

static int add_zero(struct shard *shard, uint64_t dev)
{
	uint64_t *grown;

	if (has_zero(shard, dev))
		return 0;
	grown = realloc(shard->zero_devices, (shard->zero_count + 1) * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	shard->zero_devices = grown;
	grown[shard->zero_count++] = dev;
	return 1;
}

static int add(struct shard *shard, struct mdu_identity identity, uint64_t hash)
{
	struct mdu_identity *place;

	if (identity.ino == 0)
		return add_zero(shard, identity.dev);
	/* at most half full */
	if (2 * shard->count >= shard->capacity && grow(shard))
		return -ENOMEM;
	place = find(shard->places, shard->capacity, identity, hash);
	if (place->ino)
		return 0;
	*place = identity;
	shard->count++;
	return 1;
}

int mdu_links_add(struct mdu_links *links, struct mdu_identity identity)
{
	uint64_t hash = mix(identity);
	struct shard *shard = &links->shards[hash % SHARD_COUNT];
	int added;

	pthread_mutex_lock(&shard->lock);
	added = add(shard, identity, hash);
	pthread_mutex_unlock(&shard->lock);
	return added;
}

bool mdu_links_has(struct mdu_links *links, struct mdu_identity identity)
{
	uint64_t hash = mix(identity);
	struct shard *shard = &links->shards[hash % SHARD_COUNT];
	bool there;

	pthread_mutex_lock(&shard->lock);
	if (identity.ino == 0)
		there = has_zero(shard, identity.dev);
	else
		there = shard->capacity && find(shard->places, shard->capacity, identity, hash)->ino;
	pthread_mutex_unlock(&shard->lock);
	return there;
}
