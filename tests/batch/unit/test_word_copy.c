/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The word copy where a process is not as it was: after fork, and in a sandbox that forbids process_vm_readv(2), as
 * Podman's default profile does. What it does otherwise is pinned by the vectors, which tests/batch/test_vectors.py
 * runs in such a sandbox too.
 */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include <ferry/batch.h>

/* One word copy on `loop`: *to = *from. Returns its result. */
static long copy(void *to, const void *from)
{
	struct batch_slot slots[] = { scall2(wdcpy, 0, 0, 0, to, from) };
	long rets[1] = { 77 };

	return batch_run(&batch_executor_loop, rets, slots, 1, 0, NULL) == 0 ? rets[0] : -1;
}

/* Run `body` in a child. Returns its exit status, or -1 when it was killed. */
static int in_child(int (*body)(void))
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0)
		_exit(body());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static long from_word = 41, to_word;

static int copy_own_word(void)
{
	from_word = 43; /* the child's own; the parent's stays */
	if (copy(&to_word, &from_word) != 0)
		return 1;
	return to_word == 43 ? 0 : 2;
}

static void copies_its_own_memory_after_fork(void **state)
{
	(void)state;
	to_word = 0;
	assert_int_equal(copy(&to_word, &from_word), 0);
	assert_int_equal(to_word, 41);
	assert_int_equal(in_child(copy_own_word), 0);
	assert_int_equal(to_word, 41);
	assert_int_equal(copy(&to_word, NULL), -EFAULT);
}

static int deny_process_vm_readv(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_process_vm_readv, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(filter) / sizeof(filter[0]), filter };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

static int copy_in_sandbox(void)
{
	struct batch_slot slots[] = {
		scall2(wdcpy, 0, 0, 0, &to_word, &from_word),
		scall2(wdcpy, 1, -1, -1, &to_word, 8), /* no address: the failure jump */
		scall0(getpid, 0, 0, 0),	       /* jumped over */
		scall2(wdcpy, 0, 0, 0, 8, &from_word),
	};
	long rets[4] = { 77, 77, 77, 77 };

	if (deny_process_vm_readv())
		return 10;
	to_word = 0;
	errno = 4242;
	if (batch_run(&batch_executor_loop, rets, slots, 4, 0, NULL) != 3)
		return 11;
	if (rets[0] != 0 || to_word != from_word)
		return 12;
	if (rets[1] != -EFAULT || rets[2] != 77 || rets[3] != -EFAULT)
		return 13;
	return errno == 4242 ? 0 : 14;
}

static void copies_in_a_sandbox_that_forbids_the_call(void **state)
{
	(void)state;
	assert_int_equal(in_child(copy_in_sandbox), 0);
}

/* A signal that is blocked while a word is copied stays blocked, and no other one becomes so. */
static int copy_in_sandbox_beside_a_signal_mask(void)
{
	sigset_t blocked, after;

	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR1);
	if (deny_process_vm_readv() || sigprocmask(SIG_SETMASK, &blocked, NULL))
		return 10;
	from_word = -1;
	if (copy(&to_word, &from_word) != 0 || to_word != -1)
		return 11;
	if (copy(&to_word, (void *)8) != -EFAULT || to_word != -1)
		return 12;
	if (sigprocmask(SIG_SETMASK, NULL, &after))
		return 13;
	for (int number = 1; number < NSIG; number++)
		if (sigismember(&after, number) != (number == SIGUSR1))
			return 14;
	return 0;
}

static void a_copy_in_a_sandbox_leaves_the_signal_mask(void **state)
{
	(void)state;
	assert_int_equal(in_child(copy_in_sandbox_beside_a_signal_mask), 0);
}

static void overlapping_words_are_exact(void **state)
{
	char text[] = "0123456789abcdef";

	(void)state;
	assert_int_equal(copy(text + 1, text), 0);
	assert_string_equal(text, "0012345679abcdef");
	assert_int_equal(copy(text, text + 3), 0);
	assert_string_equal(text, "2345679a79abcdef");
}

/* Copy from `offset` bytes into memory whose end is the batch's own and the end of what is mapped. */
static long copy_from_the_end(size_t offset, int slots_at_the_end)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct batch_slot elsewhere = { 0 };
	long word = 77;
	char *end = pages + page;
	struct batch_slot *slots = slots_at_the_end ? (struct batch_slot *)end - 1 : &elsewhere;
	long *rets = slots_at_the_end ? &word : (long *)end - 1;
	long last, result;

	assert_ptr_not_equal(pages, MAP_FAILED);
	assert_int_equal(munmap(end, page), 0);
	*slots = (struct batch_slot)scall2(wdcpy, 0, 0, 0, &slots->arg[4], end - offset);
	last = batch_run(&batch_executor_loop, rets, slots, 1, 0, NULL);
	result = rets[0];
	munmap(pages, page);
	assert_int_equal(last, 0);
	return result;
}

static void a_word_over_the_end_of_the_batch_is_not_the_batchs(void **state)
{
	(void)state;
	for (int slots_at_the_end = 0; slots_at_the_end <= 1; slots_at_the_end++) {
		assert_int_equal(copy_from_the_end(8, slots_at_the_end), 0);
		for (size_t offset = 0; offset < 8; offset++)
			assert_int_equal(copy_from_the_end(offset, slots_at_the_end), -EFAULT);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(copies_its_own_memory_after_fork),
		cmocka_unit_test(copies_in_a_sandbox_that_forbids_the_call),
		cmocka_unit_test(a_copy_in_a_sandbox_leaves_the_signal_mask),
		cmocka_unit_test(a_word_over_the_end_of_the_batch_is_not_the_batchs),
		cmocka_unit_test(overlapping_words_are_exact),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
