/* SPDX-License-Identifier: BSD-3-Clause */
/* The sum of a matrix, its rows shared among a team: the parallel loop of reports.py, which loads it as a library. */
__attribute__((visibility("default"))) double sum_rows(const double *values, long rows, long columns);

double sum_rows(const double *values, long rows, long columns)
{
	double sum = 0;

#pragma omp parallel for reduction(+ : sum)
	for (long i = 0; i < rows; i++) {
		for (long j = 0; j < columns; j++)
			sum += values[i * columns + j];
	}
	return sum;
}
