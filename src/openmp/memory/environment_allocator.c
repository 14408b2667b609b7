/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OMP_ALLOCATOR (OpenMP 5.2, section 21.5): a predefined allocator, a memory space, or a memory space with traits,
 *
 *	omp_default_mem_space:alignment=512,fallback=null_fb
 *
 * Where a trait is given twice the last counts, as for omp_init_allocator. A value that cannot be used is shown from
 * where it is wrong, in libgomp's words, which its testsuite looks for; then the reason.
 */
#include "openmp/memory/environment_allocator.h"
#include "openmp/environment/environment_parse.h"
#include "openmp/memory/allocator.h"

#include <omp.h>
#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
enum {
	WORDS_MAX = 10,
	/* A trait that is given twice counts once. */
	TRAITS_MAX = 32,
	REASON_BYTES = 512,
};

struct word {
	const char *text;
	omp_uintptr_t value;
};

/* What a trait takes: one of the words, or a number greater than 0 when there are none. */
struct trait {
	const char *name;
	omp_alloctrait_key_t key;
	struct word words[WORDS_MAX + 1];
};

static const struct word spaces[] = {
	{ "omp_default_mem_space", omp_default_mem_space },
	{ "omp_large_cap_mem_space", omp_large_cap_mem_space },
	{ "omp_const_mem_space", omp_const_mem_space },
	{ "omp_high_bw_mem_space", omp_high_bw_mem_space },
	{ "omp_low_lat_mem_space", omp_low_lat_mem_space },
	{ "ompx_gnu_managed_mem_space", OMP__MANAGED_MEM_SPACE },
	{ NULL, 0 },
};

#define ALLOCATORS                                                                                                     \
	{ "omp_default_mem_alloc", omp_default_mem_alloc }, { "omp_large_cap_mem_alloc", omp_large_cap_mem_alloc },    \
		{ "omp_const_mem_alloc", omp_const_mem_alloc }, { "omp_high_bw_mem_alloc", omp_high_bw_mem_alloc },    \
		{ "omp_low_lat_mem_alloc", omp_low_lat_mem_alloc }, { "omp_cgroup_mem_alloc", omp_cgroup_mem_alloc },  \
		{ "omp_pteam_mem_alloc", omp_pteam_mem_alloc }, { "omp_thread_mem_alloc", omp_thread_mem_alloc },      \
		{ "ompx_gnu_pinned_mem_alloc", OMP__PINNED_MEM_ALLOC },                                                \
	{                                                                                                              \
		"ompx_gnu_managed_mem_alloc", OMP__MANAGED_MEM_ALLOC                                                   \
	}

static const struct word allocators[] = { ALLOCATORS, { NULL, 0 } };

static const struct trait traits[] = {
	{ "alignment", omp_atk_alignment, { { NULL, 0 } } },
	{ "pool_size", omp_atk_pool_size, { { NULL, 0 } } },
	{ "sync_hint",
	  omp_atk_sync_hint,
	  { { "contended", omp_atv_contended },
	    { "uncontended", omp_atv_uncontended },
	    { "serialized", omp_atv_serialized },
	    { "private", omp_atv_private } } },
	{ "access",
	  omp_atk_access,
	  { { "all", omp_atv_all },
	    { "cgroup", omp_atv_cgroup },
	    { "pteam", omp_atv_pteam },
	    { "thread", omp_atv_thread } } },
	{ "fallback",
	  omp_atk_fallback,
	  { { "default_mem_fb", omp_atv_default_mem_fb },
	    { "null_fb", omp_atv_null_fb },
	    { "abort_fb", omp_atv_abort_fb },
	    { "allocator_fb", omp_atv_allocator_fb } } },
	{ "fb_data", omp_atk_fb_data, { ALLOCATORS } },
	{ "pinned", omp_atk_pinned, { { "true", omp_atv_true }, { "false", omp_atv_false } } },
	{ "partition",
	  omp_atk_partition,
	  { { "environment", omp_atv_environment },
	    { "nearest", omp_atv_nearest },
	    { "blocked", omp_atv_blocked },
	    { "interleaved", omp_atv_interleaved } } },
};

/* How far the value was read, and why reading stopped there. */
struct reader {
	const char *at;
	char reason[REASON_BYTES];
};

static bool eat_word(const char **at, const struct word *words, omp_uintptr_t *value)
{
	for (; words->text; words++) {
		if (omp__env_eat(at, words->text)) {
			*value = words->value;
			return true;
		}
	}
	return false;
}

static void expect_words(struct reader *reader, const struct trait *trait)
{
	int length = snprintf(reader->reason, REASON_BYTES, "%s takes", trait->name);

	for (const struct word *word = trait->words; word->text; word++)
		length += snprintf(reader->reason + length, REASON_BYTES - (size_t)length, "%s %s",
				   word == trait->words ? "" : ",", word->text);
}

