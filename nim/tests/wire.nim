# SPDX-License-Identifier: BSD-3-Clause
## Compares both codecs with the C that `ferry bindgen` writes (reference.c), on random values, every truncation, random
## mutations, and for `cbor` encodings that are not the deterministic one. Nim and C have to accept the same bytes, as
## the same value, and refuse the rest with the same error at the same path.
##
## Each message lies in a block of exactly its size, so that a sanitizer sees any byte read beyond it.
## FERRY_SEED=N begins with the seed N; FERRY_ROUNDS=N makes N rounds.

import std/[os, random, strutils]
import carriers # its types come before ferryLibrary of echo
import echo, values
import ferry/[cbor, decoder, flat, memory, runtime]

{.compile: "reference.c".}
{.compile: "core.c".}

type ReferenceFn = proc (wire: uint32; data: pointer; bytes: csize_t; output: var pointer; outputBytes: var csize_t;
  text: cstring): cint {.cdecl.}

proc referenceEchoRequest(wire: uint32; data: pointer; bytes: csize_t; output: var pointer; outputBytes: var csize_t;
  text: cstring): cint {.importc: "reference_echo_request", cdecl.}
proc referenceEchoResponse(wire: uint32; data: pointer; bytes: csize_t; output: var pointer; outputBytes: var csize_t;
  text: cstring): cint {.importc: "reference_echo_response", cdecl.}
proc referenceComplexRequest(wire: uint32; data: pointer; bytes: csize_t; output: var pointer; outputBytes: var csize_t;
  text: cstring): cint {.importc: "reference_complex_request", cdecl.}
proc referenceAllTypes(wire: uint32; data: pointer; bytes: csize_t; output: var pointer; outputBytes: var csize_t;
  text: cstring): cint {.importc: "reference_all_types", cdecl.}
proc referenceTree(wire: uint32; data: pointer; bytes: csize_t; output: var pointer; outputBytes: var csize_t;
  text: cstring): cint {.importc: "reference_tree", cdecl.}
proc referenceDrawing(wire: uint32; data: pointer; bytes: csize_t; output: var pointer; outputBytes: var csize_t;
  text: cstring): cint {.importc: "reference_drawing", cdecl.}
proc free(p: pointer) {.importc, header: "<stdlib.h>".}
proc malloc(bytes: csize_t): pointer {.importc, header: "<stdlib.h>".}

const Guard = 16

proc encoded[T](value: T; wire: uint32): seq[byte] =
  ## Encode, and check that no more bytes were written than the bound says.
  let bound = if wire == 1: flatSize(T) + flatExtra(value) else: cborBound(value)
  var room = newSeq[byte](bound + Guard)
  for b in room.mitems: b = 0xa5
  let base = start(room)
  let stop = if wire == 1: putFlat(base, base, base + Pos(flatSize(T)), value) else: putCbor(base, value)
  let bytes = int(stop - base)
  doAssert bytes <= bound, "wrote " & $bytes & " bytes, the bound is " & $bound
  for i in bound ..< room.len: doAssert room[i] == 0xa5, "wrote beyond the bound"
  room[0 ..< bytes]

type Outcome = object
  error: string
  bytes: seq[byte] ## the value, encoded again

proc ours(T: typedesc; wire: uint32; message: seq[byte]): Outcome =
  let exact = malloc(csize_t(max(1, message.len)))
  if message.len > 0: copyMem(exact, unsafeAddr message[0], message.len)
  var value: T
  var d: Decoder
  if getMessage(exact, message.len, wire, value, d): result.bytes = encoded(value, wire)
  else:
    result.error = d.error
    doAssert result.error.len > 0, "refused without a reason"
  free(exact)

proc theirs(call: ReferenceFn; wire: uint32; message: seq[byte]): Outcome =
  var text = newString(300)
  var output: pointer
  var bytes: csize_t
  let data = if message.len > 0: unsafeAddr message[0] else: nil
  if call(wire, data, csize_t(message.len), output, bytes, cstring(text)) == 0:
    result.bytes = newSeq[byte](bytes)
    if bytes > 0: copyMem(addr result.bytes[0], output, bytes)
    free(output)
  else: result.error = $cstring(text)

proc hex(bytes: seq[byte]): string =
  for b in bytes: result.add(toHex(b).toLowerAscii)

proc compare(T: typedesc; call: ReferenceFn; wire: uint32; message: seq[byte]; what: string): Outcome =
  result = ours(T, wire, message)
  let other = theirs(call, wire, message)
  doAssert result == other, what & " of " & $T & " in wire " & $wire & ": " & hex(message) & "\nhere:  " &
    result.error &
    " " & hex(result.bytes) & "\nthere: " & other.error & " " & hex(other.bytes)

