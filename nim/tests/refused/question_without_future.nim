# refused: the question 'pick' has to return a Future of its answer
# SPDX-License-Identifier: BSD-3-Clause
import std/asyncdispatch
import ferry
proc pick(title: string): int {.ferryAsk.}
