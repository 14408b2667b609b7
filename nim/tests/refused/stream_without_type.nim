# refused: say what 'lines' yields: FerryStream[T]
# SPDX-License-Identifier: BSD-3-Clause
import std/asyncdispatch
import ferry
type Book = ref object
proc lines(book: Book; into: FerryStream) {.ferryMethod, async.} = discard
