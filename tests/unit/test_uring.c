/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening the uring executor: a kernel that has no io_uring, or forbids it, gets a clear answer. */
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "uring_world.h"

/* From now on system call `nr` of this process fails with `code`. */
static int forbid(unsigned int nr, unsigned int code)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | code),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(filter) / sizeof(filter[0]), filter };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

/* Run `body` in a child. Returns its exit status: 0 when every check held, else the number of the first that did not.
 */
static int in_child(int (*body)(void))
{
	pid_t child = fork();
	int status = 0;

	if (child == 0)
		_exit(body());
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 200;
}

static int expect_unavailable(unsigned int nr, unsigned int code)
{
	struct batch_uring_executor executor;
	struct batch_error error = { 0 };
	struct batch_slot slots[] = { scall0(getpid, 0, 0, 0) };
	long rets[] = { UNTOUCHED };

	if (forbid(nr, code))
		return 1;
	if (batch_uring_open(&executor, 0, &error) != -(int)code)
		return 2;
	if (error.code != -(int)code || error.reason != BATCH_REASON_UNAVAILABLE || error.slot != -1)
		return 3;
	if (batch_run(&executor.executor, rets, slots, 1, 0, &error) != -EOPNOTSUPP)
		return 4;
	if (error.reason != BATCH_REASON_UNAVAILABLE || error.slot != -1 || rets[0] != UNTOUCHED)
		return 5;
	if (executor.executor.run(&executor.executor, rets, slots, 1) != -EOPNOTSUPP)
		return 6;
	batch_uring_close(&executor);
	batch_uring_close(&executor);
	return 0;
}

static int without_setup(void)
{
	return expect_unavailable(__NR_io_uring_setup, ENOSYS);
}

/* what sysctl kernel.io_uring_disabled answers */
static int with_setup_forbidden(void)
{
	return expect_unavailable(__NR_io_uring_setup, EPERM);
}

static int without_enter(void)
{
	return expect_unavailable(__NR_io_uring_enter, EPERM);
}

static int without_register(void)
{
	return expect_unavailable(__NR_io_uring_register, EACCES);
}

static void a_kernel_without_io_uring_gives_a_reason(void **state)
{
	(void)state;
	assert_int_equal(in_child(without_setup), 0);
	assert_int_equal(in_child(with_setup_forbidden), 0);
	assert_int_equal(in_child(without_enter), 0);
	assert_int_equal(in_child(without_register), 0);
}

/* The ring is taken away while the executor is in use: the batch still gives its results, later ones are refused. */
static int loses_the_ring(void)
{
	struct batch_uring_executor executor;
	struct batch_error error = { 0 };
	struct world *world = &worlds[1];

	if (batch_uring_open(&executor, 0, NULL) || forbid(__NR_io_uring_enter, EPERM))
		return 1;
	memset(world, 0, sizeof(*world));
	for (size_t i = 0; i < 20; i++)
		add_chain(world, i == 3 ? "/no/such" : path_of("small"), world->buffers[i], 4000);
	if (batch_run(&executor.executor, world->rets, world->slots, world->count, 0, NULL) != 99)
		return 2;
	if (world->rets[2] != 700 || world->rets[15] != -ENOENT || world->rets[97] != 700 || world->rets[99] != 0)
		return 3;
	if (batch_run(&executor.executor, world->rets, world->slots, world->count, 0, &error) != -EOPNOTSUPP)
		return 4;
	if (error.reason != BATCH_REASON_UNAVAILABLE)
		return 5;
	batch_uring_close(&executor);
	return 0;
}

static void a_ring_taken_away_loses_nothing(void **state)
{
	(void)state;
	assert_int_equal(in_child(loses_the_ring), 0);
}

/* A process that may have few descriptors gets a smaller table, not an error. */
static int with_few_descriptors(void)
{
	struct batch_uring_executor executor;
	struct rlimit limit = { 10, 10 };
	struct world *world = &worlds[1];

	if (setrlimit(RLIMIT_NOFILE, &limit) || batch_uring_open(&executor, 0, NULL))
		return 1;
	memset(world, 0, sizeof(*world));
	for (size_t i = 0; i < 50; i++)
		add_chain(world, path_of("small"), world->buffers[i], 4000);
	if (batch_run(&executor.executor, world->rets, world->slots, world->count, 0, NULL) != 249)
		return 2;
	for (size_t i = 0; i < 50; i++)
		if (world->rets[i * 5 + 2] != 700)
			return 3;
	batch_uring_close(&executor);
	return 0;
}

static void a_low_descriptor_limit_makes_small_waves(void **state)
{
	(void)state;
	assert_int_equal(in_child(with_few_descriptors), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_kernel_without_io_uring_gives_a_reason),
		cmocka_unit_test(a_ring_taken_away_loses_nothing),
		cmocka_unit_test(a_low_descriptor_limit_makes_small_waves),
	};

	return cmocka_run_group_tests(tests, make_files, remove_files);
}
