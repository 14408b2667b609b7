# refused: there is an event 'find' already; rename one
# SPDX-License-Identifier: BSD-3-Clause
import ffi, "../results"
type Lib = ref object
declareLibrary("bad", Lib)
proc onFind(text: string) {.ffiEvent.}
proc find(lib: Lib): Future[Result[int, string]] {.ffi.} =
  dispatchFFIEvent("onFind"): "it"
  return ok(1)
