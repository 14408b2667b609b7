/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * GHC's runtime system in a process whose main program is not written in Haskell.
 *
 * It is started when the first library thread begins, and stays: hs_exit() would be for good, and the next context
 * may come at any time. What it would do to a host is switched off: it handles no signals, and reads no GHCRTS; the
 * locale of the process is put back.
 *
 * A host that is a Haskell program itself has started it already, and it stays the host's: were it started once more,
 * which hs_init() counts, the host's end would not flush its files. That needs the one shared library of the runtime
 * system, which `ghc -dynamic -threaded` links the host with. Any other host in Haskell has another one inside, parts
 * of which the loader would put in the place of this one's: every request is refused there.
 *
 * In a child that was forked without the runtime system's help its threads are gone, and some of them may have held a
 * Capability. So a child of a process in which it runs cannot use it: every request is refused there, too.
 */
#include "runtime.h"

#include <dlfcn.h>
#include <locale.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <Rts.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* The process in which the runtime system was started, or 0. Under the lock. */
static pid_t started;

static void start(void)
{
	static char name[] = "library", *arguments[] = { name, NULL };
	char **argv = arguments;
	int argc = 1;
	const char *before = setlocale(LC_CTYPE, NULL);
	char *kept = before ? strdup(before) : NULL;
	RtsConfig config = defaultRtsConfig;

	config.rts_opts_enabled = RtsOptsIgnoreAll;
	config.rts_opts = "--install-signal-handlers=no";
	hs_init_ghc(&argc, &argv, config);
	if (kept)
		setlocale(LC_CTYPE, kept);
	free(kept);
}

/*
 * Whether the loader takes the runtime system from its shared library, and from the one that has threads. A program
 * exports those functions of its own that shared libraries refer to; rts_lock() is one that each library in Haskell
 * needs.
 */
static bool is_shared(void)
{
	const void *const functions[] = { (void *)hs_init_ghc, (void *)rts_lock, (void *)rtsSupportsBoundThreads };

	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		Dl_info found;

		if (!dladdr(functions[i], &found) || !found.dli_fname || !strstr(found.dli_fname, "libHSrts"))
			return false;
	}
	return rtsSupportsBoundThreads();
}

const char *ferry_haskell_runtime_start(void)
{
	const char *why = NULL;

	if (!is_shared())
		return "the host is a Haskell program with a runtime system of its own: link it with -dynamic "
		       "-threaded";
	/* the core's own locks keep forks away from here */
	pthread_mutex_lock(&lock);
	if (!started) {
		if (n_capabilities == 0)
			start();
		started = getpid();
	}
	if (started != getpid())
		why = "GHC's runtime system does not run in a forked child of the process that started it";
	pthread_mutex_unlock(&lock);
	return why;
}
