# SPDX-License-Identifier: BSD-3-Clause
## Types that travel as another type: each field of Shapes is encoded as the field of Plain that is called the same, in
## both formats, and refuses what its type cannot be.

import std/[options, strutils, tables, times]
import ferry
import ferry/[carried, cbor, decoder, flat, memory, runtime]

type
  Shade* {.ferryEnum, pure.} = enum red = 0, green = 1, blue = 7
  Id* {.ferryType.} = distinct int64
  Name* {.ferryType.} = distinct string
  Percent* {.ferryType.} = range[0 .. 100]
  Words* {.ferryType.} = seq[string]
  Maybe* {.ferryType.} = Option[int32]
  Point* {.ferryType.} = tuple[x, y: float64]
  Small* {.ferryType.} = range[-5'i8 .. 9'i8]
  Shapes* {.ferryType.} = object
    id*: Id
    name*: Name
    percent*: Percent
    small*: Small
    inline*: range[0'u16 .. 9'u16]
    count*: Natural
    words*: Words
    maybe*: Maybe
    point*: Point
    points*: array[2, Point]
    key*: array[4, byte]
    matrix*: array[2, array[3, int32]]
    colors*: set[Shade]
    at*: Time
    took*: Duration
    ids*: seq[Id]
    percents*: seq[Percent]
    levels*: seq[range[0'u16 .. 9'u16]]
    maybes*: Table[string, Option[array[2, Percent]]]
    none*: Option[Id]
  Plain* {.ferryType.} = object
    id*: int64
    name*: string
    percent*: int64
    small*: int8
    inline*: uint16
    count*: int64
    words*: seq[string]
    maybe*: Option[int32]
    point*: Point
    points*: seq[Point]
    key*: seq[byte]
    matrix*: seq[seq[int32]]
    colors*: seq[Shade]
    at*: int64
    took*: int64
    ids*: seq[int64]
    percents*: seq[int64]
    levels*: seq[uint16]
    maybes*: Table[string, Option[seq[int64]]]
    none*: Option[int64]
ferryCodecs()

proc encoded[T](value: T; wire: uint32): seq[byte] =
  let bound = if wire == 1: flatSize(T) + flatExtra(value) else: cborBound(value)
  var room = newSeq[byte](bound)
  let base = start(room)
  let stop = if wire == 1: putFlat(base, base, base + Pos(flatSize(T)), value) else: putCbor(base, value)
  room.setLen(int(stop - base))
  room

proc decoded(message: seq[byte]; wire: uint32; value: var Shapes): string =
  var d: Decoder
  if getMessage(cast[pointer](start(message)), message.len, wire, value, d): "" else: d.error

proc plain(): Plain =
  Plain(id: 5, name: "n", percent: 7, small: -5, inline: 9, count: 3, words: @["a"], maybe: some(4'i32), point: (1.0, 2.0),
    points: @[(x: 3.0, y: 4.0), (x: 5.0, y: 6.0)], key: @[1'u8, 2, 3, 4], matrix: @[@[1'i32, 2, 3], @[4'i32, 5, 6]],
    colors: @[Shade.red, Shade.blue], at: -1_500_000_000, took: 2_000_000_001, ids: @[1'i64, 2], percents: @[0'i64, 100], levels: @[0'u16, 9],
    maybes: {"k": some(@[1'i64, 2])}.toTable)
proc roundTrip(wire: uint32) =
  var shapes: Shapes
  let message = encoded(plain(), wire)
  doAssert decoded(message, wire, shapes) == ""
  doAssert encoded(shapes, wire) == message
  doAssert int64(shapes.id) == 5 and shapes.colors == {Shade.red, Shade.blue}
  doAssert shapes.at == initTime(-2, 500_000_000)
  doAssert shapes.took == initDuration(seconds = 2, nanoseconds = 1)

proc refusals(wire: uint32) =
  template refuses(change, error: untyped) =
    block:
      var value {.inject.} = plain()
      var shapes: Shapes
      change
      let found = decoded(encoded(value, wire), wire, shapes)
      doAssert found == error, found & " is not " & error
  refuses((value.percent = 101), "percent: out of range")
  refuses((value.small = -6), "small: out of range")
  refuses((value.inline = 10), "inline: out of range")
  refuses((value.count = -1), "count: out of range")
  refuses((value.points.setLen(1)), "points: out of range")
  refuses((value.key.add(1)), "key: out of range")
  refuses((value.matrix[1].setLen(2)), "matrix[1]: out of range")
  refuses((value.colors.add(Shade.red)), "colors: given twice")
  refuses((value.percents.add(-1)), "percents[2]: out of range")
  refuses((value.levels.add(10)), "levels[2]: out of range")

proc tooFar(wire: uint32) =
  ## A time that nanoseconds cannot hold is not sent.
  discard encoded(Shapes(at: initTime(high(int64), 0)), wire)
  doAssert "292 years" in unsendable
  unsendable = ""
  discard encoded(Shapes(at: initTime(low(int64), 0)), wire)
  doAssert "292 years" in unsendable
  unsendable = ""
  discard encoded(Shapes(took: initDuration(days = -365 * 293)), wire)
  doAssert "292 years" in unsendable
  unsendable = ""

proc checkCarriers*() =
  for wire in 0'u32 .. 1'u32:
    roundTrip(wire)
    refusals(wire)
    tooFar(wire)
