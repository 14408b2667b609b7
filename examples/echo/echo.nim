# SPDX-License-Identifier: BSD-3-Clause
## The conformance library: what the programs of every host language are run against. echo.json is its
## description.

import std/[asyncdispatch, monotimes, options, strutils, tables, times]
import ferry

ferryConstant:
  const
    maxDelayMs* = 60_000'u32 ## The longest delay an echo may ask for, in milliseconds.
    greeting* = "hello, \"wörld\"" ## What a polite host sends first.
    half* = 0.5 ## One half.
    debug* = false ## Whether the library was built for debugging.
    lowest* = low(int64) ## The lowest number there is.

type
  Color* {.ferryEnum, pure.} = enum ## A colour.
    none = -1 ## No colour at all.
    red = 0 ## Red.
    green = 1 ## Green.
    blue = 7 ## Blue, out of line.

  EchoRequest* {.ferryType.} = object ## What to echo, and when.
    message*: string ## What to say.
    delayMs* {.ferryDefault: 0.}: int64 ## How long to wait before answering, in milliseconds; 0 answers at once.

  EchoResponse* {.ferryType.} = object ## What was echoed.
    echoed*: string ## The message, after the context's prefix.
    timer*: string ## How long it was waited, for people.

  ComplexRequest* {.ferryType.} = object ## Many things at once.
    messages*: seq[EchoRequest] ## Several messages.
    tags*: seq[string] ## Words about them.
    note*: Option[string] ## A remark.
    retries*: Option[int64] ## How often to try again.

  ComplexResponse* {.ferryType.} = object ## What became of many things.
    summary*: string ## The messages and the tags, each joined by commas, and a semicolon between the two.
    itemCount*: uint32 ## How many messages and tags there were.
    hasNote*: bool ## Whether there was a note.
    retries*: int64 ## The retries asked for; -1 when none were.

  AllTypes* {.ferryType.} = object ## A field of every type.
    aBool*: bool
    anI8*: int8
    anI16*: int16
    anI32*: int32
    anI64*: int64
    aU8*: uint8
    aU16*: uint16
    aU32*: uint32
    aU64*: uint64
    anF32*: float32
    anF64*: float64
    aString*: string
    someBytes*: seq[byte]
    aColor*: Color
    anObject*: EchoRequest
    maybeNumber*: Option[int32]
    maybeText*: Option[string]
    maybeObject*: Option[EchoRequest]
    maybeColor*: Option[Color]
    numbers*: seq[float64]
    flags*: seq[bool]
    colors*: seq[Color]
    rows*: seq[seq[int32]]
    maybeWords*: seq[Option[string]]
    blobs*: seq[seq[byte]]
    textByNumber*: Table[int32, string]
    numberByText*: Table[string, int64]
    objectsByText*: Table[string, EchoRequest]

  Tree* {.ferryType.} = object ## A tree, which contains itself.
    name*: string ## What it is called.
    children*: seq[Tree] ## The nodes below it.

  DivideError* {.ferryEnum, pure.} = enum ## Why a number was not divided.
    byZero = 1 ## The divisor is 0.
    overflow = 2 ## The quotient is more than the largest number there is.

  ParseError* {.ferryType.} = object ## Why a text is no number.
    reason*: string ## A sentence.
    position*: uint32 ## Which byte of the text is wrong.

  Chorus* {.ferryType.} = object ## What to say several times, and how.
    times* {.ferryDefault: 2.}: uint32 ## How often, at most 100 times.
    text*: string ## What to say.
    factor* {.ferryDefault: 1.5.}: float64 ## How much more often than that; what comes out is rounded down.
    separator* {.ferryDefault: ", ".}: string ## What stands between.
    loud* {.ferryDefault: true.}: bool ## Whether `!` ends it.
    color* {.ferryDefault: Color.blue.}: Color ## In which colour; its number comes last.
    remark*: Option[string] ## What stands before, if anything.

  CountRequest* {.ferryType.} = object ## What to count, and how.
    upTo*: uint32 ## How many numbers, from 0.
    failAt*: Option[uint32] ## Instead of which number it fails, by `too_far`.
    delayMs* {.ferryDefault: 0.}: int64 ## How long to wait before each number, in milliseconds.
    textBytes* {.ferryDefault: 0.}: uint32 ## How many letters come with each number.

  Counted* {.ferryType.} = object ## A number.
    number*: uint32
    text*: string ## As many letters as were asked for.

  CountError* {.ferryEnum, pure.} = enum ## Why no more numbers came.
    tooFar = 1 ## It was asked to fail.

  Counts* {.ferryType.} = object ## What became of the counts of a context.
    running*: uint32 ## How many are not over.
    stopped*: uint32 ## How many the host did not want to the end.
    given*: uint64 ## How many numbers they have given.

  PickError* {.ferryEnum, pure.} = enum ## Why a host picks nothing.
    noneFits = 1 ## None of the choices is right.
    asksTooMuch = 2 ## It was asked too often.

  Consultation* {.ferryEnum, pure.} = enum ## What became of a question to the host.
    answered = 0 ## It has picked.
    refused = 1 ## It has answered with an error.
    failed = 2 ## Its function has failed.
    unheard = 3 ## It does not listen.
    tooMany = 4 ## Too many questions were open.
    tooLate = 5 ## No answer came in time.

  Consulted* {.ferryType.} = object ## What became of a question, and what the answer was.
    outcome*: Consultation
    text*: string ## The choice that was picked, or why none was.

  ShapeKind* {.ferryEnum, pure.} = enum ## Which shape it is.
    nothing ## None at all.
    circle
    square
    label ## A text.
    caption ## A text that belongs to a shape.
    group ## Several shapes.

  Shape* {.ferryType.} = object ## A shape.
    case kind*: ShapeKind
    of nothing: discard
    of circle: radius*: float64
    of square:
      side*: float64
      angle*: float64 ## In degrees.
    of label, caption: text*: string
    of group: parts*: seq[Shape] ## What it is made of.

  Drawing* {.ferryType.} = object ## What to draw.
    name*: string ## What it is called.
    shapes*: seq[Shape]
    case isColored*: bool ## Whether it has a colour.
    of true: color*: Color
    of false: discard

  DrawErrorReason* {.ferryEnum, pure.} = enum ## Why nothing was drawn.
    empty ## There are no shapes.
    tooMany ## There are more than 100.

  DrawError* {.ferryType.} = object ## Why nothing was drawn.
    case reason*: DrawErrorReason
    of DrawErrorReason.empty: discard
    of DrawErrorReason.tooMany: count*: uint32 ## How many there are.

  Reader* {.ferryHandle.} = ref object ## Reads a text in pieces.
    text: string
    position: int

  Echo = ref object
    prefix: string
    cancellations: uint32
    counts: Counts

