# refused: there are no requests to register; write proc name(lib: LibType, ...): Future[Result[T, string]] {.ffi.}
# SPDX-License-Identifier: BSD-3-Clause
import ffi, "../results"
type Lib = ref object
declareLibrary("bad", Lib)
registerReqFFI(FindReq, lib: ptr Lib):
  discard
