/* SPDX-License-Identifier: BSD-3-Clause */
/* Which code opens a region: the program's, or a library's. */
#include "openmp/coscheduling/known_code.h"

#include <link.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A library that was built for libgomp may rely on the number that omp_get_max_threads returned: OpenBLAS divides a
 * product among that many threads, which wait for each other, so a smaller team would wait for ever. Hence, unless the
 * user set dyn-var, only regions of the program itself and of the co-scheduler's package get smaller teams when fewer
 * processors are free.
 */
static struct range {
	uintptr_t first, past;
} program_code, package_code;

static int note_code(struct dl_phdr_info *object, size_t bytes, void *package)
{
	struct range range = { UINTPTR_MAX, 0 };

	(void)bytes;
	for (unsigned i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
		uintptr_t first = object->dlpi_addr + segment->p_vaddr;

		if (segment->p_type != PT_LOAD)
			continue;
		range.first = first < range.first ? first : range.first;
		range.past = first + segment->p_memsz > range.past ? first + segment->p_memsz : range.past;
	}
	/* the loader lists the program first */
	if (program_code.past == 0)
		program_code = range;
	if ((uintptr_t)package >= range.first && (uintptr_t)package < range.past)
		package_code = range;
	return 0;
}

static bool in_range(const struct range *range, uintptr_t at)
{
	return at >= range->first && at < range->past;
}

bool omp__code_is_known(void (*code)(void *))
{
	return in_range(&program_code, (uintptr_t)code) || in_range(&package_code, (uintptr_t)code);
}

void omp__code_find(const void *package)
{
	dl_iterate_phdr(note_code, (void *)package);
}
