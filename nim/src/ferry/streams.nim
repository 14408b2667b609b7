# SPDX-License-Identifier: BSD-3-Clause
## Streams: what a method that yields gives its values to (spec/interface.md, S1 to S6).
##
## A stream is a handle with at most one request that waits for values. A request brings credits, one for each value
## that its answer may have; a value that comes without credit is held, and its giver waits. So a stream never has more
## values than credits, and one. The answer goes when the giver stands still, so that one answer has all that there is.
##
## Everything here runs on the library thread.

import std/[asyncdispatch, tables]
import "."/[calls, handles, provider]

const
  CreditsMax* = 65_536
    ## How many values one answer has at most, whatever a host asks for.
  PartBytesMax* = 65_536
    ## An answer has no more values after the one with which it reaches this size.

type
  StreamEnd* = enum StreamRuns, StreamFinished, StreamFailed, StreamStopped
  StreamBase* = ref object of FerryHandle
    ## A stream, whatever it is of.
    request*: ptr Request ## the request that waits for values; nil: there is no credit
    credits*: int         ## how many more values that takes
    bytes*: int           ## how many bytes those take that it is to be answered with, at most
    ending*: StreamEnd
    error*: ref Exception ## why it failed
    room: Future[void]    ## what the giver of the held value waits for
    stopping: Future[void]
    isServed: bool        ## its method runs for the first time, and what it gives is answered after that
    isDue: bool           ## an answer is scheduled
    place: int            ## in `running`, from 1; 0: not there
    answer: AnswerFn
  AnswerFn* = proc (stream: StreamBase) {.nimcall, raises: [], gcsafe.}
    ## Answers the request that waits. There is a value, or the end.
  FerryStream*[T] = ref object of StreamBase
    ## The last parameter of a method that yields: what its values are given to.
    values*: seq[T]       ## those that the request that waits is to be answered with
    held: T               ## a value for which there was no credit
    isHeld: bool
    measure: proc (value: T; wire: uint32): int {.nimcall, raises: [], gcsafe.}

var
  running {.threadvar.}: seq[StreamBase] ## the context's streams that have not ended
  parked {.threadvar.}: Table[pointer, StreamBase] ## those with a request that waits, by that
  noted {.threadvar.}: Future[void] ## what `give` returns when nothing is to be waited for

{.push raises: [], gcsafe, stackTrace: off.}

proc done(): Future[void] =
  if noted == nil:
    noted = newFuture[void]("ferry.give")
    try: noted.complete()
    except Exception: discard
  noted

proc refuse(future: Future[void]; message: string) =
  try: future.fail(newException(FerryCancelled, message))
  except Exception: discard # what waits has failed, and is reported by its own future

proc wake(future: Future[void]) =
  try: future.complete()
  except Exception: discard

proc leaveRunning(stream: StreamBase) =
  if stream.place == 0: return
  let last = running[^1]
  running[stream.place - 1] = last
  last.place = stream.place
  stream.place = 0
  running.setLen(running.len - 1)

proc closeStream*(stream: StreamBase) =
  ## Nothing more will be asked of a stream: hosts know it no longer.
  stream.leaveRunning()
  closeHandle(stream)

proc takeRequest*(stream: StreamBase): ptr Request =
  ## The request that waits, which is to be answered now.
  result = stream.request
  stream.request = nil
  stream.credits = 0
  if parked.len > 0: parked.del(result)

proc stop*(stream: StreamBase) =
  ## The host wants no more values. The method hears it from `give`, or from `stopped`.
  if stream.ending == StreamStopped: return
  let wasRunning = stream.ending == StreamRuns
  stream.ending = StreamStopped
  stream.closeStream()
  if stream.request != nil:
    var message = "the stream was closed"
    stream.takeRequest().copyAnswer(StatusCancelled, addr message[0], message.len)
  if not wasRunning: return
  let (room, stopping) = (stream.room, stream.stopping)
  stream.room = nil
  if stopping != nil: stopping.wake()
  if room != nil: room.refuse("the host has closed the stream")

proc settle*(stream: StreamBase) =
  ## Answer the request that waits, if there is something to answer it with.
  if stream.request == nil: return
  if requestCancelled(stream.request) != 0: stream.stop()
  else: stream.answer(stream)

