# refused: {.ffi.} stands before a procedure that returns Future[Result[T, string]]; 'find' returns Future[int]
# SPDX-License-Identifier: BSD-3-Clause
import ffi, "../results"
type Lib = ref object
declareLibrary("bad", Lib)
proc find(lib: Lib): Future[int] {.ffi.} = return 1
