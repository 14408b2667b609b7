/* SPDX-License-Identifier: BSD-3-Clause */
/* Every limit of the ingress core. A limit that a host may choose has a default and a largest value. */
#ifndef INGRESS_LIMITS_H
#define INGRESS_LIMITS_H

#define INGRESS__LINE_BYTES 64 /* the size of a cache line */

/* Entries of the context table, for all libraries together, idle ones included: a token has 16 bits for the entry. */
#define INGRESS__CONTEXTS_MAX 65535u
/* Idle entries of one library whose two threads are kept for the next context. */
#define INGRESS__IDLE_MAX 16u

/* Bits of a lane's word (lane.h): generation, credits, index. */
#define INGRESS__GENERATION_BITS 20
#define INGRESS__CREDIT_BITS 20
#define INGRESS__INDEX_BITS 24

/* Blocks of the process: the largest number of requests and events that were ever under way at the same time. */
#define INGRESS__BLOCKS_MAX ((1u << INGRESS__INDEX_BITS) - 2)
/* A thread's heap grows by this many blocks at first, and by one span, the size of a huge page, at most. */
#define INGRESS__CHUNK_BLOCKS 32u
#define INGRESS__SPAN_BYTES (2u << 20)
/* A thread keeps about this many of the free blocks that it gives home itself in a list of its own. */
#define INGRESS__OWN_BLOCKS 1024u
/* Other blocks that come home are made lists of about this length. */
#define INGRESS__LIST_BLOCKS 4096u
/* When more blocks than these are in a heap's lists, and its thread takes none for this long, it is trimmed. */
#define INGRESS__SURPLUS_BLOCKS 12288u
#define INGRESS__TRIM_NS 1000000000ull
/* A thread prefetches a block into its cache when it has this many other blocks to work on first. */
#define INGRESS__AHEAD 4u
/* Hosts that are told when an event thread ends; there is one for each language. */
#define INGRESS__WATCHERS_MAX 8u
/* A request, a reply or an event up to this size lies in its block and needs no other memory. */
#define INGRESS__INLINE_BYTES 160u
/* Of each size of buffer (buffer.h), at most this many bytes are kept for use again. */
#define INGRESS__BUFFERS_KEPT_BYTES (4u << 20)

/* Lanes of a context: this many threads can submit without contending for a cache line. */
#define INGRESS__LANES 16u
/* Most credits that a lane gets beyond what a push needs. */
#define INGRESS__GRANT_MAX 64u
/* A producer searches this many times for credits that another thread is transferring, then reports a full queue. */
#define INGRESS__TRANSFER_TRIES 1000u

#define INGRESS__QUEUE_DEPTH 4096u
/* One lane may hold the credits of the whole queue. */
#define INGRESS__QUEUE_DEPTH_MAX (1u << (INGRESS__CREDIT_BITS - 1))
/* Different tickets that may be filed at once (filed.h) are about this many times the depth of the queue. */
#define INGRESS__FILED_FACTOR 4u
/* A ticket lies at most this many cells from its home. */
#define INGRESS__FILED_PROBES 256u
/* So often the library thread takes tickets, while more are filed, before it tells its provider of any. */
#define INGRESS__FILED_ROUNDS 4u
#define INGRESS__EVENT_DEPTH 1024u
#define INGRESS__EVENT_DEPTH_MAX (1u << 20)
#define INGRESS__PAYLOAD_BYTES (64ULL << 20)
#define INGRESS__PAYLOAD_BYTES_MAX 0xffffffffULL /* W7 */
#define INGRESS__STALE_NS 5000000000LL
#define INGRESS__STUCK_NS 5000000000LL
/* About what a sleep and a wake-up on another core cost: 44 us on an AMD EPYC VM. */
#define INGRESS__SPIN_NS 50000LL
#define INGRESS__SPIN_NS_MAX 10000000LL
/* A thread with a smaller budget than this does not spin. */
#define INGRESS__SPIN_LEAST_NS 500u

/* Requests that a provider gets in one batch. */
#define INGRESS__BATCH_MAX 256u
/* Events that the event thread takes in one batch. */
#define INGRESS__EVENT_BATCH_MAX 64u
/* An id of a handle has this many bits for the index in the context's table; the others number the handle. */
#define INGRESS__HANDLE_BITS 20
#define INGRESS__HANDLES_MAX (1u << INGRESS__HANDLE_BITS)

#endif
