/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions, worksharing, reductions and synchronisation, printed so that no order shows. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int threadprivate = 7;
#pragma omp threadprivate(threadprivate)

static void regions(void)
{
	int sum = 0, inner = 0, levels = 0;

#pragma omp parallel num_threads(4) reduction(+ : sum, inner, levels)
	{
		sum += omp_get_thread_num() + 10 * omp_get_num_threads();
#pragma omp parallel num_threads(2) reduction(+ : inner, levels)
		{
			inner += omp_get_thread_num() + omp_get_num_threads();
			levels += omp_get_level();
		}
	}
	printf("nested %d %d %d\n", sum, inner, levels);
	sum = 0;
#pragma omp parallel if (0) reduction(+ : sum)
	{
		sum += omp_get_num_threads() + omp_in_parallel() + omp_get_level();
#pragma omp parallel if (0) reduction(+ : sum)
		sum += 100 * omp_get_level();
	}
	printf("serialized %d level %d\n", sum, omp_get_level());
}

/* More variables than fit into registers. */
static void many_variables(void)
{
	long a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9, j = 10, k = 11, l = 12;
	long p = 13, q = 14, r = 15, s = 16, t = 17, u = 18, v = 19, w = 20, sum = 0;

#pragma omp parallel num_threads(3) reduction(+ : sum)
	sum += a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k + 12 * l + 13 * p +
	       14 * q + 15 * r + 16 * s + 17 * t + 18 * u + 19 * v + 20 * w;
	printf("many %ld\n", sum);
}

