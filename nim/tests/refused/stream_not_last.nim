# refused: lines.into is of type 'FerryStream[string]', which cannot cross; use it as the last parameter of an async {.ferryMethod.}
# SPDX-License-Identifier: BSD-3-Clause
import std/asyncdispatch
import ferry
type Book = ref object
proc open(): Book {.ferryConstructor.} = Book()
proc close(book: Book) {.ferryDestructor.} = discard
proc lines(book: Book; into: FerryStream[string]; first: int) {.ferryMethod, async.} = discard
ferryLibrary bad, "1.0.0"
