# SPDX-License-Identifier: BSD-3-Clause
## What a library thread does between the core and the author's procedures: it decodes requests and hands them over,
## encodes the results and answers, and runs futures and timers when the core calls `turn`.
##
## A thread serves one context at a time, so what belongs to the context is thread-local. Everything here runs on the
## library thread, except `release`, which touches nothing of Nim's.
##
## No exception leaves this module. An author's exception, a Defect included, becomes INGRESS_FAILED with its message; a
## failure for which no request waits is written to standard error. With -d:danger nothing checks for Defects.

import std/[asyncdispatch, deques, heapqueue, monotimes, options, selectors, strutils, times]
import "."/[asks, calls, carried, cbor, decoder, flat, handles, memory, provider, streams, utf8]

const
  CallbacksMax = 4096
    ## How many callbacks one call of `turn` runs at most. Without a limit a handler that always has something more to
    ## do would keep the library thread from taking requests.
  ScratchBytes = 16384
    ## A message up to this size is encoded in memory that is used again, and the core copies it.
  MessageBytesMax = 0xffffffff'u64
    ## How many bytes a message may have: less than 4 GiB (W7).

type
  Phase = enum PhaseFresh, PhaseConstructing, PhaseReady, PhaseFailed
  ServeFn* = proc (request: ptr Request) {.nimcall, raises: [], gcsafe.}
  ForgetFn* = proc () {.nimcall, raises: [], gcsafe.}
  Loop* = object
    ## An event loop that a library thread runs beside that of asyncdispatch (`chronos_loop`).
    turn*: proc (): int64 {.nimcall, raises: [], gcsafe.}
      ## Run what is ready, without waiting; returns after how many nanoseconds there is more, as struct
      ## ingress_library's turn does.
    descriptor*: proc (): cint {.nimcall, raises: [], gcsafe.} ## what becomes readable when there is more; -1: nothing
    renew*: proc () {.nimcall, raises: [], gcsafe.}  ## the context has ended: forget what it has left
    finish*: proc () {.nimcall, raises: [], gcsafe.} ## the thread ends
  FerryError*[T] = object of CatchableError
    ## What a method raises that declares T as its error: hosts get the value. Make it by `newFerryError`.
    value*: T
  Runtime = object
    provider: ptr Provider
    dispatcher: PDispatcher
    scratch: pointer
    phase: Phase
    foreign: bool          ## whether this thread's part of Nim's runtime was set up here
    waiting: seq[ptr Request] ## requests that wait for the constructor

var
  otherLoop*: Loop
    ## Set while the library is loaded, before there are library threads, and read from then on.
  runtime {.threadvar.}: Runtime
  isNimThread {.threadvar.}: bool

# loading the library sets up Nim's runtime on the thread that loads it
isNimThread = true

proc malloc(bytes: csize_t): pointer {.importc, header: "<stdlib.h>", raises: [].}
proc free(p: pointer) {.importc, header: "<stdlib.h>", raises: [].}

# refc scans the stack from the address that it noted when the thread was set up. The core may call now from a frame
# that lies nearer to the stack's beginning, which such a scan would miss.
when not defined(gcDestructors):
  template enter*() =
    var bottom {.volatile, inject.}: pointer
    nimGC_setStackBottom(addr bottom)
else:
  template enter*() = discard

proc newFerryError*[T](value: T): ref FerryError[T] =
  ## The exception by which a method fails with an error of the type that it declares: `raise newFerryError(notFound)`.
  ## From any other method hosts get it as a text.
  result = (ref FerryError[T])(value: value)
  when compiles($value): result.msg = $value else: result.msg = "failed with " & $T

{.push raises: [], gcsafe, stackTrace: off.}

proc complain*(what: string; e: ref Exception) =
  try: stderr.writeLine("ferry: " & what & ": " & (if e == nil: "unknown" else: e.msg))
  except IOError: discard

# ---- answers ---------------------------------------------------------------------------------------------------------

proc release(owner, data: pointer; bytes: csize_t) {.cdecl.} = free(data)

proc wellFormed(text: string): string =
  ## `text` as valid UTF-8, whatever bytes it has.
  if isUtf8(start(text), text.len): return text
  for c in text: result.add(if c < '\x80': c else: '?')

proc answerWith*(request: ptr Request; status: Status; message: string) =
  ## Answer with an error.
  let text = wellFormed(message)
  request.copyAnswer(status, cast[pointer](start(text)), text.len)

