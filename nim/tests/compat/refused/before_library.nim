# refused: {.ffi.} comes before declareLibrary(name, LibType), which has to be the first
# SPDX-License-Identifier: BSD-3-Clause
import ffi, "../results"
type Lib = ref object
proc find(lib: Lib): Future[Result[int, string]] {.ffi.} = return ok(1)
