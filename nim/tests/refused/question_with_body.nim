# refused: the question 'pick' has a body; leave it out, calling it asks the host
# SPDX-License-Identifier: BSD-3-Clause
import std/asyncdispatch
import ferry
proc pick(title: string): Future[int] {.ferryAsk.} = discard