proc isCancellation(e: ref Exception): bool = e of FerryCancelled or (e != nil and e.name == "CancelledError")
  ## Whether a handler gave up since it was cancelled. The second is what chronos raises.

proc answerError*(request: ptr Request; e: ref Exception) =
  ## Answer with the message of an author's exception, without what asyncdispatch adds to it for a terminal.
  var message = if e == nil: "" else: e.msg
  let trace = message.find("\nAsync traceback:")
  if trace >= 0: message.setLen(trace)
  if message.len == 0 and e != nil: message = "failed with " & $e.name
  request.answerWith(if e.isCancellation: StatusCancelled else: StatusFailed, message)

proc bound*[T](wire: uint32; value: T): int {.inline.} =
  ## How many bytes a value takes at most, encoded.
  mixin cborBound, flatExtra, flatSize
  if wire == WireC: flatSize(T) + flatExtra(value) else: cborBound(value)

proc put[T](wire: uint32; memory: pointer; value: T): int {.inline.} =
  ## Encode into `memory`; returns how many bytes that took.
  mixin flatSize, putCbor, putFlat
  let base = cast[Pos](memory)
  if wire == WireC: int(putFlat(base, base, base + Pos(flatSize(T)), value) - base)
  else: int(putCbor(base, value) - base)

proc isSendable(request: ptr Request): bool {.inline.} =
  if unsendable.len == 0: return true
  request.answerWith(StatusFailed, unsendable)
  unsendable = ""
  false

proc answerLarge[T](request: ptr Request; status: Status; value: T; most: int): bool {.noinline.} =
  if uint64(most) > MessageBytesMax:
    request.answerWith(StatusFailed, "a result of " & $most & " bytes is too large for a message")
    return
  let memory = malloc(csize_t(most))
  if memory == nil:
    request.answerWith(StatusFailed, "no memory for a result of " & $most & " bytes")
    return
  let bytes = put(request.wire, memory, value)
  result = request.isSendable
  if result: request.lendAnswer(status, memory, bytes, release) else: free(memory)

proc answerValue*[T](request: ptr Request; value: T; status = StatusOk): bool {.inline, discardable.} =
  ## Answer with a result; or, with StatusRaised, with an error of the type that the method declares. Returns whether it
  ## could be sent; otherwise the answer says why not.
  mixin recurses, isTooDeep
  when recurses(T):
    if isTooDeep(value, 0):
      request.answerWith(StatusFailed, "the result cannot be sent: " & $NestedTooDeep)
      return false
  let most = bound(request.wire, value)
  let memory = request.answerRoom(csize_t(most))
  if memory == nil and most > ScratchBytes:
    return request.answerLarge(status, value, most)
  let into = if memory != nil: memory else: runtime.scratch
  let bytes = put(request.wire, into, value)
  result = request.isSendable
  if result: request.copyAnswer(status, into, bytes)

proc answerNothing*(request: ptr Request) =
  ## Answer a request that has no result.
  var null = Null
  if request.wire == WireC: request.copyAnswer(StatusOk, nil, 0) else: request.copyAnswer(StatusOk, addr null, 1)

# ---- requests --------------------------------------------------------------------------------------------------------

proc getMessage*[T](data: pointer; bytes: int; wire: uint32; v: var T; d: var Decoder): bool {.inline.} =
  ## Decode a whole message. When it fails, `d` has the error.
  mixin flatSize, getCbor, getFlat
  d = initDecoder(data, bytes)
  var p: Pos
  if wire == WireC:
    if bytes < flatSize(T): p = d.fail(EndsEarly)
    else: p = getFlat(d, d.base, d.base + Pos(flatSize(T)), v)
  else:
    p = getCbor(d, d.base, v)
  if p == 0: return false
  if p != d.stop:
    discard d.fail(BytesLeftOver)
    return false
  true

proc refuse(request: ptr Request; d: Decoder) {.noinline.} =
  request.answerWith(if d.stale: StatusBadHandle else: StatusBadPayload, d.error)

proc getParams*[T](request: ptr Request; v: var T): bool {.inline.} =
  ## Decode a request. One that cannot be decoded is answered with the error.
  var d: Decoder
  result = getMessage(request.data, int(request.bytes), request.wire, v, d)
  if not result: request.refuse(d)

