/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What every benchmark program shares: options, the machine card, a calibrated timer and the JSON lines of
 * bench/README.md. A program fills a struct bench_suite and returns bench_main(argc, argv, &suite) from main.
 *
 * Invariants. Variants are interleaved: each repetition measures every variant at every n, and starts with another
 * variant each time. So a machine that speeds up or slows down affects all of them. The program prints every sample as
 * it takes it; it averages nothing and keeps nothing in memory. A sample is the time of one run of n calls. A run that
 * is too short for the clock is made several times back to back, and the time divided.
 *
 * long: one header, so that a benchmark is one file.
 *
 * Non-goals: statistics (the reader fits), threads, and setting up the machine (CPU frequency, affinity).
 */
#ifndef FERRY_BENCH_H
#define FERRY_BENCH_H

#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <ferry/batch.h>

#include "machine.h"

/* A number no kernel implements: `tuxcall` is reserved on x86-64, the generic table leaves 244 to 259 to machines. */
#if defined(__x86_64__)
#define NR_UNIMPLEMENTED __NR_tuxcall
#else
#define NR_UNIMPLEMENTED 245
#endif

#define BENCH_N_MAX 64		       /* values of n in one invocation */
#define BENCH_VARIANTS_MAX 128	       /* variants in one program */
#define BENCH_CALLS_MAX 1000000L       /* largest n */
#define BENCH_REPETITIONS_MAX 1000000L /* largest --repetitions */
#define BENCH_ROUNDS_MAX 1000000L      /* runs in one sample */
#define BENCH_SAMPLE_NS 20000.0	       /* a sample lasts at least about this long, or as FERRY_SAMPLE_US says */
#define BENCH_SAMPLE_US_MAX 1000000L   /* largest FERRY_SAMPLE_US */
#define BENCH_ONCE_SAMPLES_MAX 100     /* samples in one repetition of a variant that is made once */
#define BENCH_CALIBRATION_SAMPLES 2000 /* empty samples, whose minimum is the timer's overhead */
#define BENCH_UNAVAILABLE 3	       /* exit status: this machine lacks what the program measures */

/* One way of making n calls. The functions get `context`; both may leave state in it. */
struct bench_variant {
	const char *name; /* "loop", or "loop:getppid" when the program measures several kinds of call */
	/* Get ready for runs of n calls; not timed, called before each sample. Returns 0, or -errno. NULL: nothing to
	 * do. */
	int (*prepare)(void *context, long n);
	/* Make one run of n calls. Returns >= 0, or -errno, which ends the program with a message. */
	long (*run)(void *context, long n);
	void *context;
	bool once; /* a run uses up what prepare has made: never make several runs back to back */
};

/* A benchmark program. */
struct bench_suite {
	const char *boundary;
	const char *question; /* what the program answers: the first line of --help */
	const struct bench_variant *variants;
	size_t variant_count;
	const long *n; /* the default batch sizes, rising */
	size_t n_count;
	long repetitions;	/* by default */
	long quick_repetitions; /* with --quick */
	void (*set_up)(void);	/* makes what all variants need, after the command line was read; or NULL */
};

/* What the command line asked for. */
struct bench_options {
	long repetitions;
	long n[BENCH_N_MAX];
	size_t n_count;
	bool wanted[BENCH_VARIANTS_MAX];
	double sample_ns;
	/* The samples of a variant that is never made several times back to back last this long together. */
	double once_ns;
};

/* ---- time ------------------------------------------------------------------------------------------------------ */

/* Keep the compiler from moving or removing what surrounds this. */
#define bench_barrier() __asm__ volatile("" ::: "memory")

/* Nanoseconds of CLOCK_MONOTONIC; differences of it are exact in a double for a hundred days. */
static inline double bench_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* What measuring costs: subtracted from every sample. */
struct bench_calibration {
	double timer_ns; /* between two readings of the clock with nothing between */
	double run_ns;	 /* one more call of a run function that does nothing */
};

/* noinline and a barrier: the call itself must stay */
static __attribute__((noinline)) long bench_empty_run(void *context, long n)
{
	(void)context;
	(void)n;
	bench_barrier();
	return 0;
}

