/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The main of a fuzz target that is built without libFuzzer: fuzz_NAME FOLDER runs the target on every file of the
 * folder and prints TAP. A target says that something is wrong by aborting; the line before, on stderr, names the file.
 */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INPUT_BYTES_MAX (1 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static int not_hidden(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* Run one file, from memory of exactly its size, so that a sanitizer sees a read past its end. */
static int replay(const char *folder, const char *name)
{
	static uint8_t buffer[INPUT_BYTES_MAX];
	char path[4096];
	uint8_t *exact;
	size_t bytes;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	fprintf(stderr, "# replaying %s\n", path);
	file = fopen(path, "rb");
	if (!file) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		return -1;
	}
	bytes = fread(buffer, 1, sizeof(buffer), file);
	fclose(file);
	exact = malloc(bytes ? bytes : 1);
	if (!exact)
		return -1;
	memcpy(exact, buffer, bytes);
	LLVMFuzzerTestOneInput(exact, bytes);
	free(exact);
	return 0;
}

int main(int argc, char **argv)
{
	struct dirent **entries;
	int count, failures = 0;

	if (argc != 2) {
		fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
		return 2;
	}
	count = scandir(argv[1], &entries, not_hidden, alphasort);
	if (count <= 0) {
		fprintf(stderr, "%s: no corpus: put at least one input there\n", argv[1]);
		return 1;
	}
	for (int i = 0; i < count; i++) {
		int failed = replay(argv[1], entries[i]->d_name);

		printf("%s %d - %s\n", failed ? "not ok" : "ok", i + 1, entries[i]->d_name);
		fflush(stdout);
		failures += failed != 0;
		free(entries[i]);
	}
	free(entries);
	printf("1..%d\n", count);
	return failures > 0;
}
