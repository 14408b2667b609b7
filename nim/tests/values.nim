# SPDX-License-Identifier: BSD-3-Clause
## Random values of the conformance library's types, and encodings of them that are not the deterministic one.

import std/[options, random, tables]
import echo

const words = ["", "a", "hello", "wörld", "日本", "🚢", "x\0y", "\x7f", "twenty-three-bytes-long",
    "twenty-four-bytes-long!!"]

proc randomText*(r: var Rand): string =
  for i in 0 .. r.rand(3): result.add(r.sample(words))
  if r.rand(30) == 0:
    for i in 0 .. r.rand(300): result.add(chr(32 + r.rand(94)))

proc randomValue*(r: var Rand; v: var bool) = v = r.rand(1) == 1
proc randomValue*[T: SomeInteger](r: var Rand; v: var T) =
  # numbers of every width, and the smallest and the largest
  let bits = r.next()
  v = case r.rand(3)
    of 0: cast[T](bits and 31)
    of 1: cast[T](bits shr r.rand(63))
    of 2: (if r.rand(1) == 0: low(T) else: high(T))
    else: cast[T](bits)
proc randomValue*(r: var Rand; v: var float64) =
  v = case r.rand(4)
    of 0: r.sample([0.0, -0.0, 1.5, Inf, -Inf, NaN, 65504.0, 5.960464477539063e-08, 6.103515625e-05, 1e300])
    of 1: float64(r.rand(2000) - 1000) / 16
    of 2: float64(cast[float32](uint32(r.next() shr 32)))
    else: cast[float64](r.next())
proc randomValue*(r: var Rand; v: var float32) =
  var wide: float64
  randomValue(r, wide)
  v = float32(wide)
proc randomValue*(r: var Rand; v: var string) = v = randomText(r)
proc randomValue*(r: var Rand; v: var Color) = v = r.sample([Color.none, Color.red, Color.green, Color.blue])

proc randomValue*[T](r: var Rand; v: var seq[T]) =
  v = newSeq[T](max(0, r.rand(5) - 1))
  for item in v.mitems: randomValue(r, item)
proc randomValue*[T](r: var Rand; v: var Option[T]) =
  if r.rand(1) == 0:
    v = options.none(T)
  else:
    var value: T
    randomValue(r, value)
    v = some(value)
proc randomValue*[K, V](r: var Rand; v: var Table[K, V]) =
  for i in 1 .. r.rand(4):
    var key: K
    var value: V
    randomValue(r, key)
    randomValue(r, value)
    v[key] = value

proc randomTree*(r: var Rand; v: var Tree; levels: int) =
  v.name = randomText(r)
  if levels > 0:
    v.children = newSeq[Tree](r.rand(2))
    for child in v.children.mitems: randomTree(r, child, levels - 1)
proc randomValue*(r: var Rand; v: var Tree) = randomTree(r, v, r.rand(6))

proc randomValue*[T: EchoRequest | EchoResponse | ComplexRequest | AllTypes](r: var Rand; v: var T) =
  for field in v.fields: randomValue(r, field)

proc randomShape(r: var Rand; levels: int): Shape =
  case r.rand(if levels > 0: 6 else: 4)
  of 0: result = Shape(kind: ShapeKind.nothing)
  of 1: result = Shape(kind: ShapeKind.circle, radius: r.rand(9.0))
  of 2: result = Shape(kind: ShapeKind.square, side: r.rand(9.0), angle: 45)
  of 3: result = Shape(kind: ShapeKind.label, text: randomText(r))
  of 4: result = Shape(kind: ShapeKind.caption, text: randomText(r))
  else:
    result = Shape(kind: ShapeKind.group, parts: @[])
    for i in 0 ..< r.rand(3): result.parts.add(randomShape(r, levels - 1))

proc randomValue*(r: var Rand; v: var Drawing) =
  v = if r.rand(1) == 0: Drawing(isColored: false) else: Drawing(isColored: true, color: Color.blue)
  v.name = randomText(r)
  for i in 0 ..< r.rand(4): v.shapes.add(randomShape(r, r.rand(4)))

