/* SPDX-License-Identifier: BSD-3-Clause */
/* The begin and the end of a use of the lanes. See lanes.h. */
#include "ingress/queues/lanes.h"

void ingress__lanes_start(struct ingress__lanes *lanes, uint32_t generation)
{
	/* relaxed: the lanes' words publish both */
	atomic_store_explicit(&lanes->granted, (uint64_t)generation << 32, memory_order_relaxed);
	atomic_store_explicit(&lanes->awake, 0, memory_order_relaxed);
	for (uint32_t i = 0; i < INGRESS__LANES; i++)
		ingress__lane_start(&lanes->lane[i], generation, INGRESS__LANE_ASLEEP);
}

bool ingress__lanes_end(struct ingress__lanes *lanes, uint32_t generation)
{
	if (!ingress__lane_end(&lanes->lane[0], generation))
		return false;
	for (uint32_t i = 1; i < INGRESS__LANES; i++)
		ingress__lane_end(&lanes->lane[i], generation);
	return true;
}
