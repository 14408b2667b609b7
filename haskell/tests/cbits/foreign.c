/* SPDX-License-Identifier: BSD-3-Clause */
/* For Ferry.ForeignSpec: functions of every type, with more arguments than registers, and some that take long. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/membarrier.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "held/retake.h"

#define SAME(name, type)                                                                                               \
	type foreign_##name(type value);                                                                               \
	type foreign_##name(type value)                                                                                \
	{                                                                                                              \
		return value;                                                                                          \
	}

SAME(int8, int8_t)
SAME(int16, int16_t)
SAME(int32, int32_t)
SAME(int64, int64_t)
SAME(word8, uint8_t)
SAME(word16, uint16_t)
SAME(word32, uint32_t)
SAME(word64, uint64_t)
SAME(float, float)
SAME(double, double)
SAME(bool, bool)
SAME(int, int)
SAME(pointer, void *)

/* A result that is narrower than a register leaves bits in it that belong to nobody. */
uint64_t foreign_rubbish(uint64_t value)
{
	return value | 0xabcdef0100000000;
}

/* Every argument with a weight of its own, so that no two can change places. */
double foreign_mixed(int8_t a, double b, float c, uint16_t d, long e, long f, long g, long h, int32_t i, float j,
		     double k, double l, double m, double n, double o, double p, float q, long r, double s, float t)
{
	return a + b * 2 + c * 3 + d * 4 + (double)e * 5 + (double)f * 6 + (double)g * 7 + (double)h * 8 + i * 9 +
	       j * 10 + k * 11 + l * 12 + m * 13 + n * 14 + o * 15 + p * 16 + q * 17 + (double)r * 18 + s * 19 + t * 20;
}

float foreign_floats(float a, long b, float c, long d, float e)
{
	return a + (float)b * 2 + c * 3 + (float)d * 4 + e * 5;
}

long foreign_six(long a, long b, long c, long d, long e, long f)
{
	return a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6;
}

static long counter;

void foreign_count(void)
{
	counter++;
}

long foreign_counted(void)
{
	return counter;
}

/* Sleep so long, whatever signals come; then set errno. */
int foreign_fail(long ns)
{
	struct timespec left = { .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };

	while (clock_nanosleep(CLOCK_MONOTONIC, 0, &left, &left))
		;
	errno = ENOTTY;
	return -1;
}

/* Sleep so long, or until a signal comes: 0, or EINTR. */
int foreign_sleep(long ns)
{
	return clock_nanosleep(CLOCK_MONOTONIC, 0,
			       &(struct timespec){ .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 }, NULL);
}

long foreign_back(long (*back)(long), long value)
{
	return back(value) + 1;
}

static _Atomic uint32_t *claim;

/*
 * Call back twice. A thread that wanted the Capability of an earlier call, or of one that the callback made, has
 * claimed this one and loses its processor: once before the second callback and once before the end.
 */
long foreign_back_claimed(long (*back)(long), long value)
{
	long result = back(value);

	claim = &ferry_held_own->claim;
	atomic_store(claim, FERRY_CLAIMED);
	result = back(result);
	atomic_store(claim, FERRY_CLAIMED);
	return result;
}

/* That thread goes on: what has become of its claim. */
unsigned foreign_withdraw(void)
{
	return atomic_exchange(claim, FERRY_UNCLAIMED);
}

unsigned foreign_given_up(void)
{
	return ferry_held_given_up_count();
}

/* From here on the process has a system without membarrier: 0, or -1 where the package has asked for it already. */
int foreign_without_barrier(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_membarrier, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(filter) / sizeof(*filter), filter };

	if (atomic_load(&ferry_held_possible) >= 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
}

/* Whether the process has asked the system for membarrier, but has made no call yet. */
int foreign_is_prepared(void)
{
	return atomic_load(&ferry_held_possible) < 0 &&
	       syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
}

/* Whether calls are held, once the package has found out. */
int foreign_is_possible(void)
{
	return atomic_load(&ferry_held_possible);
}
