/* SPDX-License-Identifier: BSD-3-Clause */
/* What a library does that names neither a runtime nor versions, as MKL: it gets the functions with LLVM's types. */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define ROUNDS 20000
#define CHANGES 100000 /* enough that the threads meet */
#define BYTES_MAX 128
#define GUARD 0x5a5a5a5a5a5a5a5aull

void load(size_t bytes, const void *object, void *result, int order) __asm__("__atomic_load");
void store(size_t bytes, void *object, const void *from, int order) __asm__("__atomic_store");
_Bool exchange(size_t bytes, void *object, void *expected, const void *desired, int order,
	       int failure) __asm__("__atomic_compare_exchange");

static void locks(void)
{
	struct {
		omp_nest_lock_t lock;
		uint64_t guard;
	} each[2] = { { .guard = GUARD }, { .guard = GUARD } };
	int sum = 0;

	omp_init_nest_lock(&each[0].lock);
	omp_init_nest_lock_with_hint(&each[1].lock, omp_sync_hint_contended);
	for (int i = 0; i < 2; i++) {
#pragma omp parallel for num_threads(4)
		for (int j = 0; j < ROUNDS; j++) {
			omp_set_nest_lock(&each[i].lock);
			sum += omp_test_nest_lock(&each[i].lock);
			omp_unset_nest_lock(&each[i].lock);
			omp_unset_nest_lock(&each[i].lock);
		}
		omp_destroy_nest_lock(&each[i].lock);
		printf("lock %d, guard %d\n", sum, each[i].guard == GUARD);
	}
}

static void events(void)
{
	int done = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
	{
		omp_event_handle_t event;
#pragma omp task detach(event) depend(out : done)
		done = 1;
#pragma omp task
		omp_fulfill_event(event);
#pragma omp taskwait
		printf("event %d\n", done);
	}
}

/* An object's bytes count alike; one that is torn has two counts. */
static void objects(size_t bytes, size_t offset)
{
	static _Alignas(64) char room[2 * BYTES_MAX];
	char *object = room + offset;
	char text[BYTES_MAX];
	int torn = 0;

	memset(room, 0, sizeof(room));
#pragma omp parallel num_threads(4) reduction(+ : torn)
	{
		char seen[BYTES_MAX], next[BYTES_MAX];
#pragma omp for
		for (int i = 0; i < CHANGES; i++) {
			load(bytes, object, seen, __ATOMIC_RELAXED);
			do {
				for (size_t k = 0; k < bytes; k++)
					torn += seen[k] != seen[0];
				memset(next, seen[0] + 1, bytes);
			} while (!exchange(bytes, object, seen, next, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
		}
	}
	printf("object of %zu: torn %d, count %d", bytes, torn, object[0] == (char)CHANGES);
	for (size_t k = 0; k < bytes; k++)
		text[k] = (char)('a' + k % 26);
	store(bytes, object, text, __ATOMIC_RELEASE);
	printf(" %.*s, beside it %d\n", (int)bytes, object, room[offset + bytes]);
}

int check(void)
{
	locks();
	events();
	for (size_t bytes = 1; bytes <= 8; bytes *= 2)
		objects(bytes, 0);
	objects(4, 61);
	objects(3, 0);
	objects(16, 16);
	objects(100, 8);
	return 0;
}
