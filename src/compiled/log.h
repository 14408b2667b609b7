/* SPDX-License-Identifier: BSD-3-Clause */
/* FERRY_COMPILED_LOG: a file that gets a line for each compiled batch that ran. */
#ifndef FERRY_COMPILED_LOG_H
#define FERRY_COMPILED_LOG_H

#include <ferry/batch.h>

/* Open the file that FERRY_COMPILED_LOG names. Returns a descriptor, or -1 if there is none, or it cannot be opened. */
int compiled__log_open(void);

/* Before a batch runs: write into rets what no call gives, so that compiled__log() sees which calls were made. */
void compiled__log_mark(long *rets, unsigned long count);

/* After slots[0] to slots[last] have run, or were jumped over: append "PID CALLS SLOTS" in one write. Keeps errno. */
void compiled__log(int log, const struct batch_slot *slots, const long *rets, long last);

#endif /* FERRY_COMPILED_LOG_H */
