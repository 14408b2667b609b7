# refused: the destructor 'shut' has to take the library, Lib; a handle is closed by closeHandle(it)
# SPDX-License-Identifier: BSD-3-Clause
import ffi
type Lib = ref object
declareLibrary("bad", Lib)
type Door {.ffiHandle.} = ref object
proc shut(door: Door) {.ffiDtor.} = discard
