/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Task programs that search and simulate, of the kinds in BOTS. One finds a floor plan by branch and bound: its tasks
 * end early where others have found a better plan. One simulates patients in a hierarchy of villages, by many small
 * tasks in each step. A run makes n of them. Their results are compared with those of one thread without tasks, which
 * are computed when an entry first runs.
 */
#include <limits.h>
#include <string.h>

#include "openmp.h"

/* ---- floor plan -------------------------------------------------------------------------------------------------- */

#define CELLS 9
#define CELL_TASKS 6 /* cells that are placed by tasks */

struct rectangle {
	int x, y, width, height;
};

static const struct {
	int width, height;
} cells[CELLS] = { { 5, 3 }, { 4, 4 }, { 7, 2 }, { 3, 6 }, { 2, 5 }, { 6, 1 }, { 3, 2 }, { 4, 2 }, { 1, 7 } };

struct plan {
	struct rectangle placed[CELLS];
	int width, height;
};

static int best_area;

static int overlaps(const struct rectangle *one, const struct rectangle *other)
{
	return one->x < other->x + other->width && other->x < one->x + one->width &&
	       one->y < other->y + other->height && other->y < one->y + one->height;
}

/* Add a cell to the plan. Returns 0 if that is impossible, or if the plan is no better than the best one. */
static int place(const struct plan *plan, int count, struct rectangle cell, struct plan *next)
{
	int best;

	for (int i = 0; i < count; i++)
		if (overlaps(&cell, &plan->placed[i]))
			return 0;
	*next = *plan;
	next->placed[count] = cell;
	next->width = cell.x + cell.width > plan->width ? cell.x + cell.width : plan->width;
	next->height = cell.y + cell.height > plan->height ? cell.y + cell.height : plan->height;
#pragma omp atomic read
	best = best_area;
	return next->width * next->height < best;
}

static void note_area(int area)
{
#pragma omp critical(floorplan)
	if (area < best_area) {
#pragma omp atomic write
		best_area = area;
	}
}

static void extend(const struct plan *plan, int count);

/* Place each cell to the right of an earlier one or above it, in both orientations. */
static void extend(const struct plan *plan, int count)
{
	if (count == CELLS) {
		note_area(plan->width * plan->height);
		return;
	}
	for (int way = 0; way < 4 * count; way++) {
		const struct rectangle *beside = &plan->placed[way / 4];
		struct rectangle cell = { beside->x, beside->y, cells[count].width, cells[count].height };
		struct plan next;

		if (way & 1)
			cell = (struct rectangle){ cell.x, cell.y, cell.height, cell.width };
		if (way & 2)
			cell.x += beside->width;
		else
			cell.y += beside->height;
		if (!place(plan, count, cell, &next))
			continue;
		/* NOLINTNEXTLINE(bugprone-branch-clone): one of the two is a task */
		if (count < CELL_TASKS) {
#pragma omp task firstprivate(next)
			extend(&next, count + 1);
		} else {
			extend(&next, count + 1);
		}
	}
#pragma omp taskwait
}

static int find_area(void)
{
	struct plan first = { .placed = { { 0, 0, cells[0].width, cells[0].height } },
			      .width = cells[0].width,
			      .height = cells[0].height };

	best_area = INT_MAX;
	extend(&first, 1);
	return best_area;
}

static long run_floorplan(void *context, long n)
{
	static int expected;
	long wrong = 0;

	(void)context;
	if (!expected)
		expected = find_area();
	for (long i = 0; i < n; i++) {
		int area = 0;

#pragma omp parallel
#pragma omp single
		area = find_area();
		wrong += area != expected;
	}
	return bench_verdict(wrong == 0);
}

/* ---- health ------------------------------------------------------------------------------------------------------ */

#define VILLAGE_CHILDREN 4
#define VILLAGE_LEVELS 6
#define VILLAGE_STAFF 3
#define HEALTH_STEPS 40
#define PATIENTS_MAX 64

/* A patient is the number of steps that the treatment takes. */
struct village {
	uint64_t random;
	int waiting[PATIENTS_MAX];
	int waiting_count;
	int treated[VILLAGE_STAFF];
	int sent[VILLAGE_STAFF]; /* to the village above */
	int sent_count;
	long cured;
	int level;
};

#define VILLAGES 1365 /* 1 + 4 + … + 4^5 */
static struct village villages[VILLAGES];

static unsigned draw(struct village *village)
{
	village->random = village->random * 6364136223846793005 + 1442695040888963407;
	return (unsigned)(village->random >> 40);
}

static void admit(struct village *village, int patient)
{
	if (village->waiting_count < PATIENTS_MAX)
		village->waiting[village->waiting_count++] = patient;
}

/* One step of one village: free staff treats the patient that waits longest; hard cases go to the village above. */
static void treat(struct village *village)
{
	village->sent_count = 0;
	for (int i = 0; i < VILLAGE_STAFF; i++) {
		if (village->treated[i] > 0) {
			village->cured += --village->treated[i] == 0;
		} else if (village->waiting_count > 0) {
			int patient = village->waiting[0];

			memmove(village->waiting, village->waiting + 1,
				(size_t)--village->waiting_count * sizeof(village->waiting[0]));
			if (village->level > 0 && draw(village) % 4 == 0)
				village->sent[village->sent_count++] = patient + 1;
			else
				village->treated[i] = patient;
		}
	}
	if (draw(village) % 3 == 0)
		admit(village, 1 + (int)(draw(village) % 4));
}

static void step_village(long number)
{
	struct village *village = &villages[number];
	long first = number * VILLAGE_CHILDREN + 1;

	if (first < VILLAGES) {
		for (long child = first; child < first + VILLAGE_CHILDREN; child++) {
#pragma omp task
			step_village(child);
		}
#pragma omp taskwait
		for (long child = first; child < first + VILLAGE_CHILDREN; child++)
			for (int i = 0; i < villages[child].sent_count; i++)
				admit(village, villages[child].sent[i]);
	}
	treat(village);
}

static void settle_villages(void)
{
	memset(villages, 0, sizeof(villages));
	for (long number = 0; number < VILLAGES; number++) {
		villages[number].random = (uint64_t)number;
		villages[number].level = number ? villages[(number - 1) / VILLAGE_CHILDREN].level + 1 : 0;
	}
}

/* A number that depends on the state of each village and on its place. */
static uint64_t sum_villages(void)
{
	uint64_t sum = 0;

	for (long number = 0; number < VILLAGES; number++)
		sum = sum * 31 + villages[number].random + (uint64_t)villages[number].cured * 7 +
		      (uint64_t)villages[number].waiting_count;
	return sum;
}

static long run_health(void *context, long n)
{
	static uint64_t expected;
	long wrong = 0;

	(void)context;
	if (!expected) {
		settle_villages();
		for (int step = 0; step < HEALTH_STEPS; step++)
			step_village(0);
		expected = sum_villages();
	}
	for (long i = 0; i < n; i++) {
		settle_villages();
#pragma omp parallel
#pragma omp single
		for (int step = 0; step < HEALTH_STEPS; step++)
			step_village(0);
		wrong += sum_villages() != expected;
	}
	return bench_verdict(wrong == 0);
}

const struct omp_entry omp_searches[] = {
	{ "floorplan", run_floorplan, 1, 0 },
	{ "health", run_health, 1, 0 },
	{ NULL, NULL, 0, 0 },
};
