/* SPDX-License-Identifier: BSD-3-Clause */
/* See self.h. */
#include "ingress/self/self.h"

__thread struct ingress__self ingress__self;
