# refused: there is a method 'pick_fail' already, which 'pick' needs for its answer; rename one
# SPDX-License-Identifier: BSD-3-Clause
import std/asyncdispatch
import ferry
type Bad = ref object
proc create(): Bad {.ferryConstructor.} = Bad()
proc close(bad: Bad) {.ferryDestructor.} = discard
proc pickFail(bad: Bad) {.ferryMethod.} = discard
proc pick(): Future[int] {.ferryAsk.}
ferryLibrary bad, "1.0.0"