proc answerFailure*(request: ptr Request; e: ref Exception; E: typedesc) =
  ## Answer with what a handler raised, whose method declares E as its error; E is void where it declares none.
  when E isnot void:
    if e of FerryError[E]:
      request.answerValue((ref FerryError[E])(e).value, StatusRaised)
      return
  request.answerError(e)

proc answerResult*[R](request: ptr Request; outcome: R; T, E: typedesc) =
  ## Answer with what a `Result` has: a value of type T, or an error, which is a text where E is void.
  mixin isErr, error, get
  if outcome.isErr:
    when E is void: request.answerWith(StatusFailed, $outcome.error)
    else: request.answerValue(outcome.error, StatusRaised)
  else:
    when T is void: request.answerNothing
    else: request.answerValue(outcome.get)

proc answerFuture[F](request: ptr Request; future: F; T, E: typedesc; isResult: static bool) =
  mixin failed, error, read
  endCall(request)
  if future.failed: request.answerFailure(future.error, E)
  else:
    try:
      when isResult: request.answerResult(future.read, T, E)
      elif T is void:
        future.read
        request.answerNothing
      else: request.answerValue(future.read)
    except Exception as e: request.answerFailure(e, E)

proc whenFinished[F](future: F; done: proc () {.closure, raises: [], gcsafe.}) {.raises: [Exception].} =
  ## Call `done` when a Future is finished, which it is not yet. Callbacks of chronos have a parameter.
  mixin addCallback
  when compiles(future.addCallback(done)): future.addCallback(done)
  else: future.addCallback(proc (ignored: pointer) {.closure, raises: [], gcsafe.} = done())

proc serveFuture*[F](request: ptr Request; future: F; T, E: typedesc; isResult: static bool) =
  ## Answer with the value of type T of a handler when it has ended; immediately if it has ended already.
  mixin finished
  if future == nil: request.answerWith(StatusFailed, "the handler returned no Future")
  elif future.finished: request.answerFuture(future, T, E, isResult)
  else:
    try: future.whenFinished(proc () {.closure, raises: [], gcsafe.} = request.answerFuture(future, T, E, isResult))
    except Exception as e: request.answerError(e)

# ---- streams ---------------------------------------------------------------------------------------------------------

proc answerPart*[S](stream: S; P, E: typedesc) =
  ## Answer the request that waits with the values of a stream; or, when there are none, with its end. P is the type of
  ## the answer, E that of the errors that the method declares.
  if stream.values.len == 0 and stream.ending == StreamRuns: return
  let request = stream.takeRequest()
  if stream.values.len == 0 and stream.ending == StreamFailed:
    request.answerFailure(stream.error, E)
    stream.closeStream()
    return
  var part = P(values: move stream.values)
  if stream.ending == StreamFinished: stream.closeStream() else: part.stream = some(stream)
  let isSent = request.answerValue(part)
  # the memory is used again
  stream.values = move part.values
  stream.values.setLen(0)
  if not isSent: stream.stop()

proc follow*(stream: StreamBase; future: Future[void]) =
  ## End a stream when its method has ended.
  proc finished() {.closure, raises: [], gcsafe.} =
    if stream.isStopped and future.failed and not (future.error of FerryCancelled):
      complain("a method that yields failed after its stream was closed", future.error)
    stream.finish(if future.failed: future.error else: nil)
  if future == nil: stream.finish(newException(ValueError, "the handler returned no Future"))
  elif future.finished: finished()
  else:
    try: future.addCallback(finished)
    except Exception as e: stream.finish(e)

# ---- the context -----------------------------------------------------------------------------------------------------

proc beginConstruction*() =
  ## The constructor is about to run.
  runtime.phase = PhaseConstructing

proc endConstruction*(serve: ServeFn; succeeded: bool) =
  ## The constructor has ended: serve the requests that came meanwhile.
  runtime.phase = if succeeded: PhaseReady else: PhaseFailed
  let waiting = move runtime.waiting
  for request in waiting: serve(request)

proc answerConstruction*[R, C](request: ptr Request; outcome: R; keep: proc (made: C) {.nimcall, raises: [], gcsafe.};
    E: typedesc; succeeded: var bool) =
  ## Keep the context that a `Result` has, if it has one, and answer.
  mixin isErr, get
  succeeded = not outcome.isErr
  if succeeded: keep(outcome.get)
  request.answerResult(outcome, void, E)

