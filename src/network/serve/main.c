/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ferry-serve LIBRARY URL [CONTEXTS [WAIT_S]]: offer a library that was built for the ingress to hosts behind a NATS
 * server. `ferry serve` starts it. A server that is not there yet is waited for. SIGTERM and SIGINT drain: no more
 * contexts, requests that run are answered, contexts end.
 */
#include "serve.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

static int fail(const char *what, const char *why)
{
	fprintf(stderr, "ferry serve: %s: %s\n", what, why);
	return 1;
}

/* ---- the library ------------------------------------------------------------------------------------------------- */

/* The name in libNAME.so: ferry_library_NAME is what it exports. */
static bool name_of(const char *path, char *name, size_t bytes)
{
	const char *base = strrchr(path, '/'), *end;

	base = base ? base + 1 : path;
	if (strncmp(base, "lib", 3) != 0)
		return false;
	base += 3;
	end = strstr(base, ".so");
	if (!end || end == base || (size_t)(end - base) >= bytes)
		return false;
	memcpy(name, base, (size_t)(end - base));
	name[end - base] = 0;
	return true;
}

static const struct ingress_library *load(const char *path, char reason[NETWORK__REASON_BYTES])
{
	char name[NETWORK__SERVICE_BYTES], symbol[NETWORK__SERVICE_BYTES + 16];
	const struct ingress_library *(*get)(void);
	const struct ingress_library *library;
	void *object;

	if (!name_of(path, name, sizeof(name))) {
		snprintf(reason, NETWORK__REASON_BYTES, "the file of a library is called libNAME.so");
		return NULL;
	}
	object = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
	if (!object) {
		snprintf(reason, NETWORK__REASON_BYTES, "%.400s", dlerror());
		return NULL;
	}
	snprintf(symbol, sizeof(symbol), "ferry_library_%s", name);
	*(void **)&get = dlsym(object, symbol);
	library = get ? get() : NULL;
	if (!library || ingress_library_check(library, library->interface_hash) != INGRESS_OK) {
		snprintf(reason, NETWORK__REASON_BYTES, "it has no %s, or was built for another version of the ingress",
			 symbol);
		return NULL;
	}
	return library;
}

/* ---- the connection ---------------------------------------------------------------------------------------------- */

/* Whether a signal says to end, within `ms`. */
static bool is_told_to_end(int signals, int ms)
{
	struct pollfd poll_fd = { .fd = signals, .events = POLLIN };

	return poll(&poll_fd, 1, ms) > 0;
}

/*
 * Connect. A server that is not there is waited for, `wait_s` long, since whoever starts both seldom says in which
 * order; one that refuses is not. 0: connected; 1: `reason` says why not; -1: a signal says to end.
 */
static int open_link(struct serve *serve, int signals, uint64_t wait_s, char reason[NETWORK__REASON_BYTES])
{
	const uint64_t began = thread__now_ns();
	uint64_t notice_s = 0;

	for (;;) {
		const enum network__opened opened = network__link_try(&serve->link, &serve->address, reason);
		const uint64_t waited_s = (thread__now_ns() - began) / 1000000000;

		if (opened == NETWORK__OPENED)
			return 0;
		if (opened == NETWORK__REFUSED || waited_s >= wait_s)
			return 1;
		if (waited_s >= notice_s) {
			fprintf(stderr, "ferry serve: the NATS server: %s; waiting for it, %llu s so far\n", reason,
				(unsigned long long)waited_s);
			notice_s = waited_s + (notice_s ? NETWORK__NOTICE_S : NETWORK__FIRST_NOTICE_S);
		}
		if (is_told_to_end(signals, NETWORK__RETRY_MS))
			return -1;
	}
}

/* ---- the loop ---------------------------------------------------------------------------------------------------- */

static bool is_idle(const struct serve *serve)
{
	for (const struct session *session = serve->sessions; session; session = session->next)
		if (atomic_load(&session->unanswered))
			return false;
	return true;
}

