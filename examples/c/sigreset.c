/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sigreset: run a command with every signal's disposition reset.
 *
 * A shell does this before each command that it starts: one rt_sigaction per signal, each of which does almost no work.
 * Here they are one batch. The calls are the kernel's and not libc's: libc refuses the two signals that it keeps for
 * itself, although a parent may have ignored them.
 */
#include <getopt.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/cli.h"

/* The kernel's signals are 1 to 64, and its sets 8 bytes, on every architecture Ferry knows. */
#define SIGNAL_COUNT 64
#define SIGNAL_SET_BYTES 8

/* Beside the common exit status, those of env(1) and the shells for a command that could not be run. */
enum { STATUS_NOT_RUNNABLE = 126, STATUS_NOT_FOUND = 127 };

static const char help[] = "Usage: sigreset [OPTION]... [--] COMMAND [ARGUMENT]...\n"
			   "       sigreset [OPTION]... --list\n"
			   "Run COMMAND with the disposition of every signal reset to its default.\n"
			   "All signals are reset by one batch of system calls, in one crossing.\n"
			   "\n"
			   "  -i, --ignore=SIG[,SIG]...  ignore these signals instead; names with or without\n"
			   "                             SIG, numbers, RTMIN+N or RTMAX-N; may be given again\n"
			   "  -u, --unblock              unblock all signals too\n"
			   "  -l, --list                 print what changed, and run no command\n"
			   "  -v, --verbose              print what changed on standard error, then run COMMAND\n"
			   "      --help                 print this help and exit\n"
			   "      --version              print the version and exit\n"
			   "\n"
			   "Exit status: COMMAND's; 1 if a signal could not be reset, 2 if the command line is wrong,\n"
			   "126 if COMMAND cannot be run, 127 if it is not found.\n";

