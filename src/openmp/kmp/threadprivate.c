/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threadprivate variables of code that does not keep them in thread-local storage: code of clang with
 * -fnoopenmp-use-tls, and of Intel's compilers. The thread with the global number 0 uses the variable itself. Each
 * other thread gets a copy when it first asks, and finds it again by the variable's address in its own list.
 *
 * A copy starts with the value that the variable had when the first thread asked for it, or with what its constructor
 * makes.
 */
#include "openmp/kmp/abi.h"
#include "openmp/kmp/thread.h"
#include "openmp/synchronization/lock.h"
#include "openmp/system/no_memory.h"

#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/*
 * What all threads know of a variable. Never freed, because compiled code may ask for the variable at any later time.
 */
struct variable {
	struct variable *next;
	void *address;
	void *(*construct)(void *copy);
	void (*destruct)(void *copy);
	size_t bytes; /* 0: no thread has asked for the variable yet */
	char *start;  /* the value that copies start with */
};

static struct omp__own_lock lock;
static struct variable *variables;

static void *get_memory(size_t bytes)
{
	void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);

	if (!memory)
		omp__no_memory("a threadprivate variable");
	return memory;
}

/* The caller holds the lock. */
static struct variable *find(void *address)
{
	struct variable *variable = variables;

	while (variable && variable->address != address)
		variable = variable->next;
	if (variable)
		return variable;
	variable = get_memory(sizeof(*variable));
	*variable = (struct variable){ .next = variables, .address = address };
	variables = variable;
	return variable;
}

OMP__EXPORT void __kmpc_threadprivate_register(const struct kmp_ident *where, void *address, void *(*construct)(void *),
					       void *(*copy)(void *, void *), void (*destruct)(void *))
{
	struct variable *variable;

	(void)where;
	(void)copy; /* the ABI always passes NULL */
	omp__own_lock(&lock);
	variable = find(address);
	variable->construct = construct;
	variable->destruct = destruct;
	omp__own_unlock(&lock);
}

static struct kmp__copies *make_copy(void *address, size_t bytes)
{
	struct kmp__copies *copy = get_memory(sizeof(*copy) + bytes);
	struct variable *variable;

	omp__own_lock(&lock);
	variable = find(address);
	if (variable->bytes == 0) {
		variable->start = memcpy(get_memory(bytes), address, bytes);
		variable->bytes = bytes;
	}
	omp__own_unlock(&lock);
	copy->address = address;
	copy->destruct = variable->destruct;
	if (variable->construct)
		variable->construct(copy->data);
	else
		memcpy(copy->data, variable->start, bytes);
	copy->next = kmp__tls.copies;
	kmp__tls.copies = copy;
	return copy;
}

OMP__EXPORT void *__kmpc_threadprivate(const struct kmp_ident *where, int32_t number, void *address, size_t bytes)
{
	struct kmp__copies *copy = kmp__tls.copies;

	(void)where;
	(void)number;
	if (kmp__number() == 0) {
		omp__own_lock(&lock);
		if (find(address)->bytes == 0) {
			find(address)->start = memcpy(get_memory(bytes), address, bytes);
			find(address)->bytes = bytes;
		}
		omp__own_unlock(&lock);
		return address;
	}
	while (copy && copy->address != address)
		copy = copy->next;
	return copy ? copy->data : make_copy(address, bytes)->data;
}

/* The cache stays empty: code that looks into it itself finds NULL there, and calls this. */
OMP__EXPORT void *__kmpc_threadprivate_cached(const struct kmp_ident *where, int32_t number, void *address,
					      size_t bytes, void ***cache)
{
	(void)cache;
	return __kmpc_threadprivate(where, number, address, bytes);
}
