# refused: {.ffi.} has the option "timeout = 5"; it takes "abi = c" and "abi = cbor"
# SPDX-License-Identifier: BSD-3-Clause
import ffi, "../results"
type Lib = ref object
declareLibrary("bad", Lib)
proc find(lib: Lib): Future[Result[int, string]] {.ffi: "timeout = 5".} = return ok(1)
