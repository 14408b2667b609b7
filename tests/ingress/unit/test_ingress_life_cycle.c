/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The life cycle of the ingress: what every public function does at every place that it may be called from. Each cell
 * of the table is a test. `--table` prints it, as docs/ingress-life-cycle.md has it: tests/ingress/test_life_cycle.py.
 */
#include "life_cycle_probes.h"

#include <limits.h>
#include <signal.h>

enum place {
	HOST,
	HANDLER,
	CONSTRUCTOR,
	DESTRUCTOR,
	REPLY,
	LISTENER,
	DESTROYING,
	AFTER,
	CHILD,
	EXEC,
	SIGNAL,
	CANCEL,
	PLACES,
};

static const char *const place_names[PLACES] = {
	"host thread",		 "handler",
	"constructor",		 "destructor",
	"reply's callback",	 "listener",
	"while it is destroyed", "after it was destroyed",
	"forked child",		 "program after exec",
	"signal handler",	 "cancelled thread",
};

struct row {
	const char *name;
	probe_fn *probe;
	const char *expected[PLACES];
};

#include "life_cycle_table.h"

#define ROWS (sizeof(rows) / sizeof(rows[0]))
#define CELLS (ROWS * PLACES)

enum { HANG_S = 120 };

#include "../../helpers/fork.h"

/* ---- places ----------------------------------------------------------------------------------------------------- */

static const char *_Atomic result;
static _Atomic uint32_t is_done;

/* At the place: make the call. */
static void call_probe(void *argument)
{
	(void)argument;
	atomic_store(&result, probe());
	atomic_store(&is_done, 1);
}

static void end_context(void)
{
	ask(scene.token, ANYWHERE_LET, NULL, 0);
	assert_int_not_equal(ingress_context_destroy(scene.token, LONG_NS), INGRESS_TIMEOUT);
	assert_int_equal(scene.released, 1);
}

static void in_host(void)
{
	set_context();
	call_probe(NULL);
}

static void in_handler(void)
{
	enum ingress_status status;

	set_context();
	status = run_inside(scene.token, call_probe, NULL);
	assert_true(status == INGRESS_OK || status == INGRESS_CLOSED);
}

static void in_constructor(void *argument)
{
	listen_twice();
	show_provider(NULL);
	call_probe(argument);
}

static void constructing(void)
{
	const struct anywhere_job job = { in_constructor, NULL };
	struct ingress_call call = constructor_call;

	call.data = &job;
	call.bytes = sizeof(job);
	call.reply = hear;
	call.user = &scene.kept;
	assert_int_equal(ingress_context_start(&anywhere_library, NULL, &call, &scene.token), INGRESS_OK);
	wait_for(&is_done, 1);
	wait_for(&scene.kept.terminal, 1);
}

static void in_destructor(void *argument)
{
	scene.request = anywhere_request;
	call_probe(argument);
	/* what is emitted last may be dropped by the end; it is heard while this lasts */
	while (scene.emits && !atomic_load(&scene.heard_events))
		nap(MS_NS / 10);
}

static void destructing(void)
{
	set_context();
	assert_int_equal(ask(scene.token, ANYWHERE_LET, NULL, 0), INGRESS_OK);
	anywhere_arm(&anywhere.at_end, in_destructor, NULL);
	assert_int_equal(ingress_context_destroy(scene.token, LONG_NS), INGRESS_OK);
	assert_int_equal(is_done, 1);
}

static void in_reply_callback(void *user, const struct ingress_reply *reply)
{
	(void)user;
	(void)reply;
	call_probe(NULL);
}

static void in_reply(void)
{
	struct ingress_call call = plain_call;

	set_context();
	call.reply = in_reply_callback;
	assert_int_equal(ingress_submit(scene.token, &call), INGRESS_OK);
	wait_for(&is_done, 1);
}

/* The listener that is called last, so that the others have heard of the event; it ends the first one. */
static void in_listener_callback(void *user, const struct ingress_event *event)
{
	(void)user;
	(void)event;
	if (!atomic_load(&is_done))
		call_probe(NULL);
}

static void in_listener(void)
{
	const struct ingress_listener listener = { .wire = INGRESS_WIRE_C, .notify = in_listener_callback };
	uint64_t id;

	set_context();
	assert_int_equal(ingress_listen(scene.token, &listener, &id), INGRESS_OK);
	assert_int_equal(ask(scene.token, ANYWHERE_EMIT, NULL, 0), INGRESS_OK);
	wait_for(&is_done, 1);
}

static _Atomic uint32_t is_held, is_closing;

