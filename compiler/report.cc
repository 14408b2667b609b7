/* SPDX-License-Identifier: BSD-3-Clause */
/* What -fopt-info says about regions: one line for each, and with -fopt-info-note its slots as a batch's listing. */
#include "report.h"

static const char *jump_text(int slot, int next, const region &made, char *text, size_t bytes)
{
	if (next < 0)
		return "stop";
	snprintf(text, bytes, "%d", (int)made.sites[next].first - slot - 1);
	return text;
}

static void note_slots(const region &made, const dump_user_location_t &where)
{
	for (const site &one : made.sites) {
		char text[3][16];
		unsigned copy = one.first;

		for (unsigned k = 0; k < one.arguments.size(); k++) {
			const argument &from = one.arguments[k];

			if (from.kind == argument::result)
				dump_printf_loc(MSG_NOTE, where,
						"slot %u: wdcpy stop 0 0: argument %u of slot %u = result %u\n", copy++,
						k, one.slot, made.sites[from.site].slot);
			else if (from.kind == argument::load)
				dump_printf_loc(MSG_NOTE, where,
						"slot %u: wdcpy stop 0 0: argument %u of slot %u = memory\n", copy++, k,
						one.slot);
		}
		dump_printf_loc(MSG_NOTE, where, "slot %u: %s %s %s %s: %u arguments\n", one.slot, one.call.name,
				jump_text(one.slot, one.next[on_fail], made, text[0], sizeof(text[0])),
				jump_text(one.slot, one.next[on_zero], made, text[1], sizeof(text[1])),
				jump_text(one.slot, one.next[on_positive], made, text[2], sizeof(text[2])),
				(unsigned)one.arguments.size());
	}
}

void report_batched(const region &made)
{
	dump_user_location_t where(made.sites[0].call.statement);
	std::string names;

	if (!dump_enabled_p())
		return;
	for (const site &one : made.sites)
		names += (names.empty() ? "" : ", ") + std::string(one.call.name);
	dump_printf_loc(MSG_OPTIMIZED_LOCATIONS, where, "batched %u calls in %u slots: %s\n",
			(unsigned)made.sites.size(), made.slot_count, names.c_str());
	note_slots(made, where);
}

void report_left(const region &left)
{
	if (!dump_enabled_p())
		return;
	for (const obstacle &one : left.obstacles)
		dump_printf_loc(MSG_MISSED_OPTIMIZATION, dump_user_location_t(one.statement),
				"no batch goes on here: %s\n", one.why);
}

void report_function(function *of, const char *why)
{
	if (dump_enabled_p())
		dump_printf_loc(MSG_MISSED_OPTIMIZATION, dump_user_location_t::from_function_decl(of->decl),
				"no batch in this function: %s\n", why);
}
