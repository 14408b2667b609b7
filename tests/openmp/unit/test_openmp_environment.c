/* SPDX-License-Identifier: BSD-3-Clause */
/* The environment: good values take effect, bad ones are named and leave the default. Each case is a run of this
 * program. */
#include "openmp_tests.h"

#include <sched.h>
#include <stdio.h>

static const char *program;

/* The first processor that the test may use; a container may have lent 0 to another one. */
static int processor(void)
{
	cpu_set_t set;
	int cpu = 0;

	assert_int_equal(sched_getaffinity(0, sizeof(set), &set), 0);
	while (!CPU_ISSET(cpu, &set))
		cpu++;
	return cpu;
}

/* `variables`, with that processor's number for each @. */
static void expand(char *text, size_t bytes, const char *variables)
{
	size_t length = 0;

	for (; *variables; variables++)
		length += (size_t)(*variables == '@' ? snprintf(text + length, bytes - length, "%d", processor())
						     : snprintf(text + length, bytes - length, "%c", *variables));
	assert_in_range(length, 0, bytes - 1);
}

/* What the program under test says about itself. */
static int say(void)
{
	omp_sched_t kind;
	int chunk;
	char format[64];

	omp_get_schedule(&kind, &chunk);
	omp_get_affinity_format(format, sizeof(format));
	printf("threads=%d limit=%d dynamic=%d levels=%d schedule=%d,%d bind=%d places=%d cancel=%d priority=%d "
	       "teams=%d,%d "
	       "allocator=%d device=%d format=%s",
	       omp_get_max_threads(), omp_get_thread_limit(), omp_get_dynamic(), omp_get_max_active_levels(),
	       (int)kind & 0xf, chunk, (int)omp_get_proc_bind(), omp_get_num_places(), omp_get_cancellation(),
	       omp_get_max_task_priority(), omp_get_max_teams(), omp_get_teams_thread_limit(),
	       (int)omp_get_default_allocator(), omp_get_default_device(), format);
#pragma omp parallel num_threads(2)
	if (omp_get_num_threads() > 2)
		abort();
	return 0;
}

/* What memory the default allocator gives. */
static int allocate(void)
{
	void *small = omp_alloc(100, omp_null_allocator);
	void *large = omp_alloc(1000000, omp_null_allocator);

	printf("small=%d aligned=%d large=%d", small != NULL, small && (uintptr_t)small % 4096 == 0, large != NULL);
	omp_free(small, omp_null_allocator);
	omp_free(large, omp_null_allocator);
	return 0;
}

/* What is displayed is what was given. */
static int change(void)
{
	omp_set_num_teams(24);
	omp_display_env(0);
	return 0;
}

static int offload(void)
{
	int where = 0;

#pragma omp target map(tofrom : where)
	where = 1;
	printf("ran=%d", where);
	return 0;
}

/* The output of a run with these variables, @ standing for a processor; what it wrote to stderr comes first. */
static const char *run(const char *what, const char *variables)
{
	static char output[8192];
	char command[512], expanded[384];
	size_t length;
	FILE *child;

	expand(expanded, sizeof(expanded), variables);
	snprintf(command, sizeof(command), "env -u OMP_NUM_THREADS %s %s %s 2>&1", expanded, program, what);
	child = popen(command, "r");
	assert_non_null(child);
	length = fread(output, 1, sizeof(output) - 1, child);
	output[length] = '\0';
	if (pclose(child) != 0)
		fail_msg("%s: %s", command, output);
	return output;
}

static const char *run_with(const char *variables)
{
	return run("say", variables);
}

static void assert_in(const char *output, const char *text)
{
	if (!strstr(output, text))
		fail_msg("not '%s' but: %s", text, output);
}

static void assert_says(const char *variables, const char *text)
{
	const char *output = run_with(variables);

	if (!strstr(output, text))
		fail_msg("with %s, not '%s' but: %s", variables, text, output);
	if (strstr(output, "is not used"))
		fail_msg("with %s: %s", variables, output);
}

