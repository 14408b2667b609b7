/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A parker: a word that says whether its thread sleeps, and how. One thread parks on it; any thread may unpark it.
 *
 * The thread that parks stores PARKED (or POLLING) and only then looks at what it waits for. A waker stores what the
 * thread waits for and only then looks at the parker (Dekker; seq_cst on both sides). So one of the two sees the
 * other's store.
 *
 * A waker may be suspended at any point, and then any other waker has to be able to wake the thread. Therefore the word
 * becomes AWAKE only when the wake-up is complete: thread__futex_wake_clear() clears it and wakes in one system call. A
 * waker that cleared the word first would cause this:
 *
 *	sleeper			waker A				waker B
 *	PARKED, sleeps
 *				PARKED -> AWAKE
 *				suspended
 *								AWAKE: nothing to do
 *	sleeps until A continues
 */
#ifndef INGRESS_PARKER_H
#define INGRESS_PARKER_H

#include <stdint.h>

/*
 * PARKED: the thread sleeps on the word. POLLING: it sleeps in poll(2), and a waker writes to its descriptor; the bits
 * above POLLING count these sleeps, so that a waker can tell the sleep that it has ended from a later one.
 */
enum ingress__parker { INGRESS__AWAKE = 0, INGRESS__PARKED = 1, INGRESS__POLLING = 2, INGRESS__POLL_ONE = 4 };

#endif
