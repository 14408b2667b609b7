# refused: {.ffiCtor.} stands before a procedure that returns Future[Result[Lib, string]]; 'open' returns Lib
# SPDX-License-Identifier: BSD-3-Clause
import ffi, "../results"
type Lib = ref object
declareLibrary("bad", Lib)
proc open(): Lib {.ffiCtor.} = Lib()
