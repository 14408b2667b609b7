/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Roots that are lent, counting who is in a region, and the variables that all threads start with. None of it runs in a
 * program without a guest, but for ferryomp_initial_get and ferryomp_initial_set.
 */
#include "openmp/guest.h"
#include "openmp/team/affinity.h"
#include "openmp/waiting/crowd.h"
#include "openmp/environment/environment.h"
#include "openmp/abi/export.h"
#include "openmp/synchronization/lock.h"
#include "openmp/team/team.h"

#include <errno.h>
#include <link.h>
#include <omp.h>
#include <string.h>

const struct ferryomp_guest *omp__guest;

/* Filled from the front; never emptied but by a fork. */
static _Atomic(struct omp__thread *) roots[OMP__ROOTS_MAX];
static struct omp__own_lock registering;

/*
 * Threads in regions that `busy` of the guest does not count: a team's workers, and its primary when that holds nothing
 * of the guest. relaxed everywhere: a team that is one thread too large or too small is still right.
 */
static _Atomic unsigned engaged;

/* ---- roots ---------------------------------------------------------------------------------------------------------
 */

static bool try_take(struct omp__thread *root)
{
	/* The plain look keeps the line shared while another has it. acquire: all that the last one did with it. */
	return !atomic_load_explicit(&root->taken, memory_order_relaxed) &&
	       !atomic_exchange_explicit(&root->taken, 1, memory_order_acquire);
}

/* From the front, so that the team whose workers were needed last is the next one taken. */
struct omp__thread *omp__root_take(void)
{
	for (unsigned i = 0; i < OMP__ROOTS_MAX; i++) {
		/* acquire: the root was made before it was put here */
		struct omp__thread *root = atomic_load_explicit(&roots[i], memory_order_acquire);

		if (!root)
			return NULL;
		if (try_take(root))
			return root;
	}
	return NULL;
}

void omp__root_add(struct omp__thread *root)
{
	atomic_store_explicit(&root->taken, 1, memory_order_relaxed);
	root->is_lent = true;
	for (unsigned i = 0; i < OMP__ROOTS_MAX; i++) {
		struct omp__thread *none = NULL;

		/* release: who finds it there finds it made */
		if (!atomic_load_explicit(&roots[i], memory_order_relaxed) &&
		    atomic_compare_exchange_strong_explicit(&roots[i], &none, root, memory_order_release,
							    memory_order_relaxed))
			return;
	}
	root->is_lent = false;
}

void omp__root_forsake(struct omp__thread *root)
{
	omp__tls = NULL;
	/* release: whoever takes it sees what was done with it */
	atomic_store_explicit(&root->taken, 0, memory_order_release);
}

/*
 * Variables that omp_set_… changed outside every region are those of the OS thread that did it, until somebody sets
 * those that all threads start with: a thread of the guest does not know on which OS thread it is, and the last word
 * counts.
 */
static __thread struct omp__icv own_icv;
static __thread bool has_own_icv;
static __thread uint32_t own_since; /* `version` then */
static _Atomic uint32_t version;

/*
 * Not lent: who is bound to a place stays there, and tasks that an initial region has still to run wait for its own
 * thread.
 */
static bool stays(const struct omp__thread *root)
{
	return !root->is_lent || omp__affinity_binds || root->initial.team;
}

/* ---- batches -------------------------------------------------------------------------------------------------------
 */

/*
 * The team that a batch used last goes to sleep when the batch ends. It may be another's by then, who took the root:
 *
 *	thread A			idle	thread B
 *	batch_begin
 *	region; leaves the root		STAYS
 *					USUAL	takes the root; region; leaves it
 *	batch_end: takes the root	PARKS
 *	leaves it
 *					USUAL	takes the root, then tells its workers of a region
 *
 * Who has the root is the only one who writes `idle`. While B is in its region A finds the root taken, and leaves its
 * team alone. relaxed: workers read it between two looks at `go`, and any answer is right.
 */
static __thread unsigned batch_depth;
static __thread struct omp__thread *batch_root; /* the last one that a region of a batch used; roots are never freed */

