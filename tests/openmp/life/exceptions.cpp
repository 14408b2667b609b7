// SPDX-License-Identifier: BSD-3-Clause
// Exceptions that are thrown and caught inside constructs; what leaves a region ends the program, as in
// OpenMP 5.2, 6.3.
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <omp.h>
#include <stdexcept>

namespace
{
std::atomic<int> alive;

struct counted {
	counted()
	{
		alive++;
	}
	counted(const counted &)
	{
		alive++;
	}
	~counted()
	{
		alive--;
	}
};

void fail(int number)
{
	counted local;

	throw std::runtime_error(number % 2 ? "odd" : "even");
}

bool caught(int number)
{
	try {
		fail(number);
	} catch (const std::runtime_error &error) {
		return !strcmp(error.what(), number % 2 ? "odd" : "even");
	}
	return false;
}

int every_construct()
{
	int right = 0;
	counted copied;

#pragma omp parallel num_threads(4) reduction(+ : right) firstprivate(copied)
	{
		right += caught(omp_get_thread_num());
#pragma omp for schedule(dynamic, 3) nowait
		for (int i = 0; i < 100; i++)
			right += caught(i);
#pragma omp for ordered schedule(static, 1)
		for (int i = 0; i < 20; i++) {
#pragma omp ordered
			right += caught(i);
		}
#pragma omp critical(throwing)
		right += caught(7);
#pragma omp sections
		{
#pragma omp section
			right += caught(1);
#pragma omp section
			right += caught(2);
		}
#pragma omp single
		for (int i = 0; i < 50; i++) {
#pragma omp task firstprivate(copied)
			if (!caught(i))
				abort();
		}
#pragma omp taskgroup
#pragma omp task
		if (!caught(3))
			abort();
	}
	return right;
}

int through_an_inner_region()
{
	int right = 0;

#pragma omp parallel num_threads(2) reduction(+ : right)
	try {
#pragma omp parallel num_threads(2) reduction(+ : right)
		right += caught(omp_get_thread_num());
		fail(1);
	} catch (const std::runtime_error &) {
		right += 100;
	}
	return right;
}
} // namespace

int main(int argc, char **)
{
	if (argc > 1) {
#pragma omp parallel num_threads(2)
		fail(omp_get_thread_num());
	}
	for (int round = 0; round < 50; round++) {
		if (every_construct() != 4 + 100 + 20 + 4 + 2)
			return 1;
		if (through_an_inner_region() < 202)
			return 2;
		if (alive != 0)
			return 3;
	}
	return 0;
}
