# SPDX-License-Identifier: BSD-3-Clause
## A library with a stream of variants (tests/nim/test_shapes.py).

import std/asyncdispatch
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

ferryLibrary("shapes", "1.0.0")
