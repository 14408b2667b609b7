# refused: {.ffiRaw.} is for procedures with a callback; write proc name(lib: LibType, ...): Future[Result[string, string]] {.ffi.}
# SPDX-License-Identifier: BSD-3-Clause
import ffi, "../results"
type Lib = ref object
declareLibrary("bad", Lib)
proc find(ctx, callback, user: pointer) {.ffiRaw.} = discard
