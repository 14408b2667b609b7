/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Task programs on arrays, of the kinds in BOTS (A. Duran et al., "Barcelona OpenMP Tasks Suite", ICPP 2009):
 * Strassen's product, a sparse LU factorisation by blocks, and a Fourier transform. A run makes n of them. Their
 * results are compared with those of a serial computation, which is made when an entry first runs, or with known
 * properties.
 */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "openmp.h"

#define STRASSEN_EDGE 256L
#define STRASSEN_LEAF 32L
#define LU_BLOCKS 24L /* along an edge of the matrix */
#define LU_EDGE 24L   /* of a block */
#define FFT_POINTS (1L << 17)
#define FFT_LEAF 256L
#define FFT_TONE 12345L
#define FFT_ERROR 1e-6

/* ---- Strassen ---------------------------------------------------------------------------------------------------- */

struct view {
	double *at;
	long stride;
};

static struct view quarter(struct view whole, long edge, long row, long column)
{
	return (struct view){ whole.at + row * (edge / 2) * whole.stride + column * (edge / 2), whole.stride };
}

static struct view sum(struct view one, struct view other, double sign, double *space, long edge)
{
	for (long i = 0; i < edge; i++)
		for (long k = 0; k < edge; k++)
			space[i * edge + k] = one.at[i * one.stride + k] + sign * other.at[i * other.stride + k];
	return (struct view){ space, edge };
}

static void multiply_plain(struct view a, struct view b, struct view c, long edge)
{
	for (long i = 0; i < edge; i++) {
		memset(c.at + i * c.stride, 0, (size_t)edge * sizeof(double));
		for (long k = 0; k < edge; k++)
			for (long j = 0; j < edge; j++)
				c.at[i * c.stride + j] += a.at[i * a.stride + k] * b.at[k * b.stride + j];
	}
}

static void multiply(struct view a, struct view b, struct view c, long edge);

/* One of the seven products, with its sums in memory of its own. */
static void product(int which, struct view a, struct view b, double *result, long edge)
{
	long half = edge / 2;
	double *space = malloc(2 * (size_t)(half * half) * sizeof(double));
	double *more = space + half * half;
	struct view a11 = quarter(a, edge, 0, 0), a12 = quarter(a, edge, 0, 1), a21 = quarter(a, edge, 1, 0),
		    a22 = quarter(a, edge, 1, 1), b11 = quarter(b, edge, 0, 0), b12 = quarter(b, edge, 0, 1),
		    b21 = quarter(b, edge, 1, 0), b22 = quarter(b, edge, 1, 1), out = { result, half };

	if (!space)
		abort();
	switch (which) {
	case 0:
		multiply(sum(a11, a22, 1, space, half), sum(b11, b22, 1, more, half), out, half);
		break;
	case 1:
		multiply(sum(a21, a22, 1, space, half), b11, out, half);
		break;
	case 2:
		multiply(a11, sum(b12, b22, -1, more, half), out, half);
		break;
	case 3:
		multiply(a22, sum(b21, b11, -1, more, half), out, half);
		break;
	case 4:
		multiply(sum(a11, a12, 1, space, half), b22, out, half);
		break;
	case 5:
		multiply(sum(a21, a11, -1, space, half), sum(b11, b12, 1, more, half), out, half);
		break;
	default:
		multiply(sum(a12, a22, -1, space, half), sum(b21, b22, 1, more, half), out, half);
	}
	free(space);
}

static void multiply(struct view a, struct view b, struct view c, long edge)
{
	long half = edge / 2, words = half * half;
	double *m;

	if (edge <= STRASSEN_LEAF) {
		multiply_plain(a, b, c, edge);
		return;
	}
	m = malloc(7 * (size_t)words * sizeof(double));
	if (!m)
		abort();
	for (int which = 0; which < 7; which++) {
#pragma omp task
		product(which, a, b, m + which * words, edge);
	}
#pragma omp taskwait
	for (long i = 0; i < half; i++) {
		for (long k = 0; k < half; k++) {
			const double *p = m + i * half + k;
			double *out = c.at + i * c.stride + k;

			out[0] = p[0] + p[3 * words] - p[4 * words] + p[6 * words];
			out[half] = p[2 * words] + p[4 * words];
			out[half * c.stride] = p[words] + p[3 * words];
			out[half * c.stride + half] = p[0] - p[words] + p[2 * words] + p[5 * words];
		}
	}
	free(m);
}

