# refused: {.ffiDtor.} stands before a procedure that takes the library and returns nothing or Future[void]; 'close' is of another shape
# SPDX-License-Identifier: BSD-3-Clause
import ffi
type Lib = ref object
declareLibrary("bad", Lib)
proc close() {.ffiDtor.} = discard
