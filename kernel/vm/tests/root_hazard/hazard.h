/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The hazard suite: the kernel is held at each access to user memory that a batch makes, the world
 * is changed, and the batch goes on. What it did must be what the same calls do that are made one by
 * one, with the same memory, held at the same access, while the same is changed.
 *
 * A task is held by userfaultfd: the page it needs is not there until we supply it. So nothing here
 * depends on time, and no place between two slots is too short to be hit.
 *
 *   place    where the task is held: a user access, or asleep in a call
 *   hazard   what is changed meanwhile
 *   way      who makes the calls: a loop of system calls, /dev/batch, batch(2), libferry in parts
 *   cell     one place, one hazard, one way; it has a process of its own, the victim
 *
 * The victim's first thread makes the calls and is the one that is held. A second thread of it, the
 * assistant, changes what only the process itself can. The controller, which forked it, supplies
 * the pages, does the rest and keeps the record.
 *
 * arena.c      the user memory of a batch, split into pages by place
 * places.c     the table of places
 * hazards.c    the table of hazards, and what the assistant does
 * outside.c    what the controller does: signals, tracers, the freezer
 * victim.c     the victim: the loop and the batch
 * library.c    the batch by libferry's kernel executor, in parts
 * controller.c holds the task, supplies pages, waits
 * record.c     what a cell left behind, and whether two differ
 */
#ifndef HAZARD_H
#define HAZARD_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <linux/batch.h>

#define PAGE 4096UL
#define UNTOUCHED 0x5a5a5a5a5a5a5a5aL
#define DEVICE "/dev/batch"
#define FOLDER "/tmp/hazard-folder"
#define ARRAY_SIZE(x) (sizeof(x) / sizeof((x)[0]))
/* what the word copy copies */
#define COPIED_WORD 0x6f6e6520776f7264L
/* a word of the arena that cannot be read any more */
#define GONE 0x676f6e65L
/* how a victim ends whose assistant makes another program of it, or ends it */
#define EXIT_EXEC 42
#define EXIT_GROUP 43

enum way { BY_LOOP, BY_DEVICE, BY_SYSCALL, BY_PARTS, WAYS };

/* The slots that run, in order. */
enum probe {
	FIRST_WRITE, /* "a" to the log */
	WORD_COPY,
	READ,  /* waits for a byte */
	MKDIR, /* what filters forbid */
	GETEUID,
	WRITE,	    /* "w" to the log, from the arena */
	POLL,	    /* waits; the kernel begins it again by a restart block */
	FUTEX,	    /* as POLL, with a time limit */
	LAST_WRITE, /* "z" to the log, and the batch ends */
	PROBES,
};

/*
 * The pages of the arena. The slots before a place's split end where SLOTS_FROM begins, and so do
 * the results with RETS_FROM, so that the access of a single slot or result is the first one of a
 * page. SLOTS_LAST has slots that are verified and never run.
 */
enum page {
	SLOTS_BEFORE,
	SLOTS_FROM,
	SLOTS_LAST,
	RETS_BEFORE,
	RETS_FROM,
	SOURCE,
	TARGET,
	BUFFER,
	PATH,
	TEXT,
	POLLED,
	TIMEOUT,
	RUN,
	QUERY,
	RESUME_BEFORE,
	RESUME,
	RESUME_COPY,
	PAGES,
};

/* How a task comes to be held. */
enum phase {
	AT_ONCE,  /* the page is not there from the beginning */
	CHECKED,  /* it is taken away while the task is held in the pass over argc */
	ASLEEP,	  /* in a call, at no page */
	KEPT,	  /* from asleep: what interrupts the call has the kernel keep its slot for later */
	TAKEN_UP, /* from asleep: behind a handler, the kernel takes that slot up again */
	/* from checked: the batch was handed back for a handler, and the kernel takes up the rest */
	HANDED_BACK,
};

struct place {
	const char *name;
	enum phase phase;
	enum page page;		   /* held at its first access */
	unsigned char slots_split; /* the slot whose word `word` is the first of SLOTS_FROM */
	unsigned char word;
	unsigned char rets_split;
	unsigned char made; /* calls that do not wait for us to let them go: all before this one */
	bool call_split; /* the call of struct batch_resume is in RESUME, and what is before it not */
	bool device_only;
};

/* the place of the load behind the first slot */
#define BEHIND_FIRST 6

extern const struct place places[];
extern const unsigned int place_count;

struct cell;

