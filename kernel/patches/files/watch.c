/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* The watchers that a call can be shown to; see the comment at the top. */
#define BATCH_SHOWN                                                                                \
	(SYSCALL_WORK_SECCOMP | SYSCALL_WORK_SYSCALL_TRACEPOINT | SYSCALL_WORK_SYSCALL_AUDIT)

/*
 * A task has one audit record at a time. That of batch() ends where those of its calls begin, and
 * another begins behind them, which has the result of batch().
 */
static void batch_watch_begin(void)
{
	if (audit_context())
		__audit_syscall_exit(true, 0);
}

static void batch_watch_enter_audit(struct pt_regs *regs)
{
	unsigned long args[6];

	syscall_get_arguments(current, regs, args);
	audit_syscall_entry(syscall_get_nr(current, regs), args[0], args[1], args[2], args[3]);
}

static void batch_watch_end(void)
{
	if (audit_context())
		batch_watch_enter_audit(current_pt_regs());
}

static bool batch_watch_allows(const struct batch_frame *frame, unsigned int nr)
{
	struct seccomp_data data;
	unsigned long args[6];

	if (!test_syscall_work(SECCOMP))
		return true;
	/* as populate_seccomp_data() does */
	data.nr = nr;
	data.arch = syscall_get_arch(current);
	data.instruction_pointer = KSTK_EIP(current);
	syscall_get_arguments(current, (struct pt_regs *)&frame->regs, args);
	for (int i = 0; i < ARRAY_SIZE(args); i++)
		data.args[i] = args[i];
	return seccomp_allows(&data);
}

/* As syscall_trace_enter() and syscall_exit_work() tell of a call. */
static noinline long batch_watch_tell(const struct batch_frame *frame, unsigned int nr)
{
	struct pt_regs regs;
	long result;

	arch_batch_show(frame, nr, &regs);
	if (test_syscall_work(SYSCALL_TRACEPOINT))
		trace_sys_enter(&regs, nr);
	if (audit_context())
		batch_watch_enter_audit(&regs);
	result = arch_batch_call(frame, nr);
	syscall_set_return_value(current, &regs, 0, result);
	audit_syscall_exit(&regs);
	if (test_syscall_work(SYSCALL_TRACEPOINT))
		trace_sys_exit(&regs, result);
	return result;
}

static long batch_watch_call(const struct batch_frame *frame, unsigned int nr)
{
	if (unlikely(READ_ONCE(current_thread_info()->syscall_work) & ~SYSCALL_WORK_SECCOMP))
		return batch_watch_tell(frame, nr);
	return arch_batch_call(frame, nr);
}
