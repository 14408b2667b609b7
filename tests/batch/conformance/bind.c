/* SPDX-License-Identifier: BSD-3-Clause */
/* The binding of bind.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bind.h"

long vector_untouched(size_t index)
{
	return (long)(0x5a5ac0de00000000UL | (index & 0xffffffff));
}

long vector_word_value(const struct bound *bound, const struct vector *vector, const struct vector_word *word)
{
	unsigned long sum = 0;

	(void)vector;
	for (unsigned int i = 0; i < word->count; i++) {
		const struct vector_term *term = &word->terms[i];
		unsigned long value = 0;

		switch (term->kind) {
		case VECTOR_NUMBER:
			value = (unsigned long)term->value;
			break;
		case VECTOR_PAGE_BYTES:
			value = (unsigned long)sysconf(_SC_PAGESIZE);
			break;
		case VECTOR_MEMORY:
			value = (unsigned long)bound->memory[term->index];
			break;
		case VECTOR_RET:
			value = (unsigned long)&bound->rets_memory[term->index];
			break;
		case VECTOR_ARG:
			value = (unsigned long)&bound->slots_memory[term->index].arg[term->argument];
			break;
		case VECTOR_SLOT:
			value = (unsigned long)&bound->slots_memory[term->index];
			break;
		}
		sum += term->negative ? 0 - value : value;
	}
	return (long)sum;
}

static int make_file(const char *path, const char *content, size_t bytes)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	ssize_t written;

	if (fd < 0)
		return -errno;
	written = write(fd, content, bytes);
	close(fd);
	return written == (ssize_t)bytes ? 0 : -EIO;
}

static int make_folder(struct bound *bound)
{
	const char *parent = getenv("TMPDIR");

	if (bound->folder[0])
		return 0;
	snprintf(bound->folder, sizeof(bound->folder), "%s/ferry-vector-XXXXXX", parent ? parent : "/tmp");
	if (mkdtemp(bound->folder))
		return 0;
	bound->folder[0] = '\0';
	return -errno;
}

/* The item's path, as the memory that &name is. */
static int make_path(struct bound *bound, const struct vector *vector, unsigned int index)
{
	const struct vector_memory *item = &vector->memory[index];
	int code = make_folder(bound);

	if (code)
		return code;
	if (asprintf(&bound->memory[index], "%s/%s", bound->folder, item->name) < 0) {
		bound->memory[index] = NULL;
		return -ENOMEM;
	}
	return item->kind == VECTOR_MISSING
		       ? 0
		       : make_file(bound->memory[index], vector->strings + item->string, item->string_bytes);
}

/* A page with that protection; the page behind it is never mapped. */
static int make_page(struct bound *bound, const struct vector *vector, unsigned int index)
{
	static const int protections[] = {
		[VECTOR_PAGE_NONE] = PROT_NONE,
		[VECTOR_PAGE_READ] = PROT_READ,
		[VECTOR_PAGE_WRITE] = PROT_READ | PROT_WRITE,
	};
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	char *pages = mmap(NULL, 2 * page_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED)
		return -errno;
	bound->memory[index] = pages;
	return mprotect(pages, page_bytes, protections[vector->memory[index].kind]) ? -errno : 0;
}

static int make_data(struct bound *bound, const struct vector *vector, unsigned int index)
{
	const struct vector_memory *item = &vector->memory[index];

	bound->memory[index] = calloc(1, item->bytes + sizeof(long));
	if (!bound->memory[index])
		return -ENOMEM;
	memcpy(bound->memory[index], vector->strings + item->string, item->string_bytes);
	return 0;
}

static int make_memory(struct bound *bound, const struct vector *vector, unsigned int index)
{
	switch (vector->memory[index].kind) {
	case VECTOR_DATA:
		return make_data(bound, vector, index);
	case VECTOR_FILE:
	case VECTOR_MISSING:
		return make_path(bound, vector, index);
	default:
		return make_page(bound, vector, index);
	}
}

static void fill_slots(struct bound *bound, const struct vector *vector)
{
	struct batch_slot *slot = bound->slots_memory;

	for (unsigned int i = 0; i < vector->line_count; i++) {
		const struct vector_slot *line = &vector->slots[i];
		struct batch_slot made = {
			.nr = (__s16)line->nr,
			.jump_fail = line->jump_fail,
			.jump_zero = line->jump_zero,
			.jump_positive = line->jump_positive,
			.argc = line->argc,
			.flags = line->slot_flags,
		};

		memset(made.reserved, line->reserved, sizeof(made.reserved));
		for (unsigned int k = 0; k < line->words; k++)
			made.arg[k] = vector_word_value(bound, vector, &line->arg[k]);
		for (unsigned int t = 0; t < line->times; t++)
			*slot++ = made;
	}
}

static void *array_address(enum vector_array array, void *memory)
{
	if (array == VECTOR_ARRAY_NULL)
		return NULL;
	return array == VECTOR_ARRAY_MISALIGNED ? (char *)memory + 1 : memory;
}

int vector_bind(struct bound *bound, const struct vector *vector)
{
	size_t count = vector->slot_count + 1; /* one more: the guard, and room for a misaligned array */
	int code = -ENOMEM;

	memset(bound, 0, sizeof(*bound));
	bound->slots_memory = aligned_alloc(64, count * sizeof(struct batch_slot));
	bound->rets_memory = malloc(count * sizeof(long));
	if (!bound->slots_memory || !bound->rets_memory)
		goto out_unbind;
	for (size_t i = 0; i < count; i++)
		bound->rets_memory[i] = vector_untouched(i);
	for (unsigned int i = 0; i < vector->memory_count; i++) {
		code = make_memory(bound, vector, i);
		if (code)
			goto out_unbind;
	}
	fill_slots(bound, vector);
	bound->slots = array_address(vector->slots_array, bound->slots_memory);
	bound->rets = array_address(vector->rets_array, bound->rets_memory);
	bound->count = vector->has_count ? vector->count : vector->slot_count;
	return 0;
out_unbind:
	vector_unbind(bound, vector);
	return code;
}

void vector_unbind(struct bound *bound, const struct vector *vector)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);

	for (unsigned int i = 0; i < vector->memory_count; i++) {
		enum vector_memory_kind kind = vector->memory[i].kind;

		if (!bound->memory[i])
			continue;
		if (kind == VECTOR_FILE || kind == VECTOR_MISSING)
			unlink(bound->memory[i]); /* a missing file may stay missing */
		if (kind == VECTOR_PAGE_NONE || kind == VECTOR_PAGE_READ || kind == VECTOR_PAGE_WRITE)
			munmap(bound->memory[i], 2 * page_bytes);
		else
			free(bound->memory[i]);
	}
	if (bound->folder[0])
		rmdir(bound->folder);
	free(bound->slots_memory);
	free(bound->rets_memory);
}
