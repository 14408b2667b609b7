/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * After a burst of requests the process gives the memory of their blocks back to the system
 * (src/ingress/process/heap_trim.h), whoever gave the blocks home, and what a later burst gets in that memory is right.
 * A gate in the first reply's callback keeps the library thread busy until all requests are in flight.
 */
#include "ingress_tests.h"

enum { HANG_S = 120 };
#include "../../helpers/fork.h"

#include <dirent.h>

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define HAS_SHADOW true /* the shadow memory of a sanitizer stays, so what is resident says nothing */
enum { REQUESTS = 40000 };
#else
#define HAS_SHADOW false
enum { REQUESTS = 200000 };
#endif
enum { DEPTH = 1 << 18, GIVEN_BACK_WITHIN_S = 20 };

struct burst {
	_Atomic uint32_t is_open; /* the gate */
	_Atomic uint32_t answered, cancelled, wrong;
	_Atomic uint64_t sum; /* of the words in the answers */
};

static size_t resident_bytes(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	char line[256], *resident;

	/* the size of the process, then what of it is resident, in pages */
	if (!file || !fgets(line, sizeof(line), file) || !(resident = strchr(line, ' ')))
		abort();
	fclose(file);
	return strtoul(resident, NULL, 10) * (size_t)sysconf(_SC_PAGESIZE);
}

/* The memory that the process may write. The allocator's reserves do not count, which it may not write yet. */
static size_t writable_bytes(void)
{
	FILE *file = fopen("/proc/self/maps", "r");
	unsigned long from, to;
	size_t bytes = 0;
	char line[512], mode;

	if (!file)
		abort();
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "%lx-%lx %*c%c", &from, &to, &mode) == 3 && mode == 'w')
			bytes += to - from;
	fclose(file);
	return bytes;
}

static void wait_at_gate(void *user, const struct ingress_reply *reply)
{
	struct burst *burst = user;

	(void)reply;
	while (!atomic_load(&burst->is_open))
		nap(MS_NS / 10);
}

static void count(void *user, const struct ingress_reply *reply)
{
	struct burst *burst = user;
	uint64_t word;

	if (reply->status == INGRESS_OK && reply->bytes == sizeof(word)) {
		memcpy(&word, reply->data, sizeof(word));
		atomic_fetch_add(&burst->sum, word);
	} else if (reply->status == INGRESS_CANCELLED) {
		atomic_fetch_add(&burst->cancelled, 1);
	} else if (reply->status != INGRESS_STALE) {
		atomic_fetch_add(&burst->wrong, 1);
	}
	if (reply->status != INGRESS_STALE)
		atomic_fetch_add(&burst->answered, 1);
}

/*
 * Put REQUESTS in flight. Their replies go to the inbox, if there is one; first_ticket is 0 or the first of as many
 * tickets. Returns the memory that is resident while all are in flight.
 */
static size_t submit_burst(ingress_token context, struct burst *burst, struct ingress_inbox *inbox,
			   uint64_t first_ticket)
{
	const struct ingress_call gate = { .method = ECHO_SAME, .reply = wait_at_gate, .user = burst };

	if (ingress_submit(context, &gate) != INGRESS_OK)
		abort();
	for (uint64_t i = 0; i < REQUESTS; i++) {
		struct ingress_call call = { .method = ECHO_SAME, .data = &i, .bytes = sizeof(i) };

		call.ticket = first_ticket ? first_ticket + i : 0;
		if (inbox) {
			call.inbox = inbox;
			call.tag = i;
		} else {
			call.reply = count;
			call.user = burst;
		}
		if (ingress_submit(context, &call) != INGRESS_OK)
			abort();
	}
	return resident_bytes();
}

static void open_gate(struct burst *burst)
{
	atomic_store(&burst->is_open, 1);
}

#define SUM_OF_ALL ((uint64_t)REQUESTS * (REQUESTS - 1) / 2)

static bool all_are_right(struct burst *burst)
{
	int64_t until = now_ns() + LONG_NS;

	while (atomic_load(&burst->answered) < REQUESTS && now_ns() < until)
		nap(MS_NS);
	return burst->answered == REQUESTS && !burst->cancelled && !burst->wrong && burst->sum == SUM_OF_ALL;
}

