# refused: declare the event, proc name(value: T) {.ffiEvent.}, and call that
# SPDX-License-Identifier: BSD-3-Clause
import ffi, "../results"
type Lib = ref object
declareLibrary("bad", Lib)
proc find(lib: Lib): Future[Result[int, string]] {.ffi.} =
  dispatchFFIEventCbor("onFind", 1)
  return ok(1)
