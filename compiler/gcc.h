/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * GCC's own headers, and what differs between the versions 12 to 16 of it. Every file of the plugin includes this
 * first; no other one asks for a version.
 */
#ifndef FERRY_COMPILER_GCC_H
#define FERRY_COMPILER_GCC_H

/* GCC's headers forbid names that the standard library's headers use, so these come first */
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "gcc-plugin.h"
#include "plugin-version.h"

#include "tree.h"
#include "gimple.h"
#include "basic-block.h"
#include "cfganal.h"
#include "cfghooks.h"
#include "cfgloop.h"
#include "context.h"
#include "diagnostic-core.h"
#include "dominance.h"
#include "dumpfile.h"
#include "fold-const.h"
#include "gimple-iterator.h"
#include "gimple-pretty-print.h"
#include "gimple-walk.h"
#include "gimplify.h"
#include "gimplify-me.h"
#include "options.h"
#include "predict.h"
#include "ssa.h"
#include "stringpool.h"
#include "attribs.h"
#include "tree-cfg.h"
#include "tree-dfa.h"
#include "tree-eh.h"
#include "tree-into-ssa.h"
#include "tree-pass.h"
#include "tree-ssa-alias.h"
#include "tree-ssa-loop-niter.h"
#include "varasm.h"

#ifndef TARGET_SSE2
#error "this GCC compiles for another processor than x86-64, whose system calls compiler/wrappers.h has"
#endif

/* 14 moved the phase of an order into a function of its own; both give reverse post order without entry and exit */
static inline int reverse_post_order(int *order)
{
	return pre_and_rev_post_order_compute(nullptr, order, false);
}

#endif /* FERRY_COMPILER_GCC_H */
