/* SPDX-License-Identifier: BSD-3-Clause */
/* The OpenMP kernel of kmeans, and its matrix product by OpenBLAS. */
#include <cblas.h>
#include <stdint.h>

/*
 * For each of `count` points: write the number of the centre that is nearest, the first of several. Points and centres
 * have `width` numbers, `squares` the centres' squared lengths, and `products` room for count * clusters. Returns for
 * how many points that was another centre than what was there.
 */
long kmeans_assign(long count, long clusters, long width, const double *points, const double *centres,
		   const double *squares, double *products, int32_t *nearest)
{
	long changed = 0;

	cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)count, (int)clusters, (int)width, 1, points,
		    (int)width, centres, (int)width, 0, products, (int)clusters);
#pragma omp parallel for schedule(static) reduction(+ : changed)
	for (long i = 0; i < count; i++) {
		const double *product = products + i * clusters;
		/* the square of the distance, less that of the point's length */
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