static void good_values_take_effect(void **state)
{
	(void)state;
	assert_says("OMP_NUM_THREADS=5", "threads=5 ");
	assert_says("OMP_NUM_THREADS=' 3 , 2 '", "threads=3 ");
	assert_says("OMP_NUM_THREADS=3,2", "levels=255 ");
	assert_says("OMP_NUM_THREADS_ALL=6", "threads=6 ");
	assert_says("OMP_THREAD_LIMIT=7", "limit=7 ");
	assert_says("OMP_DYNAMIC=TRUE", "dynamic=1 ");
	assert_says("OMP_MAX_ACTIVE_LEVELS=4", "levels=4 ");
	assert_says("OMP_NESTED=true", "levels=255 ");
	assert_says("OMP_SCHEDULE=static", "schedule=1,0 ");
	assert_says("OMP_SCHEDULE=nonmonotonic:dynamic,7", "schedule=2,7 ");
	assert_says("OMP_SCHEDULE=' Guided , 9 '", "schedule=3,9 ");
	assert_says("OMP_SCHEDULE=auto", "schedule=4,");
	assert_says("OMP_CANCELLATION=true", "cancel=1 ");
	assert_says("OMP_MAX_TASK_PRIORITY=11", "priority=11 ");
	assert_says("OMP_NUM_TEAMS=3", "teams=3,0 ");
	assert_says("OMP_TEAMS_THREAD_LIMIT=2", "teams=0,2 ");
	assert_says("OMP_ALLOCATOR=omp_low_lat_mem_alloc", "allocator=5 ");
	assert_says("OMP_DEFAULT_DEVICE=2", "device=2 ");
	assert_says("OMP_AFFINITY_FORMAT='%n of %N'", "format=%n of %N");
	assert_says("OMP_STACKSIZE=4M OMP_WAIT_POLICY=passive GOMP_SPINCOUNT=3M", "threads=");
}

static void places_and_binding_ask_for_each_other(void **state)
{
	(void)state;
	assert_says("OMP_PLACES='{@}'", "bind=1 places=1 ");
	assert_says("OMP_PLACES='{@},{@}'", "places=2 ");
	assert_says("OMP_PLACES='{@:1}:2:0,!{@}'", "places=1 ");
	assert_says("OMP_PLACES=threads", "bind=1 ");
	assert_says("OMP_PLACES='cores(1)'", "places=1 ");
	assert_says("OMP_PROC_BIND=spread,close", "bind=4 ");
	assert_says("OMP_PROC_BIND=primary", "bind=2 ");
	assert_says("OMP_PROC_BIND=false OMP_PLACES='{@}'", "bind=0 places=0 ");
	assert_says("GOMP_CPU_AFFINITY='@ @-@'", "places=2 ");
}

/* Processor 1023 is not on a machine that runs these tests; 0 may be lent to others by a container. */
static void places_that_are_lost_are_named(void **state)
{
	char variables[256], expected[256];
	const char *output;
	cpu_set_t usable;
	int cpu = 0;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(usable), &usable), 0);
	while (!CPU_ISSET(cpu, &usable))
		cpu++;
	assert_false(CPU_ISSET(1023, &usable));
	assert_false(CPU_ISSET(1022, &usable));

	snprintf(variables, sizeof(variables), "OMP_PLACES='{1023},{%d},{1022:2}'", cpu);
	output = run_with(variables);
	snprintf(expected, sizeof(expected),
		 "libgomp: OMP_PLACES='{1023},{%d},{1022:2}': this program may not use processors 1022:2; "
		 "left out: {1023},{1022:2}\n",
		 cpu);
	assert_in(output, expected);
	assert_in(output, "bind=1 places=1 ");

	snprintf(variables, sizeof(variables), "OMP_PLACES_ALL='{%d,1023}'", cpu);
	output = run_with(variables);
	snprintf(expected, sizeof(expected),
		 "libgomp: OMP_PLACES_ALL='{%d,1023}': this program may not use processor 1023; "
		 "each of the places keeps others\n",
		 cpu);
	assert_in(output, expected);
	assert_in(output, "places=1 ");

	snprintf(variables, sizeof(variables), "GOMP_CPU_AFFINITY='%d 1000-1009'", cpu);
	output = run_with(variables);
	assert_in(output,
		  "processors 1000:10; left out: {1000},{1001},{1002},{1003},{1004},{1005},{1006},{1007} and 2 more\n");
	assert_in(output, "places=1 ");

	assert_in(run_with("OMP_PLACES='cores(5000)'"), "of these places for this program, not 5000\n");
	assert_in(run_with("OMP_PLACES='{1023}'"),
		  "OMP_PLACES='{1023}' is not used: this program may use none of these processors\n");
	/* of a list that nothing is bound to, nothing is lost */
	snprintf(variables, sizeof(variables), "OMP_PROC_BIND=false OMP_PLACES='{1023},{%d}'", cpu);
	assert_null(strstr(run_with(variables), "libgomp:"));
	snprintf(variables, sizeof(variables), "OMP_PLACES='{%d}'", cpu);
	assert_null(strstr(run_with(variables), "libgomp:"));
}

