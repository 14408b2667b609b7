/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What does each OpenMP construct cost with the library with which this program runs, at OMP_NUM_THREADS threads?
 *
 * A line's variant is the entry's name. The lines do not name the library and the number of threads, which the caller
 * has chosen by the environment.
 * Each entry has its own n, long enough that a sample spans many constructs and, where threads outnumber processors,
 * several of the scheduler's slices. --n replaces it for all entries.
 */
#include "../bench.h"
#include "openmp.h"

static const struct omp_entry *const tables[] = { omp_regions, omp_loops,   omp_exclusion, omp_tasks,
						  omp_storms,  omp_trees,   omp_matrices,  omp_searches,
						  omp_arrays,  omp_kernels, omp_floors };

__thread uint64_t omp_bench_delay_state;

/*
 * Wake the team before each sample; this is not timed. The entry before may have been serial, and longer than the
 * library lets its workers spin. Without this, an entry's figure would depend on the entry before it. The cost of
 * waking the team is an entry of its own, parallel_after_serial.
 */
static int wake_team(void *context, long n)
{
	long threads = 0;

	(void)context;
	(void)n;
#pragma omp parallel reduction(+ : threads)
	threads++;
	return threads > 0 ? 0 : -EIO;
}

struct entries {
	struct bench_variant variants[BENCH_VARIANTS_MAX];
	const struct omp_entry *entry[BENCH_VARIANTS_MAX];
	size_t count;
};

static void collect(struct entries *all)
{
	for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]); t++) {
		for (const struct omp_entry *entry = tables[t]; entry->name; entry++) {
			if (all->count == BENCH_VARIANTS_MAX)
				abort();
			all->entry[all->count] = entry;
			all->variants[all->count++] =
				(struct bench_variant){ entry->name, wake_team, entry->run, NULL, true };
		}
	}
}

/* One repetition of one entry, at each n that was asked for. */
static void sample(const struct bench_suite *suite, const struct bench_options *options,
		   const struct bench_calibration *calibration, const struct entries *all, size_t v, long repetition)
{
	const struct omp_entry *entry = all->entry[v];

	if (!options->wanted[v] || (entry->repetitions && repetition >= entry->repetitions))
		return;
	for (size_t k = 0; k < options->n_count || (k == 0 && options->n_count == 0); k++) {
		long n = options->n_count ? options->n[k] : entry->n;

		bench_print_samples(suite, options, &all->variants[v], calibration, n, 1, repetition);
	}
}

int main(int argc, char **argv)
{
	static struct entries all;
	struct bench_suite suite = { .boundary = "openmp",
				     .question = "What does each OpenMP construct cost with the library in use?",
				     .variants = all.variants,
				     .n = NULL,
				     .repetitions = 10,
				     .quick_repetitions = 3 };
	struct bench_calibration calibration;
	struct bench_options options;

	collect(&all);
	suite.variant_count = all.count;
	suite.n = (const long[]){ 1 };
	bench_parse_options(&suite, &options, argc, argv);
	bench_print_machine();
	calibration = bench_calibrate();
	bench_print_calibration("timer", calibration.timer_ns);
	bench_print_calibration("run", calibration.run_ns);
	for (size_t v = 0; v < all.count; v++)
		if (options.wanted[v] && !all.entry[v]->repetitions)
			bench_sample(&all.variants[v], &calibration, 1, 1); /* threads made, caches warm */
	for (long repetition = 0; repetition < options.repetitions; repetition++)
		for (size_t i = 0; i < all.count; i++)
			sample(&suite, &options, &calibration, &all, (i + (size_t)repetition) % all.count, repetition);
	if (fflush(stdout) || ferror(stdout)) {
		fprintf(stderr, "openmp: cannot write the samples to standard output: %s\n",
			strerror(errno ? errno : EIO));
		return 1;
	}
	return 0;
}
