# SPDX-License-Identifier: BSD-3-Clause
## Handles: an author's objects as hosts hold them, by an id of the core's. The core keeps the object's address, and for
## as long as it does a reference is counted, so the object lives.

import "."/[cbor, decoder, memory, provider]

type FerryHandle* = ref object of RootObj
  ## What every handle type inherits: how hosts know the object.
  id: uint64
  kind: uint32

var
  handlesOf* {.threadvar.}: ptr Provider ## the context of this thread
  unsendable* {.threadvar.}: string ## why what was just encoded cannot be sent

{.push raises: [], gcsafe, stackTrace: off.}

proc openHandle(handle: FerryHandle; kind: uint32): uint64 =
  if handle == nil:
    unsendable = "the library returned a handle that is nil; it should return an Option"
    return 0
  if handle.id == 0:
    handle.id = handleOpen(handlesOf, kind, cast[pointer](handle))
    handle.kind = kind
    if handle.id == 0:
      unsendable = "no memory for another handle"
      return 0
    GC_ref(handle)
  handle.id

proc closeHandle*(handle: FerryHandle) =
  ## Forget a handle: whoever uses it afterwards is refused with INGRESS_BAD_HANDLE. A handle that hosts do not have, or
  ## not any more, is left alone.
  if handle == nil or handle.id == 0: return
  if handleClose(handlesOf, handle.kind, handle.id) != nil: GC_unref(handle)
  handle.id = 0

proc cborBound*[T: FerryHandle](v: T): int {.inline.} = HeadMax
proc flatSize*[T: FerryHandle](_: typedesc[T]): int {.inline.} = 8
proc flatAlign*[T: FerryHandle](_: typedesc[T]): int {.inline.} = 8
proc flatExtra*[T: FerryHandle](v: T): int {.inline.} = 0

proc putCbor*[T: FerryHandle](p: Pos; v: T): Pos =
  mixin handleKindOf
  putHead(p, MajorUnsigned, openHandle(v, handleKindOf(T)))

proc putFlat*[T: FerryHandle](base, at, tail: Pos; v: T): Pos =
  mixin handleKindOf
  store(at, openHandle(v, handleKindOf(T)))
  tail

proc getHandle[T: FerryHandle](d: var Decoder; id: uint64; v: var T; after: Pos): Pos =
  mixin handleKindOf
  let known = handleObject(handlesOf, handleKindOf(T), id)
  if known == nil: return d.failStale("no open " & $T & " has this handle")
  v = cast[T](known)
  after

proc getCbor*[T: FerryHandle](d: var Decoder; at: Pos; v: var T): Pos =
  var id: uint64
  let p = d.getCbor(at, id)
  if p == 0: Pos(0) else: d.getHandle(id, v, p)

proc getFlat*[T: FerryHandle](d: var Decoder; at, tail: Pos; v: var T): Pos =
  d.getHandle(load(uint64, at), v, tail)

proc closeAllHandles*() =
  ## The context has ended.
  var kind: uint32
  while true:
    let handle = cast[FerryHandle](handleCloseAny(handlesOf, kind))
    if handle == nil: break
    handle.id = 0
    GC_unref(handle)

{.pop.}
