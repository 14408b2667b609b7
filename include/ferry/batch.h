/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ferry batches: an array of calls with forward jumps, made in one crossing.
 *
 * Build a batch (struct batch_builder, or the scall0…scall6 macros), verify it, run it on an executor, read the
 * results. What a batch means is written in spec/program.md and is the same on every executor.
 *
 * Conventions. Functions return >= 0, or -errno; none reads or sets errno. None of build, verify and run allocates:
 * every array belongs to the caller and must outlive the run. Arrays are in slots, so slots[count] and rets[count].
 * Functions that take a struct batch_error fill it when they fail; NULL is allowed. A batch, its results and a builder
 * may be used by one thread at a time; different batches may be used by different threads at once.
 */
#ifndef FERRY_BATCH_H
#define FERRY_BATCH_H

#include <asm/unistd.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <ferry/uapi.h>
#include <ferry/value.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define FERRY_VERSION "0.2.0"

/* ---- errors ---------------------------------------------------------------------------------------------------- */

/* Why a call was refused. `slot` is the index of the offending slot, or -1 when no single slot is at fault. */
struct batch_error {
	int code;		  /* -errno, as the refused call returned it */
	enum batch_reason reason; /* which rule was broken */
	long slot;
};

/* The sentence for a reason: what is wrong and what to do. Static storage, never NULL. */
const char *batch_reason_text(enum batch_reason reason);

/* Write "slot 3: …" into text[bytes], always terminated. Returns the length it wanted, as snprintf does. */
int batch_error_format(const struct batch_error *error, char *text, size_t bytes);

/* ---- building -------------------------------------------------------------------------------------------------- */

/*
 * A slot as an initialiser: call number by name, three jumps, arguments. Jumps: how many slots to skip when the result
 * is < 0, = 0, > 0; 0 goes on with the next slot, BATCH_STOP ends the batch. scall2(wdcpy, …, to, from) is a word copy.
 */
#define __NR_wdcpy BATCH_WORD_COPY
#ifndef __cplusplus
#define BATCH_SLOT(nr, fail, zero, positive, argc, ...)                                                                \
	((struct batch_slot){ (__s16)(nr), fail, zero, positive, argc, 0, { 0 }, { __VA_ARGS__ } })
#else
#define BATCH_SLOT(nr, fail, zero, positive, argc, ...)                                                                \
	(batch_slot{ (__s16)(nr), (__s16)(fail), (__s16)(zero), (__s16)(positive), argc, 0, {}, { __VA_ARGS__ } })