static bool read_value(struct reader *reader, const struct trait *trait, omp_uintptr_t *value)
{
	const char *at = reader->at;
	unsigned long number;

	if (trait->words[0].text) {
		if (eat_word(&reader->at, trait->words, value))
			return true;
		expect_words(reader, trait);
		return false;
	}
	if (!omp__env_eat_number(&at, &number) || number == 0) {
		snprintf(reader->reason, REASON_BYTES, "%s takes a number greater than 0", trait->name);
		return false;
	}
	reader->at = at;
	*value = number;
	return true;
}

static bool read_trait(struct reader *reader, omp_alloctrait_t *found)
{
	for (size_t i = 0; i < COUNT(traits); i++) {
		const char *at = reader->at;

		if (omp__env_eat(&at, traits[i].name) && omp__env_eat(&at, "=")) {
			reader->at = at;
			found->key = traits[i].key;
			return read_value(reader, &traits[i], &found->value);
		}
	}
	snprintf(reader->reason, REASON_BYTES,
		 "a trait is alignment, pool_size, sync_hint, access, fallback, fb_data, "
		 "pinned or partition, with = and a value");
	return false;
}

/* The number of traits, which have commas between them; 0 when one of them cannot be used. */
static int read_traits(struct reader *reader, omp_alloctrait_t *found)
{
	for (int count = 0; count < TRAITS_MAX;) {
		if (!read_trait(reader, &found[count++]))
			return 0;
		if (*omp__env_skip(reader->at) == '\0')
			return count;
		if (!omp__env_eat(&reader->at, ",")) {
			snprintf(reader->reason, REASON_BYTES, "there has to be a comma between traits");
			return 0;
		}
	}
	snprintf(reader->reason, REASON_BYTES, "there are more than %d traits", TRAITS_MAX);
	return 0;
}

static bool falls_back_nowhere(const omp_alloctrait_t *found, int count)
{
	bool falls = false, where = false;

	for (int i = 0; i < count; i++) {
		if (found[i].key == omp_atk_fallback)
			falls = found[i].value == (omp_uintptr_t)omp_atv_allocator_fb;
		where = where || found[i].key == omp_atk_fb_data;
	}
	return falls && !where;
}

static void complain(const char *name, const struct reader *reader)
{
	const char *value = omp__env_get(name);

	if (*omp__env_skip(reader->at) == '\0')
		fprintf(stderr, "\nlibgomp: Missing value at the end of environment variable %s=%s", name, value);
	else
		fprintf(stderr, "\nlibgomp: Invalid value for environment variable %s when parsing: %s", name,
			reader->at);
	omp__env_complain(name, reader->reason);
}

static bool create(const char *name, omp_uintptr_t space, const omp_alloctrait_t *found, int count,
		   uintptr_t *allocator)
{
	uintptr_t made = omp_null_allocator;
	const char *why = "fallback=allocator_fb needs fb_data with an allocator";

	if (!falls_back_nowhere(found, count)) {
		made = (uintptr_t)omp_init_allocator((omp_memspace_handle_t)space, count, found);
		why = "alignment has to be a power of two";
	}
	if (made == omp_null_allocator) {
		fprintf(stderr,
			"\nlibgomp: Allocator of environment variable %s cannot be created, using "
			"omp_default_mem_alloc instead",
			name);
		omp__env_complain(name, why);
		return false;
	}
	*allocator = made;
	return true;
}

bool omp__env_allocator(const char *name, uintptr_t *allocator)
{
	struct reader reader = { .at = omp__env_get(name) };
	omp_alloctrait_t found[TRAITS_MAX];
	omp_uintptr_t word;
	bool is_space;

	if (!reader.at)
		return false;
	is_space = eat_word(&reader.at, spaces, &word);
	if (is_space && omp__env_eat(&reader.at, ":")) {
		int count = read_traits(&reader, found);

		if (count)
			return create(name, word, found, count, allocator);
	} else if (is_space || eat_word(&reader.at, allocators, &word)) {
		if (*omp__env_skip(reader.at) == '\0') {
			/* the allocators stand in the order of their spaces, from 1 */
			*allocator = word + is_space;
			return true;
		}
		snprintf(
			reader.reason, REASON_BYTES, "%s",
			is_space
				? "traits stand behind a colon"
				: "traits belong to a memory space and a colon, as omp_default_mem_space:alignment=64");
	} else {
		snprintf(reader.reason, REASON_BYTES, "it names no allocator and no memory space of omp.h");
	}
	complain(name, &reader);
	return false;
}

const char *omp__allocator_name(uintptr_t allocator)
{
	for (const struct word *word = allocators; word->text; word++)
		if (word->value == allocator)
			return word->text;
	return NULL;
}
