/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * As much of a kernel as the batch core needs, in user space: the core's text is compiled against this unchanged.
 *
 * User memory is the test's own process, reached through process_vm_readv(2) and process_vm_writev(2), so that what is
 * not mapped, or not writable, is -EFAULT as in a kernel. Access rights are checked to be open when user memory is
 * accessed, and closed when anything else is done. What the rest of a kernel would do is struct host.
 */
#ifndef HOSTTEST_KERNEL_H
#define HOSTTEST_KERNEL_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/types.h>

typedef uint64_t u64;
typedef uint32_t u32;
typedef uint8_t u8;
typedef int16_t s16;
typedef uint16_t u16;

#define __user
#define U16_MAX UINT16_MAX
#undef __always_inline
#define __always_inline inline __attribute__((always_inline))
#define noinline __attribute__((noinline))
#define __uninitialized
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define READ_ONCE(x) (*(const volatile typeof(x) *)&(x))
#define WRITE_ONCE(x, value) (*(volatile typeof(x) *)&(x) = (value))
#define min_t(type, a, b) ((type)(a) < (type)(b) ? (type)(a) : (type)(b))

/* codes of the kernel that user space never sees */
#define ERESTARTSYS 512
#define ERESTARTNOINTR 513
#define ERESTARTNOHAND 514
#define ENOIOCTLCMD 515
#define ERESTART_RESTARTBLOCK 516

#define _TIF_NOTIFY_RESUME (1UL << 1)
#define _TIF_SIGPENDING (1UL << 2)
#define _TIF_NEED_RESCHED (1UL << 3)
#define _TIF_PATCH_PENDING (1UL << 13)
#define _TIF_NOTIFY_SIGNAL (1UL << 17)
#define EXIT_TO_USER_MODE_WORK                                                                     \
	(_TIF_NOTIFY_RESUME | _TIF_SIGPENDING | _TIF_NEED_RESCHED | _TIF_PATCH_PENDING |           \
	 _TIF_NOTIFY_SIGNAL)

/* flags of syscall_work: two watchers that the calls of a batch are shown to; any other is not */
#define HOST_FILTER (1UL << 4)
#define HOST_TRACEPOINT (1UL << 5)
#define HOST_SHOWN (HOST_FILTER | HOST_TRACEPOINT)

struct pt_regs {
	unsigned long di, si, dx, r10, r8, r9, ip;
};

struct thread_info {
	unsigned long flags;
	unsigned long syscall_work;
};

/* The world around the core, of this thread. Functions may be NULL. */
struct host {
	struct thread_info thread;
	bool compat, fatal;
	struct pt_regs regs;
	long (*call)(unsigned int nr, const struct pt_regs *regs); /* required */
	void (*reschedule)(void);				   /* the flag is cleared for it */
	bool (*user_work)(void);
	void (*checked)(u64 address); /* argc of a slot is about to be looked at */
	void (*loaded)(u64 address);  /* a slot is about to be loaded */
	/* what the filter says of a call, all of which it is asked about while one is there */
	bool (*allows)(unsigned int nr, const struct pt_regs *regs);
	bool window; /* user memory may be accessed */
	unsigned long loads, checks, scheduled;
	unsigned long watch_begun, watch_ended, asked, shown;
};

extern _Thread_local struct host host;

#define current (&host)
#define current_thread_info() (&host.thread)
#define read_thread_flags() READ_ONCE(host.thread.flags)
#define current_pt_regs() (&host.regs)
#define in_compat_syscall() host.compat
#define fatal_signal_pending(task) ((task)->fatal)
#define signal_pending(task) (((task)->thread.flags & (_TIF_SIGPENDING | _TIF_NOTIFY_SIGNAL)) != 0)

#define BUILD_BUG_ON(holds) _Static_assert(!(holds), "BUILD_BUG_ON")
#define is_power_of_2(number) ((number) && !((number) & ((number)-1)))

bool host_access_ok(const void *address, unsigned long bytes);
bool host_window_open(const void *address, unsigned long bytes);
void host_window_close(void);
int host_read(void *to, const void *from, size_t bytes);
int host_write(void *to, const void *from, size_t bytes);
void host_schedule(void);
/* Abort when the window is open: what follows may sleep. */
void host_may_sleep(void);

#define access_ok(address, bytes) host_access_ok(address, bytes)
#define user_access_begin(address, bytes) host_window_open(address, bytes)
#define user_read_access_begin(address, bytes) host_window_open(address, bytes)
#define user_access_end() host_window_close()
#define user_read_access_end() host_window_close()
#define user_write_access_begin(address, bytes) host_window_open(address, bytes)
#define user_write_access_end() host_window_close()
#define unsafe_put_user(value, to, label)                                                          \
	do {                                                                                       \
		typeof(*(to)) put_ = (value);                                                      \
		if (host_write(to, &put_, sizeof(put_)))                                           \
			goto label;                                                                \
	} while (0)
#define get_user(value, from)                                                                      \
	({                                                                                         \
		int get_ = host_window_open(from, sizeof(value)) ? 0 : -EFAULT;                    \
		if (!get_) {                                                                       \
			get_ = host_read(&(value), from, sizeof(value));                           \
			host_window_close();                                                       \
		}                                                                                  \
		get_;                                                                              \
	})
#define copy_to_user(to, from, bytes)                                                              \
	({                                                                                         \
		const void *copied_ = (from);                                                      \
		bool copy_ = host_window_open(to, bytes);                                          \
		if (copy_) {                                                                       \
			copy_ = !host_write(to, copied_, bytes);                                   \
			host_window_close();                                                       \
		}                                                                                  \
		copy_ ? 0 : (bytes);                                                               \
	})
#define put_user(value, to)                                                                        \
	({                                                                                         \
		typeof(*(to)) put_value_ = (value);                                                \
		int put_ = host_window_open(to, sizeof(put_value_)) ? 0 : -EFAULT;                 \
		if (!put_) {                                                                       \
			put_ = host_write(to, &put_value_, sizeof(put_value_));                    \
			host_window_close();                                                       \
		}                                                                                  \
		put_;                                                                              \
	})
#define schedule() host_schedule()
#define cond_resched() host_schedule()

#endif /* HOSTTEST_KERNEL_H */
