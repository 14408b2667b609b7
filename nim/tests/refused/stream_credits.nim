# refused: there is a parameter 'credits' already; rename one
# SPDX-License-Identifier: BSD-3-Clause
import std/asyncdispatch
import ferry
type Book = ref object
proc lines(book: Book; credits: int; into: FerryStream[string]) {.ferryMethod, async.} = discard
