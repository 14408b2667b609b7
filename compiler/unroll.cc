/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Short loops over constants, such as one that resets signals or closes a row of descriptors, become straight lines,
 * since a region ends where a loop does. GCC's own pass `cunroll` does it: here a loop is marked, as
 * `#pragma GCC unroll` marks it.
 */
#include "unroll.h"

#include "call.h"

/* most calls that a loop may become: two full regions */
static const unsigned unrolled_calls_max = 64;

/*
 * How many system calls an iteration makes at most, if calls, branches and what they need are all that the loop has:
 * after anything else no batch would go on. 0 if it is not so.
 */
static unsigned calls_of_iteration(class loop *loop)
{
	basic_block *blocks = get_loop_body(loop);
	unsigned count = 0;
	bool only_calls = true;

	for (unsigned k = 0; k < loop->num_nodes && only_calls; k++) {
		for (gimple_stmt_iterator at = gsi_start_nondebug_bb(blocks[k]); !gsi_end_p(at) && only_calls;
		     gsi_next_nondebug(&at)) {
			system_call call;
			const char *why;

			if (recognise(gsi_stmt(at), &call, &why) == recognised::call)
				count++;
			else
				only_calls = !is_gimple_call(gsi_stmt(at)) && !gimple_vdef(gsi_stmt(at)) &&
					     !gimple_has_volatile_ops(gsi_stmt(at));
		}
	}
	free(blocks);
	return only_calls ? count : 0;
}

void mark_short_loops(function *of)
{
	for (class loop *loop : loops_list(of, LI_ONLY_INNERMOST)) {
		/* how often it goes back at most, or -1 */
		HOST_WIDE_INT backward = max_loop_iterations_int(loop);

		/* what the program says about a loop itself stands */
		if (loop->unroll || backward < 1 || backward >= (HOST_WIDE_INT)unrolled_calls_max ||
		    optimize_loop_for_size_p(loop) != OPTIMIZE_SIZE_NO)
			continue;
		unsigned calls = calls_of_iteration(loop);
		if (calls && calls * (backward + 1) <= unrolled_calls_max)
			loop->unroll = (unsigned short)(backward + 1);
	}
}