proc serveConstruction*[F, C](request: ptr Request; future: F; keep: proc (made: C) {.nimcall, raises: [], gcsafe.};
    serve: ServeFn; E: typedesc; isResult: static bool) =
  ## Wait for a constructor, keep the context that it made, and answer.
  mixin finished, failed, error, read, isErr, get
  proc ended() {.closure, raises: [], gcsafe.} =
    var succeeded = false
    if future.failed: request.answerFailure(future.error, E)
    else:
      try:
        when isResult:
          request.answerConstruction(future.read, keep, E, succeeded)
        else:
          keep(future.read)
          request.answerNothing
          succeeded = true
      except Exception as e: request.answerFailure(e, E)
    endConstruction(serve, succeeded)
  if future == nil:
    request.answerWith(StatusFailed, "the handler returned no Future")
    endConstruction(serve, false)
  elif future.finished: ended()
  else:
    try: future.whenFinished(ended)
    except Exception as e:
      request.answerError(e)
      endConstruction(serve, false)

proc isReady*(request: ptr Request): bool {.inline.} =
  ## Whether a method may run. Before the constructor has ended, the request waits for it; when there is no context, the
  ## request is refused.
  if runtime.phase == PhaseReady: return true
  if runtime.phase == PhaseConstructing: runtime.waiting.add(request)
  else: request.answerWith(StatusFailed, "there is no context: the constructor has not run, or failed")
  false

proc hasContext*(): bool = runtime.phase == PhaseReady
  ## Whether the constructor has succeeded.

# ---- events ----------------------------------------------------------------------------------------------------------

proc listeners(event: uint32): cuint =
  doAssert runtime.provider != nil,
    "ferry: an event was emitted on a thread that serves no context; emit it in a handler"
  eventWires(runtime.provider, event)

proc emitIn[T](event, wire: uint32; value: T) =
  mixin recurses, isTooDeep
  when recurses(T):
    if isTooDeep(value, 0):
      complain("an event was not emitted: " & $NestedTooDeep, nil)
      return
  let most = bound(wire, value)
  let memory = if most <= ScratchBytes: runtime.scratch else: malloc(csize_t(most))
  if memory == nil or uint64(most) > MessageBytesMax:
    complain("an event of " & $most & " bytes was not emitted, there is no memory for it", nil)
  else:
    let bytes = put(wire, memory, value)
    if unsendable.len > 0:
      complain("an event was not emitted: " & unsendable, nil)
      unsendable = ""
    else: eventEmit(runtime.provider, event, wire, memory, csize_t(bytes))
  if memory != runtime.scratch: free(memory)

proc emitEvent*[T](event: uint32; value: T) =
  ## Emit an event in each format for which there are listeners.
  let wires = listeners(event)
  if (wires and 1) != 0: emitIn(event, WireCbor, value)
  if (wires and 2) != 0: emitIn(event, WireC, value)

proc emitEvent*(event: uint32) =
  ## Emit an event without a value.
  let wires = listeners(event)
  var null = Null
  if (wires and 1) != 0: eventEmit(runtime.provider, event, WireCbor, addr null, 1)
  if (wires and 2) != 0: eventEmit(runtime.provider, event, WireC, nil, 0)

proc emitAsk*[T](ask: uint32; value: T) = emitEvent(askEventsFrom + ask, value)
  ## Emit the event of a question.

# ---- questions -------------------------------------------------------------------------------------------------------

proc answeredWith*[E](question: QuestionBase; value: sink E) =
  ## The host has refused to answer, with a value of the error that the question declares.
  question.refuseWith(newFerryError(value))

proc hostFailed*(question: QuestionBase; message: string) =
  ## The host has failed to answer.
  question.refuseWith(unanswered(HostFailed, message))

# ---- cancellation ----------------------------------------------------------------------------------------------------

proc cancelled(user: pointer; request: ptr Request) {.cdecl.} =
  enter()
  cancelParked(request)
  try: hostCancelled(request)
  except Exception as e: complain("a task failed that nothing waits for", e)

# ---- the thread ------------------------------------------------------------------------------------------------------

