// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/batch: one ioctl runs a batch of system calls for its caller, one says what this kernel
 * can do.
 *
 * The device has no state: any number of tasks may use one open file at once, in any process.
 * The calls are the caller's own, made with its own credentials, so whoever may open the device
 * gains no right by it. It is for root alone unless the administrator says otherwise
 * (mode=0666): what can be reached through it is more kernel code than before, and that is for
 * the administrator to decide.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/errno.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/stat.h>
#include <linux/uaccess.h>

#include "batch_core.h"
#include "batch_dispatch.h"

/* bytes of struct batch_run in the first version */
#define BATCH_RUN_BYTES_MIN 32
/* permission bits a device can use */
#define BATCH_MODE_MASK 0666

static ushort mode = 0600;
module_param(mode, ushort, 0444);
MODULE_PARM_DESC(mode,
		 "permissions of /dev/batch, octal: 0600 (default) root alone, 0666 every user");

static noinline int batch_query(struct batch_query __user *to, size_t bytes)
{
	const struct batch_query query = {
		.version = BATCH_API_VERSION,
		.run_bytes = sizeof(struct batch_run),
		.features = BATCH_FEATURE_MAY_BLOCK | BATCH_FEATURE_RESUME,
		.flags = BATCH_FLAGS_KNOWN,
		.slots_max = BATCH_SLOTS_MAX,
		.slot_bytes = sizeof(struct batch_slot),
	};
	size_t known = min(bytes, sizeof(query));

	if (copy_to_user(to, &query, known) || clear_user((char __user *)to + known, bytes - known))
		return -EFAULT;
	return 0;
}

static __always_inline long batch_run_file(struct file *file, const struct batch_run *run)
{
	long result;

	/*
	 * A slot may close the descriptor this ioctl came by. Where only one thread uses the table
	 * of descriptors, the ioctl has no reference of its own, and that could be the last one of
	 * the file, and of the module that runs here. The few instructions of the module that
	 * follow fput() have no reference: batch_exit() waits for those.
	 */
	get_file(file);
	result = batch_core_run(u64_to_user_ptr(run->slots), u64_to_user_ptr(run->rets), run->count,
				run->flags, u64_to_user_ptr(run->resume));
	fput(file);
	return result;
}

/* The commands of other sizes, which are of other versions, and the one that is not urgent. */
static noinline long batch_ioctl_other(struct file *file, unsigned int command, void __user *user)
{
	struct batch_run run;
	int code;

	if (_IOC_TYPE(command) != BATCH_IOC_MAGIC)
		return -ENOTTY;
	if (_IOC_NR(command) == _IOC_NR(BATCH_IOC_QUERY))
		return batch_query(user, _IOC_SIZE(command));
	if (_IOC_NR(command) != _IOC_NR(BATCH_IOC_RUN))
		return -ENOTTY;
	if (_IOC_SIZE(command) < BATCH_RUN_BYTES_MIN)
		return -EINVAL;
	code = copy_struct_from_user(&run, sizeof(run), user, _IOC_SIZE(command));
	return code ? code : batch_run_file(file, &run);
}

static long batch_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	struct batch_run __user *from = (struct batch_run __user *)argument;
	struct batch_run run;

	if (unlikely(command != BATCH_IOC_RUN))
		return batch_ioctl_other(file, command, from);
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(run.slots, &from->slots, out_fault);
	unsafe_get_user(run.rets, &from->rets, out_fault);
	unsafe_get_user(run.count, &from->count, out_fault);
	unsafe_get_user(run.flags, &from->flags, out_fault);
	unsafe_get_user(run.resume, &from->resume, out_fault);
	user_read_access_end();
	return batch_run_file(file, &run);
out_fault:
	user_read_access_end();
	return -EFAULT;
}

#ifdef CONFIG_COMPAT
/* A 32-bit caller's calls have other numbers and other structures. */
static long batch_compat_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	return -EOPNOTSUPP;
}
#endif

static const struct file_operations batch_operations = {
	.owner = THIS_MODULE,
	.open = nonseekable_open,
	.unlocked_ioctl = batch_ioctl,
#ifdef CONFIG_COMPAT
	.compat_ioctl = batch_compat_ioctl,
#endif
};

static struct miscdevice batch_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "batch",
	.fops = &batch_operations,
};

static int __init batch_init(void)
{
	int code;

	if (mode & ~BATCH_MODE_MASK) {
		pr_err("mode=0%o: permission bits are those of 0666\n", mode);
		return -EINVAL;
	}
	code = batch_dispatch_init();
	if (code)
		return code;
	batch_device.mode = mode;
	return misc_register(&batch_device);
}

#if IS_ENABLED(CONFIG_PREEMPTION) && !IS_ENABLED(CONFIG_TASKS_RCU)
#error "CONFIG_TASKS_RCU is off: the module could be freed under a task that leaves it"
#endif

/*
 * Nobody has the device open when this runs, and still a task may be in the module's code, on its
 * way out of a run whose slot closed the descriptor, when another process had the same open file:
 *
 *	the task that ran a batch		other processes
 *	-------------------------		---------------
 *	a slot closes the descriptor
 *	fput(), not the last reference
 *	is preempted
 *						close() the last reference: fput(),
 *						 and the module's is given back
 *						rmmod: nobody uses the module, it is freed
 *	returns through freed code
 *
 * No reference that the module's own code gives back could cover the instructions behind that. So
 * this waits until each task was seen in user space or has gone to sleep by itself, which tells
 * that it has left: no task sleeps between its fput() and its return, and one that sleeps in a slot
 * has its reference. To be preempted is neither. Without preemption this is synchronize_rcu(),
 * which is enough there: the way out is one stretch of code that no other task interrupts.
 *
 * These can delay the return of this function, and for so long:
 *
 * - a task in a run: not at all. Its run has a reference of the file, so rmmod was refused and this
 *   is not called, be it in a call that sleeps for ever or in a fault that nobody answers.
 * - a task on its way out: until it gets the processor for the few instructions that are left.
 * - any other task that could run when the wait began, whatever it does: until it sleeps, is in
 *   user space at a tick, or passes schedule() on its way there, which the wait asks for: a tick, or
 *   as long as one system call may take that does not sleep. A thread of real-time priority that
 *   never sleeps, where none is throttled, keeps the tasks of its processor from all of these for
 *   ever.
 * - the removal of the device's node: whoever opens another misc device, or holds the lock of /dev.
 *
 * The last two are as for every user of these waits (ftrace, kprobes, other devices); no batch adds
 * to them. What holds it up can be seen: in /proc/PID/stack of rmmod, and in the log, which has
 * "rcu_tasks grace period number" after 10 seconds and the tasks themselves after 10 minutes.
 */
static void __exit batch_exit(void)
{
	misc_deregister(&batch_device);
	synchronize_rcu_tasks();
}

module_init(batch_init);
module_exit(batch_exit);

MODULE_DESCRIPTION("Batches of system calls in one entry: /dev/batch");
MODULE_AUTHOR("The Ferry authors");
MODULE_LICENSE("GPL");
