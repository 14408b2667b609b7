# SPDX-License-Identifier: BSD-3-Clause
## A decoder: the state of decoding a message in either format. It has the bytes, the depth, and the error with its path
## (spec/interface.md, W7 and W8). Decoding raises nothing: a procedure returns the position after its value, or 0 when
## it failed. The decoder then has the reason, and each level on the way out puts its own name before the path.

import ./memory

{.push raises: [], checks: off, stackTrace: off, profiler: off.}

const DepthMax* = 32
  ## How deep objects, sequences and maps may nest: FERRY_WIRE_DEPTH_MAX in spec/interface.md.

type
  Reason* = enum
    ## Why the bytes are not a value, in the words of W8.
    EndsEarly = "ends early"
    WrongType = "wrong type"
    OutOfRange = "out of range"
    InvalidUtf8 = "invalid UTF-8"
    UnknownEnumValue = "unknown enum value"
    UnknownCase = "unknown case"
    Missing = "missing"
    GivenTwice = "given twice"
    BytesLeftOver = "bytes left over"
    NestedTooDeep = "nested too deep"
    Malformed = "malformed"
    WrongOffset = "wrong offset"
    PaddingNotZero = "padding not zero"
    NeitherNorOne = "neither 0 nor 1"
    KeysOutOfOrder = "keys out of order"
  Decoder* = object
    base*: Pos    ## the first byte
    stop*: Pos    ## the byte after the last
    depth*: int
    stale*: bool  ## a handle was closed, or is another context's: the payload is well-formed, the handle is not known
    reason: string
    path: string

proc initDecoder*(data: pointer; bytes: int): Decoder {.inline.} =
  ## Begin to decode. For a message without bytes `data` may be nil; a position is never 0, so another address is used.
  let base = if data == nil: literal("nothing") else: cast[Pos](data)
  Decoder(base: base, stop: base + Pos(bytes))

proc left*(d: Decoder; p: Pos): int {.inline.} =
  ## How many bytes there are from `p` on.
  int(d.stop - p)

proc fail*(d: var Decoder; reason: Reason): Pos {.noinline.} =
  ## Note what is wrong; the path is added on the way out.
  d.reason = $reason
  Pos(0)

proc failStale*(d: var Decoder; reason: string): Pos {.noinline.} =
  ## Note that a handle is not known.
  d.stale = true
  d.reason = reason
  Pos(0)

proc inField*(d: var Decoder; name: string): Pos {.noinline.} =
  ## Leave a field in which decoding failed.
  if d.path.len == 0: d.path = name
  elif d.path[0] == '[': d.path = name & d.path
  else: d.path = name & "." & d.path
  Pos(0)

proc inElement*(d: var Decoder; index: int; part = ""): Pos {.noinline.} =
  ## Leave an element in which decoding failed, or the `.key` or `.value` of a pair.
  let rest = if d.path.len > 0 and d.path[0] != '[': "." & d.path else: d.path
  d.path = "[" & $index & "]" & part & rest
  Pos(0)

proc error*(d: Decoder): string =
  ## What went wrong and where: `notes[3].title: invalid UTF-8`. The text is empty when nothing did.
  if d.path.len > 0: d.path & ": " & d.reason else: d.reason

template nested*(d: var Decoder; body: untyped): untyped =
  ## Run `body` one level deeper. If `body` fails and leaves, the depth does not matter any more.
  inc d.depth
  if d.depth > DepthMax: return fail(d, NestedTooDeep)
  body
  dec d.depth

{.pop.}
