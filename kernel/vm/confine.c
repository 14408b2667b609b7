// SPDX-License-Identifier: GPL-2.0-only
/*
 * confine [--by-arguments] PROGRAM [ARGUMENT]...: run a program under a seccomp filter like those of container engines.
 *
 * The filter is a list of what is allowed, in the order of the numbers, as libseccomp writes it: a comparison and an
 * answer for each call. It allows batch(2), and what is not for an ordinary program gives EPERM: calls that load code
 * into the kernel, mount, set the clock, reboot, trace the machine, or enter io_uring, which no filter sees into. Three
 * calls depend on their arguments, as there: personality, clone and socket.
 *
 * The kernel does not run a filter for calls that it allows whatever their arguments are: it keeps a list of these.
 * With --by-arguments the filter first loads an argument, and so is run for every call.
 */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/batch.h>

/* the last number of Linux 6.12 */
#define NR_LAST 462
#define STATEMENTS_MAX 4096
#define NAMESPACES                                                                                 \
	(CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | \
	 CLONE_NEWCGROUP)

#define FIELD(name) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, name))
#define ANSWER(what) BPF_STMT(BPF_RET | BPF_K, what)
#define REFUSED (SECCOMP_RET_ERRNO | EPERM)

static const int refused[] = {
	SYS_syslog,
	SYS_ptrace,
	SYS_uselib,
	SYS_ustat,
	SYS_sysfs,
	SYS_vhangup,
	SYS_pivot_root,
	SYS__sysctl,
	SYS_adjtimex,
	SYS_acct,
	SYS_settimeofday,
	SYS_mount,
	SYS_umount2,
	SYS_swapon,
	SYS_swapoff,
	SYS_reboot,
	SYS_sethostname,
	SYS_setdomainname,
	SYS_iopl,
	SYS_ioperm,
	SYS_create_module,
	SYS_init_module,
	SYS_delete_module,
	SYS_get_kernel_syms,
	SYS_query_module,
	SYS_quotactl,
	SYS_nfsservctl,
	SYS_clock_settime,
	SYS_mbind,
	SYS_set_mempolicy,
	SYS_get_mempolicy,
	SYS_kexec_load,
	SYS_add_key,
	SYS_request_key,
	SYS_keyctl,
	SYS_migrate_pages,
	SYS_move_pages,
	SYS_perf_event_open,
	SYS_fanotify_init,
	SYS_open_by_handle_at,
	SYS_clock_adjtime,
	SYS_setns,
	SYS_kcmp,
	SYS_finit_module,
	SYS_kexec_file_load,
	SYS_bpf,
	SYS_userfaultfd,
	SYS_io_uring_setup,
	SYS_io_uring_enter,
	SYS_io_uring_register,
	SYS_unshare,
	SYS_lookup_dcookie,
	SYS_open_tree,
	SYS_move_mount,
	SYS_fsopen,
	SYS_fsconfig,
	SYS_fsmount,
	SYS_fspick,
	SYS_clone3,
};

static struct sock_filter code[STATEMENTS_MAX];
static unsigned short length;

static void add(struct sock_filter statement)
{
	if (length == STATEMENTS_MAX) {
		fprintf(stderr, "confine: the filter is longer than %d statements\n",
			STATEMENTS_MAX);
		exit(125);
	}
	code[length++] = statement;
}

static bool is_refused(int nr)
{
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		if (refused[i] == nr)
			return true;
	return false;
}

static void allow(int nr)
{
	add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned int)nr, 0, 1));
	add((struct sock_filter)ANSWER(SECCOMP_RET_ALLOW));
}

/* Allow a call if a jump on its first argument says so, which skips one statement where it does not. */
static void allow_by_argument(int nr, struct sock_filter jump)
{
	add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned int)nr, 0, 4));
	add((struct sock_filter)FIELD(args[0]));
	add(jump);
	add((struct sock_filter)ANSWER(SECCOMP_RET_ALLOW));
	add((struct sock_filter)ANSWER(REFUSED));
}

static void write_filter(bool by_arguments)
{
	if (by_arguments)
		add((struct sock_filter)FIELD(args[0]));
	add((struct sock_filter)FIELD(arch));
	add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0));
	add((struct sock_filter)ANSWER(SECCOMP_RET_KILL_PROCESS));
	add((struct sock_filter)FIELD(nr));
	for (int nr = 0; nr <= NR_LAST; nr++) {
		if (nr == SYS_personality)
			allow_by_argument(nr,
					  (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
								       0xffffffff, 0, 1));
		else if (nr == SYS_clone)
			allow_by_argument(nr,
					  (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K,
								       NAMESPACES, 1, 0));
		else if (nr == SYS_socket)
			allow_by_argument(nr,
					  (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
								       AF_VSOCK, 1, 0));
		else if (!is_refused(nr))
			allow(nr);
	}
	allow(BATCH_SYSCALL_NR);
	add((struct sock_filter)ANSWER(REFUSED));
}

int main(int argc, char **argv)
{
	bool by_arguments = argc > 1 && !strcmp(argv[1], "--by-arguments");
	struct sock_fprog program = { .filter = code };

	argv += 1 + by_arguments;
	if (!*argv) {
		fprintf(stderr, "Usage: confine [--by-arguments] PROGRAM [ARGUMENT]...\n");
		return 125;
	}
	(void)argc;
	write_filter(by_arguments);
	program.len = length;
	/* the library does not try what a filter may kill for, unless it is told that this one does not */
	if (setenv("BATCH_FILTERED", "1", 1) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program)) {
		perror("confine: the filter cannot be put up");
		return 125;
	}
	execvp(*argv, argv);
	perror(*argv);
	return 126;
}
