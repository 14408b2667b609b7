/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pathsearch: find a name along a search path. All candidate paths are known beforehand, so one batch tries them in
 * order and ends at the first that exists.
 *
 * The slots of a candidate are faccessat2, which goes on to the next candidate when it fails, and, when searching for
 * commands, newfstatat, because access to a directory looks like access to a program. A batch cannot look into a
 * struct stat: a candidate that turns out to be no regular file is passed over here, and the search goes on behind it
 * with the rest of the same batch.
 */
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"

/* What shells search when PATH is not set. */
#define DEFAULT_PATH "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

static const char help[] =
	"Usage: pathsearch [OPTION]... NAME...\n"
	"Print where each NAME is along a search path: the first place that has it.\n"
	"One batch of system calls tries all places of a NAME in one crossing.\n"
	"\n"
	"  -e, --executable  find commands as the shell's `command -v` does: regular files\n"
	"                    that may be executed; a NAME with a slash is not searched for\n"
	"  -p, --path=LIST   search the directories of LIST, separated by colons; an empty\n"
	"                    one is the current directory (default: $PATH)\n"
	"  -a, --all         print every place that has NAME, in order\n"
	"  -0, --null        end each line with a NUL byte\n"
	"  -q, --quiet       say nothing about names that were not found\n"
	"      --help        print this help and exit\n"
	"      --version     print the version and exit\n"
	"\n"
	"Exit status: 0 if every NAME was found, 1 if some was not, 2 if the command line is wrong.\n";

