/* SPDX-License-Identifier: BSD-3-Clause */
/* Every limit of the ingress core. Those a host chooses have a default and a largest value. */
#ifndef INGRESS_LIMITS_H
#define INGRESS_LIMITS_H

#define INGRESS__LINE_BYTES 64 /* of a cache line */

/* Contexts of all libraries together, the idle ones included: a token has 16 bits for the place. */
#define INGRESS__PLACES_MAX 65535u
/* Idle contexts of one library whose threads are kept for the next. */
#define INGRESS__IDLE_MAX 16u

/* Bits of a lane's word (lane.h): generation, room, index. */
#define INGRESS__GENERATION_BITS 20
#define INGRESS__ROOM_BITS 20
#define INGRESS__INDEX_BITS 24

/* Blocks of the process: requests and events that are under way, or were once at the same time. */
#define INGRESS__BLOCKS_MAX ((1u << INGRESS__INDEX_BITS) - 2)
/* Blocks that a thread's heap grows by at first, and what it grows by at most: a huge page. */
#define INGRESS__CHUNK_BLOCKS 32u
#define INGRESS__SPAN_BYTES (2u << 20)
/* Bytes of a request, a reply or an event that need no memory of their own. */
#define INGRESS__INLINE_BYTES 160u
/* Buffers for what is larger, kept for use again: of each size so many bytes. */
#define INGRESS__BUFFERS_KEPT_BYTES (4u << 20)

/* Lanes of a context: as many threads submit without meeting each other. */
#define INGRESS__LANES 16u
/* Room that a lane is given ahead of need. */
#define INGRESS__GRANT_MAX 64u
/* Looks for room before a queue is called full although another thread is at moving some. */
#define INGRESS__MOVE_LOOKS 1000u

#define INGRESS__QUEUE_DEPTH 4096u
/* All of it may be one lane's room. */
#define INGRESS__QUEUE_DEPTH_MAX (1u << (INGRESS__ROOM_BITS - 1))
#define INGRESS__EVENT_DEPTH 1024u
#define INGRESS__EVENT_DEPTH_MAX (1u << 20)
#define INGRESS__PAYLOAD_BYTES (64ULL << 20)
#define INGRESS__PAYLOAD_BYTES_MAX 0xffffffffULL /* W7 */
#define INGRESS__STALE_NS 5000000000LL
#define INGRESS__STUCK_NS 5000000000LL
/* About what a sleep and a wake-up on another core cost: 44 us on an AMD EPYC VM. */
#define INGRESS__SPIN_NS 50000LL
#define INGRESS__SPIN_NS_MAX 10000000LL
/* A budget below this is not worth counting oneself among the spinning. */
#define INGRESS__SPIN_LEAST_NS 500u

/* Requests that a provider is given at once. */
#define INGRESS__BATCH_MAX 256u
/* Events that the event thread takes at once. */
#define INGRESS__EVENT_BATCH_MAX 64u
/* Handles that a context has open at once, and bits of an id for the place; the others number it. */
#define INGRESS__HANDLE_BITS 20
#define INGRESS__HANDLES_MAX (1u << INGRESS__HANDLE_BITS)

#endif
