/* SPDX-License-Identifier: BSD-3-Clause */
/* See gather.h. */
#include "openmp/team/gather.h"
#include "openmp/system/coscheduler.h"
#include "openmp/system/system.h"

/*
 * With a co-scheduler members do not gather: its threads take the primary to be on the processor where it entered the
 * region.
 */
void omp__member_gather(struct omp__member *member)
{
	const struct omp__team *team = member->team;
	const struct thread__team gathering = {
		.threads = team->size,
		.num = member->num,
		.is_passive = !team->oversubscribed,
		.awake = omp__wait_awake(),
		.processors = omp__system_full_time(),
	};

	if (omp__coscheduler)
		return;
	thread__gather(&member->met, &member->thread->parker.runner, &team->primary->parker.runner, &gathering);
}
