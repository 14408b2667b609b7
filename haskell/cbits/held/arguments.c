/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls of C functions with any number of words, doubles and floats, in any order, for those that do not fit the
 * registers that cmm/foreign.cmm fills. Ferry.Internal.Foreign writes the arguments into a struct spread_call; this
 * file puts them where the processor's calling convention wants them (System V's for x86-64, AAPCS64 for aarch64): the
 * first words and the first floating point numbers into registers, counted apart, the rest in order onto the stack,
 * eight bytes each. A float lies in the low half of its eight bytes.
 *
 * What may go wrong: structs by value and variable arguments are passed in another way; Ferry.Internal.Foreign accepts
 * no type with them. What may be changed: the C part freely; the assembly may use only registers that every called
 * function may overwrite, and those that it saves first.
 */
#include <stddef.h>
#include <stdint.h>

#include "Rts.h"

enum {
#if defined(__x86_64__)
	WORD_REGISTERS = 6,
#else
	WORD_REGISTERS = 8,
#endif
	NUMBER_REGISTERS = 8,
};

/* Ferry.Internal.Foreign writes and reads these fields at the same offsets. */
struct spread_call {
	void *function;
	uint64_t count;
	/* the function's result is in one of these two */
	uint64_t word;
	uint64_t number;
	struct {
		uint64_t is_number;
		uint64_t bits;
	} arguments[];
};

_Static_assert(offsetof(struct spread_call, word) == 16 && offsetof(struct spread_call, number) == 24 &&
		       offsetof(struct spread_call, arguments) == 32,
	       "Ferry.Internal.Foreign has other places");

struct register_file {
	uint64_t words[WORD_REGISTERS];
	uint64_t numbers[NUMBER_REGISTERS];
};

/*
 * Copy `stack` onto the stack, load the registers, and call the function. Writes the word and the number that the
 * function may have returned to results[0] and results[1].
 */
void ferry_spread_call(const struct register_file *registers, const uint64_t *stack, size_t stack_count, void *function,
		       uint64_t *results);

#if defined(__x86_64__)
__asm__(".text\n"
	".globl ferry_spread_call\n"
	".hidden ferry_spread_call\n"
	".type ferry_spread_call, @function\n"
	"ferry_spread_call:\n"
	"	.cfi_startproc\n"
	"	pushq %rbp\n"
	"	.cfi_def_cfa_offset 16\n"
	"	.cfi_offset %rbp, -16\n"
	"	movq %rsp, %rbp\n"
	"	.cfi_def_cfa_register %rbp\n"
	"	pushq %rbx\n"
	"	.cfi_offset %rbx, -24\n"
	"	subq $8, %rsp\n"
	"	movq %rdi, %r10\n"
	"	movq %rcx, %r11\n"
	"	movq %r8, %rbx\n"
	/* an even number of places, so that the stack stays aligned to 16 bytes */
	"	leaq 1(%rdx), %rax\n"
	"	andq $-2, %rax\n"
	"	shlq $3, %rax\n"
	"	subq %rax, %rsp\n"
	"	xorl %eax, %eax\n"
	"1:	cmpq %rdx, %rax\n"
	"	jae 2f\n"
	"	movq (%rsi,%rax,8), %rcx\n"
	"	movq %rcx, (%rsp,%rax,8)\n"
	"	incq %rax\n"
	"	jmp 1b\n"
	"2:	movsd 48(%r10), %xmm0\n"
	"	movsd 56(%r10), %xmm1\n"
	"	movsd 64(%r10), %xmm2\n"
	"	movsd 72(%r10), %xmm3\n"
	"	movsd 80(%r10), %xmm4\n"
	"	movsd 88(%r10), %xmm5\n"
	"	movsd 96(%r10), %xmm6\n"
	"	movsd 104(%r10), %xmm7\n"
	"	movq (%r10), %rdi\n"
	"	movq 8(%r10), %rsi\n"
	"	movq 16(%r10), %rdx\n"
	"	movq 24(%r10), %rcx\n"
	"	movq 32(%r10), %r8\n"
	"	movq 40(%r10), %r9\n"
	"	call *%r11\n"
	"	movq %rax, (%rbx)\n"
	"	movsd %xmm0, 8(%rbx)\n"
	"	leaq -8(%rbp), %rsp\n"
	"	popq %rbx\n"
	"	popq %rbp\n"
	"	.cfi_def_cfa %rsp, 8\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size ferry_spread_call, . - ferry_spread_call\n");
#elif defined(__aarch64__)
__asm__(".text\n"
	".globl ferry_spread_call\n"
	".hidden ferry_spread_call\n"
	".type ferry_spread_call, %function\n"
	"ferry_spread_call:\n"
	"	.cfi_startproc\n"
	"	stp x29, x30, [sp, #-32]!\n"
	"	.cfi_def_cfa_offset 32\n"
	"	.cfi_offset x29, -32\n"
	"	.cfi_offset x30, -24\n"
	"	mov x29, sp\n"
	"	.cfi_def_cfa_register x29\n"
	"	str x19, [x29, #16]\n"
	"	.cfi_offset x19, -16\n"
	"	mov x19, x4\n"
	"	mov x9, x3\n"
	"	mov x10, x0\n"
	"	add x11, x2, #1\n"
	"	and x11, x11, #-2\n"
	"	sub sp, sp, x11, uxtx #3\n"
	"	mov x12, #0\n"
	"1:	cmp x12, x2\n"
	"	b.hs 2f\n"
	"	ldr x13, [x1, x12, lsl #3]\n"
	"	str x13, [sp, x12, lsl #3]\n"
	"	add x12, x12, #1\n"
	"	b 1b\n"
	"2:	ldp d0, d1, [x10, #64]\n"
	"	ldp d2, d3, [x10, #80]\n"
	"	ldp d4, d5, [x10, #96]\n"
	"	ldp d6, d7, [x10, #112]\n"
	"	ldp x0, x1, [x10]\n"
	"	ldp x2, x3, [x10, #16]\n"
	"	ldp x4, x5, [x10, #32]\n"
	"	ldp x6, x7, [x10, #48]\n"
	"	blr x9\n"
	"	str x0, [x19]\n"
	"	str d0, [x19, #8]\n"
	"	mov sp, x29\n"
	"	ldr x19, [x29, #16]\n"
	"	ldp x29, x30, [sp], #32\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size ferry_spread_call, . - ferry_spread_call\n");
#else
#error "ferry does not know how this processor's calling convention passes arguments: add it to arguments.c"
#endif

/* Ferry.Internal.Foreign calls this by a held call, so the C function runs as a part of that call. */
void ferry_spread(struct spread_call *call);
void ferry_spread(struct spread_call *call)
{
	struct register_file registers = { 0 };
	uint64_t stack[call->count + 1];
	size_t words = 0, numbers = 0, places = 0;

	for (uint64_t i = 0; i < call->count; i++) {
		uint64_t bits = call->arguments[i].bits;

		if (call->arguments[i].is_number && numbers < NUMBER_REGISTERS)
			registers.numbers[numbers++] = bits;
		else if (!call->arguments[i].is_number && words < WORD_REGISTERS)
			registers.words[words++] = bits;
		else
			stack[places++] = bits;
	}
	ferry_spread_call(&registers, stack, places, call->function, &call->word);
}