static void bad_values_are_named_and_not_used(void **state)
{
	static const char *const names[] = {
		"OMP_NUM_THREADS", "OMP_THREAD_LIMIT", "OMP_DYNAMIC",		"OMP_MAX_ACTIVE_LEVELS",
		"OMP_SCHEDULE",	   "OMP_PLACES",       "OMP_PROC_BIND",		"OMP_CANCELLATION",
		"OMP_NUM_TEAMS",   "OMP_ALLOCATOR",    "OMP_MAX_TASK_PRIORITY", "OMP_TEAMS_THREAD_LIMIT",
		"OMP_STACKSIZE",   "OMP_WAIT_POLICY",  "OMP_DEFAULT_DEVICE",	"OMP_TARGET_OFFLOAD",
		"OMP_DISPLAY_ENV", "GOMP_SPINCOUNT",   "GOMP_CPU_AFFINITY",	"OMP_DISPLAY_AFFINITY",
	};
	static const char *const values[] = { "''",	 "x",	      "-1",	     "99999999999999999999999",
					      "1,,",	 "'{0'",      "'{0}:70000'", "static,0x",
					      "'!{0},'", "true,close" };
	char variables[128];
	char defaults[8192];

	(void)state;
	strcpy(defaults, run_with(""));
	for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++) {
		for (size_t v = 0; v < sizeof(values) / sizeof(values[0]); v++) {
			const char *output;

			/* A run with a sanitizer takes long to start. */
			if (SLOW && (n + v) % 5)
				continue;
			snprintf(variables, sizeof(variables), "%s=%s", names[n], values[v]);
			output = run_with(variables);
			if (!strstr(output, names[n]) || !strstr(output, defaults))
				fail_msg("%s: %s, not %s", variables, output, defaults);
		}
	}
}

static void all_is_displayed(void **state)
{
	const char *output;
	char places[64];

	(void)state;
	snprintf(places, sizeof(places), "  [host] OMP_PLACES = '{%d}'\n", processor());
	output = run_with("OMP_DISPLAY_ENV=verbose OMP_NUM_THREADS=4,2 OMP_SCHEDULE=dynamic,3 OMP_PLACES='{@}'");
	assert_non_null(strstr(output, "OPENMP DISPLAY ENVIRONMENT BEGIN"));
	assert_in(output, "  _OPENMP = '202111'\n");
	assert_in(output, "  [host] OMP_NUM_THREADS = '4,2'\n");
	assert_in(output, "  [host] OMP_SCHEDULE = 'DYNAMIC,3'\n");
	assert_in(output, places);
	assert_in(output, "  [all] OMP_CANCELLATION = 'FALSE'\n");
	/* a spin is reckoned as 10 ns */
	assert_in(output, "  [host] GOMP_SPINCOUNT = '300000'\n");
	assert_in(run_with("OMP_DISPLAY_ENV=verbose GOMP_SPINCOUNT=7k"), "  [host] GOMP_SPINCOUNT = '7000'\n");
	assert_in(run("change", "OMP_NUM_TEAMS=42"), "  [host] OMP_NUM_TEAMS = '42'\n");
	assert_non_null(strstr(output, "OPENMP DISPLAY ENVIRONMENT END\n"));
}

