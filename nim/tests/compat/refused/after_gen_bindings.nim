# refused: {.ffiStatic.} comes after genBindings(), which has to be the last of a library; move it up
# SPDX-License-Identifier: BSD-3-Clause
import ffi
type Lib = ref object
declareLibrary("bad", Lib)
proc one(): int {.ffi.} = 1
genBindings()
proc two(): int {.ffiStatic.} = 2