/* A matrix of small whole numbers, so that every order of additions gives the same sum. */
static long run_strassen(void *context, long n)
{
	enum { WORDS = STRASSEN_EDGE * STRASSEN_EDGE };
	static double a[WORDS], b[WORDS], c[WORDS], expected[WORDS];
	static int known;
	struct view left = { a, STRASSEN_EDGE }, right = { b, STRASSEN_EDGE }, out = { c, STRASSEN_EDGE };
	long wrong = 0;

	(void)context;
	if (!known) {
		for (long i = 0; i < WORDS; i++) {
			a[i] = (double)(i * 7 % 11);
			b[i] = (double)(i * 5 % 13);
		}
		multiply_plain(left, right, (struct view){ expected, STRASSEN_EDGE }, STRASSEN_EDGE);
		known = 1;
	}
	for (long i = 0; i < n; i++) {
#pragma omp parallel
#pragma omp single
		multiply(left, right, out, STRASSEN_EDGE);
		/* bit for bit: the same operations in the same order */
		wrong += memcmp(c, expected, sizeof(c)) != 0; /* NOLINT */
	}
	return bench_verdict(wrong == 0);
}

/* ---- sparse LU --------------------------------------------------------------------------------------------------- */

typedef double lu_block[LU_EDGE][LU_EDGE];

struct lu_matrix {
	/* NULL: all zero */
	lu_block *blocks[LU_BLOCKS][LU_BLOCKS];
};

static lu_block *lu_make(void)
{
	lu_block *block = calloc(1, sizeof(lu_block));

	if (!block)
		abort();
	return block;
}

/* Whether a block is there: about a quarter of the blocks are, and those about the diagonal. */
static void lu_fill(struct lu_matrix *matrix)
{
	for (long i = 0; i < LU_BLOCKS; i++) {
		for (long k = 0; k < LU_BLOCKS; k++) {
			matrix->blocks[i][k] = NULL;
			if (labs(i - k) > 1 && (i % 3 || k % 2))
				continue;
			matrix->blocks[i][k] = lu_make();
			for (long r = 0; r < LU_EDGE; r++)
				for (long s = 0; s < LU_EDGE; s++)
					(*matrix->blocks[i][k])[r][s] =
						(double)((i * 3 + k * 5 + r * 7 + s) % 17) / 17 +
						(i == k && r == s ? 20.0 * LU_BLOCKS : 0);
		}
	}
}

static void lu_diagonal(lu_block *block)
{
	for (long k = 0; k < LU_EDGE; k++)
		for (long i = k + 1; i < LU_EDGE; i++) {
			(*block)[i][k] /= (*block)[k][k];
			for (long j = k + 1; j < LU_EDGE; j++)
				(*block)[i][j] -= (*block)[i][k] * (*block)[k][j];
		}
}

static void lu_row(lu_block *diagonal, lu_block *block)
{
	for (long k = 0; k < LU_EDGE; k++)
		for (long i = k + 1; i < LU_EDGE; i++)
			for (long j = 0; j < LU_EDGE; j++)
				(*block)[i][j] -= (*diagonal)[i][k] * (*block)[k][j];
}

static void lu_column(lu_block *diagonal, lu_block *block)
{
	for (long i = 0; i < LU_EDGE; i++)
		for (long k = 0; k < LU_EDGE; k++) {
			(*block)[i][k] /= (*diagonal)[k][k];
			for (long j = k + 1; j < LU_EDGE; j++)
				(*block)[i][j] -= (*block)[i][k] * (*diagonal)[k][j];
		}
}

static void lu_inner(lu_block *column, lu_block *row, lu_block **block)
{
	if (!*block)
		*block = lu_make();
	for (long i = 0; i < LU_EDGE; i++)
		for (long k = 0; k < LU_EDGE; k++)
			for (long j = 0; j < LU_EDGE; j++)
				(**block)[i][j] -= (*column)[i][k] * (*row)[k][j];
}

