/* SPDX-License-Identifier: BSD-3-Clause */
#include "call.h"

#include <fcntl.h>
#include <sys/mman.h>

#include "wrappers.h"

/* The name by which the linker knows a function of another file, or NULL. A function of this file may do anything. */
static const char *external_name(tree function)
{
	const char *name;

	if (!function || !DECL_EXTERNAL(function) || !TREE_PUBLIC(function) || !DECL_ASSEMBLER_NAME_SET_P(function))
		return nullptr;
	name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function));
	return *name == '*' ? name + 1 : name;
}

static const wrapper *find_wrapper(const char *name)
{
	for (const wrapper &candidate : wrappers)
		if (!strcmp(candidate.name, name))
			return &candidate;
	return nullptr;
}

/* The name of a call whose results are known to follow the convention, or NULL. */
static const char *find_number(HOST_WIDE_INT number)
{
	for (const wrapper &candidate : wrappers)
		if (candidate.number == number)
			return candidate.call;
	for (const raw_call &candidate : raw_calls)
		if (candidate.number == number)
			return candidate.name;
	return nullptr;
}

/* glibc passes a mode on only where the flags ask for it, so the flags have to be known. */
static const char *check_open(const wrapper *function, gcall *statement)
{
	unsigned at = function->argument[0] < 0 ? 1 : 2;
	tree flags;

	if (gimple_call_num_args(statement) <= at)
		return "too few arguments";
	flags = gimple_call_arg(statement, at);
	if (!tree_fits_shwi_p(flags))
		return "the flags of open are not constant";
	if ((tree_to_shwi(flags) & O_CREAT) || (tree_to_shwi(flags) & O_TMPFILE) == O_TMPFILE)
		return gimple_call_num_args(statement) > at + 1 ? nullptr : "open creates a file without a mode";
	return nullptr;
}

/* Whether this mmap makes a mapping where there was none. */
static bool is_new_mapping(const system_call *call)
{
	tree flags = call->words.size() == 6 ? call->words[3] : NULL_TREE;

	return flags && tree_fits_shwi_p(flags) && !(tree_to_shwi(flags) & (MAP_FIXED | MAP_FIXED_NOREPLACE));
}

static recognised recognise_syscall(gcall *statement, system_call *call, const char **why)
{
	unsigned argc = gimple_call_num_args(statement);
	tree number = argc ? gimple_call_arg(statement, 0) : NULL_TREE;

	if (!number || !tree_fits_shwi_p(number)) {
		*why = "the number of the system call is not constant";
		return recognised::refused;
	}
	call->name = find_number(tree_to_shwi(number));
	if (!call->name) {
		*why = "nothing is known about the system call of that number";
		return recognised::refused;
	}
	if (argc - 1 > arguments_max) {
		*why = "too many arguments";
		return recognised::refused;
	}
	call->number = (int)tree_to_shwi(number);
	call->changes_all = true;
	for (unsigned k = 1; k < argc; k++)
		call->words.push_back(gimple_call_arg(statement, k));
	return recognised::call;
}

static recognised recognise_wrapper(const wrapper *function, gcall *statement, system_call *call, const char **why)
{
	unsigned given = gimple_call_num_args(statement);

	if (!strncmp(function->name, "open", 4) && (*why = check_open(function, statement)))
		return recognised::refused;
	call->number = function->number;
	call->name = function->call;
	for (unsigned k = 0; k < function->argc; k++) {
		int from = function->argument[k];

		if (from < 0)
			call->words.push_back(build_int_cst(long_integer_type_node, function->constant[k]));
		else if ((unsigned)from < given)
			call->words.push_back(gimple_call_arg(statement, from));
		else if (!strcmp(function->call, "openat")) /* no mode is needed */
			call->words.push_back(build_int_cst(long_integer_type_node, 0));
		else {
			*why = "too few arguments";
			return recognised::refused;
		}
	}
	/* glibc looks at the offset itself and makes no call when it is wrong */
	if (!strcmp(function->call, "mmap") &&
	    (call->words.size() != 6 || !tree_fits_shwi_p(call->words[5]) || tree_to_shwi(call->words[5]) % 65536)) {
		*why = "the offset of mmap is not known to be a multiple of a page";
		return recognised::refused;
	}
	for (unsigned k = 0; k < given && k < arguments_max; k++)
		if (function->writes >> k & 1)
			call->written.push_back(gimple_call_arg(statement, k));
	call->changes_all = function->maps && !(!strcmp(function->call, "mmap") && is_new_mapping(call));
	return recognised::call;
}

/* Whether a value is one register of a kind that results and arguments of system calls have. */
static bool is_word(tree value)
{
	return INTEGRAL_TYPE_P(TREE_TYPE(value)) || POINTER_TYPE_P(TREE_TYPE(value));
}

recognised recognise(gimple *statement, system_call *call, const char **why)
{
	gcall *made = dyn_cast<gcall *>(statement);
	const char *name = made ? external_name(gimple_call_fndecl(made)) : nullptr;
	const wrapper *function = name ? find_wrapper(name) : nullptr;
	recognised found;

	if (!function && !(name && !strcmp(name, "syscall")))
		return recognised::other;
	*call = system_call();
	call->statement = made;
	if (!DECL_IN_SYSTEM_HEADER(gimple_call_fndecl(made))) {
		*why = "no header of the system declares the function";
		return recognised::refused;
	}
	if (gimple_has_volatile_ops(statement) || stmt_ends_bb_p(statement) || gimple_call_must_tail_p(made)) {
		*why = "the call ends its block: it may throw or return twice";
		return recognised::refused;
	}
	found = function ? recognise_wrapper(function, made, call, why) : recognise_syscall(made, call, why);
	if (gimple_call_lhs(made) && !is_word(gimple_call_lhs(made))) {
		*why = "the result is neither an integer nor a pointer";
		return recognised::refused;
	}
	for (tree word : call->words)
		if (!is_word(word)) {
			*why = "an argument is neither an integer nor a pointer";
			return recognised::refused;
		}
	return found;
}
