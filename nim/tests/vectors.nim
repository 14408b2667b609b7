# SPDX-License-Identifier: BSD-3-Clause
## Runs the vectors of spec/wire in both formats: vectors FOLDER. A handle is here the integer that travels. Two kinds
## of vectors are left out, since Nim cannot express their types: a sequence of u8 that is not bytes, and a type that
## contains itself in a map.

import std/[json, options, os, strutils, tables]
import ferry
import ferry/[cbor, decoder, flat, memory, runtime]

type
  Color {.ferryEnum, pure.} = enum
    none = -1, red = 0, green = 1, blue = 1000
  Point {.ferryType.} = object
    x: int8
    y: int64
    near: bool
  Note {.ferryType.} = object
    title: string
    tags: seq[string]
    at: Option[Point]
    id: uint8
    size: Option[uint32]
  Tree {.ferryType.} = object
    children: seq[Tree]
  Loose {.ferryType.} = object
    v: Option[uint8]
  Wide {.ferryType.} = object
    f0: uint8
    f1: Option[uint8]
    f2: Option[uint8]
    f3: Option[uint8]
    f4: Option[uint8]
    f5: Option[uint8]
    f6: Option[uint8]
    f7: Option[uint8]
    f8: Option[uint8]
    f9: Option[uint8]
    f10: Option[uint8]
    f11: Option[uint8]
    f12: Option[uint8]
    f13: Option[uint8]
    f14: Option[uint8]
    f15: Option[uint8]
    f16: Option[uint8]
    f17: Option[uint8]
    f18: Option[uint8]
    f19: Option[uint8]
    f20: Option[uint8]
    f21: Option[uint8]
    f22: Option[uint8]
    f23: Option[uint8]
    f24: Option[uint8]
    f25: Option[uint8]
    f26: Option[uint8]
    f27: Option[uint8]
    f28: Option[uint8]
    f29: Option[uint8]
    f30: Option[uint8]
    f31: Option[uint8]
    f32: Option[uint8]
    f33: Option[uint8]
    f34: Option[uint8]
    f35: Option[uint8]
    f36: Option[uint8]
    f37: Option[uint8]
    f38: Option[uint8]
    f39: Option[uint8]
    f40: Option[uint8]
    f41: Option[uint8]
    f42: Option[uint8]
    f43: Option[uint8]
    f44: Option[uint8]
    f45: Option[uint8]
    f46: Option[uint8]
    f47: Option[uint8]
    f48: Option[uint8]
    f49: Option[uint8]
    f50: Option[uint8]
    f51: Option[uint8]
    f52: Option[uint8]
    f53: Option[uint8]
    f54: Option[uint8]
    f55: Option[uint8]
    f56: Option[uint8]
    f57: Option[uint8]
    f58: Option[uint8]
    f59: Option[uint8]
    f60: Option[uint8]
    f61: Option[uint8]
    f62: Option[uint8]
    f63: uint8
    f64: uint8
    f65: Option[uint8]
    f66: Option[uint8]
    f67: Option[uint8]
    f68: Option[uint8]
    f69: uint8
  ShapeKind {.ferryEnum.} = enum
    nothing, dot, label, otherLabel, group
  Shape {.ferryType.} = object
    case kind: ShapeKind
    of dot: size: uint8
    of label .. otherLabel:
      text: string
      at: Option[Point]
    of group: parts: seq[Shape]
    else: discard
  Drawing {.ferryType.} = object
    id: uint8
    case isDrawn: bool
    of false: discard
    of true:
      level: uint16
      case hasShape: bool
      of true: shape: Shape
      of false: discard

ferryCodecs()

{.compile: "core.c".}

proc bytes(text: string): seq[byte] =
  if text == "-": return
  for i in countup(0, text.high, 2): result.add(byte(parseHexInt(text[i .. i + 1])))

proc encoded[T](value: T; wire: uint32): seq[byte] =
  result = newSeq[byte](1 + (if wire == 1: flatSize(T) + flatExtra(value) else: cborBound(value)))
  let base = start(result)
  let stop = if wire == 1: putFlat(base, base, base + Pos(flatSize(T)), value) else: putCbor(base, value)
  result.setLen(int(stop - base))

proc read[T](message: seq[byte]; wire: uint32; value: var T): string =
  var d: Decoder
  let data = cast[pointer](start(message))
  if not getMessage(data, message.len, wire, value, d): result = d.error

proc check(T: typedesc; vector: JsonNode) =
  const names = ["cbor", "c"]
  for wire, name in names:
    if name notin vector: continue
    var messages = @[vector[name].getStr]
    if name == "cbor" and "reads" in vector:
      for other in vector["reads"]: messages.add(other.getStr)
    for text in messages:
      var value: T
      let error = read(bytes(text), uint32(wire), value)
      if "error" in vector:
        doAssert error == vector["error"].getStr, text & ": " & error
        continue
      doAssert error == "", text & ": " & error
      for format, other in names:
        doAssert encoded(value, uint32(format)) == bytes(vector[other].getStr), text & " in " & other

proc run(vector: JsonNode): bool =
  template on(name: string; T: typedesc) =
    if vector["type"].getStr == name:
      check(T, vector)
      return true
  on("a_bool", bool)
  on("a_i8", int8)
  on("a_i16", int16)
  on("a_i32", int32)
  on("a_i64", int64)
  on("a_u8", uint8)
  on("a_u16", uint16)
  on("a_u32", uint32)
  on("a_u64", uint64)
  on("a_f32", float32)
  on("a_f64", float64)
  on("a_string", string)
  on("a_bytes", seq[byte])
  on("color", Color)
  on("reader", uint64)
  on("maybe_i32", Option[int32])
  on("maybe_text", Option[string])
  on("maybe_point", Option[Point])
  on("maybe_numbers", Option[seq[uint16]])
  on("numbers", seq[float64])
  on("flags", seq[bool])
  on("colors", seq[Color])
  on("readers", seq[uint64])
  on("texts", seq[string])
  on("rows", seq[seq[int32]])
  on("maybes", seq[Option[uint16]])
  on("blobs", seq[seq[byte]])
  on("points", seq[Point])
  on("notes", seq[Note])
  on("loose", seq[Loose])
  on("text_by_number", Table[int32, string])
  on("number_by_text", Table[string, int64])
  on("flag_by_number", Table[uint64, bool])
  on("wide_by_small", Table[int8, uint64])
  on("note_by_text", Table[string, Note])
  on("map_by_text", Table[string, Table[uint8, string]])
  on("point", Point)
  on("note", Note)
  on("tree", Tree)
  on("wide", Wide)
  on("shape", Shape)
  on("shapes", seq[Shape])
  on("maybe_shape", Option[Shape])
  on("shape_by_text", Table[string, Shape])
  on("drawing", Drawing)
  doAssert vector["type"].getStr in ["bytes_list", "forest"], "no type " & vector["type"].getStr
  false

var count: int
for file in walkFiles(paramStr(1) / "*.json"):
  let vectors = parseFile(file)
  if vectors.kind != JArray: continue
  for vector in vectors:
    try:
      if run(vector): inc count
    except AssertionDefect as e: quit file.extractFilename & ": " & vector["name"].getStr & ": " & e.msg
doAssert count > 300
echo "ok: ", count, " vectors"
