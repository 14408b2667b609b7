/* SPDX-License-Identifier: BSD-3-Clause */
/* C functions whose meaning Ferry.Model.Functions states in Haskell: one of every kind of argument and result. */
#include <math.h>

long model_add(long a, long b)
{
	return (long)((unsigned long)a + (unsigned long)b);
}

/* -1, 0 or 1: so that every jump is taken now and then */
int model_sign(long a)
{
	return (int)(((unsigned long)a >> 3) % 3) - 1;
}

int model_low_int(long a)
{
	return (int)a;
}

unsigned int model_low_uint(long a)
{
	return (unsigned int)a;
}

/* Distinct weights show a swapped or lost argument. */
long model_weigh(long a, long b, long c, long d, long e, long f)
{
	return (long)((unsigned long)a + 3UL * (unsigned long)b + 5UL * (unsigned long)c + 7UL * (unsigned long)d +
		      11UL * (unsigned long)e + 13UL * (unsigned long)f);
}

int model_narrow(short a, unsigned char b, int c, unsigned int d)
{
	return (int)(unsigned int)((long)a + 3L * b + 5L * c + 7L * (long)d);
}

double model_half(double a)
{
	return a / 2;
}

double model_not_a_number(void)
{
	return (double)NAN;
}

double model_mixed(long a, double b, long c, double d, double e, long f)
{
	return (double)(a % 1000) + 3 * b + 5 * (double)(c % 1000) + 7 * d + 11 * e + 13 * (double)(f % 1000);
}

long model_compare(double a, double b)
{
	return (a > b) - (a < b);
}

void model_store_long(long *to, long word)
{
	*to = word;
}

void model_store_int(int *to, int word)
{
	*to = word;
}

void model_store_double(double *to, double value)
{
	*to = value;
}

/* Adds to the sum and returns what it was. */
long model_accumulate(long *sum, long word)
{
	long before = *sum;

	*sum = (long)((unsigned long)before + (unsigned long)word);
	return before;
}

int model_load_int(const int *from)
{
	return *from;
}

double model_load_double(const double *from)
{
	return *from;
}