var accepted, refused: int

proc check(T: typedesc; call: ReferenceFn; r: var Rand; hasVariants = false) =
  ## Compare values of a type. Of one with variants no other encodings are tried, since those have keys that nobody
  ## knows, which a variant does not skip.
  for wire in 0'u32 .. 1'u32:
    var value: T
    randomValue(r, value)
    let message = encoded(value, wire)
    let outcome = compare(T, call, wire, message, "a value")
    doAssert outcome.error == "", outcome.error & " in " & hex(message)
    doAssert outcome.bytes == message, "another encoding: " & hex(message) & " " & hex(outcome.bytes)
    # every prefix of a short message, some prefixes of a long one
    var cut = 0
    while cut < message.len:
      doAssert compare(T, call, wire, message[0 ..< cut], "a prefix").error != ""
      cut += 1 + (if message.len > 200: r.rand(message.len div 50) else: 0)
    doAssert compare(T, call, wire, message & @[0'u8], "a value and a byte").error != ""
    for i in 1 .. 30:
      let outcome = compare(T, call, wire, mutated(r, message), "a mutation")
      if outcome.error == "": inc accepted else: inc refused
    if wire == 0 and not hasVariants:
      for i in 1 .. 5:
        let other = wildly(r, message)
        let outcome = compare(T, call, wire, other, "another encoding")
        doAssert outcome.bytes == message, "not the same value: " & hex(other) & " " & outcome.error
        for i in 1 .. 5: discard compare(T, call, wire, mutated(r, other), "a mutation of another encoding")

proc chain(levels: int): Tree =
  for i in 1 .. levels: result = Tree(name: "n", children: @[result])

proc depth() =
  ## A Tree takes two levels: itself, and its sequence of children. The innermost one has such a sequence too, an empty
  ## one.
  for wire in 0'u32 .. 1'u32:
    doAssert compare(Tree, referenceTree, wire, encoded(chain(15), wire), "16 trees").error == ""
    doAssert "nested too deep" in compare(Tree, referenceTree, wire, encoded(chain(16), wire), "17 trees").error
  doAssert not isTooDeep(chain(15), 0)
  doAssert isTooDeep(chain(16), 0)
  doAssert recurses(Tree) and recurses(seq[Tree]) and not recurses(AllTypes)
  # a shape takes three: the variant, what the case carries, and a sequence
  var shape: Shape
  for levels in 1 .. 11:
    doAssert not isTooDeep(shape, 0)
    shape = Shape(kind: ShapeKind.group, parts: @[shape])
  doAssert isTooDeep(shape, 0) and isTooDeep(Drawing(isColored: false, shapes: @[shape]), 0)
  doAssert recurses(Shape) and recurses(Drawing) and not recurses(DrawError)
  doAssert cborLeast(Shape) == 10 and cborLeast(Drawing) == 1 + 5 + 1 + 7 + 1 + 11 + 8

proc errors() =
  ## Reasons and paths as W8 has them, in messages written by hand.
  proc refuses(text, error: string) =
    var message: seq[byte]
    for i in countup(0, text.high, 2): message.add(byte(parseHexInt(text[i .. i + 1])))
    let outcome = compare(ComplexRequest, referenceComplexRequest, 0, message, "by hand")
    doAssert outcome.error == error, outcome.error & " is not " & error
  refuses("", "ends early")
  refuses("80", "wrong type")
  refuses("a0", "tags: missing")
  refuses("a1686d6573736167657380", "tags: missing")
  refuses("a2647461677380686d65737361676573f6", "messages: missing")
  refuses("a2647461677381" & "61ff" & "686d6573736167657380", "tags[0]: invalid UTF-8")
  refuses("a364746167738064746167738000" & "00", "tags: given twice")
  refuses("a2647461677380686d6573736167657380" & "00", "bytes left over")

when isMainModule:
  let first = parseInt(getEnv("FERRY_SEED", "1"))
  let rounds = parseInt(getEnv("FERRY_ROUNDS", "200"))
  depth()
  checkCarriers()
  for seed in first ..< first + rounds:
    var r = initRand(seed)
    try:
      check(EchoRequest, referenceEchoRequest, r)
      check(EchoResponse, referenceEchoResponse, r)
      check(ComplexRequest, referenceComplexRequest, r)
      check(AllTypes, referenceAllTypes, r)
      check(Tree, referenceTree, r)
      check(Drawing, referenceDrawing, r, hasVariants = true)
    except AssertionDefect as e:
      quit "FERRY_SEED=" & $seed & ": " & e.msg
  errors()
  doAssert accepted > 0 and refused > 0
  stdout.writeLine "ok: ", rounds, " seeds, of the mutations ", accepted, " were values and ", refused, " were not"
