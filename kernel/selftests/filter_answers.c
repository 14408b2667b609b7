// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whatever a seccomp filter answers about a call of a batch does to it what it does to a call
 * that is made by itself. Each answer is given about mkdir, once made directly and once in the
 * middle of a batch; the two must look the same to the process, to the one that waits for it,
 * and to its tracer or supervisor.
 */
#include "batch_test.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <ucontext.h>

#ifndef SECCOMP_USER_NOTIF_FLAG_CONTINUE
#define SECCOMP_USER_NOTIF_FLAG_CONTINUE 1UL
#endif

#define FOLDER "/tmp/batch-answered"
#define MODE 0700
#define NOT_HERE 77

/* How the call is made. */
enum way { DIRECTLY, IN_A_BATCH };

/* What came of the call, in memory that the process which makes it shares with the test. */
struct outcome {
	long result;  /* of mkdir */
	long behind;  /* of the call behind it */
	bool was_hit; /* the signal's handler ran, and found the call in its registers */
};

static struct outcome *outcome;
static enum way way;

/* Have a filter answer that about mkdir, and allow all else. Returns seccomp's result. */
static int answer(unsigned int action, unsigned int flags)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mkdir, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MODE, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, action),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = { ARRAY_SIZE(code), code };

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
}

/*
 * Make the call, and one behind it. Returns an exit status: whether what stood before it was
 * made.
 */
static int make(void)
{
	struct batch_slot slots[4];
	long rets[4];

	if (way == DIRECTLY) {
		const struct batch_slot call = slot(SYS_mkdir, 2, (long)FOLDER, MODE, 0);

		outcome->result = directly(&call);
		outcome->behind = getppid();
		return 0;
	}
	fill(slots, rets, 4);
	slots[1] = slot(SYS_mkdir, 2, (long)FOLDER, MODE, 0);
	if (run(slots, rets, 4) != 3)
		return 1;
	outcome->result = rets[1];
	outcome->behind = rets[2];
	return rets[0] == getppid() && rets[3] == getppid() ? 0 : 2;
}

static int with(unsigned int action)
{
	return answer(action, 0) ? NOT_HERE : make();
}

static int errno_answer(void)
{
	return with(SECCOMP_RET_ERRNO | EXDEV);
}

static int log_answer(void)
{
	return with(SECCOMP_RET_LOG);
}

static int allow_answer(void)
{
	return with(SECCOMP_RET_ALLOW);
}

static int kill_process_answer(void)
{
	return with(SECCOMP_RET_KILL_PROCESS);
}

static int kill_thread_answer(void)
{
	return with(SECCOMP_RET_KILL_THREAD);
}

static int trap_without_handler(void)
{
	return with(SECCOMP_RET_TRAP | 5);
}

/* Nobody traces the process, and the call does not exist then. */
static int trace_without_tracer(void)
{
	return with(SECCOMP_RET_TRACE | 7);
}

static void on_trap(int signal, siginfo_t *info, void *context)
{
	greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;

	outcome->was_hit = signal == SIGSYS && info->si_syscall == SYS_mkdir &&
			   info->si_errno == 5 && registers[REG_RAX] == SYS_mkdir &&
			   registers[REG_RDI] == (greg_t)FOLDER && registers[REG_RSI] == MODE;
	registers[REG_RAX] = -ENOTEMPTY;
}

/* The handler is shown the call's registers, and says what the call returns. */
static int trap_with_handler(void)
{
	const struct sigaction action = { .sa_sigaction = on_trap, .sa_flags = SA_SIGINFO };

	sigaction(SIGSYS, &action, NULL);
	return with(SECCOMP_RET_TRAP | 5);
}

/* The supervisor is a child that has the listener by inheritance. It answers once. */
static int supervised(unsigned int flags, int error)
{
	int listener = answer(SECCOMP_RET_USER_NOTIF, SECCOMP_FILTER_FLAG_NEW_LISTENER);
	pid_t supervisor;
	int status;

	if (listener < 0)
		return NOT_HERE;
	supervisor = fork();
	if (supervisor == 0) {
		struct seccomp_notif asked = { 0 };
		struct seccomp_notif_resp said = { .error = error, .flags = flags };
		bool right;

		if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &asked))
			_exit(1);
		right = asked.data.nr == SYS_mkdir && asked.data.args[0] == (unsigned long)FOLDER &&
			asked.data.args[1] == MODE && asked.pid == (unsigned int)getppid();
		said.id = asked.id;
		said.val = flags || error ? 0 : 4711;
		_exit(ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &said) || !right);
	}
	status = make();
	if (status)
		return status;
	waitpid(supervisor, &status, 0);
	return status ? 3 : 0;
}

static int supervisor_that_answers(void)
{
	return supervised(0, 0);
}

