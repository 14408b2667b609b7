/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What held calls and batches ask an OpenMP runtime, if the program has one.
 *
 * This package knows no OpenMP. The package ferry-openmp registers a struct ferry_openmp here, and answers its runtime
 * by the functions of coscheduler/coscheduler.h. Both headers are installed for it, and include no other header of this
 * package.
 */
#ifndef FERRY_HASKELL_OPENMP_H
#define FERRY_HASKELL_OPENMP_H

#include <stdbool.h>
#include <stdint.h>

/* What an OpenMP runtime is asked. None of the functions blocks or calls Haskell. */
struct ferry_openmp {
	/* What ferry_coscheduler_holding returned when the outermost region around the caller was opened, or NULL. */
	void *(*held)(void);
	/* Whether the caller is a thread of a team, and not its primary thread. */
	bool (*is_worker)(void);
	/* A batch begins, and ends or is interrupted: in between a team stays awake. Only once a region was opened. */
	void (*batch_begin)(void);
	void (*batch_end)(bool is_over);
};

/*
 * Not 0 once a parallel region has been opened in this process. Written once by the OpenMP runtime; read without order.
 */
extern uint32_t ferry_openmp_opened;

/* What has been registered; else a runtime without regions. Written before main(), and read without order. */
extern const struct ferry_openmp *ferry_openmp_registered;

/* Register an OpenMP runtime, in a constructor: before Haskell runs. The struct must stay where it is. */
void ferry_openmp_register(const struct ferry_openmp *openmp);

#endif /* FERRY_HASKELL_OPENMP_H */
