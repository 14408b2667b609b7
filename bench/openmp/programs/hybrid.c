/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI and OpenMP at once, with MPI_THREAD_MULTIPLE: all threads of all ranks pass numbers round the ranks at the same
 * time, and tasks of the same team add the numbers that arrive. Prints the sum over all ranks.
 */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

#define ROUNDS 200

/* Send a number on and take the one from the rank before, on this thread's own tag. */
static long pass_round(int rank, int ranks, long value)
{
	int tag = omp_get_thread_num();
	long arrived;

	for (int round = 0; round < ROUNDS; round++) {
		MPI_Sendrecv(&value, 1, MPI_LONG, (rank + 1) % ranks, tag, &arrived, 1, MPI_LONG,
			     (rank + ranks - 1) % ranks, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		value = arrived + 1;
	}
	return value;
}

int main(int argc, char **argv)
{
	int provided, rank, ranks;
	long sum = 0, total = 0;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	if (provided != MPI_THREAD_MULTIPLE) {
		fprintf(stderr, "hybrid: this MPI has no MPI_THREAD_MULTIPLE\n");
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
#pragma omp parallel
	{
		long value = pass_round(rank, ranks, 1000L * rank + omp_get_thread_num());

#pragma omp task firstprivate(value)
#pragma omp atomic
		sum += value;
	}
	MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%d ranks, sum %ld\n", ranks, total);
	MPI_Finalize();
	return 0;
}
