/* SPDX-License-Identifier: BSD-3-Clause */
/* What went wrong, in words for a person: functions return NULL, or a failure that the caller frees. */
#ifndef NOTES_FAILURE_H
#define NOTES_FAILURE_H

/* A failure from printf's format and arguments; where there is no memory for it, one that says so. */
__attribute__((format(printf, 1, 2), returns_nonnull)) char *failure(const char *format, ...);
#ifdef __clang_analyzer__ /* which does not take the attribute's word for it */
#define failure(...)                                                                                                   \
	({                                                                                                             \
		char *made_here = (failure)(__VA_ARGS__);                                                              \
                                                                                                                       \
		if (!made_here)                                                                                        \
			__builtin_unreachable();                                                                       \
		made_here;                                                                                             \
	})
#endif
/* Free a failure; NULL is allowed. */
void failure_free(char *failed);

#endif
