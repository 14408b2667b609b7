/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the words of a call come from, and what may run later than it stands in the program. */
#include "region.h"

/* an argument is hoisted with what it is computed from, so many operations deep */
static const int hoist_depth_max = 4;

/* Whether a conversion keeps the number: what is not negative stays what it is, and nothing is cut off. */
static bool is_widening(gimple *statement)
{
	tree to, from;

	if (!is_gimple_assign(statement) ||
	    !(CONVERT_EXPR_CODE_P(gimple_assign_rhs_code(statement)) || gimple_assign_ssa_name_copy_p(statement)))
		return false;
	to = TREE_TYPE(gimple_assign_lhs(statement));
	from = TREE_TYPE(gimple_assign_rhs1(statement));
	return (INTEGRAL_TYPE_P(to) || POINTER_TYPE_P(to)) && (INTEGRAL_TYPE_P(from) || POINTER_TYPE_P(from)) &&
	       TYPE_PRECISION(to) >= TYPE_PRECISION(from) && TREE_CODE(gimple_assign_rhs1(statement)) == SSA_NAME;
}

/* The statement that has made a value, behind conversions that keep it. */
static gimple *origin(const function_view &view, tree name, gimple *first)
{
	gimple *made = SSA_NAME_DEF_STMT(name);

	while (is_widening(made) && !view.available(gimple_assign_rhs1(made), first))
		made = SSA_NAME_DEF_STMT(gimple_assign_rhs1(made));
	return made;
}

/* A word that a load reads from a variable whose address is known: *found, or false. */
static bool find_load(gimple *made, argument *found)
{
	poly_int64 offset;
	HOST_WIDE_INT at;
	tree from, base;

	if (!gimple_assign_load_p(made) || gimple_has_volatile_ops(made))
		return false;
	from = gimple_assign_rhs1(made);
	if (!tree_fits_uhwi_p(TYPE_SIZE_UNIT(TREE_TYPE(from))) || !INTEGRAL_TYPE_P(TREE_TYPE(from)) ||
	    TYPE_PRECISION(TREE_TYPE(from)) != POINTER_SIZE || tree_to_uhwi(TYPE_SIZE_UNIT(TREE_TYPE(from))) != 8 ||
	    reverse_storage_order_for_component_p(from))
		return false;
	base = get_addr_base_and_unit_offset(from, &offset);
	if (!base || !VAR_P(base) || !TREE_ADDRESSABLE(base) || DECL_THREAD_LOCAL_P(base) || DECL_HARD_REGISTER(base) ||
	    !offset.is_constant(&at))
		return false;
	*found = { argument::load, NULL_TREE, 0, base, at };
	return true;
}

/* Whether a statement may run before it stands: it has no effect, cannot fail, and cannot overflow. */
static bool may_be_early(gimple *statement)
{
	if (!is_gimple_assign(statement) || gimple_vuse(statement) || gimple_has_side_effects(statement) ||
	    gimple_could_trap_p(statement))
		return false;
	switch (gimple_assign_rhs_code(statement)) {
	case POINTER_PLUS_EXPR:
	case SSA_NAME:
	case ADDR_EXPR:
	CASE_CONVERT:
		return true;
	case PLUS_EXPR:
	case MINUS_EXPR:
	case MULT_EXPR:
		return TYPE_OVERFLOW_WRAPS(TREE_TYPE(gimple_assign_lhs(statement)));
	default:
		return false;
	}
}

/* Hoist what `name` is computed from above the first call, operands first. */
static bool hoist(const function_view &view, std::vector<gimple *> *hoisted, tree name, gimple *first, int depth)
{
	gimple *made = SSA_NAME_DEF_STMT(name);
	ssa_op_iter operands;
	tree operand;

	if (view.available(name, first))
		return !SSA_NAME_OCCURS_IN_ABNORMAL_PHI(name);
	for (gimple *already : *hoisted)
		if (already == made)
			return true;
	if (depth == hoist_depth_max || !may_be_early(made))
		return false;
	FOR_EACH_SSA_TREE_OPERAND(operand, made, operands, SSA_OP_USE)
	if (!hoist(view, hoisted, operand, first, depth + 1))
		return false;
	hoisted->push_back(made);
	return true;
}

bool find_arguments(const function_view &view, region *grown, const system_call &call, std::vector<argument> *arguments,
		    const char **why)
{
	gimple *first = grown->sites.empty() ? call.statement : grown->sites[0].call.statement;
	std::vector<gimple *> hoisted = grown->hoisted;

	for (tree word : call.words) {
		argument found = { argument::word, word, 0, NULL_TREE, 0 };

		if (TREE_CODE(word) == SSA_NAME && !view.available(word, first)) {
			gimple *made = origin(view, word, first);
			unsigned from = 0;

			while (from < grown->sites.size() && grown->sites[from].call.statement != made)
				from++;
			if (from < grown->sites.size())
				found = { argument::result, NULL_TREE, from, NULL_TREE, 0 };
			else if (!find_load(made, &found) && !hoist(view, &hoisted, word, first, 0)) {
				*why = "an argument is computed between the calls";
				return false;
			}
		} else if (TREE_CODE(word) != SSA_NAME && !is_gimple_min_invariant(word)) {
			*why = "an argument is no constant and no value";
			return false;
		}
		arguments->push_back(found);
	}
	grown->hoisted = hoisted;
	return true;
}

bool may_be_delayed(gimple *statement, std::vector<tree> *loads, const char **why)
{
	switch (gimple_code(statement)) {
	case GIMPLE_LABEL:
	case GIMPLE_NOP:
	case GIMPLE_PREDICT:
		return true;
	case GIMPLE_ASSIGN:
		break;
	case GIMPLE_CALL:
		*why = "another call, which may do anything";
		return false;
	case GIMPLE_RETURN:
		*why = nullptr;
		return false;
	default:
		*why = "a statement that no batch can pass";
		return false;
	}
	if (gimple_clobber_p(statement)) {
		*why = nullptr; /* the end of a variable's life, at the end of what a batch can be */
		return false;
	}
	if (gimple_vdef(statement)) {
		*why = "a store, which a later call might see or undo";
		return false;
	}
	if (gimple_has_volatile_ops(statement) || gimple_could_trap_p(statement)) {
		*why = "a volatile access, or an operation that may fault";
		return false;
	}
	if (gimple_vuse(statement)) {
		if (!gimple_assign_load_p(statement)) {
			*why = "a statement that reads memory in its own way";
			return false;
		}
		loads->push_back(gimple_assign_rhs1(statement));
	}
	return true;
}

bool may_change(const system_call &call, const std::vector<tree> &loads)
{
	if (call.changes_all)
		return !loads.empty();
	for (tree load : loads) {
		ao_ref read;

		ao_ref_init(&read, load);
		for (tree pointer : call.written) {
			ao_ref write;

			ao_ref_init_from_ptr_and_size(&write, pointer, NULL_TREE);
			if (refs_may_alias_p_1(&write, &read, false))
				return true;
		}
	}
	return false;
}
