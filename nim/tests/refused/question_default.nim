# refused: a parameter of 'pick' has a default value, which hosts would not see
# SPDX-License-Identifier: BSD-3-Clause
import std/asyncdispatch
import ferry
proc pick(title = "tea"): Future[int] {.ferryAsk.}
