/* SPDX-License-Identifier: BSD-3-Clause */
/* The OpenMP kernel of kmeans, and its matrix product by OpenBLAS. */
#include <cblas.h>
#include <stdint.h>

/*
 * For each of `count` points: write the number of the nearest centre, of several the first. Points and centres have
 * `width` numbers each. `squares` has the centres' squared lengths, and `products` room for count * clusters numbers.
 * Returns how many points have got another centre than they had.
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
		/* the square of the distance, less the square of the point's length, which all centres share */
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
