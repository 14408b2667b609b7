/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sections, since LLVM 16; before, the compiler made a loop of them. The compiled code passes the number of sections
 * only when a thread asks for its next one, so the thread enters the construct then.
 */
#include "openmp/worksharing/sections.h"
#include "openmp/abi/gomp.h"
#include "openmp/kmp/abi.h"
#include "openmp/kmp/thread.h"
#include "openmp/process/initial_thread.h"
#include "openmp/tool/event.h"
#include "openmp/worksharing/loop.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* Returns whether the thread takes part: every thread does. */
OMP__EXPORT int32_t __kmpc_sections_init(const struct kmp_ident *where, int32_t number)
{
	(void)where;
	(void)number;
	kmp__tls.sections_begin = true;
	return 1;
}

/* Returns the number of the thread's next section, from 0; `count` when no section is left. */
OMP__EXPORT int32_t __kmpc_next_section(const struct kmp_ident *where, int32_t number, int32_t count)
{
	unsigned section;

	(void)where;
	(void)number;
	if (kmp__tls.sections_begin) {
		kmp__tls.sections_begin = false;
		omp__sections_enter(omp__self(), (unsigned)count, NULL, NULL);
		if (omp__tool_is_on())
			omp__tool_work_begin(omp__self(), ompt_work_sections, (uint64_t)count,
					     __builtin_return_address(0));
	}
	section = GOMP_sections_next();
	if (section > 0)
		return (int32_t)section - 1;
	omp__loop_leave(omp__self());
	if (omp__tool_is_on())
		omp__tool_work_end(omp__self(), __builtin_return_address(0));
	return count;
}

OMP__EXPORT void __kmpc_end_sections(const struct kmp_ident *where, int32_t number)
{
	(void)where;
	(void)number;
}
