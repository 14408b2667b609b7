/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Target regions run on the host device: its memory is the device's memory, so mapping does nothing, and the region is
 * an initial region of its own. Variables that are firstprivate are copied, because the region may change them.
 */
#include "openmp/abi/gomp_tasking.h"
#include "openmp/process/initial_thread.h"
#include "openmp/state/thread_state.h"
#include "openmp/system/no_memory.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Constants as the compiler encodes them (gomp-constants.h). */
enum {
	MAP_KIND_MASK = 0xff,
	MAP_ALIGN_SHIFT = 8,
	MAP_FIRSTPRIVATE = 12,
	MAP_ATTACH = 0x50,
	FLAG_NOWAIT = 1,
	TASK_FLAG_DEPEND = 8,
	ARG_DEVICE_MASK = 0x7f,
	ARG_SUBSEQUENT = 0x80,
	ARG_ID_MASK = 0xff00,
	ARG_THREAD_LIMIT = 2 << 8,
	ARG_VALUE_SHIFT = 16,
	/* The compiler passes omp_initial_device as -2, because -1 stands for the control variable. */
	DEVICE_ICV = -1,
	DEVICE_HOST = -2,
	DEVICE_DEFAULT = -5,
};

static void refuse(const char *why)
{
	fprintf(stderr, "\nlibgomp: %s\n", why);
	exit(EXIT_FAILURE);
}

/* A construct runs on the host device, unless the program insists on another. */
static void check_device(int device)
{
	if (device == DEVICE_ICV || device == DEVICE_DEFAULT) {
		device = omp_get_default_device();
		if (device == -1 || device == omp_get_initial_device()) /* -1: omp_initial_device */
			return;
	} else if (device == DEVICE_HOST || device == omp_get_initial_device()) {
		return;
	}
	if (omp__globals.target_offload == OMP__OFFLOAD_MANDATORY)
		refuse("OMP_TARGET_OFFLOAD is set to MANDATORY, but only the host device is available");
	if (device == OMP__INVALID_DEVICE)
		refuse("omp_invalid_device encountered");
}

static unsigned thread_limit_of(void **args)
{
	while (args && *args) {
		intptr_t id = (intptr_t)*args++;
		intptr_t value = id & ARG_SUBSEQUENT ? (intptr_t)*args++ : id >> ARG_VALUE_SHIFT;

		if ((id & ARG_DEVICE_MASK) == 0 && (id & ARG_ID_MASK) == ARG_THREAD_LIMIT)
			return value > INT_MAX ? INT_MAX : (unsigned)value;
	}
	return 0;
}

static void run(void (*fn)(void *), void **addresses, unsigned thread_limit)
{
	struct omp__thread *thread = omp__self();
	struct omp__inner_initial inner;

	omp__inner_initial_begin(thread, &inner);
	if (thread_limit)
		inner.region.icv.thread_limit = thread_limit;
	fn(addresses);
	omp__inner_initial_end(thread, &inner);
}

static bool is_firstprivate(unsigned short kind)
{
	return (kind & MAP_KIND_MASK) == MAP_FIRSTPRIVATE;
}

static size_t align_up(size_t offset, unsigned short kind)
{
	size_t align = (size_t)1 << (kind >> MAP_ALIGN_SHIFT);

	return (offset + align - 1) & ~(align - 1);
}

/* How many bytes the copies need, if they start at an address with the strictest alignment of all of them (*align). */
static size_t copies_bytes(size_t count, const size_t *sizes, const unsigned short *kinds, size_t *align)
{
	size_t bytes = 0;

	*align = sizeof(void *);
	for (size_t i = 0; i < count; i++) {
		if (!is_firstprivate(kinds[i]))
			continue;
		if (*align < (size_t)1 << (kinds[i] >> MAP_ALIGN_SHIFT))
			*align = (size_t)1 << (kinds[i] >> MAP_ALIGN_SHIFT);
		bytes = align_up(bytes, kinds[i]) + sizes[i];
	}
	return bytes;
}

/*
 * A pointer to something that is copied has to point to the copy: Fortran's array descriptor, copied before, points to
 * the array. The entry after the array's says where that pointer is: the address of the descriptor's entry, and the
 * offset in words. `given` are the entries that the compiler passed; `addresses` may be a copy of them.
 */
static void attach(void **given, void **addresses, size_t count, size_t at, size_t words)
{
	void ***entry = given[at + 1];

	if ((void **)entry >= given && (void **)entry < given + count)
		entry = (void ***)(addresses + ((void **)entry - given));
	(*entry)[words] = addresses[at];
}

static void copy_in(char *copies, size_t count, void **given, void **addresses, const size_t *sizes,
		    const unsigned short *kinds)
{
	size_t offset = 0;

	for (size_t i = 0; i < count; i++) {
		if (!is_firstprivate(kinds[i]))
			continue;
		offset = align_up(offset, kinds[i]);
		if (addresses[i]) {
			memcpy(copies + offset, addresses[i], sizes[i]);
			addresses[i] = copies + offset;
			if (i + 1 < count && (kinds[i + 1] & MAP_KIND_MASK) == MAP_ATTACH)
				attach(given, addresses, count, i, sizes[i + 1]);
		}
		offset += sizes[i];
	}
}

/* A target region that is a deferred task: what that task carries. */
struct deferred {
	void (*fn)(void *);
	unsigned thread_limit;
	void *copies;
	void *addresses[];
};