/* Time `rounds` runs back to back, nothing subtracted. *failed is the first negative result, or 0. */
static __attribute__((noinline)) double bench_time(const struct bench_variant *variant, long n, long rounds,
						   long *failed)
{
	long (*volatile opaque)(void *, long) = variant->run;
	long (*run)(void *, long) = opaque;
	long sign = 0;
	double start = bench_now_ns();

	for (long i = 0; i < rounds; i++) {
		long result = run(variant->context, n);

		sign = result < sign ? result : sign;
	}
	*failed = sign;
	return bench_now_ns() - start;
}

static inline struct bench_calibration bench_calibrate(void)
{
	const struct bench_variant empty = { "empty", NULL, bench_empty_run, NULL, false };
	const long rounds = 1000;
	struct bench_calibration least = { 1e9, 1e9 };
	long failed;

	for (int i = 0; i < BENCH_CALIBRATION_SAMPLES; i++) {
		double start = bench_now_ns();
		double timer = bench_now_ns() - start;
		double run = bench_time(&empty, 1, rounds, &failed) / (double)rounds;

		least.timer_ns = timer < least.timer_ns ? timer : least.timer_ns;
		least.run_ns = run < least.run_ns ? run : least.run_ns;
	}
	return least;
}

/* ---- JSON ------------------------------------------------------------------------------------------------------ */

static inline void bench_print_calibration(const char *name, double ns)
{
	printf("{\"type\":\"calibration\",\"name\":");
	bench_print_string(name);
	printf(",\"ns\":%.3f}\n", ns);
}

/* One sample: `ns` is the time of one run of n calls, overhead already subtracted. */
static inline void bench_print_sample(const char *boundary, const char *variant, long n, long repetition, double ns)
{
	printf("{\"type\":\"sample\",\"boundary\":");
	bench_print_string(boundary);
	printf(",\"variant\":");
	bench_print_string(variant);
	printf(",\"unit\":\"ns\",\"n\":%ld,\"repetition\":%ld,\"ns\":%.3f}\n", n, repetition, ns);
}

/* End the program because this machine lacks what it measures: `code` is the -errno that said so. */
static inline __attribute__((noreturn)) void bench_unavailable(const char *what, int code)
{
	fprintf(stderr, "%s: %s: %s; this machine cannot measure it\n", program_invocation_short_name, what,
		strerror(-code));
	exit(BENCH_UNAVAILABLE);
}

/* ---- options --------------------------------------------------------------------------------------------------- */

static inline void bench_print_help(const struct bench_suite *suite)
{
	printf("%s\n\nUsage: %s [OPTION]...\nPrints one JSON object per line; bench/README.md describes them.\n\n"
	       "  --quick            take %ld repetitions, not %ld\n"
	       "  --repetitions R    take R repetitions (1 to %ld)\n"
	       "  --n LIST           batch sizes, for example 1,10,100 (each 1 to %ld, at most %d of them)\n"
	       "  --variant LIST     measure only these variants\n"
	       "  --help             show this text and exit\n"
	       "  --version          show the version and exit\n\nVariants of %s:\n",
	       suite->question, program_invocation_short_name, suite->quick_repetitions, suite->repetitions,
	       BENCH_REPETITIONS_MAX, BENCH_CALLS_MAX, BENCH_N_MAX, suite->boundary);
	for (size_t v = 0; v < suite->variant_count; v++)
		printf("  %s\n", suite->variants[v].name);
}

static inline void bench_usage_error(const char *option, const char *value, const char *advice)
{
	fprintf(stderr, "%s: %s %s: %s (see --help)\n", program_invocation_short_name, option, value, advice);
	exit(2);
}

/* A whole number of 1 to max at *text, which moves past it and a comma. Returns -1 when there is none. */
static inline long bench_parse_number(const char **text, long max)
{
	char *end;
	long value;

	errno = 0;
	value = strtol(*text, &end, 10);
	if (end == *text || errno || value < 1 || value > max || (*end && (*end != ',' || !end[1])))
		return -1;
	*text = *end ? end + 1 : end;
	return value;
}