static const struct option options[] = {
	{ "ignore", required_argument, NULL, 'i' },
	{ "unblock", no_argument, NULL, 'u' },
	{ "list", no_argument, NULL, 'l' },
	{ "verbose", no_argument, NULL, 'v' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

struct request {
	bool ignore[SIGNAL_COUNT + 1]; /* by signal number */
	bool unblock;
	bool list;
	bool verbose;
};

/* struct sigaction as rt_sigaction(2) takes it; libc's own differs. */
struct kernel_action {
	void (*handler)(int);
	unsigned long flags;
	void (*restorer)(void);
	unsigned long long mask;
};

struct reset {
	struct batch_slot slots[SIGNAL_COUNT + 1];
	long rets[SIGNAL_COUNT + 1];
	struct kernel_action new_actions[SIGNAL_COUNT + 1]; /* by signal number */
	struct kernel_action old_actions[SIGNAL_COUNT + 1];
	unsigned long long no_signals, old_mask;
	int signals[SIGNAL_COUNT + 1]; /* which signal a slot is about; 0 for the mask */
};

/* Their dispositions can be neither changed nor ignored. */
static bool is_fixed(int signal)
{
	return signal == SIGKILL || signal == SIGSTOP;
}

/* "HUP", "RTMIN+3", or a number for a signal that libc keeps. A name that libc does not have goes into text[bytes]. */
static const char *signal_name(int signal, char *text, size_t bytes)
{
	const char *name = sigabbrev_np(signal);

	if (name)
		return name;
	if (signal == SIGRTMIN)
		return "RTMIN";
	if (signal > SIGRTMIN && signal <= SIGRTMAX)
		snprintf(text, bytes, "RTMIN+%d", signal - SIGRTMIN);
	else
		snprintf(text, bytes, "%d", signal);
	return text;
}

/* All of `text` as a decimal number, or -1. */
static int parse_number(const char *text)
{
	char *end;
	long number;

	if (text[0] < '0' || text[0] > '9')
		return -1;
	number = strtol(text, &end, 10);
	return *end || number > SIGNAL_COUNT ? -1 : (int)number;
}

/* A real-time signal "RTMIN", "RTMIN+N", "RTMAX" or "RTMAX-N", or -1. */
static int parse_real_time(const char *text)
{
	bool low = strncasecmp(text, "RTMIN", 5) == 0;
	int offset = 0;

	if (!low && strncasecmp(text, "RTMAX", 5) != 0)
		return -1;
	if (text[5] == (low ? '+' : '-'))
		offset = parse_number(text + 6);
	else if (text[5])
		return -1;
	if (offset < 0 || offset > SIGRTMAX - SIGRTMIN)
		return -1;
	return low ? SIGRTMIN + offset : SIGRTMAX - offset;
}

/* The signal a name or number means, or -1. */
static int parse_signal(const char *text)
{
	int number = parse_number(text);

	if (number >= 0)
		return number > 0 ? number : -1;
	if (strncasecmp(text, "SIG", 3) == 0)
		text += 3;
	for (int signal = 1; signal <= SIGNAL_COUNT; signal++) {
		const char *name = sigabbrev_np(signal);

		if (name && strcasecmp(text, name) == 0)
			return signal;
	}
	return parse_real_time(text);
}

/* Note the signals of a list separated by commas. Returns -1, or the status to exit with. */
static int parse_ignore(struct request *request, char *list)
{
	for (char *name = strsep(&list, ","); name; name = strsep(&list, ",")) {
		int signal = parse_signal(name);

		if (signal < 0) {
			cli_error("sigreset", "--ignore: no signal '%s'; `kill -l` lists their names", name);
			return cli_usage("sigreset");
		}
		if (is_fixed(signal)) {
			cli_error("sigreset", "--ignore: %s cannot be ignored; leave it out", name);
			return cli_usage("sigreset");
		}
		request->ignore[signal] = true;
	}
	return -1;
}

/* One slot per signal, and one for the mask if asked. Returns the slot count, or -errno. */
static long build(struct reset *reset, const struct request *request, struct batch_error *error)
{
	struct batch_builder builder;

	batch_builder_init(&builder, reset->slots, reset->rets, SIGNAL_COUNT + 1);
	for (int signal = 1; signal <= SIGNAL_COUNT; signal++) {
		struct kernel_action *new_action = &reset->new_actions[signal];
		long slot;

		if (is_fixed(signal))
			continue;
		new_action->handler = request->ignore[signal] ? SIG_IGN : SIG_DFL;
		slot = batch_value_slot(batch_builder_rt_sigaction(&builder, signal, new_action,
								   &reset->old_actions[signal], SIGNAL_SET_BYTES));
		if (slot >= 0)
			reset->signals[slot] = signal;
	}
	if (request->unblock)
		batch_builder_add(&builder, __NR_rt_sigprocmask, SIG_SETMASK, &reset->no_signals, &reset->old_mask,
				  SIGNAL_SET_BYTES);
	return batch_builder_finish(&builder, error);
}

static const char *disposition(const struct kernel_action *action)
{
	if (action->handler == SIG_DFL)
		return "default";
	return action->handler == SIG_IGN ? "ignored" : "caught";
}

/* Print one line for each signal whose disposition or blocking changed. */
static void print_changes(const struct reset *reset, FILE *out)
{
	char text[24];

	for (int signal = 1; signal <= SIGNAL_COUNT; signal++) {
		const struct kernel_action *old_action = &reset->old_actions[signal];
		const struct kernel_action *new_action = &reset->new_actions[signal];

		if (old_action->handler != new_action->handler)
			fprintf(out, "%s\t%s -> %s\n", signal_name(signal, text, sizeof(text)), disposition(old_action),
				disposition(new_action));
		if (reset->old_mask >> (signal - 1) & 1)
			fprintf(out, "%s\tblocked -> unblocked\n", signal_name(signal, text, sizeof(text)));
	}
}

static int reset_signals(struct reset *reset, const struct request *request)
{
	struct batch_error error = { 0 };
	long count = build(reset, request, &error);
	long last = count, failed;
	char text[200];

	if (count > 0)
		last = batch_run(&batch_executor_loop, reset->rets, reset->slots, (size_t)count, 0, &error);
	if (last < 0) {
		batch_error_format(&error, text, sizeof(text));
		return cli_error("sigreset", "cannot run the batch: %s", text);
	}
	failed = batch_result_failed(reset->slots, reset->rets, last);
	if (failed < 0)
		return CLI_OK;
	if (!reset->signals[failed])
		return cli_error("sigreset", "cannot unblock signals: %s", strerror((int)-reset->rets[failed]));
	return cli_error("sigreset", "cannot reset %s: %s", signal_name(reset->signals[failed], text, sizeof(text)),
			 strerror((int)-reset->rets[failed]));
}

static int run_command(char **command)
{
	int code;

	execvp(command[0], command);
	code = errno;
	cli_error("sigreset", "%s: %s", command[0], strerror(code));
	return code == ENOENT ? STATUS_NOT_FOUND : STATUS_NOT_RUNNABLE;
}

/* Returns -1, or the status to exit with at once. */
static int parse(int argc, char **argv, struct request *request)
{
	int option, status;

	/* "+": words after COMMAND are arguments of the command */
	while ((option = getopt_long(argc, argv, "+i:ulv", options, NULL)) != -1) {
		switch (option) {
		case 'i':
			status = parse_ignore(request, optarg);
			if (status >= 0)
				return status;
			break;
		case 'u':
			request->unblock = true;
			break;
		case 'l':
			request->list = true;
			break;
		case 'v':
			request->verbose = true;
			break;
		case 'h':
			fputs(help, stdout);
			return CLI_OK;
		case 'V':
			cli_version("sigreset");
			return CLI_OK;
		default:
			return cli_usage("sigreset");
		}
	}
	if (request->list == (optind == argc))
		return -1;
	cli_error("sigreset", request->list ? "--list runs no command; use --verbose to see what changed and run it"
					    : "no command to run; give one, or --list");
	return cli_usage("sigreset");
}

int main(int argc, char **argv)
{
	static struct reset reset;
	struct request request = { 0 };
	int status = parse(argc, argv, &request);

	if (status >= 0)
		return cli_finish("sigreset", status);
	status = reset_signals(&reset, &request);
	if (status != CLI_OK)
		return status;
	if (request.list) {
		print_changes(&reset, stdout);
		return cli_finish("sigreset", CLI_OK);
	}
	if (request.verbose)
		print_changes(&reset, stderr);
	return run_command(argv + optind);
}