proc tick() {.ferryEvent: dropNewest.}
  ## Something happened.

proc echoed(response: EchoResponse) {.ferryEvent.}
  ## An echo was given.

proc drawn(shape: Shape) {.ferryEvent.}
  ## A drawing was drawn.

proc pick(
    title: string, ## The matter that is to be decided.
    choices: seq[string], ## What there is to choose from.
): Future[uint32] {.ferryAsk: PickError.}
  ## Which of the choices, by its place, from 0.

proc create(
    prefix: string, ## What every echo begins with. `fail` makes the constructor fail.
): Echo {.ferryConstructor.} =
  ## Start an echo.
  if prefix == "fail":
    raise newException(ValueError, "the prefix says to fail")
  Echo(prefix: prefix)

proc destroy(echo: Echo) {.ferryDestructor.} =
  ## End an echo.
  echo.prefix = ""

proc answer(self: Echo; request: EchoRequest): EchoResponse =
  EchoResponse(echoed: self.prefix & request.message, timer: $request.delayMs & " ms")

proc later(self: Echo; request: EchoRequest): Future[EchoResponse] {.async.} =
  await sleepAsync(int(request.delayMs))
  result = self.answer(request)
  echoed(result)

proc checkDelay(delayMs: int64) =
  if delayMs < 0 or delayMs > int64(maxDelayMs):
    raise newException(ValueError, "the delay has to be from 0 to " & $maxDelayMs & " ms")

proc echo(
    self: Echo;
    request: EchoRequest, ## What to echo, and when.
): Future[EchoResponse] {.ferryMethod.} =
  ## Give back a message, after the prefix, when the delay is over. Emits `echoed`.
  checkDelay(request.delayMs)
  if request.delayMs > 0:
    return self.later(request)
  result = newFuture[EchoResponse]("echo")
  let response = self.answer(request)
  echoed(response)
  result.complete(response)