/*
 * Whether the process gives back three quarters of what a burst has taken. If there is a context, it gets one call
 * after another meanwhile: a program that goes on with less to do gets its memory back too.
 */
static bool is_given_back(size_t before, size_t at_most, ingress_token trickle)
{
	size_t most = before + (at_most - before) / 4;
	int64_t until = now_ns() + GIVEN_BACK_WITHIN_S * SECOND_NS, begin = now_ns();

	if (HAS_SHADOW)
		until = now_ns() + 3 * SECOND_NS / 2;
	while ((HAS_SHADOW || resident_bytes() > most) && now_ns() < until) {
		if (trickle && ask(trickle, ECHO_SAME, NULL, 0) != INGRESS_OK)
			abort();
		nap(MS_NS);
	}
	/* to the end of the trimming */
	nap(SECOND_NS / 20);
	print_message("# %.1f MB before, %.1f MB in the burst, %.1f MB after %.1f s\n", (double)before / 1e6,
		      (double)at_most / 1e6, (double)resident_bytes() / 1e6, (double)(now_ns() - begin) / 1e9);
	return HAS_SHADOW || resident_bytes() <= most;
}

/* How often the other threads of the process have gone to sleep. */
static unsigned long sleeps_of_others(void)
{
	char path[512], line[256], own[32];
	DIR *tasks = opendir("/proc/self/task");
	static const char count[] = "voluntary_ctxt_switches:";
	unsigned long sleeps = 0;
	const struct dirent *task;

	if (!tasks)
		abort();
	snprintf(own, sizeof(own), "%d", (int)getpid());
	while ((task = readdir(tasks))) {
		FILE *file;

		snprintf(path, sizeof(path), "/proc/self/task/%s/status", task->d_name);
		if (task->d_name[0] == '.' || strcmp(task->d_name, own) == 0 || !(file = fopen(path, "r")))
			continue;
		while (fgets(line, sizeof(line), file))
			if (strncmp(line, count, strlen(count)) == 0)
				sleeps += strtoul(line + strlen(count), NULL, 10);
		fclose(file);
	}
	closedir(tasks);
	return sleeps;
}

/* Whether the other threads sleep for longer than it takes until a heap is looked at again. */
static bool becomes_quiet(void)
{
	for (int tries = 0; tries < 5; tries++) {
		unsigned long sleeps = sleeps_of_others();

		nap(3 * SECOND_NS / 2);
		if (sleeps_of_others() == sleeps)
			return true;
	}
	return false;
}

/* The watchdog does not look while these tests run. */
static const struct ingress_options deep = { .queue_depth = DEPTH, .stale_ns = 1000 * LONG_NS };

static void a_burst_by_callbacks(void **state)
{
	uint64_t tickets = ingress_tickets(REQUESTS);
	struct burst first = { 0 }, second = { 0 };
	ingress_token context = open_echo(&echo_library, &deep);
	size_t writable = writable_bytes();
	size_t before = resident_bytes(), most = submit_burst(context, &first, NULL, tickets);

	(void)state;
	/* the kernel may fill what lies between the spans with huge pages, which nobody gives back then */
	assert_true(HAS_SHADOW || writable_bytes() - writable < (most - before) / 2 * 3);
	open_gate(&first);
	assert_true(all_are_right(&first));
	assert_true(is_given_back(before, most, 0));
	/* then no thread wakes up again */
	assert_true(HAS_SHADOW || becomes_quiet());
	/* tickets of requests that were answered name none of those that have their memory now */
	before = resident_bytes();
	most = submit_burst(context, &second, NULL, ingress_tickets(REQUESTS));
	for (uint64_t i = 0; i < REQUESTS; i += 100)
		assert_int_equal(ingress_cancel(context, tickets + i), INGRESS_OK);
	open_gate(&second);
	assert_true(all_are_right(&second));
	assert_true(is_given_back(before, most, context));
	close_echo(context);
}