static void what_other_devices_get_is_checked_and_displayed(void **state)
{
	const char *output;

	(void)state;
	output = run_with(
		"OMP_DISPLAY_ENV=true OMP_NUM_THREADS_ALL=4,2 OMP_NUM_THREADS_DEV=3 OMP_NUM_THREADS_DEV_24=7,6 "
		"OMP_NUM_THREADS_DEV_3=5 OMP_SCHEDULE=guided,2 OMP_SCHEDULE_ALL=dynamic OMP_STACKSIZE_DEV='43 k' "
		"OMP_DYNAMIC_DEV_0=true OMP_WAIT_POLICY_DEV=active OMP_PROC_BIND_DEV_1=spread,close");
	/* the host takes what is for all; then the devices in order */
	assert_in(output, "  [host] OMP_NUM_THREADS = '4,2'\n  [all] OMP_NUM_THREADS = '4,2'\n"
			  "  [device] OMP_NUM_THREADS = '3'\n  [3] OMP_NUM_THREADS = '5'\n"
			  "  [24] OMP_NUM_THREADS = '7,6'\n");
	assert_in(output, "  [host] OMP_SCHEDULE = 'GUIDED,2'\n  [all] OMP_SCHEDULE = 'DYNAMIC'\n");
	assert_in(output, "  [device] OMP_STACKSIZE = '44032'\n");
	assert_in(output, "  [0] OMP_DYNAMIC = 'TRUE'\n");
	assert_in(output, "  [device] OMP_WAIT_POLICY = 'ACTIVE'\n");
	assert_in(output, "  [1] OMP_PROC_BIND = 'SPREAD,CLOSE'\n");
	assert_in(run_with("OMP_NUM_THREADS_DEV_2=x"), "OMP_NUM_THREADS_DEV_2='x' is not used: ");
	assert_in(run_with("OMP_NUM_TEAMS_DEV_=3"), "Invalid device number in OMP_NUM_TEAMS_DEV_=3");
	assert_in(run_with("OMP_NUM_TEAMS_DEV_01=3"), "Invalid device number in OMP_NUM_TEAMS_DEV_01=3");
	assert_in(run_with("OMP_NUM_TEAMS_DEV_9999999999=3"),
		  "Invalid device number in OMP_NUM_TEAMS_DEV_9999999999=3");
	/* what is wrong for all is said once, by its own name */
	output = run_with("OMP_SCHEDULE_ALL=soon");
	assert_in(output, "OMP_SCHEDULE_ALL='soon' is not used: ");
	assert_null(strstr(strstr(output, "is not used") + 1, "is not used"));
	assert_in(run_with("OMP_CANCELLATION_ALL=maybe"), "='maybe' is not used: ");
}

static void an_allocator_is_made_from_traits(void **state)
{
	const char *output;

	(void)state;
	assert_says("OMP_ALLOCATOR=omp_large_cap_mem_space", "allocator=2 ");
	assert_says("OMP_ALLOCATOR=omp_high_bw_mem_alloc", "allocator=4 ");
	assert_says("OMP_ALLOCATOR=ompx_gnu_pinned_mem_alloc", "allocator=200 ");
	output = run("allocate", "OMP_ALLOCATOR=omp_const_mem_space:alignment=4096,access=all,partition=nearest");
	assert_string_equal(output, "small=1 aligned=1 large=1");
	output = run("allocate", "OMP_ALLOCATOR=' OMP_default_mem_space : Alignment = 4096 , fallback=null_fb,"
				 "pool_size=10000,sync_hint=private,pinned=false '");
	assert_string_equal(output, "small=1 aligned=1 large=0");
	output = run("allocate", "OMP_ALLOCATOR=omp_default_mem_space:pool_size=10,fallback=allocator_fb,"
				 "alignment=64,fb_data=omp_large_cap_mem_alloc");
	assert_in(output, "small=1 ");
	assert_in(output, "large=1");
	output = run_with("OMP_DISPLAY_ENV=true OMP_ALLOCATOR=' omp_default_mem_space:alignment=512,pinned=false '");
	assert_in(output, "  [host] OMP_ALLOCATOR = ' omp_default_mem_space:alignment=512,pinned=false '\n");
	output = run_with("OMP_DISPLAY_ENV=true OMP_ALLOCATOR=omp_low_lat_mem_space");
	assert_in(output, "  [host] OMP_ALLOCATOR = 'omp_low_lat_mem_alloc'\n");
}

static void what_makes_no_allocator_is_said(void **state)
{
	static const struct {
		const char *value, *where, *why;
	} bad[] = {
		{ "omp_const_mem_space:alignment=3,pinned=", "Missing value at the end of environment variable",
		  "pinned takes true, false" },
		{ "omp_const_mem_space:access=none,pinned=false", "when parsing: none,pinned=false\n",
		  "access takes all, cgroup, pteam, thread" },
		{ "omp_default_mem_space:alignment=3", "cannot be created, using omp_default_mem_alloc instead\n",
		  "power of two" },
		{ "omp_default_mem_space:fallback=allocator_fb", "cannot be created", "needs fb_data" },
		{ "omp_default_mem_space:", "Missing value at the end", "a trait is alignment, " },
		{ "omp_default_mem_space:alignment=8,", "Missing value at the end", "a trait is alignment, " },
		{ "omp_default_mem_space:alignment=8x", "when parsing: x\n", "comma" },
		{ "omp_default_mem_space:pool_size=0", "when parsing: 0\n", "pool_size takes a number greater than 0" },
		{ "omp_default_mem_space:pool_size=99999999999999999999", "when parsing: 9", "greater than 0" },
		{ "omp_default_mem_space=alignment=8", "when parsing: =alignment=8\n", "behind a colon" },
		{ "omp_default_mem_alloc:alignment=8", "when parsing: :alignment=8\n", "belong to a memory space" },
		{ "omp_default_mem_allocs", "when parsing: omp_default_mem_allocs\n",
		  "no allocator and no memory space" },
	};
	char variables[128];

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const char *output;

		snprintf(variables, sizeof(variables), "OMP_ALLOCATOR=%s", bad[i].value);
		output = run_with(variables);
		assert_in(output, "allocator=1 ");
		assert_in(output, bad[i].where);
		assert_in(strstr(output, "is not used: "), bad[i].why);
	}
}

