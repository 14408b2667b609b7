# SPDX-License-Identifier: BSD-3-Clause
## How a library serves requests, on one thread and with core.c in place of the core: which requests are answered at
## once and which later, what the answers are, and what remains when a context ends.

import std/[asyncdispatch, options, os]
import echo except fail, version, sum
import ferry/[cbor, decoder, flat, memory, provider, runtime]

{.compile: "core.c".}

const header = "core.h"
type Answer {.importc: "struct test_answer", header: header, bycopy.} = object
  status, wire: uint32
  data: pointer
  bytes: csize_t
  request: pointer
  was_lent {.importc: "was_lent".}: cint

var
  testProvider {.importc: "test_provider", header: header, nodecl.}: Provider
  last {.importc: "test_last", header: header, nodecl.}: Answer
  answers {.importc: "test_answers", header: header, nodecl.}: csize_t
  events {.importc: "test_events", header: header, nodecl.}: array[256, Answer]
  eventCount {.importc: "test_event_count", header: header, nodecl.}: csize_t
  wires {.importc: "test_wires", header: header, nodecl.}: cuint
  hasRoom {.importc: "test_has_room", header: header, nodecl.}: cint
proc forget() {.importc: "test_forget", header: header.}

proc ferryLibraryEcho(): ptr Library {.importc: "ferry_library_echo", cdecl.}

type

  BeginFn = proc (provider: ptr Provider; state: ptr pointer): cint {.cdecl, raises: [], gcsafe.}
  RequestsFn = proc (state: pointer; requests: pointer; count: csize_t) {.cdecl, raises: [], gcsafe.}
  TurnFn = proc (state: pointer): int64 {.cdecl, raises: [], gcsafe.}
  DescriptorFn = proc (state: pointer): cint {.cdecl, raises: [], gcsafe.}
  EndFn = proc (state: pointer) {.cdecl, raises: [], gcsafe.}

let library = ferryLibraryEcho()
var
  state: pointer
  payloads: array[8, seq[byte]]
  requests: array[8, Request]

const
  Create = 0'u32
  Destroy = 1'u32
  EchoIt = 2'u32
  Bytes = 4'u32
  Fail = 5'u32
  Ticks = 9'u32
  Open = 10'u32
  Read = 11'u32
  Version = 13'u32

proc serve(slot: int; number, wire: uint32; payload: seq[byte]) =
  payloads[slot] = payload
  requests[slot] = Request(number: number, wire: wire, data: cast[pointer](start(payloads[slot])),
    bytes: csize_t(payload.len))
  var one = addr requests[slot]
  cast[RequestsFn](library.requests)(state, addr one, 1)

proc turn(): int64 = cast[TurnFn](library.turn)(state)

proc cborOf[T](value: T): seq[byte] =
  result = newSeq[byte](cborBound(value))
  result.setLen(int(putCbor(start(result), value) - start(result)))