static void wait_for_work(struct serve *serve, int signals)
{
	struct pollfd fds[2] = { { .fd = serve->link.descriptor, .events = POLLIN },
				 { .fd = signals, .events = POLLIN } };
	int64_t ns = serve__flush(serve, thread__now_ns());
	struct timespec wait;

	if (ns < 0)
		ns = serve->sessions ? NETWORK__ALIVE_NS / 2 : NETWORK__PROBE_NS;
	if (serve->is_draining && ns > 10000000)
		ns = 10000000;
	wait = (struct timespec){ ns / 1000000000, ns % 1000000000 };
	ppoll(fds, 2, &wait, NULL);
}

/* Tell all hosts that their contexts end, and end them. */
static void end_sessions(struct serve *serve)
{
	const struct network__record gone = { .type = NETWORK__GONE };
	uint64_t until = thread__now_ns() + (uint64_t)NETWORK__DRAIN_NS;

	for (struct session *session = serve->sessions; session; session = session->next) {
		serve__say(session, &gone);
		serve__session_end(session, 0, false);
	}
	while (serve->sessions && thread__now_ns() < until) {
		wait_for_work(serve, -1);
		serve__dispatch(serve);
	}
}

/* Serve until a signal says to end. False: the connection will not come back, and `reason` says why. */
static bool run(struct serve *serve, int signals, char reason[NETWORK__REASON_BYTES])
{
	struct signalfd_siginfo info;
	uint64_t until = UINT64_MAX;
	bool is_over = false;

	while (!is_over) {
		wait_for_work(serve, signals);
		serve__dispatch(serve);
		is_over = network__link_is_over(&serve->link, &serve->address, reason);
		if (read(signals, &info, sizeof(info)) == sizeof(info) && !serve->is_draining) {
			serve__refuse(serve);
			until = thread__now_ns() + (uint64_t)NETWORK__DRAIN_NS;
		}
		if (serve->is_draining && (is_idle(serve) || thread__now_ns() > until))
			break;
	}
	end_sessions(serve);
	if (!is_over)
		network__link_turn(&serve->link);
	return !is_over;
}

int main(int argc, char **argv)
{
	static struct serve serve;
	char reason[NETWORK__REASON_BYTES];
	sigset_t set;
	int signals, failed;

	if (argc < 3) {
		fprintf(stderr, "usage: ferry-serve libNAME.so nats://HOST:PORT/SERVICE [CONTEXTS [WAIT_S]]\n");
		return 2;
	}
	/* before any thread: all of them leave these signals to the loop */
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signals = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	serve.contexts_max = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : NETWORK__CONTEXTS;
	serve.gone_capacity = NETWORK__CONTEXTS_MAX;
	serve.gone_sessions = calloc(serve.gone_capacity, sizeof(*serve.gone_sessions));
	pthread_mutex_init(&serve.lock, NULL);
	serve.memory = serve__memory_make();
	if (!serve.gone_sessions || !serve.memory || signals < 0)
		return fail("cannot start", strerror(errno));
	if (!serve.contexts_max || serve.contexts_max > NETWORK__CONTEXTS_MAX)
		return fail(argv[3], "contexts are 1 to 4096");
	serve.library = load(argv[1], reason);
	if (!serve.library)
		return fail(argv[1], reason);
	if (!network__address_read(&serve.address, argv[2], serve.library->name, reason))
		return fail("the address", reason);
	failed = open_link(&serve, signals, argc > 4 ? strtoull(argv[4], NULL, 10) : UINT64_MAX, reason);
	if (failed < 0)
		return 0;
	if (failed || !serve__subscribe(&serve, reason))
		return fail("the NATS server", reason);
	printf("serving %s at %s as %s\n", serve.library->name, serve.address.url, serve.subject);
	fflush(stdout);
	return run(&serve, signals, reason) ? 0 : fail("the NATS server", reason);
}
