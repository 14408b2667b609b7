/* SPDX-License-Identifier: BSD-3-Clause */
/* Hosts that are told when an event thread ends: ingress_event_threads_watch. */
#ifndef INGRESS_EVENT_THREAD_WATCH_H
#define INGRESS_EVENT_THREAD_WATCH_H

/* An event thread ends: tell those that watch. */
void ingress__event_thread_tell(void);
/* In the child of a fork: no thread is telling. */
void ingress__event_thread_watch_forget(void);

#endif
