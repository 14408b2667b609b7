/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The records getdents64(2) fills a buffer with.
 *
 * The kernel builds them, but file systems in user space choose what is in them, so a record is believed only as far
 * as it lies inside the buffer.
 */
#ifndef FERRY_WALK_DENTS_H
#define FERRY_WALK_DENTS_H

#include <stddef.h>
#include <stdint.h>

/* struct linux_dirent64, as getdents64(2) describes it */
struct walk__dent {
	uint64_t ino;
	int64_t next; /* position of the entry after this one */
	uint16_t record_bytes;
	unsigned char type;
	char name[];
};

/* The smallest record: a name of one byte, terminated. */
#define WALK__DENT_BYTES_MIN (offsetof(struct walk__dent, name) + 2)

/*
 * The record at *offset of buffer[bytes]; moves *offset past it. buffer[bytes] must be '\0': a name that is not
 * terminated in its record ends there at the latest. Returns NULL at the end, and with *offset below bytes when what is
 * there is no record.
 */
static inline const struct walk__dent *walk__dents_next(const char *buffer, size_t bytes, size_t *offset)
{
	const struct walk__dent *dent = (const struct walk__dent *)(const void *)(buffer + *offset);
	size_t left = bytes - *offset;

	if (left < WALK__DENT_BYTES_MIN || dent->record_bytes < WALK__DENT_BYTES_MIN || dent->record_bytes > left ||
	    dent->record_bytes % _Alignof(struct walk__dent))
		return NULL;
	*offset += dent->record_bytes;
	return dent;
}

static inline int walk__dent_is_dot(const struct walk__dent *dent)
{
	return dent->name[0] == '.' && (!dent->name[1] || (dent->name[1] == '.' && !dent->name[2]));
}

#endif /* FERRY_WALK_DENTS_H */
