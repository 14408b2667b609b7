# refused: there is a method 'lines_next' already, which 'lines' needs for its stream; rename one
# SPDX-License-Identifier: BSD-3-Clause
import std/asyncdispatch
import ferry
type Book = ref object
proc linesNext(book: Book) {.ferryMethod.} = discard
proc lines(book: Book; into: FerryStream[string]) {.ferryMethod, async.} = discard