/* Take what comes into the inbox until all replies were there. */
static bool take_all(struct ingress_inbox *inbox)
{
	struct ingress_item items[64];
	bool right = true;

	for (size_t taken = 0, count; taken < REQUESTS; taken += count) {
		count = ingress_inbox_take(inbox, items, 64, LONG_NS);
		if (!count)
			return false;
		for (size_t i = 0; i < count; i++)
			right &= items[i].status == INGRESS_OK && items[i].bytes == sizeof(uint64_t) &&
				 items[i].tag == taken + i &&
				 memcmp(items[i].data, &items[i].tag, sizeof(uint64_t)) == 0;
		ingress_items_release(items, count);
	}
	return right;
}

static void a_burst_by_an_inbox(void **state)
{
	ingress_token context = open_echo(&echo_library, &deep);
	struct ingress_inbox *inbox;

	(void)state;
	assert_int_equal(ingress_inbox_create(&inbox), INGRESS_OK);
	for (int round = 0; round < 2; round++) {
		struct burst burst = { 0 };
		size_t before = resident_bytes(), most = submit_burst(context, &burst, inbox, 0);

		open_gate(&burst);
		/* the library thread is idle for long when the last block comes home */
		if (round)
			nap(SECOND_NS);
		assert_true(take_all(inbox));
		assert_true(is_given_back(before, most, round ? context : 0));
	}
	ingress_inbox_close(inbox);
	close_echo(context);
}

/* The items of a burst, in a random order. */
static void shuffle(struct ingress_item *items, size_t count)
{
	unsigned seed = 1;

	for (size_t i = count - 1; i; i--) {
		size_t other = ((size_t)rand_r(&seed) << 16 ^ (size_t)rand_r(&seed)) % (i + 1);
		struct ingress_item item = items[i];

		items[i] = items[other];
		items[other] = item;
	}
}

/* A host that keeps all replies, and then releases them as its garbage collector finds them. */
static void a_burst_that_is_released_in_random_order(void **state)
{
	struct ingress_item *items = calloc(REQUESTS, sizeof(*items));
	ingress_token context = open_echo(&echo_library, &deep);
	struct ingress_inbox *inbox;

	(void)state;
	assert_non_null(items);
	memset(items, 1, REQUESTS * sizeof(*items));
	assert_int_equal(ingress_inbox_create(&inbox), INGRESS_OK);
	for (int round = 0; round < 2; round++) {
		struct burst burst = { 0 };
		size_t before = resident_bytes(), most = submit_burst(context, &burst, inbox, 0);

		open_gate(&burst);
		for (size_t taken = 0; taken < REQUESTS;)
			taken += ingress_inbox_take(inbox, items + taken, REQUESTS - taken, LONG_NS);
		shuffle(items, REQUESTS);
		for (size_t i = 0; i < REQUESTS; i++) {
			assert_memory_equal(items[i].data, &items[i].tag, sizeof(uint64_t));
			ingress_items_release(items + i, 1);
		}
		assert_true(is_given_back(before, most, round ? context : 0));
	}
	/* then no thread wakes up again */
	assert_true(HAS_SHADOW || becomes_quiet());
	ingress_inbox_close(inbox);
	close_echo(context);
	free(items);
}

/*
 * Payloads that lie in buffers, released in a random order: the allocator would keep their memory. Of the larger ones
 * there are too few for the blocks to need trimming. Each is checked for what it was given, also in memory that was
 * given back and is used again.
 */
