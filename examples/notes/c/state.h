/* SPDX-License-Identifier: BSD-3-Clause */
/* What the library keeps for one context, all of it for the library thread alone. */
#ifndef NOTES_STATE_H
#define NOTES_STATE_H

#include "generated/notes_provider.h"

#include "failure.h"
#include "index.h"
#include "skipped.h"
#include "watch.h"

struct waiting;

struct notes_state {
	struct index index;
	struct skipped skipped;
	struct watch watch;
	struct changes changes;
	int64_t settle_ns; /* when they are looked at; 0: there are none */
	bool scanning;
	struct paths todo;
	size_t done;
	struct notes_open_call *opening; /* answered at the end of the first scan */
	struct waiting *waiting;	 /* refreshes, likewise */
};

/* Make the index agree with what is at `path` now. */
void notes_look_at(struct notes_context *context, const char *path);
/* Begin to make the index agree with the whole folder, unless that is going on already. */
char *notes_scan(struct notes_state *state);

/* Answer a call by a failure, and free that. */
#define FAIL(method, call, failed)                                                                                     \
	do {                                                                                                           \
		char *why = (failed);                                                                                  \
		notes_##method##_fail(call, ferry_string(why));                                                        \
		failure_free(why);                                                                                     \
	} while (0)

#endif