# ---- other encodings of a value --------------------------------------------------------------------------------------

type Reader = object
  bytes: seq[byte]
  at: int

proc head(s: var Reader): tuple[major: int; argument: uint64; raw: seq[byte]] =
  let first = s.bytes[s.at]
  result.raw.add(first)
  inc s.at
  result.major = int(first shr 5)
  let info = int(first and 31)
  result.argument = uint64(info)
  if info >= 24:
    result.argument = 0
    for i in 1 .. 1 shl (info - 24):
      result.argument = result.argument shl 8 or uint64(s.bytes[s.at])
      result.raw.add(s.bytes[s.at])
      inc s.at

proc wideHead(r: var Rand; major: int; argument: uint64): seq[byte] =
  ## A head of any width that holds the argument.
  var least = 0
  if argument >= 24: least = 1
  if argument > 0xff: least = 2
  if argument > 0xffff: least = 3
  if argument > 0xffffffff'u64: least = 4
  let width = if r.rand(2) == 0: least + r.rand(4 - least) else: least
  if width == 0: return @[byte(major shl 5) or byte(argument)]
  result.add(byte(major shl 5) or byte(23 + width))
  for i in countdown(1 shl (width - 1), 1): result.add(byte((argument shr (8 * (i - 1))) and 0xff))

proc wild(r: var Rand; s: var Reader): seq[byte] =
  ## The next item of `s`, encoded in some other way.
  if r.rand(15) == 0: result.add(wideHead(r, 6, uint64(r.rand(70000))))
  let (major, argument, raw) = s.head()
  case major
  of 0, 1: result.add(wideHead(r, major, argument))
  of 2, 3:
    let content = s.bytes[s.at ..< s.at + int(argument)]
    s.at += int(argument)
    if r.rand(4) == 0:
      # in chunks; text is divided only between characters
      result.add(byte(major shl 5) or 31)
      var cut = if content.len > 0: r.rand(content.len) else: 0
      while major == 3 and cut < content.len and (content[cut] and 0xc0) == 0x80: inc cut
      for chunk in [content[0 ..< cut], content[cut .. ^1]]: result.add(wideHead(r, major, uint64(chunk.len)) & chunk)
      result.add(0xff)
    else: result.add(wideHead(r, major, argument) & content)
  of 4:
    let indefinite = r.rand(3) == 0
    result.add(if indefinite: @[0x9f'u8] else: wideHead(r, 4, argument))
    for i in 1 .. argument: result.add(wild(r, s))
    if indefinite: result.add(0xff)
  of 5:
    var entries: seq[seq[byte]]
    for i in 1 .. argument:
      var entry = wild(r, s)
      entry.add(wild(r, s))
      entries.add(entry)
    r.shuffle(entries)
    let indefinite = r.rand(3) == 0
    result.add(if indefinite: @[0xbf'u8] else: wideHead(r, 5, argument))
    for entry in entries: result.add(entry)
    if indefinite: result.add(0xff)
  else: result.add(raw)

proc wildly*(r: var Rand; encoded: seq[byte]): seq[byte] =
  ## The same value in another encoding that decoding accepts.
  var s = Reader(bytes: encoded)
  wild(r, s)

proc mutated*(r: var Rand; encoded: seq[byte]): seq[byte] =
  ## The same bytes, of which some are changed, left out, put in, or repeated.
  result = encoded
  for i in 0 .. r.rand(3):
    if result.len == 0: return
    let at = r.rand(result.high)
    case r.rand(5)
    of 0: result[at] = byte(r.rand(255))
    of 1: result[at] = result[at] xor (1'u8 shl r.rand(7))
    of 2: result.delete(at)
    of 3: result.insert(byte(r.rand(255)), at)
    of 4: result[at] = r.sample([0'u8, 1, 0x7f, 0x80, 0xff, 0xf6, 0xf5, 0x1b, 0x3b, 0x9f, 0xbf, 0x5f, 0x7f, 0xc1])
    else:
      let other = r.rand(result.high)
      result[at] = result[other]