static void set_idle(struct omp__thread *root, enum omp__idle idle)
{
	struct omp__team *team = root->hot_first;

	/* The plain look keeps the line shared. */
	if (team && atomic_load_explicit(&team->idle, memory_order_relaxed) != idle)
		atomic_store_explicit(&team->idle, idle, memory_order_relaxed);
}

OMP__EXPORT void ferryomp_batch_begin(void)
{
	batch_depth++;
}

OMP__EXPORT void ferryomp_batch_end(bool is_over)
{
	struct omp__thread *root = batch_root;

	if (--batch_depth > 0 || !is_over || !root)
		return;
	batch_root = NULL;
	if (omp__tls == root) {
		set_idle(root, OMP__IDLE_PARKS);
	} else if (!omp__tls && try_take(root)) {
		set_idle(root, OMP__IDLE_PARKS);
		omp__root_forsake(root);
	}
}

/* Before the workers are told of a region: those who wait for the next one are not to sleep for the last batch's end.
 */
static void begin_region(struct omp__thread *root)
{
	uint32_t *opened = omp__guest->opened;

	if (root->hot_first && atomic_load_explicit(&root->hot_first->idle, memory_order_relaxed) == OMP__IDLE_PARKS)
		set_idle(root, OMP__IDLE_USUAL);
	if (opened && !__atomic_load_n(opened, __ATOMIC_RELAXED))
		__atomic_store_n(opened, 1, __ATOMIC_RELAXED);
}

static void end_region(struct omp__thread *root)
{
	set_idle(root, batch_depth ? OMP__IDLE_STAYS : OMP__IDLE_USUAL);
	if (batch_depth)
		batch_root = root;
}

/* ---- regions -------------------------------------------------------------------------------------------------------
 */

void omp__guest_enter(struct omp__thread *thread, unsigned size)
{
	if (!thread->is_root || thread->region != &thread->initial)
		return;
	omp__guest_give_way(&thread->seat);
	begin_region(thread);
	thread->held = omp__guest->holding();
	thread->engaged = thread->held ? size - 1 : size;
	if (thread->engaged)
		atomic_fetch_add_explicit(&engaged, thread->engaged, memory_order_relaxed);
	if (!thread->held)
		atomic_fetch_add_explicit(&omp__crowd_excess, 1, memory_order_relaxed);
}

void omp__guest_leave(struct omp__thread *thread)
{
	if (!thread->is_root || thread->region != &thread->initial)
		return;
	if (thread->engaged)
		atomic_fetch_sub_explicit(&engaged, thread->engaged, memory_order_relaxed);
	if (!thread->held)
		atomic_fetch_sub_explicit(&omp__crowd_excess, 1, memory_order_relaxed);
	thread->held = NULL;
	end_region(thread);
	if (stays(thread))
		return;
	if (thread->icv_changed) {
		own_icv = thread->initial.icv;
		has_own_icv = true;
		own_since = atomic_load_explicit(&version, memory_order_relaxed);
		thread->icv_changed = false;
	}
	omp__root_forsake(thread);
}

OMP__EXPORT void *ferryomp_guest_held(void)
{
	const struct omp__thread *root = omp__tls;

	if (!root)
		return NULL;
	/* The outermost team's primary is the root; without a team it is the caller. */
	for (const struct omp__region *region = root->region; region; region = region->outer)
		if (region->team)
			root = region->team->primary;
	return root->is_root ? root->held : NULL;
}

void omp__guest_forked(struct omp__thread *survivor)
{
	for (unsigned i = 0; i < OMP__ROOTS_MAX; i++)
		atomic_store_explicit(&roots[i], NULL, memory_order_relaxed);
	atomic_store_explicit(&registering.word, 0, memory_order_relaxed);
	atomic_store_explicit(&engaged, 0, memory_order_relaxed);
	if (!survivor || !survivor->is_root)
		return;
	if (survivor->is_lent)
		atomic_store_explicit(&roots[0], survivor, memory_order_relaxed);
	survivor->engaged = 0;
	if (survivor->region != &survivor->initial && !survivor->held)
		atomic_fetch_add_explicit(&omp__crowd_excess, 1, memory_order_relaxed);
}

