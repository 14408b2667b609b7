/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that no compiler here calls, by their own names: Intel's atomic operations, Fortran's names. */
#include <complex.h>
#include <omp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define ROUNDS 20000

typedef float complex single;
typedef double complex wide;

#define SHOW_INTEGER(bytes, type)                                                                                      \
	do {                                                                                                           \
		void __kmpc_atomic_fixed##bytes##_mul_float8(void *, int, type *, double);                             \
		void __kmpc_atomic_fixed##bytes##_div_float8(void *, int, type *, double);                             \
		bool __kmpc_atomic_bool_##bytes##_cas(void *, int, type *, type, type);                                \
		bool __kmpc_atomic_bool_##bytes##_cas_cpt(void *, int, type *, type, type, type *);                    \
		type __kmpc_atomic_val_##bytes##_cas(void *, int, type *, type, type);                                 \
		type __kmpc_atomic_val_##bytes##_cas_cpt(void *, int, type *, type, type, type *);                     \
		type value = 9, found = 77;                                                                            \
		__kmpc_atomic_fixed##bytes##_mul_float8(NULL, 0, &value, 2.5);                                         \
		printf("fixed" #bytes " %lld", (long long)value);                                                      \
		__kmpc_atomic_fixed##bytes##_div_float8(NULL, 0, &value, 0.7);                                         \
		printf(" %lld;", (long long)value);                                                                    \
		for (int same = 0; same < 2; same++) {                                                                 \
			value = 5;                                                                                     \
			printf(" %d", __kmpc_atomic_bool_##bytes##_cas(NULL, 0, &value, 4 + same, 8));                 \
			printf(" %lld", (long long)value);                                                             \
			value = 5;                                                                                     \
			printf(" %d", __kmpc_atomic_bool_##bytes##_cas_cpt(NULL, 0, &value, 4 + same, 8, &found));     \
			printf(" %lld %lld", (long long)value, (long long)found);                                      \
			value = 5;                                                                                     \
			printf(" %lld", (long long)__kmpc_atomic_val_##bytes##_cas(NULL, 0, &value, 4 + same, 8));     \
			printf(" %lld", (long long)value);                                                             \
			value = 5;                                                                                     \
			printf(" %lld",                                                                                \
			       (long long)__kmpc_atomic_val_##bytes##_cas_cpt(NULL, 0, &value, 4 + same, 8, &found));  \
			printf(" %lld %lld;", (long long)value, (long long)found);                                     \
		}                                                                                                      \
		puts("");                                                                                              \
	} while (0)

/* Both for a variable in one word and for one across two. */
static single *const places(int i)
{
	static _Alignas(8) char room[3][32];
	return (single *)(void *)(room[i] + 4 * i);
}

static void show_complex(const char *name, single value)
{
	printf("%s (%g, %g)\n", name, (double)crealf(value), (double)cimagf(value));
}

#define SHOW_COMPLEX(operation)                                                                                        \
	do {                                                                                                           \
		void __kmpc_atomic_cmplx4_##operation(void *, int, single *, single);                                  \
		void __kmpc_atomic_cmplx4_##operation##_cmplx8(void *, int, single *, wide);                           \
		void __kmpc_atomic_cmplx4_##operation##_cpt(void *, int, single *, single, single *, int);             \
		single before = 0, after = 0;                                                                          \
		*variable = 3 + 4 * I;                                                                                 \
		__kmpc_atomic_cmplx4_##operation(NULL, 0, variable, 1 + 2 * I);                                        \
		show_complex(#operation, *variable);                                                                   \
		__kmpc_atomic_cmplx4_##operation##_cmplx8(NULL, 0, variable, 1 + 2 * I);                               \
		show_complex(#operation " wide", *variable);                                                           \
		__kmpc_atomic_cmplx4_##operation##_cpt(NULL, 0, variable, 2 - I, &before, 0);                          \
		__kmpc_atomic_cmplx4_##operation##_cpt(NULL, 0, variable, 2 - I, &after, 1);                           \
		show_complex(#operation " before", before);                                                            \
		show_complex(#operation " after", after);                                                              \
	} while (0)

#define SHOW_REVERSED(operation)                                                                                       \
	do {                                                                                                           \
		void __kmpc_atomic_cmplx4_##operation##_rev(void *, int, single *, single);                            \
		void __kmpc_atomic_cmplx4_##operation##_cpt_rev(void *, int, single *, single, single *, int);         \
		single after = 0;                                                                                      \
		*variable = 3 + 4 * I;                                                                                 \
		__kmpc_atomic_cmplx4_##operation##_rev(NULL, 0, variable, 1 + 2 * I);                                  \
		show_complex(#operation " reversed", *variable);                                                       \
		__kmpc_atomic_cmplx4_##operation##_cpt_rev(NULL, 0, variable, 2 - I, &after, 1);                       \
		show_complex(#operation " reversed after", after);                                                     \
	} while (0)

single __kmpc_atomic_cmplx4_rd(void *, int, single *);
void __kmpc_atomic_cmplx4_wr(void *, int, single *, single);
void __kmpc_atomic_cmplx4_swp(void *, int, single *, single, single *);
void __kmpc_atomic_cmplx4_add(void *, int, single *, single);
int __kmpc_global_thread_num(void *);

static void complexes(single *variable)
{
	single before = 0;

	SHOW_COMPLEX(add);
	SHOW_COMPLEX(sub);
	SHOW_COMPLEX(mul);
	SHOW_COMPLEX(div);
	SHOW_REVERSED(sub);
	SHOW_REVERSED(div);
	__kmpc_atomic_cmplx4_wr(NULL, 0, variable, 6 + 7 * I);
	__kmpc_atomic_cmplx4_swp(NULL, 0, variable, 8 + 9 * I, &before);
	show_complex("swapped", before);
	show_complex("read", __kmpc_atomic_cmplx4_rd(NULL, 0, variable));
	*variable = 0;
#pragma omp parallel for num_threads(4)
	for (int i = 0; i < ROUNDS; i++)
		__kmpc_atomic_cmplx4_add(NULL, __kmpc_global_thread_num(NULL), variable, 1 - I);
	show_complex("by four threads", *variable);
}

static void floats(void)
{
	void __kmpc_atomic_float4_add_float8(void *, int, float *, double);
	void __kmpc_atomic_float4_sub_float8(void *, int, float *, double);
	void __kmpc_atomic_float4_mul_float8(void *, int, float *, double);
	void __kmpc_atomic_float4_div_float8(void *, int, float *, double);
	float value = 3;

	__kmpc_atomic_float4_add_float8(NULL, 0, &value, 0.1);
	printf("float4 %.9g", (double)value);
	__kmpc_atomic_float4_sub_float8(NULL, 0, &value, 1.3);
	printf(" %.9g", (double)value);
	__kmpc_atomic_float4_mul_float8(NULL, 0, &value, 1.7);
	printf(" %.9g", (double)value);
	__kmpc_atomic_float4_div_float8(NULL, 0, &value, 0.3);
	printf(" %.9g\n", (double)value);
}

/* ---- names of Fortran -------------------------------------------------------------------------------------------- */

void kmp_set_blocktime_(int *), kmpc_set_blocktime(int), kmp_set_library_(int *), kmp_set_library_serial_(void);
void kmp_set_library_turnaround_(void), kmp_set_library_throughput_(void), kmpc_set_library(int);
void kmp_set_defaults_(const char *, int), kmpc_set_defaults(const char *), kmp_set_warnings_on_(void);
void kmp_set_warnings_off_(void), kmp_free_(void **), kmp_create_affinity_mask_(void **), kmpc_free(void *);
void kmp_destroy_affinity_mask_(void **), omp_init_lock_with_hint_(void *, uintptr_t *);
void omp_init_nest_lock_with_hint_(void *, uintptr_t *), omp_set_nest_lock_(void *), omp_unset_nest_lock_(void *);
void omp_destroy_nest_lock_(void *), omp_set_lock_(void *), omp_unset_lock_(void *), omp_destroy_lock_(void *);
void ompc_set_nested(int);
int kmp_get_blocktime_(void), kmp_get_library_(void);
int kmp_set_affinity_mask_proc_(int *, void **), kmp_get_affinity_mask_proc_(int *, void **);
int kmp_unset_affinity_mask_proc_(int *, void **), kmpc_get_affinity_mask_proc(int, void **);
int kmpc_set_affinity_mask_proc(int, void **), kmpc_unset_affinity_mask_proc(int, void **);
int omp_control_tool_(int, int, void *), kmp_get_affinity_(void **), kmp_set_affinity_(void **);
int omp_test_nest_lock_(void *), omp_test_lock_(void *);
void *kmp_malloc_(size_t *), *kmp_calloc_(size_t *, size_t *), *kmp_realloc_(void **, size_t *);
void *kmp_aligned_malloc_(size_t *, size_t *), *kmpc_aligned_malloc(size_t, size_t);

static void settings(void)
{
	int blocktime = 7, serial = 1;

	ompc_set_nested(0);
	printf("levels %d\n", omp_get_max_active_levels());
	kmp_set_blocktime_(&blocktime);
	printf("blocktime %d", kmp_get_blocktime_());
	kmpc_set_blocktime(8);
	printf(" %d\nlibrary", kmp_get_blocktime_());
	kmp_set_library_turnaround_();
	printf(" %d", kmp_get_library_());
	kmp_set_library_(&serial);
	printf(" %d", kmp_get_library_());
	kmp_set_library_throughput_();
	printf(" %d", kmp_get_library_());
	kmpc_set_library(1);
	printf(" %d", kmp_get_library_());
	kmp_set_library_serial_();
	kmp_set_library_throughput_();
	printf(" %d\n", kmp_get_library_());
	kmp_set_warnings_off_();
	kmp_set_defaults_("OMP_DYNAMIC=false", 17);
	kmpc_set_defaults("OMP_DYNAMIC=false");
	kmp_set_warnings_on_();
	printf("tool %d\n", omp_control_tool_(1, 0, NULL));
}

static void memory(void)
{
	size_t bytes = 100, more = 10000, count = 10, alignment = 256;
	char *some = kmp_malloc_(&bytes), *zeros = kmp_calloc_(&count, &bytes);
	void *aligned = kmp_aligned_malloc_(&bytes, &alignment), *other = kmpc_aligned_malloc(100, 256);

	memset(some, 'x', bytes);
	void *moved = some;
	moved = kmp_realloc_(&moved, &more);
	printf("memory %d %d %d %d\n", zeros[0] + zeros[999], ((char *)moved)[99] == 'x',
	       (int)((uintptr_t)aligned % alignment), (int)((uintptr_t)other % alignment));
	kmp_free_(&moved);
	kmp_free_((void **)&zeros);
	kmp_free_(&aligned);
	kmpc_free(other);
}

static void masks(void)
{
	void *mask;
	int processor = 0;

	kmp_create_affinity_mask_(&mask);
	printf("mask %d", kmp_get_affinity_(&mask));
	printf(" %d", kmp_set_affinity_(&mask));
	printf(" %d", kmp_get_affinity_mask_proc_(&processor, &mask));
	printf(" %d", kmp_unset_affinity_mask_proc_(&processor, &mask));
	printf(" %d", kmpc_get_affinity_mask_proc(processor, &mask));
	printf(" %d", kmpc_set_affinity_mask_proc(processor, &mask));
	printf(" %d", kmpc_unset_affinity_mask_proc(processor, &mask));
	printf(" %d", kmp_set_affinity_mask_proc_(&processor, &mask));
	printf(" %d\n", kmp_get_affinity_mask_proc_(&processor, &mask));
	kmp_destroy_affinity_mask_(&mask);
}

static void locks(void)
{
	uintptr_t hint = 1;
	void *lock = NULL, *nested = NULL;

	omp_init_lock_with_hint_(&lock, &hint);
	omp_set_lock_(&lock);
	printf("locks %d", omp_test_lock_(&lock));
	omp_unset_lock_(&lock);
	omp_destroy_lock_(&lock);
	omp_init_nest_lock_with_hint_(&nested, &hint);
	omp_set_nest_lock_(&nested);
	printf(" %d\n", omp_test_nest_lock_(&nested));
	omp_unset_nest_lock_(&nested);
	omp_unset_nest_lock_(&nested);
	omp_destroy_nest_lock_(&nested);
}

int main(void)
{
	omp_get_max_threads();
	SHOW_INTEGER(1, int8_t);
	SHOW_INTEGER(2, int16_t);
	SHOW_INTEGER(4, int32_t);
	SHOW_INTEGER(8, int64_t);
	floats();
	for (int i = 0; i < 3; i++)
		complexes(places(i));
	settings();
	memory();
	masks();
	locks();
	return 0;
}
