# SPDX-License-Identifier: BSD-3-Clause
## The C interface of the ingress core for providers, include/ferry/ingress_provider.h. The C compiler checks that this
## module agrees with the header; `pkg-config --cflags ferryingress` says where that is.

{.push raises: [], gcsafe.}

const
  header = "<ferry/ingress_provider.h>"
  IngressAbi* = 1'u32
  IngressForever* = high(int64)
  WireCbor* = 0'u32
  WireC* = 1'u32

type
  Status* = enum
    ## The statuses that a provider may answer with; the numbers are enum ingress_status.
    StatusOk = 0, StatusFailed = 1, StatusBadPayload = 9, StatusBadHandle = 11, StatusRaised = 18,
    StatusCancelled = 19
  Provider* {.importc: "struct ingress_provider", header: header, incompleteStruct.} = object
  Request* {.importc: "struct ingress_request", header: header, bycopy.} = object
    number* {.importc: "method".}: uint32
    wire*: uint32
    data*: pointer
    bytes*: csize_t
  Requests* = ptr UncheckedArray[ptr Request]
  EventKind* {.importc: "struct ingress_event_kind", header: header, bycopy.} = object
    overflow*: uint32
    depth*: uint32
  CancelledFn* = proc (user: pointer; request: ptr Request) {.cdecl, raises: [], gcsafe.}
  ReleaseFn* = proc (owner, data: pointer; bytes: csize_t) {.cdecl, raises: [], gcsafe.}
  Library* {.importc: "struct ingress_library", header: header, bycopy.} = object
    abi*: uint32
    contextsMax* {.importc: "contexts_max".}: uint32
    name*: cstring
    interfaceHash* {.importc: "interface_hash".}: uint64
    methodCount* {.importc: "method_count".}: uint32
    eventCount* {.importc: "event_count".}: uint32
    methods*: pointer
    events*: pointer
    defaults*: pointer
    threadBegin* {.importc: "thread_begin".}: pointer
    requests*: pointer
    turn*: pointer
    descriptor*: pointer
    contextEnd* {.importc: "context_end".}: pointer
    threadEnd* {.importc: "thread_end".}: pointer

proc answerCopy(request: ptr Request; status: cint; data: pointer; bytes: csize_t)
  {.importc: "ingress_answer_copy", header: header.}
proc answerLend(request: ptr Request; status: cint; data: pointer; bytes: csize_t; release: ReleaseFn; owner: pointer)
  {.importc: "ingress_answer_lend", header: header.}
proc answerRoom*(request: ptr Request; bytes: csize_t): pointer {.importc: "ingress_answer_room", header: header.}
proc requestCancelled*(request: ptr Request): cint {.importc: "ingress_request_cancelled", header: header.}
proc cancelWatch*(provider: ptr Provider; cancelled: CancelledFn; user: pointer)
  {.importc: "ingress_cancel_watch", header: header.}
proc eventWires*(provider: ptr Provider; event: uint32): cuint {.importc: "ingress_event_wires", header: header.}
proc eventEmit*(provider: ptr Provider; event, wire: uint32; data: pointer; bytes: csize_t)
  {.importc: "ingress_event_emit", header: header.}
proc handleOpen*(provider: ptr Provider; kind: uint32; obj: pointer): uint64
  {.importc: "ingress_handle_open", header: header.}
proc handleObject*(provider: ptr Provider; kind: uint32; id: uint64): pointer
  {.importc: "ingress_handle_object", header: header.}
proc handleClose*(provider: ptr Provider; kind: uint32; id: uint64): pointer
  {.importc: "ingress_handle_close", header: header.}
proc handleCloseAny*(provider: ptr Provider; kind: var uint32): pointer
  {.importc: "ingress_handle_close_any", header: header.}

proc copyAnswer*(request: ptr Request; status: Status; data: pointer; bytes: int) {.inline.} =
  ## Answer with a copy of `bytes` bytes.
  answerCopy(request, cint(ord(status)), data, csize_t(bytes))

proc lendAnswer*(request: ptr Request; status: Status; data: pointer; bytes: int; release: ReleaseFn) {.inline.} =
  ## Answer with memory that `release` frees later, on any thread.
  answerLend(request, cint(ord(status)), data, csize_t(bytes), release, nil)

{.pop.}
