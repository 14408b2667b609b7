/* SPDX-License-Identifier: BSD-3-Clause */
/* Values as OMP_DISPLAY_ENV shows them. */
#include "openmp/environment/environment_show.h"
#include "openmp/environment/icv.h"

void omp__show_schedule(FILE *to, uint32_t schedule, int chunk)
{
	static const char *const kinds[] = { "STATIC", "DYNAMIC", "GUIDED", "AUTO" };
	uint32_t kind = schedule & OMP__SCHEDULE_MASK;
	bool monotonic = schedule & OMP__MONOTONIC;
	int usual_chunk = kind == OMP__STATIC ? 0 : 1;

	if (monotonic != (kind == OMP__STATIC))
		fputs(monotonic ? "MONOTONIC:" : "NONMONOTONIC:", to);
	fputs(kinds[kind - OMP__STATIC], to);
	if (kind != OMP__AUTO && chunk != usual_chunk)
		fprintf(to, ",%d", chunk);
}

void omp__show_binds(FILE *to, uint8_t first, const uint8_t *list, unsigned count)
{
	static const char *const names[] = { "FALSE", "TRUE", "MASTER", "CLOSE", "SPREAD" };

	fputs(names[first], to);
	for (unsigned i = 1; i < count; i++)
		fprintf(to, ",%s", names[list[i]]);
}

void omp__show_numbers(FILE *to, unsigned first, const unsigned *list, unsigned count)
{
	fprintf(to, "%u", first);
	for (unsigned i = 1; i < count; i++)
		fprintf(to, ",%u", list[i]);
}