static inline void bench_parse_n(struct bench_options *options, const char *list)
{
	const char *text = list;

	options->n_count = 0;
	do {
		long value = options->n_count < BENCH_N_MAX ? bench_parse_number(&text, BENCH_CALLS_MAX) : -1;

		if (value < 0)
			bench_usage_error("--n", list, "give whole numbers joined by commas, for example 1,10,100");
		options->n[options->n_count++] = value;
	} while (*text);
}

static inline void bench_parse_variants(const struct bench_suite *suite, struct bench_options *options,
					const char *list)
{
	const char *text = list;

	memset(options->wanted, 0, sizeof(options->wanted));
	while (*text) {
		size_t length = strcspn(text, ","), v;

		for (v = 0; v < suite->variant_count; v++)
			if (strlen(suite->variants[v].name) == length &&
			    !strncmp(suite->variants[v].name, text, length))
				break;
		if (v == suite->variant_count)
			bench_usage_error("--variant", list, "not a variant of this program");
		options->wanted[v] = true;
		text += length + (text[length] == ',');
	}
}

/* How long a sample is to last: long enough for the clock, or for what runs beside (bench/README.md). */
static inline void bench_parse_sample_ns(struct bench_options *options)
{
	const char *value = getenv("FERRY_SAMPLE_US");
	const char *text = value;
	long us;

	options->sample_ns = BENCH_SAMPLE_NS;
	if (!value)
		return;
	us = bench_parse_number(&text, BENCH_SAMPLE_US_MAX);
	if (us < 0 || *text)
		bench_usage_error("FERRY_SAMPLE_US", value, "give one whole number of microseconds, 1 to 1000000");
	options->sample_ns = (double)us * 1000;
	options->once_ns = options->sample_ns;
}

static inline void bench_parse_options(const struct bench_suite *suite, struct bench_options *options, int argc,
				       char **argv)
{
	static const struct option known[] = { { "quick", no_argument, NULL, 'q' },
					       { "repetitions", required_argument, NULL, 'r' },
					       { "n", required_argument, NULL, 'n' },
					       { "variant", required_argument, NULL, 'v' },
					       { "help", no_argument, NULL, 'h' },
					       { "version", no_argument, NULL, 'V' },
					       { NULL, 0, NULL, 0 } };
	const char *text;
	int option;

	memset(options, 0, sizeof(*options));
	options->repetitions = suite->repetitions;
	options->n_count = suite->n_count;
	memcpy(options->n, suite->n, suite->n_count * sizeof(options->n[0]));
	memset(options->wanted, true, sizeof(options->wanted));
	bench_parse_sample_ns(options);
	while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
		switch (option) {
		case 'q':
			options->repetitions = suite->quick_repetitions;
			break;
		case 'r':
			text = optarg;
			options->repetitions = bench_parse_number(&text, BENCH_REPETITIONS_MAX);
			if (options->repetitions < 0 || *text)
				bench_usage_error("--repetitions", optarg, "give one whole number, 1 or more");
			break;
		case 'n':
			bench_parse_n(options, optarg);
			break;
		case 'v':
			bench_parse_variants(suite, options, optarg);
			break;
		case 'h':
			bench_print_help(suite);
			exit(0);
		case 'V':
			printf("%s (Ferry) %s\n", program_invocation_short_name, FERRY_VERSION);
			exit(0);
		default:
			fprintf(stderr, "Try '%s --help'.\n", program_invocation_short_name);
			exit(2);
		}
	}
	if (optind < argc)
		bench_usage_error("argument", argv[optind], "this program takes options only");
}

/* ---- measuring ------------------------------------------------------------------------------------------------- */

static inline void bench_fail(const struct bench_variant *variant, long n, const char *step, long code)
{
	fprintf(stderr, "%s: variant %s, n %ld: %s failed: %s\n", program_invocation_short_name, variant->name, n, step,
		strerror((int)-code));
	exit(1);
}