proc beginThread*(provider: ptr Provider; state: ptr pointer): cint {.cdecl.} =
  ## struct ingress_library's thread_begin.
  let foreign = not isNimThread
  if foreign: setupForeignThreadGc()
  enter()
  try:
    runtime = Runtime(provider: provider, dispatcher: getGlobalDispatcher(), scratch: malloc(ScratchBytes),
      foreign: foreign)
  except Exception as e:
    complain("a library thread was not started", e)
    return 1
  if runtime.scratch == nil: return 1
  handlesOf = provider
  cancelWatch(provider, cancelled, nil)
  state[] = addr runtime
  0

proc runCallbacks(dispatcher: PDispatcher) =
  ## Run the callbacks that are ready, in the order in which they became so.
  var left = CallbacksMax
  while dispatcher.callbacks.len > 0 and left > 0:
    dec left
    try:
      let callback = dispatcher.callbacks.popFirst()
      callback()
    except Exception as e: complain("a task failed that nothing waits for", e)

proc endStreams*() =
  ## The destructor is about to run: end the methods that yield, which may use the context until then.
  let hadQuestions = endQuestions()
  if stopStreams() or hadQuestions: runCallbacks(runtime.dispatcher)

proc runTimers(dispatcher: PDispatcher) =
  let now = getMonoTime()
  # no more timers than there are now: one that is set by a callback waits for the next call
  var left = dispatcher.timers.len
  while left > 0 and dispatcher.timers.len > 0 and dispatcher.timers[0].finishAt <= now:
    dec left
    try: dispatcher.timers.pop().fut.complete()
    except Exception as e: complain("a timer failed", e)

proc turn*(state: pointer): int64 {.cdecl.} =
  ## struct ingress_library's turn.
  let dispatcher = runtime.dispatcher
  if otherLoop.turn == nil and dispatcher.callbacks.len == 0 and dispatcher.timers.len == 0 and dispatcher.getIoHandler.isEmpty:
    return IngressForever
  enter()
  runCallbacks(dispatcher)
  if dispatcher.timers.len > 0: runTimers(dispatcher)
  runCallbacks(dispatcher)
  if not dispatcher.getIoHandler.isEmpty:
    try: poll(0)
    except Exception as e: complain("a task failed that nothing waits for", e)
  # the other loop comes last, so that what it is given by callbacks above runs now
  let other = if otherLoop.turn == nil: IngressForever else: otherLoop.turn()
  if dispatcher.callbacks.len > 0: return 0
  if dispatcher.timers.len == 0: return other
  min(other, max(0'i64, (dispatcher.timers[0].finishAt - getMonoTime()).inNanoseconds))

proc descriptor*(state: pointer): cint {.cdecl.} =
  ## struct ingress_library's descriptor. The core watches one, so beside another loop asyncdispatch has no sockets.
  if otherLoop.descriptor != nil: return otherLoop.descriptor()
  let selector = runtime.dispatcher.getIoHandler
  if selector.isEmpty: -1.cint else: cint(selector.getFd)

proc renewDispatcher() =
  ## Drop the callbacks and timers that are still scheduled. The dispatcher keeps its descriptor, unless something is
  ## still registered with that.
  runtime.dispatcher.callbacks.clear()
  runtime.dispatcher.timers.clear()
  try:
    if not runtime.dispatcher.getIoHandler.isEmpty:
      runtime.dispatcher.getIoHandler.close()
      setGlobalDispatcher(newDispatcher())
      runtime.dispatcher = getGlobalDispatcher()
  except Exception as e: complain("a context was not ended cleanly", e)

proc endContext*(forget: ForgetFn) =
  ## Forget everything of the context: `forget` drops what the library has of it, then handles and tasks go.
  enter()
  forget()
  forgetStreams()
  forgetQuestions()
  closeAllHandles()
  runtime.phase = PhaseFresh
  runtime.waiting.setLen(0)
  forgetCalls()
  unsendable = ""
  renewDispatcher()
  if otherLoop.renew != nil: otherLoop.renew()

proc endThread*(state: pointer) {.cdecl.} =
  ## struct ingress_library's thread_end.
  enter()
  let foreign = runtime.foreign
  free(runtime.scratch)
  if otherLoop.finish != nil: otherLoop.finish()
  try:
    runtime.dispatcher.getIoHandler.close()
    setGlobalDispatcher(nil)
    reset(runtime)
    GC_fullCollect()
  except Exception as e: complain("a library thread was not ended cleanly", e)
  if foreign: tearDownForeignThreadGc()

{.pop.}
