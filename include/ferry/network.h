/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A library that runs in another process, perhaps on another machine, behind a NATS server: `ferry serve` offers it,
 * and here it is a struct ingress_library as any other, whose contexts pass their requests on. docs/ingress-network.md
 * says what holds of it; `ferry bindgen --lang nats` writes a shared object that stands for a library's own.
 */
#ifndef FERRY_NETWORK_H
#define FERRY_NETWORK_H

#include <ferry/ingress_provider.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* What has to be known of a library without it: of its interface description. It lives as long as the process. */
struct ferry_network_interface {
	const char *name;
	uint64_t hash;
	uint32_t method_count;
	uint32_t event_count;
	const uint8_t *methods; /* enum ingress_method_kind of each */
	const struct ingress_event_kind *events;
	const uint8_t *idempotent; /* 1 for each method that may be repeated; NULL: none may */
};

/*
 * The library behind an address, `nats://HOST:PORT/SERVICE` or `tls://HOST:PORT/SERVICE`; without a service it is the
 * library's name. NULL: the environment's NAME_LIBRARY if that is an address, else FERRY_NATS_URL, else
 * nats://127.0.0.1:4222. Nothing is connected yet: what is wrong with an address or behind it is the answer to the
 * first request (INGRESS_NO_CONTEXT, with a message). The same interface and address give the same library. NULL: no
 * memory.
 */
const struct ingress_library *ferry_network_library(const struct ferry_network_interface *interface,
						    const char *address);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif /* FERRY_NETWORK_H */
