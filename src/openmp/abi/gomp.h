/* SPDX-License-Identifier: BSD-3-Clause */
/* The entry points that GCC 12 to 16 compiles OpenMP to. Their types are those of gcc/omp-builtins.def. */
#ifndef OMP_ABI_GOMP_H
#define OMP_ABI_GOMP_H

#include "openmp/abi/export.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef unsigned long long gomp_ull;

void GOMP_parallel(void (*fn)(void *), void *data, unsigned threads, unsigned flags);
void GOMP_barrier(void);
bool GOMP_barrier_cancel(void);
void GOMP_critical_start(void);
void GOMP_critical_end(void);
void GOMP_critical_name_start(void **name);
void GOMP_critical_name_end(void **name);
void GOMP_atomic_start(void);
void GOMP_atomic_end(void);
void GOMP_loop_end(void);
bool GOMP_loop_end_cancel(void);
void GOMP_loop_end_nowait(void);
void GOMP_ordered_start(void);
void GOMP_ordered_end(void);
void GOMP_doacross_post(long *counts);
void GOMP_doacross_wait(long count, ...);
void GOMP_doacross_ull_post(gomp_ull *counts);
void GOMP_doacross_ull_wait(gomp_ull count, ...);
void GOMP_parallel_start(void (*fn)(void *), void *data, unsigned threads);
void GOMP_parallel_end(void);
unsigned GOMP_parallel_reductions(void (*fn)(void *), void *data, unsigned threads, unsigned flags);
bool GOMP_cancel(int which, bool do_cancel);
bool GOMP_cancellation_point(int which);
unsigned GOMP_sections_start(unsigned count);
unsigned GOMP_sections2_start(unsigned count, uintptr_t *reductions, void **memory);
unsigned GOMP_sections_next(void);
void GOMP_parallel_sections_start(void (*fn)(void *), void *data, unsigned threads, unsigned count);
void GOMP_parallel_sections(void (*fn)(void *), void *data, unsigned threads, unsigned count, unsigned flags);
void GOMP_sections_end(void);
void GOMP_sections_end_nowait(void);
bool GOMP_sections_end_cancel(void);
bool GOMP_single_start(void);
void *GOMP_single_copy_start(void);
void GOMP_single_copy_end(void *data);
void GOMP_scope_start(uintptr_t *reductions);
void GOMP_target(int device, void (*fn)(void *), const void *unused, size_t count, void **addresses, size_t *sizes,
		 unsigned char *kinds);
void GOMP_target_ext(int device, void (*fn)(void *), size_t count, void **addresses, size_t *sizes,
		     unsigned short *kinds, unsigned flags, void **depend, void **args);
void GOMP_target_data(int device, const void *unused, size_t count, void **addresses, size_t *sizes,
		      unsigned char *kinds);
void GOMP_target_data_ext(int device, size_t count, void **addresses, size_t *sizes, unsigned short *kinds);
void GOMP_target_end_data(void);
void GOMP_target_update(int device, const void *unused, size_t count, void **addresses, size_t *sizes,
			unsigned char *kinds);
void GOMP_target_update_ext(int device, size_t count, void **addresses, size_t *sizes, unsigned short *kinds,
			    unsigned flags, void **depend);
void GOMP_target_enter_exit_data(int device, size_t count, void **addresses, size_t *sizes, unsigned short *kinds,
				 unsigned flags, void **depend);
void *GOMP_target_map_indirect_ptr(void *pointer);
void GOMP_interop(int device, int init_count, uintptr_t **init, const int *kinds, const char **prefer, int use_count,
		  uintptr_t *use, int destroy_count, uintptr_t **destroy, unsigned flags, void **depend);
void GOMP_add_alloc(void *memory);
bool GOMP_is_alloc(void *memory);
void GOMP_offload_register(const void *host, int type, const void *target);
void GOMP_offload_unregister(const void *host, int type, const void *target);
void GOMP_offload_register_ver(unsigned version, const void *host, int type, const void *target);
void GOMP_offload_unregister_ver(unsigned version, const void *host, int type, const void *target);
void GOMP_teams(unsigned teams, unsigned thread_limit);
bool GOMP_teams4(unsigned lower, unsigned upper, unsigned thread_limit, bool first);
void GOMP_teams_reg(void (*fn)(void *), void *data, unsigned teams, unsigned thread_limit, unsigned flags);
void *GOMP_alloc(size_t alignment, size_t bytes, uintptr_t allocator);
void GOMP_free(void *memory, uintptr_t allocator);
void GOMP_warning(const char *text, size_t length);
void GOMP_error(const char *text, size_t length);

