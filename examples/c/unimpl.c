/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unimpl: what a crossing costs, measured as in the original's benchmark: batches of a call that the kernel does not
 * implement.
 *
 * The columns are the original's, so that its fits apply: N slots in a batch; m runs of the batch in one trial; the
 * least time of a trial, in ns; the sum of what all runs returned, which shows that every slot ran. The two clock
 * readings of a trial are inside its time, as they were there.
 */
#include <getopt.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "cli/cli.h"

/* Slots of the largest batch and the most values --counts takes. */
#define SLOTS_MAX 65536
#define COUNTS_MAX 256
#define TRIALS_MAX 1000000
/*
 * For the number of runs in a trial: a trial shall take about equally long for every N. The times of a run and of a
 * slot in ns are those of the original's module.
 */
#define TRIAL_NS 1000000
#define RUN_NS 360
#define SLOT_NS 46

static const char help[] = "Usage: unimpl [OPTION]...\n"
			   "Time batches of N system calls that the kernel does not implement.\n"
			   "Prints a line of names, then for each N: N, the runs m in one trial, the least time of\n"
			   "a trial in ns, and the sum of what all runs returned.\n"
			   "A fit of ns against m and N*m gives the cost of a run and of a call:\n"
			   "  unimpl | awk '{print $3,$2,$1*$2}'\n"
			   "\n"
			   "  -x, --executor=NAME  what runs the batches: loop (default); kernel, in one entry, if\n"
			   "                       this machine's kernel does that; auto, kernel if it is there and\n"
			   "                       the batch is long enough for it, else loop; or null, which makes\n"
			   "                       no call at all and so shows the dispatch alone\n"
			   "  -n, --counts=N[,N].. the batch sizes (default: 1 to 10, then up to 1024)\n"
			   "  -t, --trials=T       trials for each size (default: 10)\n"
			   "      --help           print this help and exit\n"
			   "      --version        print the version and exit\n"
			   "\n"
			   "Exit status: 0, 1 if the calls cannot be timed here, 2 if the command line is wrong.\n";

static const struct option options[] = {
	{ "executor", required_argument, NULL, 'x' }, { "counts", required_argument, NULL, 'n' },
	{ "trials", required_argument, NULL, 't' },   { "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },	      { NULL, 0, NULL, 0 },
};

struct request {
	const struct batch_executor *executor;
	/* two executors have a struct, of which `executor` is a part; it is closed when the program ends */
	struct batch_kernel_executor kernel;
	struct batch_auto_executor automatic;
	size_t counts[COUNTS_MAX];
	size_t count_count;
	long trials;
};

static const struct request defaults = {
	.executor = &batch_executor_loop,
	.counts = { 1,	2,  3,	4,  5,	6,  7,	8,  9,	 10,  16,  20,	24,  32,
		    36, 40, 44, 50, 60, 70, 80, 90, 100, 128, 256, 384, 1024 },
	.count_count = 27,
	.trials = 10,
};

static long clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000L + now.tv_nsec;
}

/* Why a run did not reach its last slot. Returns CLI_FAILED. */
static int say_why(const struct batch_prepared *prepared)
{
	struct batch_error error;
	char text[256];

	/* an executor that was lost during the measurement is still lost, so another run fails with the same reason */
	if (batch_run(prepared->executor, prepared->rets, prepared->slots, prepared->count, 0, &error) >= 0)
		return cli_error("unimpl", "a batch of %zu slots ended early", prepared->count);
	batch_error_format(&error, text, sizeof(text));
	return cli_error("unimpl", "the %s executor no longer takes the batch: %s", prepared->executor->name, text);
}

/* One line of the table. Returns CLI_OK, or CLI_FAILED when a run ended early. */
static int measure(const struct batch_prepared *prepared, long trials)
{
	const long count = (long)prepared->count;
	const long fitting = TRIAL_NS / (RUN_NS + SLOT_NS * count);
	const long runs = fitting > 0 ? fitting : 1;
	long least_ns = -1;
	unsigned long sum = 0;

	for (long trial = 0; trial < trials; trial++) {
		long start_ns = clock_ns(), took_ns;

		for (long run = 0; run < runs; run++)
			sum += (unsigned long)batch_prepared_run(prepared);
		took_ns = clock_ns() - start_ns;
		if (least_ns < 0 || took_ns < least_ns)
			least_ns = took_ns;
	}
	if (sum != (unsigned long)(trials * runs * (count - 1)))
		return say_why(prepared);
	printf("%ld\t%ld\t%ld\t%lu\n", count, runs, least_ns, sum);
	fflush(stdout);
	return CLI_OK;
}

/* Time each batch size over the same slots. */
static int measure_all(const struct request *request, struct batch_slot *slots, long *rets)
{
	/* the result of the call; a sandbox or another kernel may give another one, and take another time for it */
	const long expected = request->executor == &batch_executor_null ? 0 : -ENOSYS;
	struct batch_prepared prepared;
	struct batch_error error;
	char text[256];

	puts("N\tm\tns\trs");
	for (size_t k = 0; k < request->count_count; k++) {
		if (batch_prepare(&prepared, request->executor, rets, slots, request->counts[k], 0, &error) < 0) {
			batch_error_format(&error, text, sizeof(text));
			return cli_error("unimpl", "the batch was refused: %s", text);
		}
		if (measure(&prepared, request->trials) != CLI_OK)
			return CLI_FAILED;
		if (rets[0] != expected)
			return cli_error("unimpl", "the call gave %ld, not %ld: it is intercepted here", rets[0],
					 expected);
	}
	return CLI_OK;
}

