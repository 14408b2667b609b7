/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The machine card of a benchmark program: the first of its JSON lines, which describes the machine for which the
 * figures hold. A file of /proc or /sys that cannot be read gives "unknown", never a failure. bench.h includes this.
 */
#ifndef FERRY_BENCH_MACHINE_H
#define FERRY_BENCH_MACHINE_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define BENCH_TEXT_BYTES 1024 /* longest text of the card */

/* Print text as a JSON string. Bytes outside ASCII are passed on: the machine's own files are UTF-8. */
static inline void bench_print_string(const char *text)
{
	putchar('"');
	for (const unsigned char *byte = (const unsigned char *)text; *byte; byte++) {
		if (*byte == '"' || *byte == '\\')
			printf("\\%c", *byte);
		else if (*byte < 0x20 || *byte == 0x7f)
			printf("\\u%04x", *byte);
		else
			putchar(*byte);
	}
	putchar('"');
}

/* The first line of a file, without its newline; empty when it cannot be read. */
static inline void bench_read_line(const char *path, char *text, int bytes)
{
	FILE *file = fopen(path, "re");

	text[0] = 0;
	if (!file)
		return;
	if (!fgets(text, bytes, file))
		text[0] = 0;
	text[strcspn(text, "\n")] = 0;
	fclose(file);
}

static inline void bench_cpu_model(char *text, size_t bytes)
{
	char line[BENCH_TEXT_BYTES];
	FILE *file = fopen("/proc/cpuinfo", "re");

	snprintf(text, bytes, "unknown");
	if (!file)
		return;
	while (fgets(line, sizeof(line), file)) {
		char *colon = strchr(line, ':');

		if (colon && (!strncmp(line, "model name", 10) || !strncmp(line, "CPU part", 8))) {
			line[strcspn(line, "\n")] = 0;
			snprintf(text, bytes, "%s", colon + 1 + (colon[1] == ' '));
			break;
		}
	}
	fclose(file);
}

/* Add "name: answer" for one vulnerability this CPU has; the answer ends at the first comma or semicolon. */
static inline size_t bench_add_mitigation(const char *name, char *text, size_t used, size_t bytes)
{
	char path[BENCH_TEXT_BYTES], line[BENCH_TEXT_BYTES];
	const char *answer = line;
	int length;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/vulnerabilities/%s", name);
	bench_read_line(path, line, sizeof(line));
	if (!line[0] || !strncmp(line, "Not affected", 12))
		return used;
	if (!strncmp(line, "Mitigation: ", 12))
		answer += 12;
	length = snprintf(text + used, bytes - used, "%s%s: %.*s", used ? "; " : "", name, (int)strcspn(answer, ",;"),
			  answer);
	return length < 0 || (size_t)length >= bytes - used ? used : used + (size_t)length;
}

/* Print which vulnerabilities this CPU has and what the kernel does about them: every entry pays for that. */
static inline void bench_mitigations(char *text, size_t bytes)
{
	struct dirent **names;
	int count = scandir("/sys/devices/system/cpu/vulnerabilities", &names, NULL, alphasort);
	size_t used = 0;

	snprintf(text, bytes, "%s", count < 0 ? "unknown" : "");
	for (int i = 0; i < count; i++) {
		if (names[i]->d_name[0] != '.')
			used = bench_add_mitigation(names[i]->d_name, text, used, bytes);
		free(names[i]);
	}
	if (count >= 0) {
		free(names);
		text[used] = 0;
		if (used == 0)
			snprintf(text, bytes, "not affected");
	}
}

#if defined(__clang__)
#define BENCH_COMPILER __VERSION__
#else
#define BENCH_COMPILER "gcc " __VERSION__
#endif

/* Print the card without its end, for a program that adds keys of its own. */
static inline void bench_print_machine_keys(void)
{
	char text[BENCH_TEXT_BYTES];
	struct utsname kernel;

	bench_cpu_model(text, sizeof(text));
	printf("{\"type\":\"machine\",\"cpu\":");
	bench_print_string(text);
	printf(",\"cores\":%ld,\"kernel\":", sysconf(_SC_NPROCESSORS_ONLN));
	if (uname(&kernel) == 0)
		snprintf(text, sizeof(text), "%s %s %s", kernel.sysname, kernel.release, kernel.machine);
	else
		snprintf(text, sizeof(text), "unknown");
	bench_print_string(text);
	printf(",\"compiler\":");
	bench_print_string(BENCH_COMPILER);
	printf(",\"mitigations\":");
	bench_mitigations(text, sizeof(text));
	bench_print_string(text);
}

static inline void bench_print_machine(void)
{
	bench_print_machine_keys();
	printf("}\n");
}

#endif /* FERRY_BENCH_MACHINE_H */
