# refused: {.ffiEvent.} stands before a procedure that takes what the event carries and returns nothing; 'onChange' is of another shape
# SPDX-License-Identifier: BSD-3-Clause
import ffi
type Lib = ref object
declareLibrary("bad", Lib)
proc onChange(to: int): int {.ffiEvent.}
