/* SPDX-License-Identifier: BSD-3-Clause */
/* The OpenMP kernel of kmeans. */
#include <stdint.h>

/*
 * For each of `count` points, given its products with the centres and the squares of the centres' lengths: write the
 * number of the centre that is nearest, the first of several. Returns for how many that was another one.
 */
long kmeans_nearest(long count, long clusters, const double *products, const double *squares, int32_t *nearest)
{
	long changed = 0;

#pragma omp parallel for schedule(static) reduction(+ : changed)
	for (long i = 0; i < count; i++) {
		const double *product = products + i * clusters;
		double least = squares[0] - 2 * product[0];
		int32_t best = 0;

		for (long k = 1; k < clusters; k++) {
			double distance = squares[k] - 2 * product[k];

			if (distance < least) {
				least = distance;
				best = (int32_t)k;
			}
		}
		changed += nearest[i] != best;
		nearest[i] = best;
	}
	return changed;
}