/* Each block has its own task in each step, and steps follow one another, so the result has the same bits each time. */
static void lu_factorise(struct lu_matrix *matrix)
{
	for (long k = 0; k < LU_BLOCKS; k++) {
		lu_block *diagonal = matrix->blocks[k][k];

		lu_diagonal(diagonal);
		for (long j = k + 1; j < LU_BLOCKS; j++) {
			if (matrix->blocks[k][j]) {
#pragma omp task
				lu_row(diagonal, matrix->blocks[k][j]);
			}
			if (matrix->blocks[j][k]) {
#pragma omp task
				lu_column(diagonal, matrix->blocks[j][k]);
			}
		}
#pragma omp taskwait
		for (long i = k + 1; i < LU_BLOCKS; i++)
			for (long j = k + 1; matrix->blocks[i][k] && j < LU_BLOCKS; j++)
				if (matrix->blocks[k][j]) {
#pragma omp task
					lu_inner(matrix->blocks[i][k], matrix->blocks[k][j], &matrix->blocks[i][j]);
				}
#pragma omp taskwait
	}
}

/* Returns the sum of all blocks, and frees them. */
static double lu_empty(struct lu_matrix *matrix)
{
	double total = 0;

	for (long i = 0; i < LU_BLOCKS * LU_BLOCKS; i++) {
		lu_block *block = matrix->blocks[i / LU_BLOCKS][i % LU_BLOCKS];

		for (long r = 0; block && r < LU_EDGE * LU_EDGE; r++)
			total += (*block)[r / LU_EDGE][r % LU_EDGE];
		free(block);
	}
	return total;
}

static long run_sparse_lu(void *context, long n)
{
	static struct lu_matrix matrix;
	static double expected;
	long wrong = 0;

	(void)context;
	if (expected == 0) {
		lu_fill(&matrix);
		lu_factorise(&matrix);
		expected = lu_empty(&matrix);
	}
	for (long i = 0; i < n; i++) {
		lu_fill(&matrix);
#pragma omp parallel
#pragma omp single
		lu_factorise(&matrix);
		wrong += lu_empty(&matrix) != expected;
	}
	return bench_verdict(wrong == 0);
}

/* ---- Fourier transform ------------------------------------------------------------------------------------------- */

static double complex fft_roots[FFT_POINTS / 2];

/* The transform of in[0], in[step], …, by those of its even and its odd points (Cooley, Tukey 1965). */
static void fft(const double complex *in, double complex *out, long points, long step)
{
	long half = points / 2;

	if (points == 1) {
		out[0] = in[0];
		return;
	}
#pragma omp task if (points > FFT_LEAF)
	fft(in, out, half, 2 * step);
#pragma omp task if (points > FFT_LEAF)
	fft(in + step, out + half, half, 2 * step);
#pragma omp taskwait
	for (long k = 0; k < half; k++) {
		double complex even = out[k], odd = out[k + half] * fft_roots[k * step];

		out[k] = even + odd;
		out[k + half] = even - odd;
	}
}

/* Transforms one tone, whose transform has a single point that is not zero. */
static long run_fft(void *context, long n)
{
	static double complex in[FFT_POINTS], out[FFT_POINTS];
	long wrong = 0;

	(void)context;
	for (long k = 0; fft_roots[0] == 0 && k < FFT_POINTS; k++)
		in[k] = cexp(2 * M_PI * I * (double)(k * FFT_TONE % FFT_POINTS) / FFT_POINTS);
	for (long k = FFT_POINTS / 2; fft_roots[0] == 0 && k-- > 0;)
		fft_roots[k] = cexp(-2 * M_PI * I * (double)k / FFT_POINTS);
	for (long i = 0; i < n; i++) {
#pragma omp parallel
#pragma omp single
		fft(in, out, FFT_POINTS, 1);
		for (long k = 0; k < FFT_POINTS; k += FFT_TONE)
			wrong += cabs(out[k] - (k == FFT_TONE ? FFT_POINTS : 0)) > FFT_ERROR * FFT_POINTS;
	}
	return bench_verdict(wrong == 0);
}

const struct omp_entry omp_matrices[] = {
	{ "strassen", run_strassen, 1, 0 },
	{ "sparse_lu", run_sparse_lu, 1, 0 },
	{ "fft", run_fft, 1, 0 },
	{ NULL, NULL, 0, 0 },
};
