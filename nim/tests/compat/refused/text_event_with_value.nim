# refused: type mismatch: got 'int literal(1)' for '1' but expected 'string'
# SPDX-License-Identifier: BSD-3-Clause
import ffi, "../results"
type Lib = ref object
declareLibrary("bad", Lib)
proc find(lib: Lib): Future[Result[int, string]] {.ffi.} =
  dispatchFFIEvent("onFind"): 1
  return ok(1)
