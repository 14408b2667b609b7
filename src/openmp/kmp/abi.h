/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The types of the KMP ABI: what clang, flang and Intel's compilers compile OpenMP to. The layouts and numbers are
 * those of LLVM's kmp.h, versions 5 to 19. Compiled programs contain them, so nothing here can change.
 */
#ifndef OMP_KMP_ABI_H
#define OMP_KMP_ABI_H

#include "openmp/abi/export.h"

#include <stddef.h>
#include <stdint.h>

/* Where a construct stands in the source, and what the compiler has prepared for it. */
struct kmp_ident {
	int32_t reserved_1;
	int32_t flags;
	int32_t reserved_2;
	int32_t reserved_3;
	const char *source;
};

/* In kmp_ident.flags: the program has code that combines this reduction by atomic operations. */
#define KMP_IDENT_ATOMIC_REDUCE 0x10
/* In kmp_ident.flags: what a barrier is, and what a construct with __kmpc_for_static_init_* is. */
#define KMP_IDENT_BARRIER_EXPLICIT 0x20
#define KMP_IDENT_BARRIER_IMPLICIT 0x40
#define KMP_IDENT_SECTIONS 0x400
#define KMP_IDENT_DISTRIBUTE 0x800

/*
 * The name of a critical region or a reduction: 32 bytes of the program, zero at first, which the runtime uses as a
 * lock.
 */
typedef int32_t kmp_critical_name[8];

/*
 * The outlined body of a parallel region: it gets two thread numbers, then as many words as the program gave to the
 * fork.
 */
typedef void (*kmp_micro)(int32_t *global_num, int32_t *bound_num, ...);

/* How a loop is handed out, as the compiler numbers it; `ordered` and `nomerge` loops have numbers of their own. */
enum kmp_schedule {
	KMP_STATIC_CHUNKED = 33,
	KMP_STATIC = 34,
	KMP_DYNAMIC = 35,
	KMP_GUIDED = 36,
	KMP_RUNTIME = 37,
	KMP_AUTO = 38,
	KMP_TRAPEZOIDAL = 39,
	KMP_STATIC_GREEDY = 40,
	KMP_STATIC_BALANCED = 41,
	KMP_GUIDED_ITERATIVE = 42,
	KMP_GUIDED_ANALYTICAL = 43,
	KMP_STATIC_STEAL = 44,
	KMP_STATIC_BALANCED_CHUNKED = 45,
	KMP_GUIDED_SIMD = 46,
	KMP_RUNTIME_SIMD = 47,
	KMP_ORDERED_FIRST = 64,
	KMP_ORDERED_LAST = 72,
	KMP_DISTRIBUTE_CHUNKED = 91,
	KMP_DISTRIBUTE = 92,
	KMP_NOMERGE_FIRST = 160,
	KMP_NOMERGE_ORDERED_FIRST = 192,
	KMP_PLAIN_FIRST = 32,
	KMP_MONOTONIC = 1 << 29,
	KMP_NONMONOTONIC = 1 << 30,
};

/* One loop of a doacross nest; both bounds are iterations of it, so the upper one is included. */
struct kmp_dimension {
	int64_t low;
	int64_t high;
	int64_t step;
};

/* The constructs that can be cancelled. */
enum { KMP_CANCEL_PARALLEL = 1, KMP_CANCEL_LOOP = 2, KMP_CANCEL_SECTIONS = 3, KMP_CANCEL_TASKGROUP = 4 };

struct kmp_task;
typedef int32_t (*kmp_task_entry)(int32_t global_num, struct kmp_task *task);

/* A task as the compiler sees it; its private variables follow in memory. */
struct kmp_task {
	void *shareds;
	kmp_task_entry entry;
	int32_t part;
	union {
		int32_t priority;
		kmp_task_entry destructors;
	} first, second; /* `first` holds the destructors, `second` the priority */
};

/* The flags that a task is allocated with. */
enum {
	KMP_TASK_TIED = 1 << 0,
	KMP_TASK_FINAL = 1 << 1,
	KMP_TASK_DESTRUCTORS = 1 << 3,
	KMP_TASK_PROXY = 1 << 4,
	KMP_TASK_PRIORITY = 1 << 5,
	KMP_TASK_DETACHABLE = 1 << 6,
};

struct kmp_depend {
	uintptr_t address;
	size_t bytes;
	uint8_t flags;
};

enum {
	KMP_DEPEND_OUT = 1 << 1,
	KMP_DEPEND_MUTEXINOUTSET = 1 << 2,
	KMP_DEPEND_INOUTSET = 1 << 3,
	KMP_DEPEND_ALL = 1 << 7,
};

/* A list item of a task reduction: as compilers laid it out before OpenMP 5.0 added `original`, and since then. */
struct kmp_reduction_old {
	void *shared;
	size_t bytes;
	void (*init)(void *copy);
	void (*fini)(void *copy);
	void (*combine)(void *shared, void *copy);
	uint32_t flags;
};

struct kmp_reduction {
	void *shared;
	void *original;
	size_t bytes;
	void (*init)(void *copy, void *original);
	void (*fini)(void *copy);
	void (*combine)(void *shared, void *copy);
	uint32_t flags;
};

#endif