#endif
#define scall0(name, fail, zero, positive) BATCH_SLOT(__NR_##name, fail, zero, positive, 0, 0)
#define scall1(name, fail, zero, positive, a) BATCH_SLOT(__NR_##name, fail, zero, positive, 1, (long)(a))
#define scall2(name, fail, zero, positive, a, b) BATCH_SLOT(__NR_##name, fail, zero, positive, 2, (long)(a), (long)(b))
#define scall3(name, fail, zero, positive, a, b, c)                                                                    \
	BATCH_SLOT(__NR_##name, fail, zero, positive, 3, (long)(a), (long)(b), (long)(c))
#define scall4(name, fail, zero, positive, a, b, c, d)                                                                 \
	BATCH_SLOT(__NR_##name, fail, zero, positive, 4, (long)(a), (long)(b), (long)(c), (long)(d))
#define scall5(name, fail, zero, positive, a, b, c, d, e)                                                              \
	BATCH_SLOT(__NR_##name, fail, zero, positive, 5, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e))
#define scall6(name, fail, zero, positive, a, b, c, d, e, f)                                                           \
	BATCH_SLOT(__NR_##name, fail, zero, positive, 6, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e),        \
		   (long)(f))

/* A place in a batch that earlier slots jump to. Initialise with BATCH_LABEL_INIT; place it once. */
struct batch_label {
	long target;	 /* index it was placed at, or -1 */
	long pending[3]; /* last slot that jumps here on fail, zero, positive, or -1; earlier ones are chained from it
			  */
};
#define BATCH_LABEL_INIT                                                                                               \
	{                                                                                                              \
		-1,                                                                                                    \
		{                                                                                                      \
			-1, -1, -1                                                                                     \
		}                                                                                                      \
	}

/* Which of a slot's three jumps. */
enum batch_outcome { BATCH_ON_FAIL, BATCH_ON_ZERO, BATCH_ON_POSITIVE };

/*
 * Fills a caller's slot array in order. The first error sticks: later calls change nothing and return it, or values
 * that stand for it. So a program may check batch_builder_run, batch_builder_prepare or batch_builder_finish alone.
 */
struct batch_builder {
	struct batch_slot *slots;
	long *rets;
	size_t capacity;    /* slots that fit */
	size_t count;	    /* slots so far */
	long unresolved;    /* jumps to labels not placed yet */
	long joined;	    /* where the last of the labels stands to which a slot jumps */
	long settled;	    /* no jump from before this slot leads beyond it */
	long proven;	    /* a slot before `settled` that no jump passes by, or -1 */
	unsigned int batch; /* marks this batch's values */
	struct batch_error error;
};

/* Start an empty batch in slots[capacity], its results in rets[capacity]. Values of an earlier one are refused. */
void batch_builder_init(struct batch_builder *builder, struct batch_slot *slots, long *rets, size_t capacity);

/* Add call `nr` with arguments[argc], going on to the next slot whatever its result. Returns its value. */
struct batch_value batch_builder_add_arguments(struct batch_builder *builder, int nr, unsigned int argc,
					       const struct batch_argument *arguments);

/* As batch_builder_add_arguments, with words[argc] as they stand. */
struct batch_value batch_builder_call(struct batch_builder *builder, int nr, unsigned int argc, const long *words);

/* Add a word copy: *to = *from, when the slot runs. The slot's result is 0 or -errno, never the word. */
struct batch_value batch_builder_copy(struct batch_builder *builder, void *to, const void *from);

/*
 * Load the word at `from` when the slot runs, a field of a struct stat for instance, for later arguments. A load that
 * fails ends the batch, unless batch_builder_jump sends it elsewhere.
 */
struct batch_value batch_builder_load_word(struct batch_builder *builder, const void *from);

/* The value of slot `index`, for programs that count slots. */
struct batch_value batch_builder_value(struct batch_builder *builder, long index);

/* Mark the call that gives `value` as one that may take long: BATCH_SLOT_MAY_BLOCK. Returns 0, or -errno. */
int batch_builder_may_block(struct batch_builder *builder, struct batch_value value);

/* The call that gives `value` shall go to `label` on that outcome. Returns 0, or -errno. */
int batch_builder_jump(struct batch_builder *builder, struct batch_value value, enum batch_outcome outcome,
		       struct batch_label *label);

/* The call that gives `value` shall end the batch on that outcome. Returns 0, or -errno. */
int batch_builder_stop(struct batch_builder *builder, struct batch_value value, enum batch_outcome outcome);

/* Place `label` before the next slot added; one placed after the last slot ends the batch. Returns 0, or -errno. */
int batch_builder_label(struct batch_builder *builder, struct batch_label *label);

/*
 * Check that the batch is complete: nothing has failed, it has a slot, and every label to which a slot jumps was
 * placed. Returns the slot count, or -errno with *error filled.
 */
long batch_builder_finish(struct batch_builder *builder, struct batch_error *error);

/* ---- verifying and running ------------------------------------------------------------------------------------- */

/*
 * Accept a batch, or name its first bad slot and why. Returns 0, -EINVAL, -E2BIG or -EFAULT. Verified slots may still
 * fail one by one when they run: a denied call is not an error here, it gives -ENOSYS in its slot.
 */
int batch_verify(const struct batch_slot *slots, const long *rets, size_t count, unsigned long flags,
		 struct batch_error *error);

struct batch_prepared;

/*
 * What runs a batch: one struct of functions, the same for every executor. An executor with state of its own embeds
 * this as its first member. An executor without state may be used by any number of threads at once.
 */
struct batch_executor {
	const char *name;
	/*
	 * Whether this executor can carry a batch that batch_verify accepted. Returns 0, or -errno with *error naming
	 * the first slot it cannot carry. NULL: it carries everything.
	 */
	int (*check)(const struct batch_executor *executor, const struct batch_slot *slots, const long *rets,
		     size_t count, struct batch_error *error);
	/* Run a checked batch. Returns the index of the last slot that ran, or -errno when none ran. */
	long (*run)(const struct batch_executor *executor, long *rets, struct batch_slot *slots, size_t count);
	/*
	 * Run a part of a prepared batch: as batch_prepared_run_while when `go` is given, else as
	 * batch_prepared_run_some. NULL: this executor runs batches whole.
	 */
	long (*run_part)(const struct batch_prepared *prepared, size_t from, const unsigned long *go, size_t at_most);
};

/* Makes no call at all: an allowed call gives 0. Everything else is as on `loop`, so it measures the dispatch. */
extern const struct batch_executor batch_executor_null;

/* One system call per slot, straight to the kernel. Needs nothing, carries everything. */
extern const struct batch_executor batch_executor_loop;

/* What a function of a call table takes and gives; each argument is one word of the slot. */
enum batch_result_kind {
	BATCH_RESULT_LONG,  /* 64-bit integers and pointers */
	BATCH_RESULT_INT,   /* int: sign-extended */
	BATCH_RESULT_UINT,  /* unsigned int: zero-extended */
	BATCH_RESULT_VOID,  /* stores 0 */
	BATCH_RESULT_DOUBLE /* stores the bits; jumps by the value, NaN as < 0 */
};

/* One entry of a call table. An entry without an address is denied: -ENOSYS in its slot. */
struct batch_function {
	void (*address)(void);	   /* cast from the real type; it must match what follows */
	unsigned char argc;	   /* 0 to BATCH_ARGS_MAX; verified against the slot's */
	unsigned char double_mask; /* bit k set: argument k is a double, its bits in the word */
	unsigned char result;	   /* enum batch_result_kind */
	unsigned char reserved[5]; /* write zero */
	const char *name;	   /* for messages; may be NULL */
};

/* Calls C functions: slot number nr is entry nr of a table the caller keeps. */
struct batch_call_executor {
	struct batch_executor executor;
	const struct batch_function *functions;
	size_t function_count;
};

/*
 * Set up an executor over functions[function_count], which must outlive it and must not change: how slots are run is
 * chosen now, by what the functions have in common. Returns 0, or -EINVAL when an entry's argc is above BATCH_ARGS_MAX,
 * its result kind is unknown, or its double_mask names an argument that it does not take.
 */
int batch_call_executor_init(struct batch_call_executor *call, const struct batch_function *functions,
			     size_t function_count);

/* ---- io_uring -------------------------------------------------------------------------------------------------- */

/* most chains one instance keeps in flight; a longer batch runs in several waves */
#define BATCH_URING_CHAINS_MAX 1024
/* chains in flight when batch_uring_open is asked for 0 */
#define BATCH_URING_CHAINS_DEFAULT 128
/* slots of one chain, its opening slot included */
#define BATCH_URING_CHAIN_SLOTS_MAX 16
/*
 * the least result of an opening slot that io_uring carried: no process has a descriptor that large, so the result is
 * not mistaken for one
 */
#define BATCH_URING_DESCRIPTOR_BASE 0x40000000

struct batch_uring_state;

/*
 * Runs batches of chains (open, read, close) through io_uring, many chains per crossing; batch_uring_open(3) says which
 * batches those are. An instance may be used by one thread at a time, and not by a child after fork.
 */
struct batch_uring_executor {
	struct batch_executor executor;
	struct batch_uring_state *state; /* the ring, or NULL when this machine does not offer one */
};

/*
 * Set up a ring for `chains` chains in flight (0: BATCH_URING_CHAINS_DEFAULT; fewer if the descriptor limit is lower).
 * Allocates; batch_uring_close frees. Returns 0, or -errno with *error filled: BATCH_REASON_UNAVAILABLE when the kernel
 * has no io_uring or forbids it. Even then the instance may be used: it refuses every batch with that reason.
 */
int batch_uring_open(struct batch_uring_executor *uring, unsigned int chains, struct batch_error *error);

/* Free the ring. An instance that failed to open may be closed too. */
void batch_uring_close(struct batch_uring_executor *uring);

/* ---- the kernel itself ----------------------------------------------------------------------------------------- */

/*
 * from about this many system calls on, one entry costs no more instructions than they do one by one; the first number
 * is for the ioctl, the second for batch(2)
 */
#define BATCH_KERNEL_DEVICE_SLOTS_MIN 5
#define BATCH_KERNEL_SYSCALL_SLOTS_MIN 4
/* most slots of one entry when a batch is run in parts; so batch_prepared_run_while looks at *go at least so often */
#define BATCH_KERNEL_PART_SLOTS 64

/* How a batch enters the kernel. */
enum batch_kernel_way {
	BATCH_KERNEL_NONE,
	BATCH_KERNEL_DEVICE,
	BATCH_KERNEL_SYSCALL,
	BATCH_KERNEL_FIRST_DEVICE /* a module that cannot go on with a call that a signal interrupted */
};

/*
 * Runs batches inside the kernel, through the system call batch(2) where the kernel has it, else through /dev/batch;
 * batch_kernel_open(3) says more. Any number of threads may use an instance at once, and a child after fork.
 */
struct batch_kernel_executor {
	struct batch_executor executor;
	enum batch_kernel_way way;
	int fd; /* the descriptor of /dev/batch; negative unless that is the way */
};

/*
 * Find out what this kernel offers. batch_kernel_close closes what it opened. Returns 0, or -errno with *error filled:
 * BATCH_REASON_UNAVAILABLE when the kernel has neither way, or this process may not use it. Even then the instance may
 * be used: it refuses every batch with that reason. BATCH_EMUL in the environment makes everything unavailable.
 */
int batch_kernel_open(struct batch_kernel_executor *kernel, struct batch_error *error);

/* Close the device. An instance that failed to open may be closed too. */
void batch_kernel_close(struct batch_kernel_executor *kernel);

/* How batches would run: "batch(2)", "/dev/batch" or "not in the kernel". Static storage. */
const char *batch_kernel_way_text(const struct batch_kernel_executor *kernel);

/* ---- auto ------------------------------------------------------------------------------------------------------ */

/*
 * Carries everything, each batch on the executor that was measured best for its kind: `kernel` where there is one and
 * the batch has enough calls, io_uring for batches of at least BATCH_AUTO_CHAINS_MIN chains that open, read and close,
 * else `loop`. Only one thread at a time may use it if it has an io_uring instance. It may not be copied once it is
 * open.
 */
struct batch_auto_executor {
	struct batch_executor executor;
	const struct batch_executor *kernel; /* tried first when set; NULL: this machine has no `kernel` executor */
	struct batch_uring_executor uring;
	unsigned int rest; /* how many more batches are kept from io_uring, after it had to run one twice */
	struct batch_kernel_executor in_kernel;
	size_t kernel_slots_min;  /* batches of which fewer slots make a call do not go to the kernel */
	unsigned int kernel_rest; /* how many more batches are kept from the kernel, after it refused one */
	/*
	 * for each of the two: why batches do not go there, or why the last one did not; BATCH_REASON_NONE: they go
	 * there
	 */
	enum batch_reason kernel_reason, uring_reason;
	int verbose; /* report a new reason on standard error */
};

/* fewest chains per wave for which io_uring was measured to cost no more than system calls at their best */
#define BATCH_AUTO_CHAINS_MIN 16

/*
 * Choose from the executors that this machine offers. With BATCH_EMUL in the environment only `loop` is used. With
 * BATCH_VERBOSE, standard error says what was chosen, and later why an executor was given up. Allocates the ring;
 * batch_auto_close frees it. Always returns 0: an executor that is not available is simply not used.
 */
int batch_auto_open(struct batch_auto_executor *automatic);

/*
 * The same without io_uring, for a program that runs few batches, or none that reads many files: setting up a ring
 * costs more than one batch saves. Any number of threads may use this instance at once. Allocates nothing. Always
 * returns 0.
 */
int batch_auto_open_without_uring(struct batch_auto_executor *automatic);

/* Free what either of them made. */
void batch_auto_close(struct batch_auto_executor *automatic);

/* ---- running --------------------------------------------------------------------------------------------------- */

/* Verify and run. Returns the index of the last slot that ran, or -errno with *error filled when nothing ran. */
long batch_run(const struct batch_executor *executor, long *rets, struct batch_slot *slots, size_t count,
	       unsigned long flags, struct batch_error *error);

/*
 * Finish, verify and run what was built. Before that every result is set to -ECANCELED: so neither a call that does not
 * run nor a batch that is refused leaves anything that could be taken for a result. Returns as batch_run does.
 */
long batch_builder_run(struct batch_builder *builder, const struct batch_executor *executor, struct batch_error *error);

/* A batch verified once and run many times; arguments may change between runs, nr, argc and jumps may not. */
struct batch_prepared {
	const struct batch_executor *executor;
	struct batch_slot *slots;
	long *rets;
	size_t count;
};

/* Verify and check a batch for `executor`. Returns 0, or -errno with *error filled. Nothing needs to be freed. */
int batch_prepare(struct batch_prepared *prepared, const struct batch_executor *executor, long *rets,
		  struct batch_slot *slots, size_t count, unsigned long flags, struct batch_error *error);

/* Finish what was built, and batch_prepare it. The builder is not needed afterwards. */
int batch_builder_prepare(struct batch_builder *builder, struct batch_prepared *prepared,
			  const struct batch_executor *executor, struct batch_error *error);

/* Run a prepared batch. Returns as batch_run does. */
long batch_prepared_run(const struct batch_prepared *prepared);

/*
 * Running in parts, for a caller that has something else to do between slots. Both functions begin with slot `from`,
 * which is less than the slot count: 0, or where the part before paused. They return the index of the last slot that
 * ran when the batch has ended, ~next when they paused before slot `next`, and LONG_MIN when this executor runs batches
 * whole (then nothing ran).
 */

/*
 * Run for as long as *go is not 0 and the next slot is not marked BATCH_SLOT_MAY_BLOCK. *go is read before each slot,
 * atomically and relaxed: any thread, or a slot of the batch, may set it to 0. On `kernel` it is read before each
 * entry, which runs up to BATCH_KERNEL_PART_SLOTS slots.
 */
long batch_prepared_run_while(const struct batch_prepared *prepared, size_t from, const unsigned long *go);

/* Run at most `at_most` slots, and none after one that is marked BATCH_SLOT_MAY_BLOCK. */
long batch_prepared_run_some(const struct batch_prepared *prepared, size_t from, size_t at_most);

/* ---- results --------------------------------------------------------------------------------------------------- */

/*
 * The slot that ran after slot `index`, given the results of a run that ended at slot `last`; -1 after the last.
 * Results are read as words, so this is not for function batches with results of kind BATCH_RESULT_DOUBLE.
 */
long batch_result_next(const struct batch_slot *slots, const long *rets, long last, long index);

/* The index of the first slot that ran and failed, or -1 when none did. */
long batch_result_failed(const struct batch_slot *slots, const long *rets, long last);

/* The version of the library that is linked, like FERRY_VERSION. */
const char *ferry_version(void);

#include <ferry/add.h>
#include <ferry/typed.h>

#include <ferry/list.h>

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif /* FERRY_BATCH_H */
