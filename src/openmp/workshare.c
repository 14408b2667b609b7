/* SPDX-License-Identifier: BSD-3-Clause */
/* The ring of work shares. */
#include "workshare.h"
#include "team.h"

#include <stdlib.h>
#include <string.h>

void omp__workshares_reset(struct omp__workshares *shares)
{
	(void)shares;
}

void omp__workshares_free(struct omp__workshares *shares)
{
	(void)shares;
}
