# refused: 'pick' is a question, and there is no constructor; add one: a context asks it
# SPDX-License-Identifier: BSD-3-Clause
import std/asyncdispatch
import ferry
proc pick(): Future[int] {.ferryAsk.}
ferryLibrary bad, "1.0.0"
