/* SPDX-License-Identifier: BSD-3-Clause */
/* What went wrong, in words for a person: functions return NULL, or a failure that the caller frees. */
#ifndef NOTES_FAILURE_H
#define NOTES_FAILURE_H

/* A failure from printf's format and arguments; where there is no memory for it, one that says so. */
__attribute__((format(printf, 1, 2))) char *failure(const char *format, ...);
/* Free a failure; NULL is allowed. */
void failure_free(char *failed);

#endif
