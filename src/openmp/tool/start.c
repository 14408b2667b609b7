/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finding a tool (OpenMP 5.2, 19.2.2): first ompt_start_tool() in the process, then in each library of
 * OMP_TOOL_LIBRARIES. As LLVM's runtime does, in a program that was compiled with -fsanitize=thread the last one to try
 * is Archer, which tells ThreadSanitizer what the runtime synchronizes. OMP_TOOL_VERBOSE_INIT shows the search in that
 * runtime's words, which scripts look for.
 */
#include "openmp/tool/start.h"
#include "openmp/environment/environment_parse.h"
#include "openmp/environment/icv.h"
#include "openmp/tool/lookup.h"
#include "openmp/tool/tool.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* _OPENMP of OpenMP 5.2, and what the tool is told of this runtime. */
enum { OPENMP_VERSION = 202111 };
#define RUNTIME_VERSION "Ferry OpenMP runtime (libferryomp)"
#define ARCHER "libarcher.so"

struct omp__thread *(*omp__tool_enter)(void);
bool omp__tool_is_sanitizer;

static ompt_start_tool_result_t *tool;

/* Weak, so that the linker exports the definition of a program that was linked with this runtime. */
#pragma weak ompt_start_tool
typedef __typeof__(ompt_start_tool) start_function;

/* Where the search is shown; NULL: nowhere. */
static FILE *log_file;

#define SAY(...)                                                                                                       \
	do {                                                                                                           \
		if (log_file)                                                                                          \
			fprintf(log_file, __VA_ARGS__);                                                                \
	} while (0)

static void open_log(void)
{
	const char *name = omp__env_get("OMP_TOOL_VERBOSE_INIT");

	if (!name || !*name || strcasecmp(name, "disabled") == 0)
		return;
	if (strcasecmp(name, "stdout") == 0)
		log_file = stdout;
	else if (strcasecmp(name, "stderr") == 0)
		log_file = stderr;
	else if (!(log_file = fopen(name, "w")))
		omp__env_complain("OMP_TOOL_VERBOSE_INIT", "the file cannot be written");
	SAY("----- START LOGGING OF TOOL REGISTRATION -----\n");
}

static void close_log(void)
{
	SAY("----- END LOGGING OF TOOL REGISTRATION -----\n");
	if (log_file == stdout || log_file == stderr)
		fflush(log_file);
	else if (log_file)
		fclose(log_file);
	log_file = NULL;
}

/* Look a name up in the process; a program that asks dlerror() next is not told of a name that is missing. */
static void *find(const char *name)
{
	void *found = dlsym(RTLD_DEFAULT, name);

	if (!found)
		dlerror();
	return found;
}

static start_function *in_process(void)
{
	return ompt_start_tool ? ompt_start_tool : (start_function *)find("ompt_start_tool");
}

static ompt_start_tool_result_t *ask(start_function *start)
{
	return start(OPENMP_VERSION, RUNTIME_VERSION);
}

/* A library that has no tool for this runtime is closed again. */
static ompt_start_tool_result_t *ask_library(const char *name)
{
	ompt_start_tool_result_t *result;
	start_function *start;
	void *library;

	SAY("Opening %s... ", name);
	library = dlopen(name, RTLD_LAZY);
	if (!library) {
		const char *why = dlerror();

		SAY("Failed: %s\n", why);
		return NULL;
	}
	SAY("Success.\nSearching for ompt_start_tool in %s... ", name);
	start = (start_function *)dlsym(library, "ompt_start_tool");
	if (!start) {
		const char *why = dlerror();

		SAY("Failed: %s\n", why);
		dlclose(library);
		return NULL;
	}
	/* the tool may write to the same file */
	if (log_file)
		fflush(log_file);
	result = ask(start);
	if (!result) {
		SAY("Found but not using the OMPT interface.\nContinuing search...\n");
		dlclose(library);
		return NULL;
	}
	SAY("Success.\n");
	return result;
}

static ompt_start_tool_result_t *ask_libraries(const char *names)
{
	ompt_start_tool_result_t *result = NULL;
	char *copy = strdup(names);
	char *rest = copy;
	char *name;

	SAY("Searching tool libraries...\nOMP_TOOL_LIBRARIES = %s\n", names);
	while (!result && (name = strsep(&rest, ":")))
		if (*name)
			result = ask_library(name);
	free(copy);
	return result;
}

/* Whether the program was compiled with -fsanitize=thread. */
static bool has_sanitizer(void)
{
	return find("__tsan_init") != NULL;
}

static ompt_start_tool_result_t *search(void)
{
	const char *names = omp__env_get("OMP_TOOL_LIBRARIES");
	ompt_start_tool_result_t *result;
	start_function *start;

	SAY("Search for OMP tool in current address space... ");
	if (log_file)
		fflush(log_file);
	start = in_process();
	result = start ? ask(start) : NULL;
	SAY(result ? "Success.\n" : "Failed.\n");
	if (result)
		return result;
	if (names && *names)
		result = ask_libraries(names);
	else
		SAY("No OMP_TOOL_LIBRARIES defined.\n");
	if (!result && has_sanitizer()) {
		SAY("...searching tool libraries failed. Using archer tool.\n");
		result = ask_library(ARCHER);
	} else if (!result) {
		SAY("...searching tool libraries failed.\n");
	}
	return result;
}

/* OMP_TOOL=disabled. The variable's value was checked with the others. */
static bool is_disabled(void)
{
	const char *value = omp__env_get("OMP_TOOL");

	value = value ? omp__env_skip(value) : NULL;
	return value && omp__env_eat(&value, "disabled");
}

bool omp__tool_is_wanted(void)
{
	const char *names = omp__env_get("OMP_TOOL_LIBRARIES");

	return !is_disabled() && ((names && *names) || in_process() || has_sanitizer());
}

bool omp__tool_is_shown(void)
{
	const char *name = omp__env_get("OMP_TOOL_VERBOSE_INIT");

	return name && *name;
}

void omp__tool_start(void)
{
	/* While the tool starts it may call the runtime, and gets no callback. */
	atomic_store_explicit(&omp__globals.tool, OMP__TOOL_OFF, memory_order_relaxed);
	if (is_disabled())
		return;
	open_log();
	tool = search();
	SAY(tool ? "Tool was started and is using the OMPT interface.\n" : "No OMP tool loaded.\n");
	close_log();
	if (!tool || !tool->initialize(omp__tool_lookup, 0, &tool->tool_data))
		return;
	omp__globals.slow_tasks = true;
	omp__tool_is_sanitizer = has_sanitizer();
	atomic_store_explicit(&omp__globals.tool, OMP__TOOL_ON, memory_order_relaxed);
}

bool omp__tool_finalize(void)
{
	uint32_t on = OMP__TOOL_ON;

	/* relaxed: it only decides which of two callers finalizes the tool */
	if (!atomic_compare_exchange_strong_explicit(&omp__globals.tool, &on, OMP__TOOL_OFF, memory_order_relaxed,
						     memory_order_relaxed))
		return false;
	if (tool->finalize)
		tool->finalize(&tool->tool_data);
	return true;
}
