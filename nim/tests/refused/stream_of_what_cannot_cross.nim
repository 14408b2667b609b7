# refused: what lines yields is of type 'pointer', which cannot cross; use a type marked {.ferryHandle.}
# SPDX-License-Identifier: BSD-3-Clause
import std/asyncdispatch
import ferry
type Book = ref object
proc lines(book: Book; into: FerryStream[pointer]) {.ferryMethod, async.} = discard
