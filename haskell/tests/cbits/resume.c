/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the runtime may do, and rarely or never does, when a thread takes its Capability back. The suite is
 * linked with --wrap=resumeThread, so every safe call and every primitive of cmm/ferry.cmm arrives here.
 *
 * The register table. resumeThread returns the one to use from then on, and promises nothing of the one before. The
 * runtimes of GHC 9.0 and 9.10 always give the same back, so code that goes on with the one before works there and
 * breaks with the runtime that does not. Here the register which holds it is 0 after resumeThread, although C is to
 * preserve it: who does not take what is returned crashes at once.
 *
 * A request. The moment between resumeThread and the opening of the nursery is a few nanoseconds long. A batch that
 * called runtime_ask_on_resume stays in it until the runtime has asked for the Capability:
 *
 *	this thread                             another Haskell thread, on another Capability
 *	real resumeThread returns
 *	rHpLim = not 0: what was asked before is answered
 *	gate = 1
 *	                                        sees the gate; performMajorGC asks everybody: rHpLim = 0
 *	sees rHpLim = 0, and returns
 *	LOAD_THREAD_STATE: rHpLim = the end of the block
 */
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

#include "Rts.h"

/* of the waiting thread's own CPU time: while the process is stopped, or others have the cores, it does not run out */
#define PATIENCE_S 30

#if defined(__x86_64__)
__asm__(".text\n"
	".globl __wrap_resumeThread\n"
	".type __wrap_resumeThread, @function\n"
	"__wrap_resumeThread:\n"
	"	subq $8, %rsp\n"
	"	call runtime_resume\n"
	"	addq $8, %rsp\n"
	"	xorl %r13d, %r13d\n"
	"	ret\n"
	".size __wrap_resumeThread, . - __wrap_resumeThread\n");
#elif defined(__aarch64__)
__asm__(".text\n"
	".globl __wrap_resumeThread\n"
	".type __wrap_resumeThread, %function\n"
	"__wrap_resumeThread:\n"
	"	stp x29, x30, [sp, #-16]!\n"
	"	bl runtime_resume\n"
	"	ldp x29, x30, [sp], #16\n"
	"	mov x19, #0\n"
	"	ret\n"
	".size __wrap_resumeThread, . - __wrap_resumeThread\n");
#else
StgRegTable *runtime_resume(void *token);
StgRegTable *__wrap_resumeThread(void *token);
StgRegTable *__wrap_resumeThread(void *token)
{
	return runtime_resume(token);
}
#endif

StgRegTable *__real_resumeThread(void *token);

/* opened when this thread takes its Capability back the next time, or NULL */
static __thread atomic_long *gate_on_resume;

/* A slot: when this thread takes its Capability back, open the gate, and wait until it is asked for it again. */
long runtime_ask_on_resume(atomic_long *gate)
{
	gate_on_resume = gate;
	return 0;
}

static bool patience_ends(void)
{
	struct timespec spent;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
	return spent.tv_sec >= PATIENCE_S;
}

/* A slot: wait until the gate is open, with the Capability held if it is. Returns 1, or 0 when patience ends before. */
long runtime_await(const atomic_long *gate)
{
	while (!atomic_load(gate) && !patience_ends())
		sched_yield();
	return atomic_load(gate) != 0;
}

/* Open the gate, and wait until somebody asks for the Capability with this register table. */
static void be_asked(StgRegTable *base, atomic_long *gate)
{
	unsigned long *limit = (unsigned long *)&base->rHpLim;

	/* release: who sees the gate open asks after this, so that the request is not overwritten; nobody else asks */
	__atomic_store_n(limit, ~0UL, __ATOMIC_RELAXED);
	atomic_store_explicit(gate, 1, memory_order_release);
	/* relaxed: only whether it is 0 matters, and nothing else is read after it */
	while (__atomic_load_n(limit, __ATOMIC_RELAXED) && !patience_ends())
		sched_yield();
}

/* Called by the wrapper. */
__attribute__((used)) StgRegTable *runtime_resume(void *token)
{
	StgRegTable *base = __real_resumeThread(token);
	atomic_long *gate = gate_on_resume;

	if (gate) {
		gate_on_resume = NULL;
		be_asked(base, gate);
	}
	return base;
}