proc named[T](name: string; value: T): seq[byte] = @[0xa1'u8] & cborOf(name) & cborOf(value)

proc text(): string =
  result = newString(last.bytes)
  if last.bytes > 0: copyMem(addr result[0], last.data, last.bytes)

proc answered[T](v: var T) =
  var d: Decoder
  doAssert last.status == 0, $last.status & " " & text()
  doAssert getMessage(last.data, int(last.bytes), last.wire, v, d), d.error

proc begin() =
  doAssert cast[BeginFn](library.threadBegin)(addr testProvider, addr state) == 0
proc finish() =
  cast[EndFn](library.threadEnd)(state)
proc create() =
  serve(0, Create, WireCbor, named("prefix", "> "))
  doAssert last.status == 0 and last.bytes == 1
proc endContext() =
  serve(0, Destroy, WireCbor, @[])
  doAssert last.status == 0
  cast[EndFn](library.contextEnd)(state)
  forget()

proc answersAtOnce() =
  ## A request that waits for nothing is answered before `requests` returns, and leaves nothing to do.
  create()
  for room in 0 .. 1:
    hasRoom = cint(room)
    serve(1, EchoIt, WireCbor, named("request", EchoRequest(message: "hi", delayMs: 0)))
    var response: EchoResponse
    answered(response)
    doAssert response.echoed == "> hi"
    doAssert turn() == IngressForever
    doAssert cast[DescriptorFn](library.descriptor)(state) == -1
  hasRoom = 0
  serve(1, Version, WireC, @[])
  var version: string
  answered(version)
  doAssert version == "0.1.0"
  endContext()

proc interleaves() =
  ## Two requests that wait are answered in the order in which their delays end.
  create()
  let before = answers
  serve(1, EchoIt, WireCbor, named("request", EchoRequest(message: "slow", delayMs: 60)))
  serve(2, EchoIt, WireCbor, named("request", EchoRequest(message: "fast", delayMs: 10)))
  doAssert answers == before
  let due = turn()
  doAssert due > 0 and due <= 10_000_000, $due
  while answers == before:
    sleep(1)
    discard turn()
  doAssert last.request == addr requests[2]
  while answers == before + 1:
    sleep(1)
    discard turn()
  doAssert last.request == addr requests[1]
  doAssert turn() == IngressForever
  endContext()

proc refuses() =
  ## Bad payloads, exceptions and stale handles are answered with their status and their text.
  create()
  serve(1, EchoIt, WireCbor, @[0xa1'u8] & cborOf("request") & @[0xa0'u8])
  doAssert last.status == 9 and text() == "request.message: missing", text()
  serve(1, Fail, WireCbor, named("message", "no \xff good"))
  doAssert last.status == 9 and text() == "message: invalid UTF-8", text()
  serve(1, Fail, WireCbor, named("message", "because"))
  doAssert last.status == 1 and text() == "because", text()
  serve(1, EchoIt, WireCbor, named("request", EchoRequest(message: "", delayMs: -1)))
  doAssert last.status == 1 and text() == "the delay has to be from 0 to 60000 ms", text()
  serve(1, Read, WireCbor, @[0xa2'u8] & cborOf("reader") & cborOf(77) & cborOf("bytes_max") & cborOf(1))
  doAssert last.status == 11 and text() == "reader: no open Reader has this handle", text()
  endContext()

proc needsAContext() =
  ## Without a constructor, or after one that failed, methods are refused and statics are not.
  serve(1, Ticks, WireCbor, named("count", 1'u32))
  doAssert last.status == 1
  serve(1, Create, WireCbor, named("prefix", "fail"))
  doAssert last.status == 1 and text() == "the prefix says to fail", text()
  serve(1, Ticks, WireCbor, named("count", 1'u32))
  doAssert last.status == 1
  serve(1, Version, WireCbor, @[0xa0'u8])
  doAssert last.status == 0
  endContext()

proc lendsWhatIsLarge() =
  create()
  for wire in [WireCbor, WireC]:
    var blob = newSeq[byte](1_000_000)
    for i in 0 ..< blob.len: blob[i] = byte(i and 0xff)
    let payload =
      if wire == WireCbor: named("payload", blob)
      else:
        var message = newSeq[byte](8 + blob.len)
        let base = start(message)
        discard putFlat(base, base, base + 8, blob)
        message
    serve(1, Bytes, wire, payload)
    var back: seq[byte]
    answered(back)
    doAssert last.was_lent == 1 and back == blob
  endContext()

proc emits() =
  ## An event goes out once in each format that somebody listens in, and not at all when nobody does.
  create()
  for listening in 0'u32 .. 3'u32:
    forget()
    wires = cuint(listening)
    serve(1, EchoIt, WireCbor, named("request", EchoRequest(message: "e", delayMs: 0)))
    serve(1, Ticks, WireCbor, named("count", 2'u32))
    let formats = (listening and 1) + (listening shr 1)
    doAssert uint32(eventCount) == 3 * formats, $eventCount
    for i in 0 ..< int(eventCount): doAssert events[i].status in [0'u32, 1]
  wires = 0
  endContext()

proc forgets() =
  ## The end of a context closes its handles and drops the answers that are still to come.
  create()
  serve(1, Open, WireCbor, named("text", "abc"))
  var id: uint64
  answered(id)
  let read = @[0xa2'u8] & cborOf("reader") & cborOf(id) & cborOf("bytes_max") & cborOf(2)
  serve(1, Read, WireCbor, read)
  var piece: Option[string]
  answered(piece)
  doAssert piece == some("ab")
  asyncCheck sleepAsync(100_000)
  doAssert turn() > 0
  endContext()
  doAssert turn() == IngressForever
  create()
  serve(1, Read, WireCbor, read)
  doAssert last.status == 11
  endContext()

proc backgroundFailures() =
  ## When a task fails for which nothing waits, a message says so and the thread goes on.
  create()
  proc background() {.async.} =
    await sleepAsync(1)
    raise newException(ValueError, "in the background; this line on standard error is part of the test")
  asyncCheck background()
  sleep(5)
  discard turn()
  serve(1, Version, WireCbor, @[0xa0'u8])
  doAssert last.status == 0
  endContext()

begin()
answersAtOnce()
interleaves()
refuses()
needsAContext()
lendsWhatIsLarge()
emits()
forgets()
backgroundFailures()
finish()
forget()
stdout.writeLine "ok"
