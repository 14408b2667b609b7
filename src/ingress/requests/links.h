/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Links of a chain: whether they may be, where a field is in a result, and what a payload becomes when fields are put
 * in it (C3 to C7 of spec/interface.md). Nothing here allocates or keeps anything. Links come from other machines too:
 * what is read of a payload or a result lies inside it, whatever they say.
 */
#ifndef INGRESS_LINKS_H
#define INGRESS_LINKS_H

#include <ferry/ingress.h>

#include <stdbool.h>

/* Check the links of a chain of calls[count]. False: *error says what is wrong with which. */
bool ingress__links_check(const struct ingress_call *calls, size_t count, const struct ingress_link *links,
			  size_t link_count, struct ingress_refusal *error);

/* Bytes of a message; of a field that was found, or why none was: `data` is NULL then, and `reason` a word of W8. */
struct ingress__field {
	const void *data;
	size_t bytes;
	const char *reason;
};

/* Find the field of a link in the source's result. */
struct ingress__field ingress__link_find(const struct ingress_link *link, const void *result, size_t bytes);

/*
 * How long data[bytes] is with fields[count] in their places, which the links say in ascending order; 0: over `most`.
 * `links` and `fields` are of one request, without links of kind AFTER.
 */
size_t ingress__links_size(const struct ingress__field *fields, size_t count, size_t bytes, size_t most);
void ingress__links_fill(const struct ingress_link *links, const struct ingress__field *fields, size_t count,
			 const unsigned char *data, size_t bytes, unsigned char *to);

#endif
