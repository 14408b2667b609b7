# refused: the event 'changed' cannot be async; it never waits
# SPDX-License-Identifier: BSD-3-Clause
import std/asyncdispatch
import ferry
proc changed() {.ferryEvent, async.}
