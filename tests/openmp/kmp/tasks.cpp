/* SPDX-License-Identifier: BSD-3-Clause */
/* Tasks with every clause, printed so that no order shows. */
#include <atomic>
#include <cstdio>
#include <omp.h>
#include <vector>

namespace
{

std::atomic<int> living;

/* Counts what the compiler's copies and destructors leave. */
struct Counted {
	int value;
	explicit Counted(int v) : value(v)
	{
		living++;
	}
	Counted(const Counted &other) : value(other.value)
	{
		living++;
	}
	Counted &operator=(const Counted &) = default;
	~Counted()
	{
		living--;
	}
};

long fib(int n)
{
	long a, b;

	if (n < 2)
		return n;
#pragma omp task shared(a) final(n < 5) mergeable
	a = fib(n - 1);
#pragma omp task shared(b) if (n % 3)
	b = fib(n - 2);
#pragma omp taskwait
	return a + b;
}

void clauses()
{
	std::atomic<int> sum{ 0 };
	Counted counted{ 5 };

#pragma omp parallel num_threads(4)
#pragma omp single
	{
		for (int i = 0; i < 200; i++) {
#pragma omp task firstprivate(i, counted) shared(sum) priority(i % 3)
			sum += i * counted.value;
#pragma omp task firstprivate(counted) shared(sum) if (i % 2)
			sum += counted.value;
		}
#pragma omp task untied shared(sum)
		{
			for (int i = 0; i < 20; i++) {
#pragma omp task shared(sum)
				sum++;
#pragma omp taskyield
			}
#pragma omp taskwait
			sum++;
		}
	}
	std::printf("clauses %d living %d\n", sum.load(), living.load());
}

void depends()
{
	int a = 0, b = 0, read = 0, order = 0;
	std::vector<int> many(30);

#pragma omp parallel num_threads(4)
#pragma omp single
	{
		for (int i = 0; i < 50; i++) {
#pragma omp task depend(out : a) shared(a)
			a = a * 3 % 1000 + i;
#pragma omp task depend(in : a) depend(mutexinoutset : read) shared(a, read)
			read += a;
#pragma omp task depend(inout : a, b) shared(a, b)
			b = (b + a) % 10007;
		}
#pragma omp taskwait depend(in : b)
		order = b;
#pragma omp task depend(iterator(k = 0 : 30), out : many[k]) shared(many)
		for (int &each : many)
			each = 1;
		for (int i = 0; i < 30; i++)
#pragma omp task depend(inout : many[i]) shared(many)
			many[i] += i;
		omp_depend_t object;
#pragma omp depobj(object) depend(inout : a)
#pragma omp task depend(depobj : object) shared(a)
		a++;
#pragma omp taskwait
#pragma omp depobj(object) destroy
	}
	int total = 0;
	for (int each : many)
		total += each;
	std::printf("depend %d %d %d %d %d\n", a, b, read, order, total);
}

void groups()
{
	long sum = 0, product = 1, deep = 0;

#pragma omp parallel num_threads(4)
#pragma omp single
	{
#pragma omp taskgroup task_reduction(+ : sum) task_reduction(* : product)
		{
			for (int i = 1; i <= 100; i++)
#pragma omp task in_reduction(+ : sum) in_reduction(* : product)
			{
				sum += i;
				if (i % 20 == 0)
					product *= 3;
#pragma omp task in_reduction(+ : sum)
				sum += 1000;
			}
		}
#pragma omp taskgroup
		{
#pragma omp task shared(deep)
			{
#pragma omp task shared(deep)
				{
#pragma omp atomic
					deep++;
				}
			}
		}
		deep *= 10;
	}
	std::printf("taskgroup %ld %ld %ld\n", sum, product, deep);
	sum = 0;
#pragma omp parallel num_threads(4) reduction(task, + : sum)
#pragma omp single
	for (int i = 0; i < 50; i++)
#pragma omp task in_reduction(+ : sum)
		sum += i;
	std::printf("reduction(task) %ld\n", sum);
}

void taskloops()
{
	long sum = 0, last = 0, shared = 0;
	Counted counted{ 2 };

#pragma omp parallel num_threads(4)
#pragma omp single
	{
#pragma omp taskloop grainsize(7) firstprivate(counted) lastprivate(last) reduction(+ : sum)
		for (int i = 0; i < 1000; i++) {
			sum += i * counted.value;
			last = i;
		}
#pragma omp taskloop num_tasks(5) shared(shared)
		for (long i = 100; i > -100; i -= 3) {
#pragma omp atomic
			shared += i;
		}
#pragma omp taskloop shared(shared) collapse(2) nogroup
		for (unsigned i = 0; i < 20; i++)
			for (unsigned k = 0; k < 30; k++) {
#pragma omp atomic
				shared += i * k;
			}
	}
	std::printf("taskloop %ld %ld %ld living %d\n", sum, last, shared, living.load());
}

void detached()
{
	int done = 0;

#pragma omp parallel num_threads(4)
#pragma omp single
	for (int i = 0; i < 20; i++) {
		omp_event_handle_t event;
#pragma omp task detach(event) shared(done) depend(out : done)
		{
			done++;
			omp_fulfill_event(event);
		}
#pragma omp task depend(inout : done) shared(done)
		done += 100;
	}
	std::printf("detach %d\n", done);
}

} // namespace

int main()
{
	long result = 0;

#pragma omp parallel num_threads(4)
#pragma omp single
	result = fib(22);
	std::printf("fib %ld\n", result);
	clauses();
	depends();
	groups();
	taskloops();
	detached();
	std::printf("living %d\n", living.load());
}