static void a_value_that_cannot_be_used_is_told_what_can(void **state)
{
	static const struct {
		const char *variable, *message;
	} bad[] = {
		{ "OMP_WAIT_POLICY=lazy", "OMP_WAIT_POLICY='lazy' is not used: it takes passive, active\n" },
		{ "OMP_DISPLAY_ENV=yes", "is not used: it takes true, false, verbose, 1, 0\n" },
		{ "OMP_THREAD_LIMIT=0", "is not used: it takes a whole number of at least 1\n" },
		{ "OMP_MAX_TASK_PRIORITY=-1", "is not used: it takes a whole number from 0 to 2147483647\n" },
		{ "OMP_PLACES=chairs", "is not used: it takes threads, cores, " },
		{ "GOMP_CPU_AFFINITY=all", "is not used: it takes processors, as 0 3 1-2\n" },
		{ "OMP_DEFAULT_DEVICE=first", "is not used: it takes a whole number from 0 to 2147483647\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_in(run_with(bad[i].variable), bad[i].message);
}

static void a_device_that_is_insisted_on_is_not_there(void **state)
{
	(void)state;
	assert_says("OMP_TARGET_OFFLOAD=mandatory", "device=-4 ");
	assert_says("OMP_TARGET_OFFLOAD=disabled", "device=0 ");
	assert_in(run_with("OMP_TARGET_OFFLOAD=mandatory OMP_DISPLAY_ENV=true"), "  [all] OMP_DEFAULT_DEVICE = '-4'\n");
	/* by its number, the host can be insisted on */
	assert_string_equal(run("offload", "OMP_TARGET_OFFLOAD=mandatory OMP_DEFAULT_DEVICE=0"), "ran=1");
	assert_string_equal(run("offload", "OMP_DEFAULT_DEVICE=7"), "ran=1");
	assert_string_equal(run("offload 2>/dev/null || true", "OMP_TARGET_OFFLOAD=mandatory"), "");
	assert_string_equal(run("offload 2>/dev/null || true", "OMP_TARGET_OFFLOAD=mandatory OMP_DEFAULT_DEVICE=1"),
			    "");
}

static void fields_of_the_affinity_format(void **state)
{
	char text[256];

	(void)state;
	omp_capture_affinity(text, sizeof(text), "%n|%0.4N|%.5L|%3n|%{team_num}|%%|%a");
	assert_string_equal(text, "0|0001|    0|0  |0|%|-1");
	assert_int_equal(omp_capture_affinity(text, 4, "thread %n"), 8);
	assert_string_equal(text, "thr");
#pragma omp parallel num_threads(3)
	{
		char own[64], expected[64];

		omp_capture_affinity(own, sizeof(own), "%L %n %{num_threads} %a");
		snprintf(expected, sizeof(expected), "1 %d 3 0", omp_get_thread_num());
		if (strcmp(own, expected) != 0)
			abort();
	}
}

static int run_as(const char *what)
{
	static const struct {
		const char *what;
		int (*run)(void);
	} ways[] = { { "say", say }, { "allocate", allocate }, { "change", change }, { "offload", offload } };

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		if (strcmp(ways[i].what, what) == 0)
			return ways[i].run();
	return 1;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_values_take_effect),
		cmocka_unit_test(places_and_binding_ask_for_each_other),
		cmocka_unit_test(places_that_are_lost_are_named),
		cmocka_unit_test(bad_values_are_named_and_not_used),
		cmocka_unit_test(all_is_displayed),
		cmocka_unit_test(what_other_devices_get_is_checked_and_displayed),
		cmocka_unit_test(a_device_that_is_insisted_on_is_not_there),
		cmocka_unit_test(an_allocator_is_made_from_traits),
		cmocka_unit_test(what_makes_no_allocator_is_said),
		cmocka_unit_test(a_value_that_cannot_be_used_is_told_what_can),
		cmocka_unit_test(fields_of_the_affinity_format),
	};

	program = argv[0];
	if (argc > 1)
		return run_as(argv[1]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