static void hold_destroyer(void *argument)
{
	(void)argument;
	atomic_store(&is_held, 1);
	while (!atomic_load(&is_closing))
		nap(MS_NS / 10);
	nap(20 * MS_NS);
	anywhere_let();
}

static void *destroy(void *argument)
{
	(void)argument;
	return ingress_context_destroy(scene.token, LONG_NS) == INGRESS_OK ? NULL : &scene;
}

static void while_destroyed(void)
{
	const struct anywhere_job job = { hold_destroyer, NULL };
	struct heard heard = { 0 };
	pthread_t destroyer;
	void *failed;

	set_context();
	atomic_store(&is_held, 0);
	atomic_store(&is_closing, 0);
	assert_int_equal(submit(scene.token, ANYWHERE_RUN, &job, sizeof(job), &heard), INGRESS_OK);
	wait_for(&is_held, 1);
	assert_int_equal(pthread_create(&destroyer, NULL, destroy, NULL), 0);
	while (ingress_submit(scene.token, &plain_call) != INGRESS_CLOSED)
		nap(MS_NS / 10);
	atomic_store(&is_closing, 1);
	call_probe(NULL);
	pthread_join(destroyer, &failed);
	assert_null(failed);
}

static void after_it(void)
{
	set_context();
	assert_int_equal(ask(scene.token, ANYWHERE_LET, NULL, 0), INGRESS_OK);
	close_echo(scene.token);
	atomic_store(&scene.kept.terminal, 0);
	call_probe(NULL);
}

/* A child's word, from the other end of its pipe; it is one of the table's. */
static void read_result(int from, pid_t child)
{
	static char words[32];
	ssize_t bytes = read(from, words, sizeof(words) - 1);
	int status;

	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	words[bytes > 0 ? bytes : 0] = 0;
	atomic_store(&result, bytes > 0 ? words : NULL);
	close(from);
}

static void report(int to)
{
	const char *word = probe();

	/* nothing comes to a child of what it emits for its parent */
	word = word ? word : atomic_load(&scene.heard_events) ? "done" : "nothing";
	_exit(write(to, word, strlen(word)) == (ssize_t)strlen(word) ? 0 : 1);
}

static void in_child(void)
{
	int ends[2];
	pid_t child;

	set_context();
	scene.emits = false;
	assert_int_equal(pipe(ends), 0);
	child = fork_child();
	if (child == 0)
		report(ends[1]);
	close(ends[1]);
	read_result(ends[0], child);
}

/* The number of the row under test, for the program that is executed. */
static size_t current;

static void after_exec(void)
{
	char row[24], token[24], to[24], path[PATH_MAX];
	int ends[2];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
	pid_t child;

	set_context();
	assert_true(length > 0);
	path[length] = 0;
	assert_int_equal(pipe(ends), 0);
	snprintf(row, sizeof(row), "%zu", current);
	snprintf(token, sizeof(token), "%llu", (unsigned long long)scene.token);
	snprintf(to, sizeof(to), "%d", ends[1]);
	child = fork();
	if (child == 0) {
		execl(path, path, "--probe", row, token, to, (char *)NULL);
		_exit(1);
	}
	close(ends[1]);
	read_result(ends[0], child);
}

/* In the program that was executed: with a context of its own, and the token of the other program's. */
static int run_executed(char **arguments)
{
	ingress_token token = strtoull(arguments[1], NULL, 10);

	alarm(HANG_S);
	probe = rows[strtoull(arguments[0], NULL, 10)].probe;
	other = open_anywhere(NULL);
	set_items();
	set_context();
	scene.token = token;
	report((int)strtol(arguments[2], NULL, 10));
	return 1;
}

static void handle_signal(int number)
{
	(void)number;
	call_probe(NULL);
}

static void *ask_kept(void *argument)
{
	(void)argument;
	/* by itself: nothing else of this thread may be interrupted */
	return ask(scene.token, ANYWHERE_KEEP, NULL, 0) == INGRESS_OK ? NULL : &scene;
}

/* The request of a thread that waits for it was handed over: so that thread is inside. */
static void is_kept(void *argument)
{
	*(bool *)argument = anywhere_kept[0] && anywhere_kept[0] != scene.request;
}

static void in_signal_handler(void)
{
	const struct sigaction action = { .sa_handler = handle_signal };
	bool kept = false;
	pthread_t thread;
	void *failed;

	set_context();
	assert_int_equal(sigaction(SIGUSR1, &action, NULL), 0);
	assert_int_equal(pthread_create(&thread, NULL, ask_kept, NULL), 0);
	while (!kept)
		assert_int_equal(run_inside(scene.token, is_kept, &kept), INGRESS_OK);
	assert_int_equal(pthread_kill(thread, SIGUSR1), 0);
	wait_for(&is_done, 1);
	assert_int_equal(ask(scene.token, ANYWHERE_LET, NULL, 0), INGRESS_OK);
	pthread_join(thread, &failed);
	assert_null(failed);
}