proc complex(
    self: Echo;
    request: ComplexRequest, ## Many things.
): ComplexResponse {.ferryMethod.} =
  ## Take many things and sum them up.
  var messages: seq[string]
  for message in request.messages:
    messages.add(message.message)
  ComplexResponse(
    summary: messages.join(",") & ";" & request.tags.join(","),
    itemCount: uint32(request.messages.len + request.tags.len),
    hasNote: request.note.isSome,
    retries: request.retries.get(-1))

proc bytes(
    self: Echo;
    payload: sink seq[byte], ## Any bytes.
): seq[byte] {.ferryMethod.} =
  ## Give back the same bytes.
  payload

proc fail(
    self: Echo;
    message: string, ## What the error says.
) {.ferryMethod.} =
  ## Fail with a message.
  raise newException(ValueError, message)

proc all(
    self: Echo;
    value: AllTypes, ## Any value.
): AllTypes {.ferryMethod.} =
  ## Give back the same value.
  value

proc tree(
    self: Echo;
    root: Tree, ## Any tree.
): Tree {.ferryMethod.} =
  ## Give back the same tree.
  root

proc maybe(
    self: Echo;
    value: Option[string], ## A text or nothing.
): Option[string] {.ferryMethod.} =
  ## Give back the text or nothing.
  value

proc ticks(
    self: Echo;
    count: uint32, ## How many.
) {.ferryMethod.} =
  ## Emit `tick` that many times.
  for i in 1'u32 .. count:
    tick()

proc open(
    self: Echo;
    text: string, ## The text that is to be read.
): Reader {.ferryMethod.} =
  ## Open a reader of a text.
  Reader(text: text)

proc read(
    self: Echo;
    reader: Reader, ## An open reader.
    bytesMax: uint32, ## How many bytes to read at most; 1 or more.
): Option[string] {.ferryMethod.} =
  ## Read on. Nothing at the end of the text. Pieces are cut between bytes, so the text should be ASCII.
  if bytesMax == 0:
    raise newException(ValueError, "bytes_max has to be 1 or more")
  if reader.position == reader.text.len:
    return options.none(string)
  let stop = min(reader.text.len, reader.position + int(bytesMax))
  result = some(reader.text[reader.position ..< stop])
  reader.position = stop

proc close(
    self: Echo;
    reader: Reader, ## An open reader.
) {.ferryMethod.} =
  ## Close a reader. A call that uses it afterwards is refused.
  closeHandle(reader)

proc version(): string {.ferryStatic.} =
  ## The version of the library.
  "0.1.0"

proc sum(
    left: int64, ## A number.
    right: int64, ## Another.
): int64 {.ferryStatic.} =
  ## Add two numbers, wrapping around.
  cast[int64](cast[uint64](left) + cast[uint64](right))

proc divide(
    self: Echo;
    dividend: int64, ## What is divided.
    divisor: int64, ## By what.
): Future[int64] {.ferryMethod: DivideError, async.} =
  ## Divide a number, towards zero.
  if divisor == 0: raise newFerryError(DivideError.byZero)
  if dividend == lowest and divisor == -1: raise newFerryError(DivideError.overflow)
  return dividend div divisor

proc parse(
    text: string, ## Decimal digits, at most 18.
): int64 {.ferryStatic: ParseError.} =
  ## The number that a text is.
  for i, c in text:
    if i == 18: raise newFerryError(ParseError(reason: "too long", position: uint32(i)))
    if c notin {'0' .. '9'}: raise newFerryError(ParseError(reason: "no digit", position: uint32(i)))
    result = result * 10 + int64(ord(c) - ord('0'))
  if text.len == 0: raise newException(ValueError, "there is no text")

proc giveUp(self: Echo) =
  inc self.cancellations
  raise newException(FerryCancelled, "cancelled")

proc nap(
    self: Echo;
    delayMs: int64, ## How long, in milliseconds.
): Future[void] {.ferryMethod, async.} =
  ## Wait; others are served meanwhile. Ends early when it is cancelled.
  let call = thisCall()
  checkDelay(delayMs)
  await sleepAsync(int(delayMs)) or call.cancelled
  if call.isCancelled: self.giveUp()

