/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Requests that the host has cancelled. One that was not sent is answered here. The provider's process is told of the
 * others, of all that were cancelled since the last turn in one message, those that were sent later first: else it
 * could begin one of them as soon as an earlier one ends.
 */
#include "remote.h"

#include <stdlib.h>

/* Answer a request that waits, or note it in its chain, which is sent nevertheless. False: it does not wait. */
static bool cancel_waiting(struct network__remote *remote, struct ingress_request *request)
{
	static const char unsent[] = "the request was cancelled before it was sent";
	uint32_t kept = 0;

	for (uint32_t i = 0; i < remote->waiting_count; i++) {
		struct network__waiting *at = &remote->waiting[(remote->waiting_first + i) % remote->waiting_capacity];

		if (at->chain && network__chain_cancel(at->chain, request))
			return true;
		if (at->request != request)
			remote->waiting[(remote->waiting_first + kept++) % remote->waiting_capacity] = *at;
	}
	if (kept == remote->waiting_count)
		return false;
	remote->waiting_count = kept;
	ingress_answer_copy(request, INGRESS_CANCELLED, unsent, sizeof(unsent) - 1);
	return true;
}

void network__cancel_sent(struct network__remote *remote, const struct network__slot *slot)
{
	/* one that is to be sent again may have been done; which process has a static request is not known */
	if (!slot->is_again && remote->phase == NETWORK__IS_OPEN && remote->cancel_count < NETWORK__REQUESTS_MAX)
		remote->cancels[remote->cancel_count++] = slot->id;
}

void network__cancel(struct network__remote *remote, struct ingress_request *request)
{
	if (cancel_waiting(remote, request))
		return;
	for (uint32_t i = 0; i < NETWORK__REQUESTS_MAX; i++)
		if (remote->slots[i].request == request)
			network__cancel_sent(remote, &remote->slots[i]);
}

static int later_first(const void *a, const void *b)
{
	uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;

	return (one < other) - (one > other);
}

void network__cancels_send(struct network__remote *remote, size_t message_max)
{
	struct network__record record = { .type = NETWORK__CANCEL };
	struct network__writer writer = { 0 };

	if (!remote->cancel_count)
		return;
	qsort(remote->cancels, remote->cancel_count, sizeof(remote->cancels[0]), later_first);
	for (uint32_t i = 0; i < remote->cancel_count; i++) {
		record.id = remote->cancels[i];
		/* it may have been answered since */
		if (network__flight_find(remote, record.id))
			network__writer_add(&writer, &record);
		if (writer.bytes + NETWORK__RECORD_BYTES > message_max || i == remote->cancel_count - 1)
			network__send_aside(remote, remote->provider_subject, NETWORK__REQUESTS, remote->session,
					    &writer);
	}
	remote->cancel_count = 0;
	network__writer_free(&writer);
}