proc due(stream: StreamBase) =
  ## There is something to answer with: answer when all has run that is ready.
  if stream.isServed or stream.isDue or stream.request == nil: return
  stream.isDue = true
  try:
    callSoon(proc () {.gcsafe.} =
      stream.isDue = false
      stream.settle())
  except Exception: stream.settle()

# ---- what authors use ------------------------------------------------------------------------------------------------

proc put[T](stream: FerryStream[T]; value: sink T) =
  stream.bytes += stream.measure(value, stream.request.wire)
  stream.values.add(value)
  stream.credits = if stream.bytes >= PartBytesMax: 0 else: stream.credits - 1
  stream.due()

proc give*[T](stream: FerryStream[T]; value: sink T): Future[void] =
  ## Give the host a value: `await lines.give(line)`. It is waited for while the host has given no credit, and fails with
  ## FerryCancelled when the host wants no more.
  if stream.ending != StreamRuns:
    result = newFuture[void]("ferry.give")
    result.refuse("the host has closed the stream")
  elif stream.isHeld:
    result = newFuture[void]("ferry.give")
    result.refuse("a value is given before the one before it was awaited; write `await` before each `give`")
  elif stream.credits > 0:
    stream.put(value)
    result = done()
  else:
    stream.held = value
    stream.isHeld = true
    stream.room = newFuture[void]("ferry.give")
    result = stream.room
    stream.due()

proc tryGive*[T](stream: FerryStream[T]; value: sink T): bool =
  ## Give the host a value, if it has given credit for one now.
  result = stream.ending == StreamRuns and stream.credits > 0 and not stream.isHeld
  if result: stream.put(value)

proc isStopped*(stream: StreamBase): bool = stream.ending == StreamStopped
  ## Whether the host wants no more values.

proc stopped*(stream: StreamBase): Future[void] =
  ## A Future that is completed when the host wants no more values: `await work or lines.stopped`.
  if stream.stopping == nil:
    stream.stopping = newFuture[void]("ferry.stopped")
    if stream.isStopped: stream.stopping.wake()
  stream.stopping

# ---- requests --------------------------------------------------------------------------------------------------------

proc hasValues[T](stream: FerryStream[T]): bool = stream.values.len > 0

proc setCredits(stream: StreamBase; credits: uint32) =
  stream.credits = int(clamp(credits, 1'u32, uint32(CreditsMax)))
  stream.bytes = 0

proc endServing*[T](stream: FerryStream[T]) =
  ## The method stands still: answer, or leave the request waiting.
  stream.isServed = false
  if stream.request == nil: return
  if stream.hasValues or stream.ending != StreamRuns: stream.settle()
  else: parked[stream.request] = stream

proc grant*[T](stream: FerryStream[T]; request: ptr Request; credits: uint32) =
  ## A request brings credits. The method goes on, if it has waited for some.
  stream.request = request
  stream.setCredits(credits)
  if not stream.isHeld:
    stream.endServing()
    return
  # asyncdispatch runs the method and then the answer, in the order in which they are scheduled here
  let room = stream.room
  stream.room = nil
  stream.isHeld = false
  room.wake()
  stream.put(move stream.held)

proc beginStream*[T](stream: FerryStream[T]; request: ptr Request; credits: uint32; answer: AnswerFn;
    measure: proc (value: T; wire: uint32): int {.nimcall, raises: [], gcsafe.}) =
  ## A request opens a stream; its method is about to run.
  stream.isServed = true
  stream.answer = answer
  stream.measure = measure
  running.add(stream)
  stream.place = running.len
  stream.request = request
  stream.setCredits(credits)

proc finish*(stream: StreamBase; error: ref Exception) =
  ## The method has ended; `error` is what it raised, or nil.
  if stream.ending != StreamRuns: return
  stream.ending = if error == nil: StreamFinished else: StreamFailed
  stream.error = error
  stream.leaveRunning()
  stream.due()

proc cancelParked*(request: ptr Request) =
  ## The host has cancelled a request: if it waits for values, that ends its stream.
  let stream = parked.getOrDefault(request)
  if stream != nil: stream.stop()

proc stopStreams*(): bool =
  ## The context is about to end: stop all streams. Returns whether there were any.
  result = running.len > 0
  while running.len > 0: running[^1].stop()

proc forgetStreams*() =
  ## The context has ended.
  running.setLen(0)
  parked.clear()

{.pop.}