static void *be_cancelled(void *argument)
{
	pthread_cancel(pthread_self());
	call_probe(argument);
	pthread_testcancel();
	return NULL;
}

static void in_cancelled_thread(void)
{
	pthread_t thread;
	void *how;

	set_context();
	assert_int_equal(pthread_create(&thread, NULL, be_cancelled, NULL), 0);
	pthread_join(thread, &how);
	assert_ptr_equal(how, PTHREAD_CANCELED);
	/* the call had been finished */
	assert_int_equal(is_done, 1);
}

static void (*const places[PLACES])(void) = {
	in_host,	 in_handler, constructing, destructing, in_reply,	   in_listener,
	while_destroyed, after_it,   in_child,	   after_exec,	in_signal_handler, in_cancelled_thread,
};

/* ---- cells ------------------------------------------------------------------------------------------------------ */

struct cell {
	size_t row;
	enum place place;
	char name[64];
};

static bool is_alive(enum place place)
{
	return place != DESTRUCTOR && place != DESTROYING && place != AFTER;
}

/* What became of an event: it has been heard when one that was emitted after it has been. */
static void hear_event(enum place place)
{
	if (is_alive(place)) {
		uint32_t before = atomic_load(&scene.heard_last);

		assert_int_equal(ask(scene.token, ANYWHERE_EMIT, NULL, 0), INGRESS_OK);
		wait_for(&scene.heard_last, before + 1);
	}
	atomic_store(&result, atomic_load(&scene.heard_events) ? "done" : "nothing");
}

static const char *observe(const struct cell *cell)
{
	probe = rows[cell->row].probe;
	current = cell->row;
	atomic_store(&is_done, 0);
	atomic_store(&result, NULL);
	set_items();
	places[cell->place]();
	if (scene.emits)
		hear_event(cell->place);
	end_context();
	clear_scene();
	return atomic_load(&result);
}

/*
 * ThreadSanitizer does not follow new threads of a forked child. It holds a signal back until the thread calls
 * something that it intercepts, which the wait for an answer does not.
 */
static bool is_beyond_sanitizer(const struct cell *cell)
{
#if defined(__SANITIZE_THREAD__)
	const char *name = rows[cell->row].name;

	return cell->place == SIGNAL ||
	       (cell->place == CHILD && (strstr(name, "start") || strstr(name, "create") || strstr(name, "static")));
#else
	(void)cell;
	return false;
#endif
}

static void holds(void **state)
{
	const struct cell *cell = *state;

	if (is_beyond_sanitizer(cell))
		skip();
	assert_string_equal(observe(cell), rows[cell->row].expected[cell->place]);
	/* whatever it was, the next is not harmed */
	assert_int_equal(ask(other, ANYWHERE_RUN, NULL, 0), INGRESS_OK);
}

static void print_table(bool observed)
{
	for (size_t row = 0; row < ROWS; row++) {
		printf("| `%s` |", rows[row].name);
		for (enum place place = 0; place < PLACES; place++) {
			struct cell cell = { row, place, "" };

			printf(" %s |", observed ? observe(&cell) : rows[row].expected[place]);
			fflush(stdout);
		}
		printf("\n");
	}
}

int main(int count, char **arguments)
{
	static struct cell cells[CELLS];
	static struct CMUnitTest tests[CELLS];

	if (count == 5 && !strcmp(arguments[1], "--probe"))
		return run_executed(arguments + 2);
	if (count == 2 && !strcmp(arguments[1], "--table")) {
		print_table(false);
		return 0;
	}
	other = open_anywhere(NULL);
	if (count == 2 && !strcmp(arguments[1], "--observe")) {
		print_table(true);
		return 0;
	}
	for (size_t i = 0; i < CELLS; i++) {
		cells[i] = (struct cell){ i / PLACES, i % PLACES, "" };
		snprintf(cells[i].name, sizeof(cells[i].name), "%s:%s", rows[i / PLACES].name, place_names[i % PLACES]);
		for (char *at = cells[i].name; *at; at++)
			if (*at == ' ')
				*at = '_';
		tests[i] = (struct CMUnitTest){ cells[i].name, holds, NULL, NULL, &cells[i] };
	}
	return _cmocka_run_group_tests("life_cycle", tests, CELLS, NULL, NULL);
}