/* ---- whose code ----------------------------------------------------------------------------------------------------
 */

/*
 * A library that was built for libgomp may rely on the number that omp_get_max_threads has told it: OpenBLAS shares a
 * product among so many, who wait for each other, and a smaller team would wait for ever. So unless somebody has asked
 * for dyn-var, only the program's own regions, and those of the guest's package, get as many threads as are free.
 */
static struct range {
	uintptr_t first, past;
} program_code, guest_code;

static int note_code(struct dl_phdr_info *object, size_t bytes, void *guest)
{
	struct range range = { UINTPTR_MAX, 0 };

	(void)bytes;
	for (unsigned i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
		uintptr_t first = object->dlpi_addr + segment->p_vaddr;

		if (segment->p_type != PT_LOAD)
			continue;
		range.first = first < range.first ? first : range.first;
		range.past = first + segment->p_memsz > range.past ? first + segment->p_memsz : range.past;
	}
	/* the program is the first object */
	if (program_code.past == 0)
		program_code = range;
	if ((uintptr_t)guest >= range.first && (uintptr_t)guest < range.past)
		guest_code = range;
	return 0;
}

static bool in_range(const struct range *range, uintptr_t at)
{
	return at >= range->first && at < range->past;
}

bool omp__guest_knows(void (*code)(void *))
{
	return in_range(&program_code, (uintptr_t)code) || in_range(&guest_code, (uintptr_t)code);
}

/* ---- how many ------------------------------------------------------------------------------------------------------
 */

unsigned omp__guest_threads(void)
{
	unsigned ours = omp__host_processors();
	unsigned theirs = omp__guest ? omp__guest->processors() : 0;

	return theirs > 0 && theirs < ours ? theirs : ours;
}

unsigned omp__guest_free(unsigned wanted)
{
	unsigned processors = omp__guest_threads();
	unsigned used = omp__guest->busy() + atomic_load_explicit(&engaged, memory_order_relaxed);
	unsigned limit;

	/* The caller's own processor is one of those that the team gets. */
	if (used > 0 && omp__guest->holding())
		used--;
	limit = used < processors ? processors - used : 1;
	return wanted < limit ? wanted : limit;
}

bool omp__guest_crowded(void)
{
	int busy = (int)omp__guest->busy();

	/* A crowd of ours alone takes turns, as it does without a guest. */
	return busy > 0 && atomic_load_explicit(&omp__crowd_excess, memory_order_relaxed) + busy > 0;
}

/* ---- what threads start with ---------------------------------------------------------------------------------------
 */

/*
 * omp__globals.initial as it is now, read without a lock: `version` is odd while it is written, and a reader that saw
 * an odd one, or another after than before, reads again (a seqlock; the words are atomic, so that no read is a race).
 */
enum { INITIAL_WORDS = sizeof(struct omp__icv) / sizeof(uint64_t) };
_Static_assert(sizeof(struct omp__icv) % sizeof(uint64_t) == 0, "the variables are copied by words");
static _Atomic uint64_t initial[INITIAL_WORDS];

static void publish(void)
{
	uint64_t words[INITIAL_WORDS];
	uint32_t now = atomic_load_explicit(&version, memory_order_relaxed);

	memcpy(words, &omp__globals.initial, sizeof(words));
	atomic_store_explicit(&version, now + 1, memory_order_relaxed);
	/* release: who reads a new word sees the odd version in its second look */
	atomic_thread_fence(memory_order_release);
	for (unsigned i = 0; i < INITIAL_WORDS; i++)
		atomic_store_explicit(&initial[i], words[i], memory_order_relaxed);
	atomic_store_explicit(&version, now + 2, memory_order_release);
}