static void run_deferred(void *opaque)
{
	struct deferred *deferred = *(struct deferred **)opaque;

	run(deferred->fn, deferred->addresses, deferred->thread_limit);
	free(deferred->copies);
	free(deferred);
}

static void defer(void (*fn)(void *), size_t count, void **addresses, const size_t *sizes, const unsigned short *kinds,
		  void **depend, unsigned thread_limit)
{
	struct deferred *deferred = malloc(sizeof(*deferred) + count * sizeof(void *));
	size_t align;
	size_t bytes = copies_bytes(count, sizes, kinds, &align);

	if (!deferred)
		omp__no_memory("a target region");
	deferred->fn = fn;
	deferred->thread_limit = thread_limit;
	deferred->copies = bytes ? aligned_alloc(align, (bytes + align - 1) / align * align) : NULL;
	if (bytes && !deferred->copies)
		omp__no_memory("the variables of a target region");
	memcpy(deferred->addresses, addresses, count * sizeof(void *));
	if (bytes)
		copy_in(deferred->copies, count, addresses, deferred->addresses, sizes, kinds);
	GOMP_task(run_deferred, &deferred, NULL, sizeof(deferred), _Alignof(struct deferred *), true,
		  depend ? TASK_FLAG_DEPEND : 0, depend, 0, NULL);
}

OMP__EXPORT void GOMP_target_ext(int device, void (*fn)(void *), size_t count, void **addresses, size_t *sizes,
				 unsigned short *kinds, unsigned flags, void **depend, void **args)
{
	size_t align;
	size_t bytes;

	check_device(device);
	if (flags & FLAG_NOWAIT) {
		defer(fn, count, addresses, sizes, kinds, depend, thread_limit_of(args));
		return;
	}
	if (depend)
		GOMP_taskwait_depend(depend);
	bytes = copies_bytes(count, sizes, kinds, &align);
	if (bytes) {
		char copies[bytes + align];

		copy_in(copies + (align - (uintptr_t)copies % align), count, addresses, addresses, sizes, kinds);
		run(fn, addresses, thread_limit_of(args));
	} else {
		run(fn, addresses, thread_limit_of(args));
	}
}

OMP__EXPORT void GOMP_target(int device, void (*fn)(void *), const void *unused, size_t count, void **addresses,
			     size_t *sizes, unsigned char *kinds)
{
	(void)device;
	(void)unused;
	(void)count;
	(void)sizes;
	(void)kinds;
	run(fn, addresses, 0);
}

/* ---- mapping: data stays where it is ----------------------------------------------------------------------------- */

OMP__EXPORT void GOMP_target_data(int device, const void *unused, size_t count, void **addresses, size_t *sizes,
				  unsigned char *kinds)
{
	(void)device;
	(void)unused;
	(void)count;
	(void)addresses;
	(void)sizes;
	(void)kinds;
}

OMP__EXPORT void GOMP_target_data_ext(int device, size_t count, void **addresses, size_t *sizes, unsigned short *kinds)
{
	(void)device;
	(void)count;
	(void)addresses;
	(void)sizes;
	(void)kinds;
}

OMP__EXPORT void GOMP_target_end_data(void)
{
}

OMP__EXPORT void GOMP_target_update(int device, const void *unused, size_t count, void **addresses, size_t *sizes,
				    unsigned char *kinds)
{
	(void)device;
	(void)unused;
	(void)count;
	(void)addresses;
	(void)sizes;
	(void)kinds;
}

static void nothing(void *opaque)
{
	(void)opaque;
}

/* There is nothing to do, but the construct still has its place in the order of dependent tasks. */
static void order_only(unsigned flags, void **depend)
{
	char none = 0;

	if (!depend)
		return;
	if (flags & FLAG_NOWAIT)
		GOMP_task(nothing, &none, NULL, sizeof(none), 1, true, TASK_FLAG_DEPEND, depend, 0, NULL);
	else
		GOMP_taskwait_depend(depend);
}

OMP__EXPORT void GOMP_target_update_ext(int device, size_t count, void **addresses, size_t *sizes,
					unsigned short *kinds, unsigned flags, void **depend)
{
	check_device(device);
	(void)count;
	(void)addresses;
	(void)sizes;
	(void)kinds;
	order_only(flags, depend);
}

OMP__EXPORT void GOMP_target_enter_exit_data(int device, size_t count, void **addresses, size_t *sizes,
					     unsigned short *kinds, unsigned flags, void **depend)
{
	GOMP_target_update_ext(device, count, addresses, sizes, kinds, flags, depend);
}

/* ---- images for other devices: there are none -------------------------------------------------------------------- */

OMP__EXPORT void GOMP_offload_register(const void *host, int type, const void *target)
{
	(void)host;
	(void)type;
	(void)target;
}

OMP__EXPORT void GOMP_offload_unregister(const void *host, int type, const void *target)
{
	(void)host;
	(void)type;
	(void)target;
}

OMP__EXPORT void GOMP_offload_register_ver(unsigned version, const void *host, int type, const void *target)
{
	(void)version;
	(void)host;
	(void)type;
	(void)target;
}

OMP__EXPORT void GOMP_offload_unregister_ver(unsigned version, const void *host, int type, const void *target)
{
	(void)version;
	(void)host;
	(void)type;
	(void)target;
}

/* The device's function for a function of the program, by address: the same function. */
OMP__EXPORT void *GOMP_target_map_indirect_ptr(void *pointer)
{
	return pointer;
}
