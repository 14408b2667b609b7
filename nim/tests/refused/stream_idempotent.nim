# refused: 'lines' yields, and cannot be idempotent: its values come once
# SPDX-License-Identifier: BSD-3-Clause
import std/asyncdispatch
import ferry
type Book = ref object
proc lines(book: Book; into: FerryStream[string]) {.ferryMethod, ferryIdempotent, async.} = discard