void omp__guest_initial(struct omp__icv *icv)
{
	uint64_t words[INITIAL_WORDS];
	uint32_t before, after;

	if (has_own_icv && own_since == atomic_load_explicit(&version, memory_order_relaxed)) {
		*icv = own_icv;
		return;
	}
	do {
		before = atomic_load_explicit(&version, memory_order_acquire);
		for (unsigned i = 0; i < INITIAL_WORDS; i++)
			words[i] = atomic_load_explicit(&initial[i], memory_order_relaxed);
		atomic_thread_fence(memory_order_acquire);
		after = atomic_load_explicit(&version, memory_order_relaxed);
	} while (before & 1 || before != after);
	memcpy(icv, words, sizeof(words));
}

/* The root that the caller has already, as for a library's constructor that called OpenMP before. */
static void adapt_early_root(struct omp__thread *thread)
{
	thread->initial.icv = omp__globals.initial;
	atomic_fetch_sub_explicit(&omp__crowd_excess, 1, memory_order_relaxed);
	omp__root_add(thread);
}

OMP__EXPORT int ferryomp_guest_register(const struct ferryomp_guest *guest)
{
	int status = 0;

	omp__environment_read();
	if (guest->version != FERRYOMP_GUEST_VERSION)
		return -EINVAL;
	omp__own_lock(&registering);
	if (omp__guest) {
		status = omp__guest == guest ? 0 : -EBUSY;
		omp__own_unlock(&registering);
		return status;
	}
	if (!omp__globals.dynamic_given)
		omp__globals.initial.dynamic = OMP__DYNAMIC_PROGRAM;
	if (omp__globals.threads_count == 0)
		omp__globals.initial.threads = 0;
	dl_iterate_phdr(note_code, (void *)guest);
	publish();
	omp__guest = guest;
	omp__own_unlock(&registering);
	if (omp__tls && omp__tls->is_root)
		adapt_early_root(omp__tls);
	return 0;
}

static bool set_variable(struct omp__icv *icv, enum ferryomp_variable variable, int value)
{
	if (value < 0 && variable != FERRYOMP_SCHEDULE)
		return false;
	switch (variable) {
	case FERRYOMP_THREADS:
		icv->threads = (unsigned)value;
		return true;
	case FERRYOMP_DYNAMIC:
		icv->dynamic = value != 0;
		return value <= 1;
	case FERRYOMP_SCHEDULE:
		icv->schedule = (uint32_t)value;
		return (value & OMP__SCHEDULE_MASK) >= OMP__STATIC && (value & OMP__SCHEDULE_MASK) <= OMP__AUTO &&
		       ((uint32_t)value & ~OMP__MONOTONIC) <= OMP__AUTO;
	case FERRYOMP_CHUNK:
		icv->chunk = value;
		return true;
	case FERRYOMP_MAX_LEVELS:
		icv->levels_max = value < OMP__LEVELS_MAX ? (uint8_t)value : OMP__LEVELS_MAX;
		return true;
	}
	return false;
}

OMP__EXPORT int ferryomp_initial_set(enum ferryomp_variable variable, int value)
{
	struct omp__icv icv;
	bool good;

	omp__environment_read();
	omp__own_lock(&registering);
	icv = omp__globals.initial;
	good = set_variable(&icv, variable, value);
	if (good) {
		/* Nobody has set nthreads-var to 0 but for a guest, whose threads ask what that is. */
		if (icv.threads == 0 && !omp__guest)
			icv.threads = omp__host_processors();
		omp__globals.initial = icv;
		publish();
	}
	omp__own_unlock(&registering);
	return good ? 0 : -EINVAL;
}

OMP__EXPORT int ferryomp_initial_get(enum ferryomp_variable variable)
{
	const struct omp__icv *icv = &omp__globals.initial;
	int value = -EINVAL;

	omp__environment_read();
	omp__own_lock(&registering);
	switch (variable) {
	case FERRYOMP_THREADS:
		value = (int)(icv->threads ? icv->threads : omp__guest_threads());
		break;
	case FERRYOMP_DYNAMIC:
		value = icv->dynamic != 0;
		break;
	case FERRYOMP_SCHEDULE:
		value = (int)icv->schedule;
		break;
	case FERRYOMP_CHUNK:
		value = icv->chunk;
		break;
	case FERRYOMP_MAX_LEVELS:
		value = icv->levels_max;
		break;
	}
	omp__own_unlock(&registering);
	return value;
}
