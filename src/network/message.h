/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages between a host and a provider's process: a header and any number of records. All numbers are little-endian.
 *
 *	header, 32 bytes	"FNET", version, kind, two bytes of zero, interface hash, session, sequence
 *	record, 32 bytes	type, wire, status, a byte of zero, number, id, extra, count of payload bytes,
 *				four bytes of zero; then the payload
 *
 * Reading never allocates, and looks at no byte outside the message, whatever is in it: anybody who may publish may
 * have written it. A message is read whole (network__message_check) before any of its records has an effect.
 */
#ifndef NETWORK_MESSAGE_H
#define NETWORK_MESSAGE_H

#include <ferry/ingress.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NETWORK__VERSION 1
#define NETWORK__HEADER_BYTES 32u
#define NETWORK__RECORD_BYTES 32u

enum network__kind {
	NETWORK__OPEN = 1,     /* host → any provider: begin a session; its first record is the constructor */
	NETWORK__STATIC = 2,   /* host → any provider: requests that need no context */
	NETWORK__REQUESTS = 3, /* host → the session's provider */
	NETWORK__REPLIES = 4,  /* provider → host */
	NETWORK__KIND_COUNT,
};

enum network__type {
	NETWORK__REQUEST = 1,  /* number: the method; id: the host's; extra: ns until its deadline, 0: none; payload */
	NETWORK__DESTRUCT = 2, /* id: the host's; end the context, and answer when it has ended */
	NETWORK__LISTEN = 3,   /* number: the event; extra: the wire formats that are wanted, as bits */
	NETWORK__ACKNOWLEDGE = 4, /* extra: how many events the host has taken since the last one */
	NETWORK__CLOSE = 5,	  /* the host wants nothing of this session any more */
	NETWORK__REPLY = 6,	  /* id; status; payload */
	NETWORK__EVENT = 7,  /* number: the event; id: how many of this event the provider had, this one included */
	NETWORK__ALIVE = 8,  /* id: the sequence of the static message this is about; 0: all of the session */
	NETWORK__GAP = 9,    /* messages with sequences from id to extra never came, and are never taken any more */
	NETWORK__GONE = 10,  /* the provider has no such session */
	NETWORK__PROBE = 11, /* is the host still there? */
	NETWORK__IDEMPOTENT = 12, /* as REQUEST; it may come again with the same id, and is to be done once */
	NETWORK__CANCEL = 13,	  /* id: of a request that the host has cancelled */
	NETWORK__CHAIN =
		14, /* the next `number` records are REQUESTs of a chain; extra as of those; payload: its links */
	NETWORK__TYPE_COUNT,
};

struct network__header {
	uint8_t kind;
	uint64_t hash;	   /* of the interface */
	uint64_t session;  /* chosen by the host, at random */
	uint64_t sequence; /* of the session's messages in this direction, from 1 */
};

struct network__record {
	uint8_t type;
	uint8_t wire;
	uint8_t status;
	uint32_t number;
	uint64_t id;
	uint64_t extra;
	const uint8_t *data;
	size_t bytes;
};

/* Read the header and look at every record. False: this is no message of this version. */
bool network__message_check(const uint8_t *data, size_t bytes, struct network__header *header);
/* The record at *place of a checked message, and the next place. False: there are no more. */
bool network__message_next(const uint8_t *data, size_t bytes, size_t *place, struct network__record *record);

/*
 * The links of a checked CHAIN record, whose paths lie in it; returns how many there are. Each travels as five numbers
 * of 32 bits (request, source, kind, place, bytes of the path) and its path. Whether they make sense is for the core to
 * say.
 */
uint32_t network__links_read(const struct network__record *chain, struct ingress_link links[INGRESS_LINKS_MAX]);
/* How many bytes one takes; and write it, which returns the place after it. */
#define NETWORK__LINK_BYTES 20u
uint8_t *network__link_write(uint8_t *to, const struct ingress_link *link);

/* A message that is being written. Zeros are an empty one. */
struct network__writer {
	uint8_t *data;
	size_t bytes, capacity;
};

/* Begin with room for the header, which network__writer_end fills in. False: no memory. */
bool network__writer_begin(struct network__writer *writer);
/* Make room for so many bytes: records that fit in it can be appended. False: no memory. */
bool network__writer_reserve(struct network__writer *writer, size_t bytes);
/* Append a record. False: no memory, and the message is as before. */
bool network__writer_add(struct network__writer *writer, const struct network__record *record);
void network__writer_end(struct network__writer *writer, const struct network__header *header);
/* Whether it has records. */
static inline bool network__writer_has(const struct network__writer *writer)
{
	return writer->bytes > NETWORK__HEADER_BYTES;
}
/* Forget the records, and keep memory of a usual size for the next message. */
void network__writer_reset(struct network__writer *writer);
void network__writer_free(struct network__writer *writer);

#endif