static int run(const struct request *request)
{
	struct batch_slot *slots;
	size_t largest = 1;
	int status;
	long *rets;

	for (size_t k = 0; k < request->count_count; k++)
		largest = request->counts[k] > largest ? request->counts[k] : largest;
	slots = aligned_alloc(sizeof(*slots), largest * sizeof(*slots));
	rets = calloc(largest, sizeof(*rets));
	if (slots && rets) {
		for (size_t k = 0; k < largest; k++)
			slots[k] = scall0(nfsservctl, 0, 0, 0);
		status = measure_all(request, slots, rets);
	} else {
		status = cli_error("unimpl", "%s", strerror(ENOMEM));
	}
	free(rets);
	free(slots);
	return status;
}

/* All of `text` as a number from 1 to `most`, or -1. */
static long parse_number(const char *text, long most)
{
	char *end;
	long number;

	if (text[0] < '0' || text[0] > '9')
		return -1;
	number = strtol(text, &end, 10);
	return *end || number < 1 || number > most ? -1 : number;
}

/* Returns -1, or the status to exit with. */
static int parse_counts(struct request *request, char *list)
{
	request->count_count = 0;
	for (char *text = strsep(&list, ","); text; text = strsep(&list, ",")) {
		long count = parse_number(text, SLOTS_MAX);

		if (count < 0 || request->count_count == COUNTS_MAX) {
			cli_error("unimpl", "--counts: '%s' is no number from 1 to %d, or comes after %d others", text,
				  SLOTS_MAX, COUNTS_MAX);
			return cli_usage("unimpl");
		}
		request->counts[request->count_count++] = (size_t)count;
	}
	return -1;
}

/* Returns -1, or the status to exit with: a kernel without batches is not an error of the command line. */
static int open_kernel(struct request *request)
{
	struct batch_error error;
	char text[256];

	request->executor = &request->kernel.executor;
	if (batch_kernel_open(&request->kernel, &error) == 0)
		return -1;
	batch_error_format(&error, text, sizeof(text));
	return cli_error("unimpl",
			 "--executor=kernel: no batch(2) and no /dev/batch for this process, or BATCH_EMUL "
			 "is set: %s",
			 text);
}

/* Returns -1, or the status to exit with. */
static int parse_executor(struct request *request, const char *name)
{
	if (strcmp(name, "kernel") == 0)
		return open_kernel(request);
	if (strcmp(name, "auto") == 0) {
		batch_auto_open(&request->automatic);
		request->executor = &request->automatic.executor;
		return -1;
	}
	request->executor = strcmp(name, "null") == 0 ? &batch_executor_null : &batch_executor_loop;
	if (strcmp(name, request->executor->name) == 0)
		return -1;
	cli_error("unimpl", "--executor: no executor '%s' can run this; use loop, kernel, auto or null", name);
	return cli_usage("unimpl");
}

/* Returns -1, or the status to exit with. */
static int parse_trials(struct request *request, const char *text)
{
	request->trials = parse_number(text, TRIALS_MAX);
	if (request->trials > 0)
		return -1;
	cli_error("unimpl", "--trials: '%s' is no number from 1 to %d", text, TRIALS_MAX);
	return cli_usage("unimpl");
}

/* Returns -1, or the status to exit with at once. */
static int parse(int argc, char **argv, struct request *request)
{
	int option, status = -1;

	while (status < 0 && (option = getopt_long(argc, argv, "x:n:t:", options, NULL)) != -1) {
		switch (option) {
		case 'x':
			status = parse_executor(request, optarg);
			break;
		case 'n':
			status = parse_counts(request, optarg);
			break;
		case 't':
			status = parse_trials(request, optarg);
			break;
		case 'h':
			fputs(help, stdout);
			return CLI_OK;
		case 'V':
			cli_version("unimpl");
			return CLI_OK;
		default:
			return cli_usage("unimpl");
		}
	}
	if (status >= 0 || optind == argc)
		return status;
	cli_error("unimpl", "'%s' is not an option; unimpl takes nothing else", argv[optind]);
	return cli_usage("unimpl");
}

/* Whether batches go into the kernel. */
static bool is_real(const struct request *request)
{
	return request->executor == &request->kernel.executor ||
	       (request->executor == &request->automatic.executor && request->automatic.kernel);
}

int main(int argc, char **argv)
{
	/* not on the stack: an open auto executor may not be moved */
	static struct request request;
	int status;

	request = defaults;
	status = parse(argc, argv, &request);
	if (status < 0) {
		/* the original's words: its users look for them */
		if (getenv("BATCH_VERBOSE"))
			fputs(is_real(&request) ? "sys_batch Real\n" : "sys_batch Emul\n", stderr);
		status = run(&request);
	}
	return cli_finish("unimpl", status);
}
