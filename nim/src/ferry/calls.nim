# SPDX-License-Identifier: BSD-3-Clause
## Calls as handlers see them: whether the host has cancelled the one that a handler answers.

import std/[asyncfutures, tables]
import "."/provider

type
  FerryCall* = object
    ## A call that a handler answers: `thisCall()`. Not to be used after the handler has returned; of an async handler,
    ## after its Future is finished.
    request: ptr Request
  FerryCancelled* = object of CatchableError
    ## What a handler raises that gave up because its call was cancelled: the host gets INGRESS_CANCELLED.

var
  current {.threadvar.}: ptr Request
  cancels {.threadvar.}: Table[pointer, Future[void]]

proc thisCall*(): FerryCall =
  ## The call that this handler answers. In an async handler ask before the first `await`: then others may run.
  doAssert current != nil, "ferry: thisCall() outside of a handler, after an await, or in a method that yields"
  FerryCall(request: current)

proc isSome*(call: FerryCall): bool = call.request != nil
  ## Whether it is a call at all.

proc orThisCall*(call: FerryCall): FerryCall =
  ## The call, or else the one that this handler answers, if one runs.
  if call.request != nil: call else: FerryCall(request: current)

proc isCancelled*(call: FerryCall): bool =
  ## Whether nobody waits for the result any more: the host has cancelled the call, or has left at its deadline, or the
  ## context was given up. It costs little, so a handler that computes for long may ask often.
  call.request != nil and requestCancelled(call.request) != 0

proc cancelled*(call: FerryCall): Future[void] =
  ## A Future that is completed when the host cancels the call: `await work or call.cancelled`.
  result = cancels.getOrDefault(call.request)
  if result == nil:
    result = newFuture[void]("ferry.cancelled")
    cancels[call.request] = result
    if call.isCancelled: result.complete()

proc beginCall*(request: ptr Request) {.inline, raises: [], gcsafe.} =
  ## The handler of a request is about to run.
  current = request

proc leaveCall*() {.inline, raises: [], gcsafe.} =
  ## The handler has returned; an async one may go on later.
  current = nil

proc endCall*(request: ptr Request) {.inline, raises: [], gcsafe.} =
  ## The request is about to be answered.
  if cancels.len > 0: cancels.del(request)

proc forgetCalls*() {.raises: [], gcsafe.} =
  ## The context has ended.
  cancels.clear()

proc hostCancelled*(request: ptr Request) {.gcsafe.} =
  ## The host has cancelled a request that runs.
  let future = cancels.getOrDefault(request)
  if future != nil and not future.finished: future.complete()
