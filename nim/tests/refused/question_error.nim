# refused: the error of 'pick' has to be a type marked {.ferryEnum.} or {.ferryType.}, and is 'string'
# SPDX-License-Identifier: BSD-3-Clause
import std/asyncdispatch
import ferry
proc pick(title: string): Future[int] {.ferryAsk: string.}
