# refused: the question 'pick' is generic; write it for the types it is used with
# SPDX-License-Identifier: BSD-3-Clause
import std/asyncdispatch
import ferry
proc pick[T](title: T): Future[int] {.ferryAsk.}
