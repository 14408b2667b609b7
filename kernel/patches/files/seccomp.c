/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/**
 * seccomp_allows - ask the filters of this task about a call that batch() is to make
 * @sd: the call
 *
 * Returns whether all of them say SECCOMP_RET_ALLOW. Nothing is done about any other answer: user
 * space then makes the call by itself, and the entry code has the filters asked again.
 */
bool seccomp_allows(const struct seccomp_data *sd)
{
	struct seccomp_filter *match = NULL;

	if (current->seccomp.mode != SECCOMP_MODE_FILTER)
		return false;
	/* see __seccomp_filter() */
	smp_rmb();
	return (seccomp_run_filters(sd, &match) & SECCOMP_RET_ACTION_FULL) == SECCOMP_RET_ALLOW;
}
