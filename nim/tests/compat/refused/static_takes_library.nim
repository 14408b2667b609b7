# refused: {.ffiStatic.} stands before a procedure that does not take the library; 'find' is of another shape
# SPDX-License-Identifier: BSD-3-Clause
import ffi, "../results"
type Lib = ref object
declareLibrary("bad", Lib)
proc find(lib: Lib): Future[Result[int, string]] {.ffiStatic.} = return ok(1)
