/* SPDX-License-Identifier: BSD-3-Clause */
/* FFTW with its OpenMP library: a transform there and back in OMP_NUM_THREADS threads; prints a hash of the bits. */
#include <fftw3.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>

#define LENGTH (1 << 16)
#define ROUNDS 20

static uint64_t hash_bits(const void *data, size_t bytes)
{
	const unsigned char *byte = data;
	uint64_t hash = 14695981039346656037ULL; /* FNV-1a */

	for (size_t i = 0; i < bytes; i++)
		hash = (hash ^ byte[i]) * 1099511628211ULL;
	return hash;
}

int main(void)
{
	fftw_complex *in = fftw_alloc_complex(LENGTH), *out = fftw_alloc_complex(LENGTH);
	fftw_plan there, back;

	if (!in || !out || !fftw_init_threads())
		return 1;
	fftw_plan_with_nthreads(omp_get_max_threads());
	there = fftw_plan_dft_1d(LENGTH, in, out, FFTW_FORWARD, FFTW_ESTIMATE);
	back = fftw_plan_dft_1d(LENGTH, out, in, FFTW_BACKWARD, FFTW_ESTIMATE);
	for (int i = 0; i < LENGTH; i++) {
		in[i][0] = i % 17;
		in[i][1] = i % 5;
	}
	for (int round = 0; round < ROUNDS; round++) {
		fftw_execute(there);
		fftw_execute(back);
		for (int i = 0; i < LENGTH; i++) {
			in[i][0] /= LENGTH;
			in[i][1] /= LENGTH;
		}
	}
	printf("%016llx\n", (unsigned long long)hash_bits(in, LENGTH * sizeof(*in)));
	fftw_destroy_plan(there);
	fftw_destroy_plan(back);
	fftw_cleanup_threads();
	fftw_free(in);
	fftw_free(out);
	return 0;
}