#define TEXT(...) #__VA_ARGS__
#define PRAGMA(...) _Pragma(TEXT(__VA_ARGS__))
#define LOOP(type, schedule_clause, first, condition, step)                                                            \
	do {                                                                                                           \
		unsigned long long sum = 0, count = 0, last = 0;                                                       \
		PRAGMA(omp parallel num_threads(4))                                                                    \
		{                                                                                                      \
			PRAGMA(omp for schedule schedule_clause reduction(+ : sum, count) lastprivate(last))           \
			for (type i = (first); condition; step) {                                                      \
				sum += (unsigned long long)i;                                                          \
				count++;                                                                               \
				last = (unsigned long long)i;                                                          \
			}                                                                                              \
		}                                                                                                      \
		printf("%s %s %llu %llu %llu\n", #type, #schedule_clause, sum, count, last);                           \
	} while (0)

#define LOOPS(kind)                                                                                                    \
	LOOP(int, kind, -50, i < 1000, i += 3);                                                                        \
	LOOP(int, kind, 1000, i > -7, i -= 2);                                                                         \
	LOOP(unsigned, kind, 5, i < 4000000000u, i += 40000001u);                                                      \
	LOOP(long, kind, -5000000000, i < 5000000000, i += 12345678);                                                  \
	LOOP(unsigned long, kind, 3, i < 18000000000000000000ul, i += 180000000000000001ul);                           \
	LOOP(int, kind, 0, i < 3, i++);                                                                                \
	LOOP(int, kind, 0, i < 0, i++)

/* No dynamic loop without monotonic: libomp 14 loses the value of lastprivate there. */
static void loops(void)
{
	LOOPS((static));
	LOOPS((static, 1));
	LOOPS((static, 7));
	LOOPS((monotonic : dynamic));
	LOOPS((monotonic : dynamic, 5));
	LOOPS((guided));
	LOOPS((guided, 4));
	LOOPS((auto));
	LOOPS((runtime));
}

static void ordered(void)
{
	int next = 0, wrong = 0;

#pragma omp parallel for ordered schedule(dynamic, 3) num_threads(4)
	for (int i = 0; i < 200; i++) {
#pragma omp ordered
		wrong += next++ != i;
	}
	printf("ordered dynamic %d %d\n", next, wrong);
	next = 0;
#pragma omp parallel for ordered schedule(static) num_threads(4)
	for (int i = 0; i < 200; i++) {
		if (i % 3)
			continue;
#pragma omp ordered
		wrong += next++ != i / 3;
	}
	printf("ordered static %d %d\n", next, wrong);
}

enum { ROWS = 40, COLUMNS = 30 };

static void doacross(void)
{
	static long cell[ROWS][COLUMNS];

#pragma omp parallel num_threads(4)
#pragma omp for ordered(2) schedule(dynamic)
	for (int i = 1; i < ROWS; i++)
		for (int j = 1; j < COLUMNS; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
			cell[i][j] = (cell[i - 1][j] + cell[i][j - 1] + i * j) % 1000003;
#pragma omp ordered depend(source)
		}
	printf("doacross %ld\n", cell[ROWS - 1][COLUMNS - 1]);
}

static void blocks(void)
{
	int singles = 0, masters = 0, sections = 0, copied = 0, critical = 0, unnamed = 0, private_sum = 0;

	threadprivate = 11;
#pragma omp parallel num_threads(4) copyin(threadprivate) reduction(+ : copied, private_sum)
	{
		int value = 0;

		private_sum += threadprivate;
		for (int i = 0; i < 50; i++) {
#pragma omp single copyprivate(value)
			{
				value = ++singles;
			}
			copied += value;
#pragma omp master
			masters++;
#pragma omp sections reduction(+ : sections)
			{
#pragma omp section
				sections += 1;
#pragma omp section
				sections += 10;
#pragma omp section
				sections += 100;
			}
#pragma omp critical(named) hint(1)
			critical++;
#pragma omp critical
			unnamed++;
		}
	}
	printf("blocks %d %d %d %d %d %d\n", singles, masters, sections, copied, critical + unnamed, private_sum);
}

/* A combination of so many items takes the lock, of one item an atomic operation. */
static void reductions(void)
{
	int a = 0, b = 1, c = 0, d = -1, e = 0, f = 1000, g = -1000, h = 1, k = 0;
	double x = 0;
	float y = 0;

#pragma omp parallel for num_threads(4) reduction(+ : a, x, y) reduction(* : b) reduction(| : c) reduction(& : d)      \
	reduction(^ : e) reduction(min : f) reduction(max : g) reduction(&& : h) reduction(|| : k)
	for (int i = 0; i < 20; i++) {
		a += i;
		b *= i % 5 ? 1 : 2;
		c |= 1 << i;
		d &= ~(1 << i);
		e ^= i * 77;
		f = f < 30 - i ? f : 30 - i;
		g = g > i ? g : i;
		h = h && i < 100;
		k = k || i == 19;
		x += i * 0.5;
		y += i;
	}
	printf("reductions %d %d %d %d %d %d %d %d %d %g %g\n", a, b, c, d, e, f, g, h, k, x, (double)y);
#pragma omp parallel for num_threads(4) reduction(+ : a)
	for (int i = 0; i < 1000; i++)
		a += i;
	printf("one item %d\n", a);
}

static void cancelled(void)
{
	int seen = 0, after = 0;

#pragma omp parallel num_threads(4)
	{
#pragma omp for
		for (int i = 0; i < 10000; i++) {
#pragma omp atomic
			seen++;
#pragma omp cancel for
		}
#pragma omp atomic
		after++;
	}
	printf("cancel for %d %d\n", omp_get_cancellation() ? seen <= 4 : seen == 10000, after);
	after = 0;
#pragma omp parallel num_threads(4)
	{
#pragma omp cancel parallel if (omp_get_thread_num() == 2)
#pragma omp barrier
#pragma omp atomic
		after++;
	}
	printf("cancel parallel %d\n", omp_get_cancellation() ? after == 0 : after == 4);
}

static void locks(void)
{
	omp_lock_t lock;
	omp_nest_lock_t nest;
	int guard[2] = { 1234, 5678 };
	int count = 0;

	omp_init_lock(&lock);
	omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(4)
	for (int i = 0; i < 100; i++) {
		omp_set_lock(&lock);
		count++;
		omp_unset_lock(&lock);
		omp_set_nest_lock(&nest);
		if (omp_test_nest_lock(&nest) == 2)
			count++;
		omp_unset_nest_lock(&nest);
		omp_unset_nest_lock(&nest);
	}
	omp_destroy_nest_lock(&nest);
	omp_destroy_lock(&lock);
	printf("locks %d %d %d\n", count == 800 || count > 400, guard[0], guard[1]);
}

static void leagues(void)
{
	int sum = 0, teams = 0;

#pragma omp teams num_teams(3) thread_limit(2) reduction(+ : sum, teams)
	{
		teams += omp_get_num_teams();
#pragma omp distribute parallel for reduction(+ : sum)
		for (int i = 0; i < 100; i++)
			sum += i;
	}
	/* how many teams there are is the runtime's choice */
	printf("teams %d %d\n", sum, teams > 0);
#pragma omp teams distribute num_teams(4) reduction(+ : sum) dist_schedule(static, 7)
	for (int i = 0; i < 100; i++)
		sum += i;
	printf("distribute %d\n", sum);
}

int main(void)
{
	omp_set_max_active_levels(2);
	omp_set_dynamic(0);
	regions();
	many_variables();
	loops();
	ordered();
	doacross();
	blocks();
	reductions();
	cancelled();
	locks();
	leagues();
	return 0;
}
