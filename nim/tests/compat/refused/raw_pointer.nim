# refused: grab.at is of type 'pointer', which cannot cross; use a type marked {.ferryHandle.}
# SPDX-License-Identifier: BSD-3-Clause
import ffi, "../results"
type Lib = ref object
declareLibrary("bad", Lib)
proc open(): Future[Result[Lib, string]] {.ffiCtor.} = return ok(Lib())
proc grab(lib: Lib, at: pointer): Future[Result[int, string]] {.ffi.} = return ok(1)
genBindings()
