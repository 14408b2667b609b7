# refused: every question has 'question' already; rename this parameter
# SPDX-License-Identifier: BSD-3-Clause
import std/asyncdispatch
import ferry
proc pick(question: string): Future[int] {.ferryAsk.}
