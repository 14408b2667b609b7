# SPDX-License-Identifier: BSD-3-Clause
## How long does it take in Nim to encode a value, decode it into a value of its own, and free that?
##
## `nim-cbor` and `nim-c` are the two formats. The message is encoded into a buffer that is used again; a decoded value
## owns its memory. `nim-copy` copies the value and frees the copy, without a message: this is what its strings and
## sequences alone cost in this memory manager. `copy` of bench/codec.c is the least that bytes can cost: two copies and
## an allocation. codec.c has the options and the lines that every benchmark program shares.

import std/options
import ferry
import ferry/[cbor, decoder, flat, memory]

{.compile: "codec.c".}

type
  EchoRequest {.ferryType.} = object
    message: string
    delayMs: int64
  EchoResponse {.ferryType.} = object
    echoed: string
    timer: string
  ComplexRequest {.ferryType.} = object
    messages: seq[EchoRequest]
    tags: seq[string]
    note: Option[string]
    retries: Option[int64]
  ShapeKind {.ferryEnum, pure.} = enum
    nothing, circle, square, label, caption, group
  Shape {.ferryType.} = object
    case kind: ShapeKind
    of nothing: discard
    of circle: radius: float64
    of square: side, angle: float64
    of label, caption: text: string
    of group: parts: seq[Shape]
  ShapeText {.ferryType.} = object
    text: string
  Shapes {.ferryType.} = object
    parts: seq[Shape]
  Payload {.ferryType.} = object
    payload: seq[byte]

ferryCodecs()

var
  echoRequest = EchoRequest(message: "hello world", delayMs: 100)
  echoResponse = EchoResponse(echoed: "hello world", timer: "bench-timer")
  complexRequest = ComplexRequest(
    messages: @[
      EchoRequest(message: "alpha", delayMs: 1), EchoRequest(message: "beta", delayMs: 2),
      EchoRequest(message: "gamma", delayMs: 3), EchoRequest(message: "delta", delayMs: 4)],
    tags: @["fast", "async", "bench"],
    note: some("a slightly longer note that survives the round-trip"),
    retries: some(7'i64))
  # as in codec.c: a variant, and four of them, each beside objects whose message in cbor is as long
  variant = Shape(kind: ShapeKind.label, text: "hello world")
  variantAsObject = ShapeText(text: "hello, wider world")
  variants = Shapes(parts: @[
    Shape(kind: ShapeKind.label, text: "alpha to beta"), Shape(kind: ShapeKind.caption, text: "to gamma"),
    Shape(kind: ShapeKind.label, text: "delta, epsilon"), Shape(kind: ShapeKind.caption, text: "zeta or theta")])
  variantsAsObjects = ComplexRequest(messages: complexRequest.messages)
  payload: Payload
  room = newSeq[uint64](300_000)

proc cborTrip[T](value: T): bool {.inline.} =
  let base = start(room)
  doAssert cborBound(value) <= room.len * 8
  let stop = putCbor(base, value)
  var d = initDecoder(cast[pointer](base), int(stop - base))
  var back: T
  d.getCbor(d.base, back) == stop

proc flatTrip[T](value: T): bool {.inline.} =
  let base = start(room)
  doAssert flatSize(T) + flatExtra(value) <= room.len * 8
  let stop = putFlat(base, base, base + Pos(flatSize(T)), value)
  var d = initDecoder(cast[pointer](base), int(stop - base))
  var back: T
  d.getFlat(d.base, d.base + Pos(flatSize(T)), back) == stop

proc keep(value: pointer) {.inline.} =
  ## Make the compiler believe that the memory at `value` is read.
  {.emit: ["__asm__ volatile(\"\" : : \"r\"(", value, ") : \"memory\");"].}

proc owned[T](value: T): T =
  ## A value whose strings are not literals: copies of a literal would share it.
  let base = start(room)
  let stop = putFlat(base, base, base + Pos(flatSize(T)), value)
  var d = initDecoder(cast[pointer](base), int(stop - base))
  doAssert d.getFlat(d.base, d.base + Pos(flatSize(T)), result) == stop

proc copyTrip[T](value: T) {.inline.} =
  var back: T
  back = value
  keep(addr back)

template measured(name, value: untyped; symbol: static string) =
  proc name(context: pointer; n: clong): clong {.exportc: symbol & "_cbor", cdecl.} =
    for i in 1 .. n:
      if not cborTrip(value): return -22
  proc `name flat`(context: pointer; n: clong): clong {.exportc: symbol & "_c", cdecl.} =
    for i in 1 .. n:
      if not flatTrip(value): return -22

template copied(name, value: untyped; symbol: static string) =
  let `name value` = owned(value)
  proc name(context: pointer; n: clong): clong {.exportc: symbol & "_copy", cdecl.} =
    for i in 1 .. n: copyTrip(`name value`)

copied(copyRequest, echoRequest, "echo_request")
copied(copyResponse, echoResponse, "echo_response")
copied(copyComplex, complexRequest, "complex_request")
copied(copyVariant, variant, "variant")
copied(copyVariantAsObject, variantAsObject, "variant_as_object")
copied(copyVariants, variants, "variants")
copied(copyVariantsAsObjects, variantsAsObjects, "variants_as_objects")
measured(runRequest, echoRequest, "echo_request")
measured(runResponse, echoResponse, "echo_response")
measured(runComplex, complexRequest, "complex_request")
measured(runVariant, variant, "variant")
measured(runVariantAsObject, variantAsObject, "variant_as_object")
measured(runVariants, variants, "variants")
measured(runVariantsAsObjects, variantsAsObjects, "variants_as_objects")
measured(runPayload, payload, "payload")

proc preparePayload(context: pointer; n: clong): cint {.exportc: "payload_prepare", cdecl.} =
  let bytes = cast[ptr clong](context)[]
  if payload.payload.len != bytes:
    payload.payload = newSeq[byte](bytes)
    for i in 0 ..< bytes: payload.payload[i] = byte(i and 0xff)

proc codecMain(argc: cint; argv: cstringArray): cint {.importc: "codec_main", cdecl.}

var
  cmdCount {.importc.}: cint
  cmdLine {.importc.}: cstringArray

quit codecMain(cmdCount, cmdLine)