proc spin(
    self: Echo;
    delayMs: int64, ## How long, in milliseconds.
) {.ferryMethod.} =
  ## Compute; nothing else is served meanwhile. Ends early when it is cancelled.
  let call = thisCall()
  checkDelay(delayMs)
  let over = getMonoTime() + initDuration(milliseconds = delayMs)
  while getMonoTime() < over:
    if call.isCancelled: self.giveUp()

proc cancellations(self: Echo): uint32 {.ferryMethod.} =
  ## How many naps and spins were cancelled.
  self.cancellations

proc sing(
    chorus: Chorus, ## What to say, and how often.
): string {.ferryStatic.} =
  ## Say a text several times: `ho, ho, ho! 7` is what the defaults make of `ho`.
  let times = float64(chorus.times) * chorus.factor
  if not (times >= 0 and times <= 100): raise newException(ValueError, "a text is said at most 100 times")
  for i in 1 .. int(times):
    if i > 1: result.add(chorus.separator)
    result.add(chorus.text)
  result = chorus.remark.get("") & result & (if chorus.loud: "! " else: " ") & $ord(chorus.color)

proc count(
    self: Echo;
    request: CountRequest, ## What to count, and how.
    numbers: FerryStream[Counted],
) {.ferryMethod: CountError, async.} =
  ## Count; others are served meanwhile.
  inc self.counts.running
  try:
    checkDelay(request.delayMs)
    for number in 0'u32 ..< request.upTo:
      if request.delayMs > 0: await sleepAsync(int(request.delayMs)) or numbers.stopped
      if request.failAt == some(number): raise newFerryError(CountError.tooFar)
      await numbers.give(Counted(number: number, text: repeat('x', int(request.textBytes))))
      inc self.counts.given
  finally:
    dec self.counts.running
    if numbers.isStopped: inc self.counts.stopped

proc counting(self: Echo): Counts {.ferryMethod.} =
  ## What became of the counts.
  self.counts

proc consult(
    self: Echo;
    title: string, ## What the host has to decide.
    choices: seq[string], ## What it has to choose from.
    waitMs: uint32, ## How long it may take, in milliseconds.
): Future[Consulted] {.ferryMethod, async.} =
  ## Ask the host to pick one of the choices, and say what became of that; others are served meanwhile.
  result = Consulted(outcome: Consultation.answered)
  try:
    let place = await pick(title, choices, waitMs = int(waitMs))
    if place >= uint32(choices.len): raise newException(ValueError, "there is no choice " & $place)
    result.text = choices[place]
  except FerryError[PickError] as e:
    result = Consulted(outcome: Consultation.refused, text: $e.value)
  except FerryUnanswered as e:
    const outcomes = [Nobody: Consultation.unheard, TooMany: Consultation.tooMany, TooLate: Consultation.tooLate,
      HostFailed: Consultation.failed]
    result = Consulted(outcome: outcomes[e.reason], text: e.text)

proc asking(self: Echo): uint32 {.ferryMethod.} =
  ## How many questions to the host are open.
  uint32(openQuestions())

proc draw(
    self: Echo;
    drawing: Drawing, ## What to draw.
    extra: Option[Shape], ## One more shape, which comes last.
): Shape {.ferryMethod: DrawError.} =
  ## Make one shape of many, behind their name, which is a caption with the colour if there is one. Emits `drawn`.
  const shapesMax = 100
  var shapes = drawing.shapes
  if extra.isSome: shapes.add(extra.get)
  if shapes.len == 0: raise newFerryError(DrawError(reason: DrawErrorReason.empty))
  if shapes.len > shapesMax:
    raise newFerryError(DrawError(reason: DrawErrorReason.tooMany, count: uint32(shapes.len)))
  let name =
    if drawing.isColored: Shape(kind: ShapeKind.caption, text: drawing.name & " " & $ord(drawing.color))
    else: Shape(kind: ShapeKind.label, text: drawing.name)
  result = Shape(kind: ShapeKind.group, parts: @[name] & shapes)
  drawn(result)

ferryLibrary echo, "0.1.0":
  ## A library that gives back what it is given, sometimes later. It has something of every kind, so that one
  ## conformance program can be written in every language.