static int supervisor_that_refuses(void)
{
	return supervised(0, -ENFILE);
}

static int supervisor_that_lets_it_go_on(void)
{
	return supervised(SECCOMP_USER_NOTIF_FLAG_CONTINUE, 0);
}

static int for_a_tracer(void)
{
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		return NOT_HERE;
	raise(SIGSTOP);
	return with(SECCOMP_RET_TRACE | 7);
}

/*
 * A tracer that waits for the filter's calls alone: it skips the call, and says what it
 * returns.
 */
static int traced(void)
{
	int status, events = 0;
	pid_t child = fork();

	if (child == 0)
		_exit(for_a_tracer());
	waitpid(child, &status, 0);
	ptrace(PTRACE_SETOPTIONS, child, NULL, (void *)PTRACE_O_TRACESECCOMP);
	while (WIFSTOPPED(status)) {
		if (status >> 8 == (SIGTRAP | PTRACE_EVENT_SECCOMP << 8)) {
			struct user_regs_struct registers;
			unsigned long message = 0;

			ptrace(PTRACE_GETREGS, child, NULL, &registers);
			ptrace(PTRACE_GETEVENTMSG, child, NULL, &message);
			events += message == 7 && registers.orig_rax == SYS_mkdir &&
				  registers.rdi == (unsigned long)FOLDER && registers.rsi == MODE;
			registers.orig_rax = (unsigned long)-1;
			registers.rax = (unsigned long)-EXFULL;
			ptrace(PTRACE_SETREGS, child, NULL, &registers);
		}
		ptrace(PTRACE_CONT, child, NULL, NULL);
		waitpid(child, &status, 0);
	}
	if (WIFEXITED(status) && WEXITSTATUS(status))
		return WEXITSTATUS(status);
	return events == 1 ? 0 : 4;
}

/*
 * Make the call in one way in a child of its own. Returns its wait status; *came is what
 * came of it.
 */
static int observe(int (*body)(void), enum way by, struct outcome *came, bool *made)
{
	int status;

	way = by;
	*outcome = (struct outcome){ UNTOUCHED, UNTOUCHED, false };
	status = in_child(body);
	*came = *outcome;
	*made = rmdir(FOLDER) == 0;
	return status;
}

static void compare(int (*body)(void), const char *name, long result, bool is_made)
{
	struct outcome direct, batched;
	bool direct_made, batched_made, good;
	int direct_status = observe(body, DIRECTLY, &direct, &direct_made);
	int status = observe(body, IN_A_BATCH, &batched, &batched_made);

	if (WIFEXITED(direct_status) && WEXITSTATUS(direct_status) == NOT_HERE) {
		skip(name, "this kernel does not have it");
		return;
	}
	good = status == direct_status && direct.result == result && batched.result == result &&
	       direct_made == is_made && batched_made == is_made &&
	       batched.was_hit == direct.was_hit &&
	       (batched.behind == UNTOUCHED) == (direct.behind == UNTOUCHED);
	if (!good)
		printf("# wait status 0x%x, result %ld, %s, %s; directly 0x%x, %ld, %s, %s\n",
		       (unsigned int)status, batched.result, batched_made ? "made" : "not made",
		       batched.was_hit ? "hit" : "not hit", (unsigned int)direct_status,
		       direct.result, direct_made ? "made" : "not made",
		       direct.was_hit ? "hit" : "not hit");
	report(good, "a filter's answer: %s", name);
}

int main(void)
{
	outcome = mmap(NULL, sizeof(*outcome), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		       -1, 0);
	if (outcome == MAP_FAILED)
		return 1;
	for_each_front_end() {
		/* there the batch of a thread with a filter is refused as a whole: watched.c */
		if (front_end == BY_DEVICE) {
			skip("a filter's answers",
			     "the device shows no filter the calls of a batch");
			continue;
		}
		compare(allow_answer, "allow", 0, true);
		compare(log_answer, "log", 0, true);
		compare(errno_answer, "an errno", -EXDEV, false);
		compare(trace_without_tracer, "a tracer that is not there", -ENOSYS, false);
		compare(traced, "a tracer", -EXFULL, false);
		compare(trap_with_handler, "a signal", -ENOTEMPTY, false);
		compare(trap_without_handler, "a signal that kills", UNTOUCHED, false);
		compare(kill_thread_answer, "kill the thread", UNTOUCHED, false);
		compare(kill_process_answer, "kill the process", UNTOUCHED, false);
		compare(supervisor_that_answers, "a supervisor, which answers", 4711, false);
		compare(supervisor_that_refuses, "a supervisor, which refuses", -ENFILE, false);
		compare(supervisor_that_lets_it_go_on, "a supervisor, which lets it go on", 0,
			true);
	}
	return finish();
}
