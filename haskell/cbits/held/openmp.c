/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The OpenMP runtime of the program, if it has one: the package ferry-openmp registers it here.
 *
 * Without that package nothing is registered: the functions of `none` answer, no region is ever opened as far as this
 * package knows, and no program gets an OpenMP runtime from it.
 */
#include <stddef.h>

#include "held/openmp.h"

static void *held_by_none(void)
{
	return NULL;
}

static bool is_no_worker(void)
{
	return false;
}

static void begin_nothing(void)
{
}

static void end_nothing(bool is_over)
{
	(void)is_over;
}

static const struct ferry_openmp none = {
	.held = held_by_none,
	.is_worker = is_no_worker,
	.batch_begin = begin_nothing,
	.batch_end = end_nothing,
};

uint32_t ferry_openmp_opened;

const struct ferry_openmp *ferry_openmp_registered = &none;

void ferry_openmp_register(const struct ferry_openmp *openmp)
{
	ferry_openmp_registered = openmp;
}