static const struct option options[] = {
	{ "executable", no_argument, NULL, 'e' }, { "path", required_argument, NULL, 'p' },
	{ "all", no_argument, NULL, 'a' },	  { "null", no_argument, NULL, '0' },
	{ "quiet", no_argument, NULL, 'q' },	  { "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },	  { NULL, 0, NULL, 0 },
};

struct request {
	const char *list; /* directories, separated by colons */
	bool executable;
	bool all;
	bool quiet;
	char end;
};

/* Everything about one name's candidates; candidate k has `stride` slots from slot k * stride on. */
struct candidates {
	size_t count;
	size_t stride;
	char **paths;
	char *text; /* the bytes into which paths[] points */
	struct stat *status;
	struct batch_slot *slots;
	long *rets;
};

static size_t directory_count(const char *list)
{
	size_t count = 1;

	for (; *list; list++)
		count += *list == ':';
	return count;
}

static void candidates_free(struct candidates *found)
{
	free(found->paths);
	free(found->text);
	free(found->status);
	free(found->slots);
	free(found->rets);
}

/* Returns 0 or -ENOMEM, with nothing to free. */
static int candidates_alloc(struct candidates *found, size_t count, size_t stride, size_t text_bytes)
{
	*found = (struct candidates){
		.count = count,
		.stride = stride,
		.paths = calloc(count, sizeof(*found->paths)),
		.text = malloc(text_bytes),
		.status = calloc(count, sizeof(*found->status)),
		.slots = calloc(count * stride, sizeof(*found->slots)),
		.rets = calloc(count * stride, sizeof(*found->rets)),
	};
	if (found->paths && found->text && found->status && found->slots && found->rets)
		return 0;
	candidates_free(found);
	return -ENOMEM;
}

/* Write DIRECTORY/NAME for each directory of the list. An empty directory is the current one. */
static void join_paths(struct candidates *found, const char *list, const char *name)
{
	char *text = found->text;

	for (size_t k = 0; k < found->count; k++) {
		size_t bytes = strcspn(list, ":");

		found->paths[k] = text;
		if (bytes == 0)
			*text++ = '.';
		text = mempcpy(text, list, bytes);
		if (text[-1] != '/')
			*text++ = '/';
		text = stpcpy(text, name) + 1;
		list += bytes + (list[bytes] == ':');
	}
}

/* Whether a name is a path already: then it is itself the only candidate. */
static bool is_path(const struct request *request, const char *name)
{
	return request->executable ? strchr(name, '/') != NULL : name[0] == '/';
}

static int candidates_init(struct candidates *found, const struct request *request, const char *name)
{
	const size_t stride = request->executable ? 2 : 1;
	size_t count = is_path(request, name) ? 1 : directory_count(request->list);
	/* each candidate: its directory, or "." for an empty one, a slash, the name, a NUL */
	size_t text_bytes = strlen(request->list) + count * (strlen(name) + 3);
	int code = strlen(name) < PATH_MAX ? candidates_alloc(found, count, stride, text_bytes) : -ENAMETOOLONG;

	if (code)
		return code;
	if (is_path(request, name))
		found->paths[0] = memcpy(found->text, name, strlen(name) + 1);
	else
		join_paths(found, request->list, name);
	return 0;
}

/* Build the batch: without --all it ends at the first candidate whose calls all succeed. */
static long build(struct candidates *found, const struct request *request, struct batch_error *error)
{
	struct batch_builder builder;

	batch_builder_init(&builder, found->slots, found->rets, found->count * found->stride);
	for (size_t k = 0; k < found->count; k++) {
		struct batch_label next = BATCH_LABEL_INIT;
		int mode = request->executable ? X_OK : F_OK;
		int flags = request->executable ? AT_EACCESS : 0;
		struct batch_value checked = batch_builder_faccessat2(&builder, AT_FDCWD, found->paths[k], mode, flags);

		batch_builder_jump(&builder, checked, BATCH_ON_FAIL, &next);
		if (request->executable) {
			checked = batch_builder_newfstatat(&builder, AT_FDCWD, found->paths[k], &found->status[k], 0);
			batch_builder_jump(&builder, checked, BATCH_ON_FAIL, &next);
		}
		if (!request->all)
			batch_builder_stop(&builder, checked, BATCH_ON_ZERO);
		batch_builder_label(&builder, &next);
	}
	return batch_builder_finish(&builder, error);
}

/* Whether candidate k matches the request. Its last slot ran or was skipped. */
static bool is_hit(const struct candidates *found, const struct request *request, size_t k)
{
	const long *rets = &found->rets[k * found->stride];

	if (rets[0] != 0 || rets[found->stride - 1] != 0)
		return false;
	return !request->executable || S_ISREG(found->status[k].st_mode);
}

/*
 * Run the batch from candidate *k on and print what it found. Moves *k behind the last candidate tried. Returns how
 * many were printed, or -errno.
 */
static long run_from(struct candidates *found, const struct request *request, size_t *k)
{
	size_t start = *k * found->stride;
	long printed = 0;
	long last = batch_run(&batch_executor_loop, found->rets + start, found->slots + start,
			      found->count * found->stride - start, 0, NULL);
	size_t end;

	if (last < 0)
		return last;
	end = (start + (size_t)last) / found->stride + 1;
	for (; *k < end; ++*k) {
		if (!is_hit(found, request, *k))
			continue;
		printf("%s%c", found->paths[*k], request->end);
		printed++;
	}
	return printed;
}

/*
 * Whether every candidate's faccessat2 was refused, by a kernel without the call or by a sandbox, so that any name
 * would look absent. The call itself gives EPERM only to those who ask to write.
 */
static bool is_refused(const struct candidates *found)
{
	for (size_t k = 0; k < found->count; k++)
		if (found->rets[k * found->stride] != found->rets[0])
			return false;
	return found->rets[0] == -ENOSYS || found->rets[0] == -EPERM;
}

/* Search for one name. Returns how many places were printed, or -errno. */
static long search(const struct request *request, const char *name)
{
	struct candidates found;
	long code = candidates_init(&found, request, name);
	long printed = 0;
	size_t k = 0;

	if (code)
		return code;
	code = build(&found, request, NULL);
	while (code >= 0 && k < found.count && (printed == 0 || request->all)) {
		code = run_from(&found, request, &k);
		printed += code > 0 ? code : 0;
	}
	if (code >= 0 && printed == 0 && is_refused(&found))
		code = found.rets[0];
	candidates_free(&found);
	return code < 0 ? code : printed;
}

static int search_all(const struct request *request, char **names, int count)
{
	int status = CLI_OK;

	for (int k = 0; k < count; k++) {
		long printed = names[k][0] ? search(request, names[k]) : 0;

		if (printed > 0)
			continue;
		status = CLI_FAILED;
		if (printed == -ENOSYS)
			cli_error("pathsearch", "%s: this kernel has no faccessat2: Linux 5.8 or newer is needed",
				  names[k]);
		else if (printed == -EPERM)
			cli_error("pathsearch",
				  "%s: a sandbox refuses faccessat2; allow it, or search with `command -v`", names[k]);
		else if (printed < 0)
			cli_error("pathsearch", "%s: %s", names[k], strerror((int)-printed));
		else if (!request->quiet)
			cli_error("pathsearch", "%s: not found", names[k]);
	}
	return status;
}

/* Returns -1, or the status to exit with at once. */
static int parse(int argc, char **argv, struct request *request)
{
	int option;

	while ((option = getopt_long(argc, argv, "ep:a0q", options, NULL)) != -1) {
		switch (option) {
		case 'e':
			request->executable = true;
			break;
		case 'p':
			request->list = optarg;
			break;
		case 'a':
			request->all = true;
			break;
		case '0':
			request->end = '\0';
			break;
		case 'q':
			request->quiet = true;
			break;
		case 'h':
			fputs(help, stdout);
			return CLI_OK;
		case 'V':
			cli_version("pathsearch");
			return CLI_OK;
		default:
			return cli_usage("pathsearch");
		}
	}
	if (optind < argc)
		return -1;
	cli_error("pathsearch", "nothing to search for; give at least one NAME");
	return cli_usage("pathsearch");
}

int main(int argc, char **argv)
{
	const char *path = getenv("PATH");
	struct request request = { .list = path ? path : DEFAULT_PATH, .end = '\n' };
	int status = parse(argc, argv, &request);

	if (status < 0)
		status = search_all(&request, argv + optind, argc - optind);
	return cli_finish("pathsearch", status);
}
