# refused: there is an event 'pick' too; rename it or the question
# SPDX-License-Identifier: BSD-3-Clause
import std/asyncdispatch
import ferry
type Bad = ref object
proc create(): Bad {.ferryConstructor.} = Bad()
proc close(bad: Bad) {.ferryDestructor.} = discard
proc pick(title: string) {.ferryEvent.}
proc pick(): Future[int] {.ferryAsk.}
ferryLibrary bad, "1.0.0"
