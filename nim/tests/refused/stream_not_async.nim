# refused: 'lines' yields; write it as an async procedure that returns nothing: {.ferryMethod, async.}
# SPDX-License-Identifier: BSD-3-Clause
import std/asyncdispatch
import ferry
type Book = ref object
proc lines(book: Book; into: FerryStream[string]) {.ferryMethod.} = discard
