# SPDX-License-Identifier: BSD-3-Clause
## Handles: objects of the author's that hosts hold by an id, which the core gives out. The core keeps the object's
## address. As long as it does, this module holds a reference to the object, so that the object lives.

import "."/[carried, cbor, decoder, memory, provider]

type FerryHandle* = ref object of RootObj
  ## The parent of every handle type. It has the id by which hosts know the object.
  id: uint64
  kind: uint32

var handlesOf* {.threadvar.}: ptr Provider ## the context of this thread

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

proc isKnown*(handle: FerryHandle): bool = handle.id != 0
  ## Whether hosts have an id for it.

proc closeHandle*(handle: FerryHandle) =
  ## Forget a handle: a host that uses it afterwards gets INGRESS_BAD_HANDLE. A handle that hosts do not have, or have
  ## no longer, is left alone.
  if handle == nil or handle.id == 0: return
  if handleClose(handlesOf, handle.kind, handle.id) != nil: GC_unref(handle)
  handle.id = 0

# `codecs` makes the procedures of each handle type from those below. The generated ones stand in the author's module,
# as those of objects do: a sequence, an Option or a Table of handles looks for the procedures of its elements in the
# module that uses it, not here.

proc putHandleCbor*(p: Pos; v: FerryHandle; kind: uint32): Pos =
  putHead(p, MajorUnsigned, openHandle(v, kind))

proc putHandleFlat*(at, tail: Pos; v: FerryHandle; kind: uint32): Pos =
  store(at, openHandle(v, kind))
  tail

proc getHandle[T: FerryHandle](d: var Decoder; id: uint64; v: var T; after: Pos; kind: uint32; name: string): Pos =
  let known = handleObject(handlesOf, kind, id)
  if known == nil: return d.failStale("no open " & name & " has this handle")
  v = cast[T](known)
  after

proc getHandleCbor*[T: FerryHandle](d: var Decoder; at: Pos; v: var T; kind: uint32; name: string): Pos =
  var id: uint64
  let p = d.getCbor(at, id)
  if p == 0: Pos(0) else: d.getHandle(id, v, p, kind, name)

proc getHandleFlat*[T: FerryHandle](d: var Decoder; at, tail: Pos; v: var T; kind: uint32; name: string): Pos =
  d.getHandle(load(uint64, at), v, tail, kind, name)

proc closeAllHandles*() =
  ## The context has ended: close the handles that are still open.
  var kind: uint32
  while true:
    let handle = cast[FerryHandle](handleCloseAny(handlesOf, kind))
    if handle == nil: break
    handle.id = 0
    GC_unref(handle)

{.pop.}
