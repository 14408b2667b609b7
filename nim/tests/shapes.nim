# SPDX-License-Identifier: BSD-3-Clause
## A library with a stream of variants, and with values of all types that travel as another (tests/nim/test_shapes.py).
## tests/ingress/rust/shapes is the same library in Rust, with the same description.

import std/[asyncdispatch, options, tables, times]
import ferry

type
  ShapeKind {.ferryEnum, pure.} = enum
    nothing
    circle
    label
  Shape {.ferryType.} = object
    case kind: ShapeKind
    of nothing: discard
    of circle: radius: float64
    of label: text: string
  Shade {.ferryEnum, pure.} = enum ## What a shape is painted with.
    red = 0
    green = 1
    blue = 7
  Id {.ferryType.} = distinct int64
  Name {.ferryType.} = distinct string
  Percent {.ferryType.} = range[0'i32 .. 100'i32]
  Point {.ferryType.} = tuple ## Where something is.
    x: float64 ## From the left.
    y: float64
  Sheet {.ferryType.} = object ## What shapes are drawn on.
    id: Id ## Its number.
    name: Name
    percent {.ferryDefault: 50.}: Percent ## How much of it is taken.
    small {.ferryDefault: -1.}: range[-5'i8 .. 9'i8]
    corner: Point
    corners: array[2, Point]
    key: array[4, byte]
    matrix: array[2, array[3, int32]]
    shades: set[Shade]
    at: Time
    took: Duration
    ids: seq[Id]
    percents: Option[seq[Percent]]
    places: Table[string, Option[array[2, Percent]]]
  Shapes = ref object

proc create(): Shapes {.ferryConstructor.} = Shapes()
proc destroy(self: Shapes) {.ferryDestructor.} = discard

proc draw(self: Shapes; count: uint32; shapes: FerryStream[Shape]) {.ferryMethod, async.} =
  ## One shape after another, of each case by turns.
  for i in 0'u32 ..< count:
    await shapes.give(case i mod 3
      of 0: Shape(kind: ShapeKind.nothing)
      of 1: Shape(kind: ShapeKind.circle, radius: float64(i))
      else: Shape(kind: ShapeKind.label, text: "shape " & $i))

proc same(self: Shapes; sheet: Sheet): Sheet {.ferryMethod.} =
  ## The sheet.
  sheet

proc mixed(self: Shapes; shades: set[Shade]; share: range[0'u16 .. 9'u16]; both: array[2, Percent];
    waited: Duration): set[Shade] {.ferryMethod.} =
  ## All shades that are not among these.
  {Shade.red, Shade.green, Shade.blue} - shades

proc far(self: Shapes; seconds: int64): Time {.ferryMethod.} =
  ## So many seconds after 1970.
  initTime(seconds, 0)

proc points(self: Shapes; count: uint32; points: FerryStream[Point]) {.ferryMethod, async.} =
  ## One point after another.
  for i in 0'u32 ..< count: await points.give((x: float64(i), y: -float64(i)))

ferryLibrary("shapes", "1.0.0")