/* Worksharing loops over long, over unsigned long long, and combined with parallel. */
bool GOMP_loop_static_start(long begin, long end, long step, long chunk, long *first, long *past);
bool GOMP_loop_dynamic_start(long begin, long end, long step, long chunk, long *first, long *past);
bool GOMP_loop_guided_start(long begin, long end, long step, long chunk, long *first, long *past);
bool GOMP_loop_nonmonotonic_dynamic_start(long begin, long end, long step, long chunk, long *first, long *past);
bool GOMP_loop_nonmonotonic_guided_start(long begin, long end, long step, long chunk, long *first, long *past);
bool GOMP_loop_ordered_static_start(long begin, long end, long step, long chunk, long *first, long *past);
bool GOMP_loop_ordered_dynamic_start(long begin, long end, long step, long chunk, long *first, long *past);
bool GOMP_loop_ordered_guided_start(long begin, long end, long step, long chunk, long *first, long *past);
bool GOMP_loop_runtime_start(long begin, long end, long step, long *first, long *past);
bool GOMP_loop_nonmonotonic_runtime_start(long begin, long end, long step, long *first, long *past);
bool GOMP_loop_maybe_nonmonotonic_runtime_start(long begin, long end, long step, long *first, long *past);
bool GOMP_loop_ordered_runtime_start(long begin, long end, long step, long *first, long *past);
bool GOMP_loop_start(long begin, long end, long step, long schedule, long chunk, long *first, long *past,
		     uintptr_t *reductions, void **memory);
bool GOMP_loop_ordered_start(long begin, long end, long step, long schedule, long chunk, long *first, long *past,
			     uintptr_t *reductions, void **memory);
bool GOMP_loop_static_next(long *first, long *past);
bool GOMP_loop_dynamic_next(long *first, long *past);
bool GOMP_loop_guided_next(long *first, long *past);
bool GOMP_loop_nonmonotonic_dynamic_next(long *first, long *past);
bool GOMP_loop_nonmonotonic_guided_next(long *first, long *past);
bool GOMP_loop_ordered_static_next(long *first, long *past);
bool GOMP_loop_ordered_dynamic_next(long *first, long *past);
bool GOMP_loop_ordered_guided_next(long *first, long *past);
bool GOMP_loop_runtime_next(long *first, long *past);
bool GOMP_loop_nonmonotonic_runtime_next(long *first, long *past);
bool GOMP_loop_maybe_nonmonotonic_runtime_next(long *first, long *past);
bool GOMP_loop_ordered_runtime_next(long *first, long *past);
bool GOMP_loop_doacross_static_start(unsigned dimensions, long *counts, long chunk, long *first, long *past);
bool GOMP_loop_doacross_dynamic_start(unsigned dimensions, long *counts, long chunk, long *first, long *past);
bool GOMP_loop_doacross_guided_start(unsigned dimensions, long *counts, long chunk, long *first, long *past);
bool GOMP_loop_doacross_runtime_start(unsigned dimensions, long *counts, long *first, long *past);
bool GOMP_loop_doacross_start(unsigned dimensions, long *counts, long schedule, long chunk, long *first, long *past,
			      uintptr_t *reductions, void **memory);
bool GOMP_loop_ull_static_start(bool up, gomp_ull begin, gomp_ull end, gomp_ull step, gomp_ull chunk, gomp_ull *first,
				gomp_ull *past);
bool GOMP_loop_ull_dynamic_start(bool up, gomp_ull begin, gomp_ull end, gomp_ull step, gomp_ull chunk, gomp_ull *first,
				 gomp_ull *past);
bool GOMP_loop_ull_guided_start(bool up, gomp_ull begin, gomp_ull end, gomp_ull step, gomp_ull chunk, gomp_ull *first,
				gomp_ull *past);
bool GOMP_loop_ull_nonmonotonic_dynamic_start(bool up, gomp_ull begin, gomp_ull end, gomp_ull step, gomp_ull chunk,
					      gomp_ull *first, gomp_ull *past);
bool GOMP_loop_ull_nonmonotonic_guided_start(bool up, gomp_ull begin, gomp_ull end, gomp_ull step, gomp_ull chunk,
					     gomp_ull *first, gomp_ull *past);
bool GOMP_loop_ull_ordered_static_start(bool up, gomp_ull begin, gomp_ull end, gomp_ull step, gomp_ull chunk,
					gomp_ull *first, gomp_ull *past);
bool GOMP_loop_ull_ordered_dynamic_start(bool up, gomp_ull begin, gomp_ull end, gomp_ull step, gomp_ull chunk,
					 gomp_ull *first, gomp_ull *past);
bool GOMP_loop_ull_ordered_guided_start(bool up, gomp_ull begin, gomp_ull end, gomp_ull step, gomp_ull chunk,
					gomp_ull *first, gomp_ull *past);
bool GOMP_loop_ull_runtime_start(bool up, gomp_ull begin, gomp_ull end, gomp_ull step, gomp_ull *first, gomp_ull *past);
bool GOMP_loop_ull_nonmonotonic_runtime_start(bool up, gomp_ull begin, gomp_ull end, gomp_ull step, gomp_ull *first,
					      gomp_ull *past);