static inline void bench_prepare(const struct bench_variant *variant, long n)
{
	int code = variant->prepare ? variant->prepare(variant->context, n) : 0;

	if (code < 0)
		bench_fail(variant, n, "preparing", code);
}

/* Find out how many runs make a sample long enough. These runs also warm the caches. */
static inline long bench_rounds(const struct bench_variant *variant, long n, double sample_ns)
{
	double least_ns = 1e18, rounds;
	long failed;

	if (variant->once)
		return 1;
	bench_prepare(variant, n);
	for (int i = 0; i < 3; i++) {
		double ns = bench_time(variant, n, 1, &failed);

		if (failed < 0)
			bench_fail(variant, n, "running", failed);
		least_ns = ns < least_ns ? ns : least_ns;
	}
	rounds = sample_ns / (least_ns < 1 ? 1 : least_ns);
	if (rounds > (double)BENCH_ROUNDS_MAX)
		return BENCH_ROUNDS_MAX;
	return rounds < 1 ? 1 : (long)rounds;
}

/* Take one sample: the time of one run of n calls, in nanoseconds, overhead subtracted. */
static inline double bench_sample(const struct bench_variant *variant, const struct bench_calibration *calibration,
				  long n, long rounds)
{
	double ns;
	long failed;

	bench_prepare(variant, n);
	ns = bench_time(variant, n, rounds, &failed);
	if (failed < 0)
		bench_fail(variant, n, "running", failed);
	return (ns - calibration->timer_ns) / (double)rounds - calibration->run_ns;
}

/* Print one sample; of a variant marked `once`, as many samples as fit into FERRY_SAMPLE_US. */
static inline void bench_print_samples(const struct bench_suite *suite, const struct bench_options *options,
				       const struct bench_variant *variant, const struct bench_calibration *calibration,
				       long n, long rounds, long repetition)
{
	double spent_ns = 0;
	int count = 0;

	do {
		double ns = bench_sample(variant, calibration, n, rounds);

		bench_print_sample(suite->boundary, variant->name, n, repetition, ns);
		spent_ns += ns;
		count++;
	} while (variant->once && spent_ns < options->once_ns && count < BENCH_ONCE_SAMPLES_MAX);
}

static inline void bench_repetition(const struct bench_suite *suite, const struct bench_options *options,
				    const struct bench_calibration *calibration, long (*rounds)[BENCH_N_MAX],
				    long repetition)
{
	for (size_t k = 0; k < options->n_count; k++) {
		for (size_t i = 0; i < suite->variant_count; i++) {
			size_t v = (i + (size_t)repetition) % suite->variant_count;
			const struct bench_variant *variant = &suite->variants[v];
			long n = options->n[k];

			if (options->wanted[v])
				bench_print_samples(suite, options, variant, calibration, n, rounds[v][k], repetition);
		}
	}
}

/* The whole of a benchmark program's main. */
static inline int bench_main(int argc, char **argv, const struct bench_suite *suite)
{
	static long rounds[BENCH_VARIANTS_MAX][BENCH_N_MAX];
	struct bench_calibration calibration;
	struct bench_options options;

	bench_parse_options(suite, &options, argc, argv);
	if (suite->set_up)
		suite->set_up();
	bench_print_machine();
	calibration = bench_calibrate();
	bench_print_calibration("timer", calibration.timer_ns);
	bench_print_calibration("run", calibration.run_ns);
	for (size_t v = 0; v < suite->variant_count; v++)
		for (size_t k = 0; options.wanted[v] && k < options.n_count; k++)
			rounds[v][k] = bench_rounds(&suite->variants[v], options.n[k], options.sample_ns);
	for (long repetition = 0; repetition < options.repetitions; repetition++)
		bench_repetition(suite, &options, &calibration, rounds, repetition);
	if (fflush(stdout) || ferror(stdout)) {
		fprintf(stderr, "%s: cannot write the samples to standard output: %s\n", program_invocation_short_name,
			strerror(errno ? errno : EIO));
		return 1;
	}
	return 0;
}

#endif /* FERRY_BENCH_H */