static void a_burst_of_buffers(void **state)
{
	static const struct {
		uint32_t count;
		size_t bytes;
	} bursts[] = { { REQUESTS / 2, 400 }, { 1000, 60000 }, { 12000, 4000 } };
	struct ingress_item *items = calloc(REQUESTS, sizeof(*items));
	ingress_token context = open_echo(&echo_library, &deep);
	unsigned char *data = calloc(1, 60000);
	struct ingress_inbox *inbox;

	(void)state;
	assert_non_null(items);
	assert_non_null(data);
	memset(items, 1, REQUESTS * sizeof(*items));
	assert_int_equal(ingress_inbox_create(&inbox), INGRESS_OK);
	for (size_t i = 0; i < sizeof(bursts) / sizeof(bursts[0]); i++) {
		const size_t before = resident_bytes(), bytes = bursts[i].bytes, count = bursts[i].count;
		size_t most;

		for (uint64_t tag = 0; tag < count; tag++) {
			struct ingress_call call = {
				.method = ECHO_SAME, .data = data, .bytes = bytes, .inbox = inbox, .tag = tag
			};

			memcpy(data, &tag, sizeof(tag));
			memcpy(data + bytes - sizeof(tag), &tag, sizeof(tag));
			assert_int_equal(ingress_submit(context, &call), INGRESS_OK);
		}
		for (size_t taken = 0; taken < count;)
			taken += ingress_inbox_take(inbox, items + taken, count - taken, LONG_NS);
		most = resident_bytes();
		shuffle(items, count);
		for (size_t j = 0; j < count; j++) {
			const unsigned char *answer = items[j].data;

			assert_int_equal(items[j].bytes, bytes);
			assert_memory_equal(answer, &items[j].tag, sizeof(uint64_t));
			assert_memory_equal(answer + bytes - sizeof(uint64_t), &items[j].tag, sizeof(uint64_t));
			ingress_items_release(items + j, 1);
		}
		assert_true(is_given_back(before, most, i == 2 ? context : 0));
	}
	/* then no thread wakes up again */
	assert_true(HAS_SHADOW || becomes_quiet());
	ingress_inbox_close(inbox);
	close_echo(context);
	free(data);
	free(items);
}

struct visit {
	size_t before, most;
	bool is_right;
};

/* A thread that submits a burst, destroys the context, and ends. */
static void *visit(void *given)
{
	struct visit *visit = given;
	ingress_token context = open_echo(&echo_library, &deep);
	struct burst burst = { 0 };

	visit->before = resident_bytes();
	visit->most = submit_burst(context, &burst, NULL, 0);
	open_gate(&burst);
	visit->is_right = all_are_right(&burst);
	close_echo(context);
	return NULL;
}

static void a_thread_that_has_ended_and_its_context(void **state)
{
	(void)state;
	for (int round = 0; round < 2; round++) {
		struct visit here = { 0 };
		pthread_t thread;

		assert_int_equal(pthread_create(&thread, NULL, visit, &here), 0);
		assert_int_equal(pthread_join(thread, NULL), 0);
		assert_true(here.is_right);
		assert_true(is_given_back(here.before, here.most, 0));
	}
}

/* Exits with 0 if all was right; an assert of cmocka's would go on with the parent's tests. */
static void burst_in_child(size_t before)
{
	struct ingress_answer answer;
	struct burst burst = { 0 };
	ingress_token context;
	size_t most;

	if (ingress_context_create(&echo_library, &deep, ECHO_OPEN, INGRESS_WIRE_C, NULL, 0, LONG_NS, &context,
				   &answer) != INGRESS_OK)
		_exit(1);
	ingress_answer_release(&answer);
	most = submit_burst(context, &burst, NULL, 0);
	open_gate(&burst);
	_exit(!all_are_right(&burst) ? 2 : !is_given_back(before, most, 0) ? 3 : 0);
}

static void a_forked_child(void **state)
{
	ingress_token context = open_echo(&echo_library, &deep);
	struct burst burst = { 0 };
	size_t before;
	pid_t child;

	(void)state;
#if defined(__SANITIZE_THREAD__)
	close_echo(context);
	skip(); /* ThreadSanitizer does not follow new threads of a forked child */
#endif
	/* the child is forked when a thread of the parent's has taken it upon itself to trim the heap of this thread */
	before = resident_bytes();
	submit_burst(context, &burst, NULL, 0);
	open_gate(&burst);
	assert_true(all_are_right(&burst));
	child = fork_child();
	if (child == 0)
		burst_in_child(before);
	wait_for_child(child);
	close_echo(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_burst_by_callbacks),
		cmocka_unit_test(a_burst_by_an_inbox),
		cmocka_unit_test(a_burst_that_is_released_in_random_order),
		cmocka_unit_test(a_burst_of_buffers),
		cmocka_unit_test(a_thread_that_has_ended_and_its_context),
		cmocka_unit_test(a_forked_child),
	};

	alarm(300);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