bool GOMP_loop_ull_maybe_nonmonotonic_runtime_start(bool up, gomp_ull begin, gomp_ull end, gomp_ull step,
						    gomp_ull *first, gomp_ull *past);
bool GOMP_loop_ull_ordered_runtime_start(bool up, gomp_ull begin, gomp_ull end, gomp_ull step, gomp_ull *first,
					 gomp_ull *past);
bool GOMP_loop_ull_start(bool up, gomp_ull begin, gomp_ull end, gomp_ull step, long schedule, gomp_ull chunk,
			 gomp_ull *first, gomp_ull *past, uintptr_t *reductions, void **memory);
bool GOMP_loop_ull_ordered_start(bool up, gomp_ull begin, gomp_ull end, gomp_ull step, long schedule, gomp_ull chunk,
				 gomp_ull *first, gomp_ull *past, uintptr_t *reductions, void **memory);
bool GOMP_loop_ull_static_next(gomp_ull *first, gomp_ull *past);
bool GOMP_loop_ull_dynamic_next(gomp_ull *first, gomp_ull *past);
bool GOMP_loop_ull_guided_next(gomp_ull *first, gomp_ull *past);
bool GOMP_loop_ull_nonmonotonic_dynamic_next(gomp_ull *first, gomp_ull *past);
bool GOMP_loop_ull_nonmonotonic_guided_next(gomp_ull *first, gomp_ull *past);
bool GOMP_loop_ull_ordered_static_next(gomp_ull *first, gomp_ull *past);
bool GOMP_loop_ull_ordered_dynamic_next(gomp_ull *first, gomp_ull *past);
bool GOMP_loop_ull_ordered_guided_next(gomp_ull *first, gomp_ull *past);
bool GOMP_loop_ull_runtime_next(gomp_ull *first, gomp_ull *past);
bool GOMP_loop_ull_nonmonotonic_runtime_next(gomp_ull *first, gomp_ull *past);
bool GOMP_loop_ull_maybe_nonmonotonic_runtime_next(gomp_ull *first, gomp_ull *past);
bool GOMP_loop_ull_ordered_runtime_next(gomp_ull *first, gomp_ull *past);
bool GOMP_loop_ull_doacross_static_start(unsigned dimensions, gomp_ull *counts, gomp_ull chunk, gomp_ull *first,
					 gomp_ull *past);
bool GOMP_loop_ull_doacross_dynamic_start(unsigned dimensions, gomp_ull *counts, gomp_ull chunk, gomp_ull *first,
					  gomp_ull *past);
bool GOMP_loop_ull_doacross_guided_start(unsigned dimensions, gomp_ull *counts, gomp_ull chunk, gomp_ull *first,
					 gomp_ull *past);
bool GOMP_loop_ull_doacross_runtime_start(unsigned dimensions, gomp_ull *counts, gomp_ull *first, gomp_ull *past);
bool GOMP_loop_ull_doacross_start(unsigned dimensions, gomp_ull *counts, long schedule, gomp_ull chunk, gomp_ull *first,
				  gomp_ull *past, uintptr_t *reductions, void **memory);
void GOMP_parallel_loop_static(void (*fn)(void *), void *data, unsigned threads, long begin, long end, long step,
			       long chunk, unsigned flags);
void GOMP_parallel_loop_dynamic(void (*fn)(void *), void *data, unsigned threads, long begin, long end, long step,
				long chunk, unsigned flags);
void GOMP_parallel_loop_guided(void (*fn)(void *), void *data, unsigned threads, long begin, long end, long step,
			       long chunk, unsigned flags);
void GOMP_parallel_loop_nonmonotonic_dynamic(void (*fn)(void *), void *data, unsigned threads, long begin, long end,
					     long step, long chunk, unsigned flags);
void GOMP_parallel_loop_nonmonotonic_guided(void (*fn)(void *), void *data, unsigned threads, long begin, long end,
					    long step, long chunk, unsigned flags);
void GOMP_parallel_loop_runtime(void (*fn)(void *), void *data, unsigned threads, long begin, long end, long step,
				unsigned flags);
void GOMP_parallel_loop_nonmonotonic_runtime(void (*fn)(void *), void *data, unsigned threads, long begin, long end,
					     long step, unsigned flags);
void GOMP_parallel_loop_maybe_nonmonotonic_runtime(void (*fn)(void *), void *data, unsigned threads, long begin,
						   long end, long step, unsigned flags);
void GOMP_parallel_loop_static_start(void (*fn)(void *), void *data, unsigned threads, long begin, long end, long step,
				     long chunk);
void GOMP_parallel_loop_dynamic_start(void (*fn)(void *), void *data, unsigned threads, long begin, long end, long step,
				      long chunk);
void GOMP_parallel_loop_guided_start(void (*fn)(void *), void *data, unsigned threads, long begin, long end, long step,
				     long chunk);
void GOMP_parallel_loop_runtime_start(void (*fn)(void *), void *data, unsigned threads, long begin, long end,
				      long step);

#endif
