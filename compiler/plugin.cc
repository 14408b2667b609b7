/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libferry_gcc.so: a GCC plugin that turns system calls which stand near each other into batches. Its main pass runs
 * late, on optimised functions, so from -O1 on: docs/decisions/0019-compiled-batches.md. One before it has GCC unroll
 * short loops of system calls.
 */
#include "gcc.h"

#include "region.h"
#include "report.h"
#include "unroll.h"

/* the plugin loads into GCC, whose exception for plugins asks for this */
int plugin_is_GPL_compatible;

/* fewest calls of a region that becomes a batch: -fplugin-arg-libferry_gcc-calls-min=N */
static unsigned calls_min = 2;

namespace
{

const pass_data batch_pass_data = {
	GIMPLE_PASS, "ferry-batch", OPTGROUP_OTHER, TV_PLUGIN_RUN, PROP_cfg | PROP_ssa, 0, 0, 0, 0,
};

/* Why nothing of this function may change, or NULL. */
const char *refusal(function *of)
{
	if (POINTER_SIZE != 64)
		return "its system calls are not those of x86-64 (-m32, -mx32)";
	if (of->calls_setjmp || of->has_nonlocal_label)
		return "it may be returned to from elsewhere (setjmp)";
	if (flag_sanitize)
		return "a sanitizer watches its calls";
	if (lookup_attribute("naked", DECL_ATTRIBUTES(of->decl)))
		return "it has no frame";
	if (n_basic_blocks_for_fn(of) == NUM_FIXED_BLOCKS)
		return "it is empty";
	return nullptr;
}

/* Find the regions of a function, none of which shares a call with another. */
std::vector<region> find_regions(const function_view &view)
{
	std::vector<region> found;
	std::set<gimple *> used;

	for (int index : view.order) {
		basic_block block = BASIC_BLOCK_FOR_FN(cfun, index);

		for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
			system_call call;
			const char *why;

			if (used.count(gsi_stmt(at)) || recognise(gsi_stmt(at), &call, &why) != recognised::call)
				continue;
			region grown = grow_region(view, gsi_stmt(at));
			bool fresh = true;
			for (const site &one : grown.sites)
				fresh &= !used.count(one.call.statement);
			if (fresh && grown.sites.size() >= calls_min) {
				for (const site &one : grown.sites)
					used.insert(one.call.statement);
				found.push_back(grown);
			} else {
				report_left(grown);
			}
		}
	}
	return found;
}

class batch_pass : public gimple_opt_pass
{
public:
	explicit batch_pass(gcc::context *context) : gimple_opt_pass(batch_pass_data, context)
	{
	}
	opt_pass *clone() override
	{
		return new batch_pass(m_ctxt);
	}
	unsigned int execute(function *of) override;
};

unsigned int batch_pass::execute(function *of)
{
	const char *why = refusal(of);
	std::vector<region> found;
	std::set<gimple *> moved;

	if (why) {
		report_function(of, why);
		return 0;
	}
	{
		function_view view(of);
		found = find_regions(view);
	}
	if (found.empty())
		return 0;
	for (const region &one : found) {
		report_batched(one);
		report_left(one);
		emit_region(one, &moved);
	}
	free_dominance_info(CDI_DOMINATORS);
	free_dominance_info(CDI_POST_DOMINATORS);
	if (loops_for_fn(of))
		loops_state_set(LOOPS_NEED_FIXUP);
	mark_virtual_operands_for_renaming(of);
	return TODO_update_ssa | TODO_cleanup_cfg | TODO_rebuild_cgraph_edges;
}

const pass_data unroll_pass_data = {
	GIMPLE_PASS, "ferry-unroll", OPTGROUP_LOOP, TV_PLUGIN_RUN, PROP_cfg | PROP_ssa, 0, 0, 0, 0,
};

class unroll_pass : public gimple_opt_pass
{
public:
	explicit unroll_pass(gcc::context *context) : gimple_opt_pass(unroll_pass_data, context)
	{
	}
	opt_pass *clone() override
	{
		return new unroll_pass(m_ctxt);
	}
	unsigned int execute(function *of) override
	{
		if (!refusal(of))
			mark_short_loops(of);
		return 0;
	}
};

} // namespace

int plugin_init(plugin_name_args *arguments, plugin_gcc_version *version)
{
	if (!plugin_default_version_check(version, &gcc_version)) {
		error("%s was built for GCC %s of %s (%s), and this is GCC %s of %s (%s): run %<make compiler%> again",
		      arguments->base_name, gcc_version.basever, gcc_version.datestamp,
		      gcc_version.configuration_arguments, version->basever, version->datestamp,
		      version->configuration_arguments);
		return 1;
	}
	for (int k = 0; k < arguments->argc; k++) {
		const plugin_argument &given = arguments->argv[k];

		if (strcmp(given.key, "calls-min") || !given.value || atoi(given.value) < 1) {
			error("%s: unknown argument %qs: there is calls-min=N, with N of at least 1",
			      arguments->base_name, given.key);
			return 1;
		}
		calls_min = (unsigned)atoi(given.value);
	}
	register_pass_info unroll = { new unroll_pass(g), "cunroll", 0, PASS_POS_INSERT_BEFORE };
	register_pass_info batch = { new batch_pass(g), "uncprop", 0, PASS_POS_INSERT_BEFORE };
	register_callback(arguments->base_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &unroll);
	register_callback(arguments->base_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &batch);
	return 0;
}
