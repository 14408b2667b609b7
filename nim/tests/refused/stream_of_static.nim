# refused: 'lines' yields, and only methods do: {.ferryMethod, async.}
# SPDX-License-Identifier: BSD-3-Clause
import std/asyncdispatch
import ferry
proc lines(into: FerryStream[string]) {.ferryStatic, async.} = discard