struct hazard {
	const char *name;
	const char *(*lacks)(void);		   /* why it cannot be done here, or NULL */
	long (*inside)(const struct place *place); /* by the assistant; 0 or -errno */
	bool (*outside)(struct cell *cell);	   /* by the controller; whether it could be done */
	bool (*after)(struct cell *cell);	   /* the same, when the task goes on */
	void (*end)(struct cell *cell);		   /* the same, when the victim has ended */
	/* changes what a page is to hold */
	void (*supply)(const struct place *place, unsigned char *page, enum page which);
	int flags;	 /* of the handler */
	bool requests;	 /* the victim has requests of io_uring that wait */
	bool files;	 /* slots, results and buffers are mappings of files */
	bool slots;	 /* it changes what slots hold, or that they can be read */
	bool blocks;	 /* the assistant is done only when the task has gone on */
	bool interrupts; /* it reaches a task when that leaves the kernel */
	bool ends;	 /* the victim dies where it is held */
	bool whole;	 /* not for parts: the library reads the heads of one before it runs */
	bool repairs;	 /* SIGSEGV's handler undoes it: for parts alone, others end with -EFAULT */
	bool shows;	 /* there are places where the loop does something else than without it */
};

extern const struct hazard hazards[];
extern const unsigned int hazard_count;

/* What a cell left behind. */
struct record {
	long code; /* what the run returned */
	long rets[PROBES];
	long word; /* what the word copy wrote */
	long byte; /* what the read read */
	long euid;
	int status;  /* as waitpid() has it */
	int folder;  /* whether it was made */
	int held;    /* results there were when it was held */
	int stopped; /* bytes of the log when the task was seen to have stopped */
	char log[32];
	char other[32]; /* the file that took the log's place */
	char seen[32];	/* calls that a tracer or a tracepoint saw, by their letters */
};

/* What the victim and the controller share. */
struct shared {
	struct record record;
	int word;	   /* the futex */
	int uffd;	   /* its number there */
	int handled;	   /* signals of a hazard */
	int alarmed;	   /* signals of a place */
	int failed;	   /* errno of what it could not prepare, or 0 */
	int assistant;	   /* its thread's number */
	int blocks;	   /* the assistant has begun what blocks it */
	enum page missing; /* where the task is held, and the assistant would be, too; or PAGES */
};

extern struct shared *shared;

/* Descriptors of a cell, opened by the controller; the victim has them by the same numbers. */
struct ends {
	int log, other;	      /* memfds */
	int read[2], poll[2]; /* pipes */
	int ring;	      /* eventfd: what requests of io_uring read */
	int control[2];	      /* socket pair: the assistant has [1] */
	int begin[2];	      /* the same for the victim's first thread */
};

extern struct ends ends;
/* in the victim: /dev/batch, or -1 */
extern int device;

/* A cell that runs, as the controller knows it. */
struct cell {
	const struct place *place;
	const struct hazard *hazard;
	enum way way;
	pid_t pid;
	int uffd;
	enum page held; /* where it is held, or PAGES */
	bool supplying; /* pages are supplied as they are asked for */
	bool traced;	/* its stops are ours as a tracer */
	bool stopped, ended, hangs;
	long looked, waited; /* in milliseconds: when, and for how long, see hangs() */
	int stop_status;
	struct record *record;
	const char *failed; /* why it says nothing, or NULL */
};

/* arena.c */
extern unsigned char *arena;
void arena_make(void);
void arena_lay_out(const struct place *place);
struct batch_slot *arena_slots(const struct place *place);
long *arena_rets(const struct place *place);
unsigned long arena_count(const struct place *place);
void *arena_page(enum page page);
struct batch_resume *arena_resume(const struct place *place);
int arena_map_files(void);
int arena_truncate(enum page from);
int arena_take_away(enum page page);

/* victim.c */
int victim(const struct place *place, const struct hazard *hazard, enum way way);
long raw(long nr, long a, long b, long c, long d, long e, long f);

/* library.c */
int library_open(void);
long run_in_parts(struct batch_slot *slots, long *rets, unsigned long count);

/* hazards.c */
const char *no_ring(void);
int make_requests(void);

/* controller.c */
void controller_begin(void);
void run_cell(struct cell *cell);
bool step(struct cell *cell, int ms);
bool until(struct cell *cell, bool (*is)(const struct cell *cell));
bool until_stopped(struct cell *cell);
char state_of(pid_t thread);
bool until_answered(struct cell *cell);
int log_bytes(void);

/* outside.c */
const char *no_freezer(void);
const char *no_tracepoints(void);
bool freeze(struct cell *cell);
bool thaw(struct cell *cell);
bool stop(struct cell *cell);
bool go_on(struct cell *cell);
bool seize(struct cell *cell);
bool trace(struct cell *cell);
bool let_run(struct cell *cell);
bool attach(struct cell *cell);
bool detach(struct cell *cell);
bool tracepoints_on(struct cell *cell);
void tracepoints_off(struct cell *cell);
bool send_signal(struct cell *cell);
bool send_credentials(struct cell *cell);
bool until_handled(struct cell *cell);
bool until_blocked(struct cell *cell);
bool send_kill(struct cell *cell);
bool complete_request(struct cell *cell);
bool is_completed(const struct cell *cell);
bool until_completed(struct cell *cell);
void on_trace_stop(struct cell *cell, int status);

/* record.c */
void record_seen(struct record *record, long nr);
void record_take(struct record *record);
bool record_same(const struct record *found, const struct record *wanted, const char *where);

#endif /* HAZARD_H */
