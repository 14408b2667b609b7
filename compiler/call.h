/* SPDX-License-Identifier: BSD-3-Clause */
/* Which statements are system calls: functions of glibc that are one call each (wrappers.h), and syscall(). */
#ifndef FERRY_COMPILER_CALL_H
#define FERRY_COMPILER_CALL_H

#include "gcc.h"

constexpr unsigned arguments_max = 6;

/* A function of libc and the call it makes; spec/batch.toml says what the members mean. */
struct wrapper {
	const char *name;
	const char *call;
	int number;
	unsigned argc;
	signed char argument[arguments_max];
	long constant[arguments_max];
	unsigned writes;
	bool waits;
	bool maps;
};

/* A call that has no such function and is made by syscall(). */
struct raw_call {
	const char *name;
	int number;
};

/* A system call that a statement makes: its words are trees of the function. */
struct system_call {
	gcall *statement;
	const char *name;
	int number;
	std::vector<tree> words;
	std::vector<tree> written; /* pointers behind which the call writes */
	bool changes_all;	   /* the call may change any memory: mappings, or a call that is not in the table */
};

enum class recognised { other, call, refused };

/* What `statement` is. A call that is refused comes with the reason in *why. */
recognised recognise(gimple *statement, system_call *call, const char **why);

#endif /* FERRY_COMPILER_CALL_H */
