/* SPDX-License-Identifier: BSD-3-Clause */
/* See inbox_pool.h. */
#include "ingress/queues/inbox_pool.h"
#include "ingress/waiting/lock.h"

#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct ingress_inbox *closed;

struct ingress_inbox *ingress__inbox_pool_take(void)
{
	struct ingress_inbox *inbox;

	ingress__lock(&lock);
	inbox = closed;
	if (inbox)
		closed = inbox->next;
	ingress__unlock(&lock);
	return inbox;
}

void ingress__inbox_pool_give(struct ingress_inbox *inbox)
{
	ingress__lock(&lock);
	inbox->next = closed;
	closed = inbox;
	ingress__unlock(&lock);
}

void ingress__inbox_pool_lock(void)
{
	pthread_mutex_lock(&lock);
}

void ingress__inbox_pool_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

void ingress__inbox_pool_forget(void)
{
	for (struct ingress_inbox *inbox = closed; inbox; inbox = inbox->next) {
		close(inbox->descriptor);
		inbox->descriptor = -1;
	}
}
