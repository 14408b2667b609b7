# SPDX-License-Identifier: BSD-3-Clause
## Format `cbor` of every type that is not the author's own (spec/interface.md, W1 to W3); `codecs` makes the same three
## procedures for objects.
##
## `cborBound(v)` says how many bytes are enough. `putCbor(p, v)` writes without checking for the end of the memory, and
## returns the position after the value. `getCbor(d, p, v)` reads a value: the deterministic encoding by a quick way,
## any other encoding that W3 allows by a slower one. Before that call `v` has to be the default of its type.

import std/[algorithm, options, tables]
import "."/[carried, decoder, half, memory, present, utf8]

{.push raises: [], checks: off, stackTrace: off, profiler: off.}

const
  MajorUnsigned* = 0x00'u8
  MajorNegative* = 0x20'u8
  MajorBytes* = 0x40'u8
  MajorText* = 0x60'u8
  MajorArray* = 0x80'u8
  MajorMap* = 0xa0'u8
  MajorTag = 0xc0'u8
  MajorOther = 0xe0'u8
  False = 0xf4'u8
  True = 0xf5'u8
  Null* = 0xf6'u8
  Break* = 0xff'u8
  SimpleByte = 0xf8'u8
  HeadMax* = 9 ## the bytes of the longest head: the first byte, and an argument of eight
  Indefinite* = -1

# ---- heads -----------------------------------------------------------------------------------------------------------

proc bigEndian(x: uint16): uint16 {.importc: "__builtin_bswap16", nodecl.}
proc bigEndian(x: uint32): uint32 {.importc: "__builtin_bswap32", nodecl.}
proc bigEndian(x: uint64): uint64 {.importc: "__builtin_bswap64", nodecl.}
when cpuEndian != littleEndian:
  {.error: "ferry runs on little-endian machines".}

proc putHead*(p: Pos; major: byte; argument: uint64): Pos {.inline.} =
  if argument < 24:
    store(p, major or byte(argument))
    return p + 1
  elif argument <= 0xff:
    store(p, major or 24)
    store(p + 1, byte(argument))
    return p + 2
  elif argument <= 0xffff:
    store(p, major or 25)
    store(p + 1, bigEndian(uint16(argument)))
    return p + 3
  elif argument <= 0xffffffff'u64:
    store(p, major or 26)
    store(p + 1, bigEndian(uint32(argument)))
    return p + 5
  else:
    store(p, major or 27)
    store(p + 1, bigEndian(argument))
    return p + 9

proc getHeadSlow(d: var Decoder; at: Pos; lead: var byte; argument: var uint64): Pos {.noinline.} =
  var p = at
  while true: # tags are skipped
    if p >= d.stop: return d.fail(EndsEarly)
    lead = load(byte, p)
    inc p
    let short = lead and 0x1f
    let needed = case short
      of 24: 1
      of 25: 2
      of 26: 4
      of 27: 8
      else: 0
    if d.left(p) < needed: return d.fail(EndsEarly)
    case short
    of 0 .. 23: argument = uint64(short)
    of 24: argument = uint64(load(byte, p))
    of 25: argument = uint64(bigEndian(load(uint16, p)))
    of 26: argument = uint64(bigEndian(load(uint32, p)))
    of 27: argument = bigEndian(load(uint64, p))
    of 31:
      # a number or a tag has no indefinite length, and a break may not stand where an item has to be
      if (lead and 0xe0) in [MajorUnsigned, MajorNegative, MajorTag, MajorOther]: return d.fail(Malformed)
      argument = 0
    else: return d.fail(Malformed)
    if lead == SimpleByte and argument < 32: return d.fail(Malformed)
    p += Pos(needed)
    if (lead and 0xe0) != MajorTag: return p

proc getHead*(d: var Decoder; p: Pos; lead: var byte; argument: var uint64): Pos {.inline.} =
  ## Read the head of an item: its first byte, and its argument. `lead and 0xe0` is the major type; for an indefinite
  ## length `lead and 0x1f` is 31.
  if p < d.stop:
    lead = load(byte, p)
    if (lead and 0x1f) < 24 and lead < MajorTag:
      argument = uint64(lead and 0x1f)
      return p + 1
  d.getHeadSlow(p, lead, argument)

proc mismatch*(d: var Decoder; lead: byte): Pos {.noinline.} =
  ## Note that the item has another type than the one asked for; a null counts as missing.
  d.fail(if lead == Null: Missing else: WrongType)

proc isNull*(d: Decoder; p: Pos): bool {.inline.} =
  p < d.stop and load(byte, p) == Null

proc isBreak*(d: Decoder; p: Pos): bool {.inline.} =
  p < d.stop and load(byte, p) == Break

# ---- integers, booleans, enums ---------------------------------------------------------------------------------------

proc cborBound*(v: SomeInteger): int {.inline.} = HeadMax

proc putCbor*[T: SomeInteger](p: Pos; v: T): Pos {.inline.} =
  when T is range: putCbor(p, wholeOf(T)(v))
  elif T is SomeSignedInt:
    if v < 0: putHead(p, MajorNegative, not cast[uint64](int64(v)))
    else: putHead(p, MajorUnsigned, uint64(v))
  else:
    putHead(p, MajorUnsigned, uint64(v))

proc getWhole[T: SomeInteger](d: var Decoder; at: Pos; v: var T): Pos {.inline.} =
  var lead: byte
  var argument: uint64
  let p = d.getHead(at, lead, argument)
  if p == 0: return 0
  case lead and 0xe0
  of MajorUnsigned:
    if argument > uint64(high(T)): return d.fail(OutOfRange)
    v = cast[T](argument)
  of MajorNegative:
    when T is SomeSignedInt:
      if argument > uint64(high(T)): return d.fail(OutOfRange)
      v = cast[T](not argument)
    else:
      return d.fail(OutOfRange)
  else: return d.mismatch(lead)
  p

proc getCbor*[T: SomeInteger](d: var Decoder; at: Pos; v: var T): Pos {.inline.} =
  when T is range:
    var whole: wholeOf(T)
    result = d.getWhole(at, whole)
    if result != 0:
      if not isIn(whole, T): result = d.fail(OutOfRange)
      else: v = cast[T](whole)
  else: result = d.getWhole(at, v)

proc cborBound*(v: bool): int {.inline.} = 1

proc putCbor*(p: Pos; v: bool): Pos {.inline.} =
  store(p, False + byte(v))
  p + 1

proc getCbor*(d: var Decoder; at: Pos; v: var bool): Pos {.inline.} =
  var lead: byte
  var argument: uint64
  let p = d.getHead(at, lead, argument)
  if p == 0: return 0
  if lead != False and lead != True: return d.mismatch(lead)
  v = lead == True
  p

proc cborBound*[T: enum](v: T): int {.inline.} = HeadMax

proc putCbor*[T: enum](p: Pos; v: T): Pos {.inline.} = putCbor(p, int32(ord(v)))

proc getCbor*[T: enum](d: var Decoder; at: Pos; v: var T): Pos {.inline.} =
  mixin isValueOf
  var number: int32
  let p = d.getCbor(at, number)
  if p == 0: return 0
  if not isValueOf(T, int64(number)): return d.fail(UnknownEnumValue)
  v = cast[T](number)
  p

proc getNull*(d: var Decoder; at: Pos): Pos =
  ## Read null.
  if d.isNull(at): return at + 1
  var lead: byte
  var argument: uint64
  let p = d.getHead(at, lead, argument)
  if p == 0: Pos(0)
  elif lead != Null: d.fail(WrongType)
  else: p

# ---- floats ----------------------------------------------------------------------------------------------------------

proc cborBound*(v: SomeFloat): int {.inline.} = HeadMax

proc putCbor*(p: Pos; v: SomeFloat): Pos =
  let wide = float64(v)
  if wide != wide:
    store(p, 0xf9'u8)
    store(p + 1, bigEndian(0x7e00'u16))
    return p + 3
  let single = float32(wide)
  if float64(single) != wide:
    store(p, 0xfb'u8)
    store(p + 1, bigEndian(cast[uint64](wide)))
    return p + 9
  var bits: uint16
  if toHalf(single, bits):
    store(p, 0xf9'u8)
    store(p + 1, bigEndian(bits))
    return p + 3
  store(p, 0xfa'u8)
  store(p + 1, bigEndian(cast[uint32](single)))
  p + 5

proc getCbor*[T: SomeFloat](d: var Decoder; at: Pos; v: var T): Pos =
  var lead: byte
  var argument: uint64
  let p = d.getHead(at, lead, argument)
  if p == 0: return 0
  let wide = case lead
    of 0xf9: fromHalf(uint16(argument))
    of 0xfa: float64(cast[float32](uint32(argument)))
    of 0xfb: cast[float64](argument)
    else: return d.mismatch(lead)
  if wide != wide:
    # decoding makes one NaN of all of them, whatever their bits
    v = when T is float32: cast[float32](0x7fc00000'u32) else: cast[float64](0x7ff8000000000000'u64)
    return p
  v = T(wide)
  when T is float32:
    if float64(v) != wide: return d.fail(OutOfRange)
  p

# ---- strings and bytes -----------------------------------------------------------------------------------------------

proc cborBound*(v: string): int {.inline.} = HeadMax + v.len

proc putCbor*(p: Pos; v: string): Pos {.inline.} =
  result = putHead(p, MajorText, uint64(v.len))
  copy(result, start(v), v.len)
  result += Pos(v.len)

proc getChunks(d: var Decoder; at: Pos; major: byte; into: var string): Pos {.noinline.} =
  ## Read a string of indefinite length by putting its chunks together.
  var p = at
  while not d.isBreak(p):
    var lead: byte
    var argument: uint64
    if p < d.stop and (load(byte, p) and 0xe0) == MajorTag: return d.fail(Malformed)
    p = d.getHead(p, lead, argument)
    if p == 0: return 0
    if (lead and 0xe0) != major or (lead and 0x1f) == 31: return d.fail(Malformed)
    if argument > uint64(d.left(p)): return d.fail(EndsEarly)
    if major == MajorText and not isUtf8(p, int(argument)): return d.fail(InvalidUtf8)
    let length = into.len
    into.setLen(length + int(argument))
    if argument > 0: copy(cast[Pos](addr into[length]), p, int(argument))
    p += Pos(argument)
  p + 1

proc getTextSlow(d: var Decoder; at: Pos; v: var string): Pos {.noinline.} =
  var lead: byte
  var argument: uint64
  let p = d.getHead(at, lead, argument)
  if p == 0: return 0
  if (lead and 0xe0) != MajorText: return d.mismatch(lead)
  if (lead and 0x1f) == 31: return d.getChunks(p, MajorText, v)
  if argument > uint64(d.left(p)): return d.fail(EndsEarly)
  if not isUtf8(p, int(argument)): return d.fail(InvalidUtf8)
  setString(v, p, int(argument))
  p + Pos(argument)

proc getCbor*(d: var Decoder; at: Pos; v: var string): Pos {.inline.} =
  if at < d.stop:
    let lead = load(byte, at)
    var p = at + 1
    var bytes = int(lead xor MajorText)
    if bytes == 24 and p < d.stop:
      bytes = int(load(byte, p))
      inc p
    elif bytes >= 24:
      return d.getTextSlow(at, v)
    if bytes <= d.left(p) and isUtf8(p, bytes):
      setString(v, p, bytes)
      return p + Pos(bytes)
  d.getTextSlow(at, v)

proc cborBound*(v: seq[byte]): int {.inline.} = HeadMax + v.len

proc putCbor*(p: Pos; v: seq[byte]): Pos {.inline.} =
  result = putHead(p, MajorBytes, uint64(v.len))
  copy(result, start(v), v.len)
  result += Pos(v.len)

proc getCbor*(d: var Decoder; at: Pos; v: var seq[byte]): Pos =
  var lead: byte
  var argument: uint64
  let p = d.getHead(at, lead, argument)
  if p == 0: return 0
  if (lead and 0xe0) != MajorBytes: return d.mismatch(lead)
  if (lead and 0x1f) == 31:
    var chunks: string
    let after = d.getChunks(p, MajorBytes, chunks)
    setSeq(v, start(chunks), chunks.len)
    return after
  if argument > uint64(d.left(p)): return d.fail(EndsEarly)
  setSeq(v, p, int(argument))
  p + Pos(argument)

# ---- skipping --------------------------------------------------------------------------------------------------------

proc skipChunks(d: var Decoder; at: Pos; major: byte): Pos =
  var p = at
  while not d.isBreak(p):
    var lead: byte
    var argument: uint64
    if p < d.stop and (load(byte, p) and 0xe0) == MajorTag: return d.fail(Malformed)
    p = d.getHead(p, lead, argument)
    if p == 0: return 0
    if (lead and 0xe0) != major or (lead and 0x1f) == 31: return d.fail(Malformed)
    if argument > uint64(d.left(p)): return d.fail(EndsEarly)
    if major == MajorText and not isUtf8(p, int(argument)): return d.fail(InvalidUtf8)
    p += Pos(argument)
  p + 1

proc skipCbor*(d: var Decoder; at: Pos): Pos {.noinline.} =
  ## Skip an unknown item. It has to be well-formed all the same, and text in it has to be UTF-8.
  var lead: byte
  var argument: uint64
  var p = d.getHead(at, lead, argument)
  if p == 0: return 0
  let major = lead and 0xe0
  let indefinite = (lead and 0x1f) == 31
  case major
  of MajorUnsigned, MajorNegative: return p
  of MajorBytes, MajorText:
    if indefinite: return d.skipChunks(p, major)
    if argument > uint64(d.left(p)): return d.fail(EndsEarly)
    if major == MajorText and not isUtf8(p, int(argument)): return d.fail(InvalidUtf8)
    return p + Pos(argument)
  of MajorArray, MajorMap:
    nested(d):
      let each = if major == MajorMap: 2'u64 else: 1'u64
      if not indefinite and argument > uint64(d.left(p)) div each: return d.fail(EndsEarly)
      var items = argument * each
      var index = 0'u64
      while true:
        if indefinite:
          if p >= d.stop: return d.fail(EndsEarly)
          if d.isBreak(p):
            if index mod each != 0: return d.fail(Malformed)
            inc p
            break
        elif index == items: break
        p = d.skipCbor(p)
        if p == 0: return 0
        inc index
    return p
  else: return p

proc getKey*(d: var Decoder; at: Pos; key: var string): Pos {.noinline.} =
  ## Read the key of an object's entry. A key that is not text is skipped, and counts as the empty text, which is the
  ## name of no field.
  var lead: byte
  var argument: uint64
  if d.getHead(at, lead, argument) == 0: Pos(0)
  elif (lead and 0xe0) == MajorText: d.getCbor(at, key)
  else: d.skipCbor(at)

# ---- options, sequences, maps ----------------------------------------------------------------------------------------

# These are declared before their bodies: a generic procedure sees only what stands before it, and what the author's
# module has.
proc cborBound*[T](v: Option[T]): int {.inline.}
proc cborBound*[T](v: seq[T]): int {.inline.}
proc cborBound*[K, V](v: Table[K, V]): int
proc putCbor*[T](p: Pos; v: Option[T]): Pos {.inline.}
proc putCbor*[T](p: Pos; v: seq[T]): Pos {.inline.}
proc putCbor*[K, V](p: Pos; v: Table[K, V]): Pos
proc getCbor*[T](d: var Decoder; at: Pos; v: var Option[T]): Pos {.inline.}
proc getCbor*[T](d: var Decoder; at: Pos; v: var seq[T]): Pos {.inline.}
proc getCbor*[K, V](d: var Decoder; at: Pos; v: var Table[K, V]): Pos
proc cborBound*[T: Carried](v: T): int {.inline.}
proc putCbor*[T: Carried](p: Pos; v: T): Pos {.inline.}
proc getCbor*[T: Carried](d: var Decoder; at: Pos; v: var T): Pos {.inline.}

proc cborBound*[T: Carried](v: T): int {.inline.} =
  mixin cborBound
  cborBound(carrier(v))

proc putCbor*[T: Carried](p: Pos; v: T): Pos {.inline.} =
  mixin putCbor
  putCbor(p, carrier(v))

proc getCbor*[T: Carried](d: var Decoder; at: Pos; v: var T): Pos {.inline.} =
  mixin getCbor
  var carried: typeof(carrier(v))
  let after = getCbor(d, at, carried)
  if after == 0: Pos(0) else: restored(d, after, carried, v)

proc cborBound*[T](v: Option[T]): int {.inline.} =
  mixin cborBound
  if v.isSome: cborBound(v.unsafeGet) else: 1

proc putCbor*[T](p: Pos; v: Option[T]): Pos {.inline.} =
  mixin putCbor
  if v.isSome: return putCbor(p, v.unsafeGet)
  store(p, Null)
  p + 1

proc getCbor*[T](d: var Decoder; at: Pos; v: var Option[T]): Pos {.inline.} =
  mixin getCbor
  if d.isNull(at): return at + 1
  if at < d.stop and (load(byte, at) and 0xe0) == MajorTag:
    # tags may stand before a null; where there is something else, reading it as a value reports what is wrong
    var lead: byte
    var argument: uint64
    var tagged = d
    let after = tagged.getHead(at, lead, argument)
    if after != 0 and lead == Null: return after
  intoOption(v, value): getCbor(d, at, value)

proc getCount*(d: var Decoder; at: Pos; major: byte; count: var int): Pos {.inline.} =
  ## Read the head of an array or a map: the number of elements or pairs, or Indefinite. `isBelievable` says then
  ## whether the bytes that are left can hold that many.
  var lead: byte
  var argument: uint64
  let p = d.getHead(at, lead, argument)
  if p == 0: return 0
  if (lead and 0xe0) != major: return d.mismatch(lead)
  count = if (lead and 0x1f) == 31: Indefinite else: int(min(argument, uint64(high(int))))
  p

proc isBelievable*(d: Decoder; p: Pos; count, least: int): bool {.inline.} =
  ## Whether there are bytes for `count` elements of at least `least`.
  count == Indefinite or count <= d.left(p) div least

template ended*(d: Decoder; p: var Pos; count: var int): bool =
  ## Whether an array or a map has ended at `p`; steps over the break of an indefinite one.
  if count == Indefinite:
    if p >= d.stop: return fail(d, EndsEarly)
    if isBreak(d, p):
      inc p
      true
    else: false
  elif count == 0: true
  else:
    dec count
    false

# The fewest bytes that the encoding of a type takes.
func cborLeast*[T](_: typedesc[T]): int {.inline.} = 1

proc roomFor(T: typedesc; count: int): int {.inline.} =
  ## For how many elements to make room before the first is read. Memory has to grow with what was decoded, and not with
  ## what the message promises, so the count is bounded.
  if count == Indefinite: 4 else: min(count, 4096 div sizeof(T) + 1)

proc cborBound*[T](v: seq[T]): int {.inline.} =
  mixin cborBound
  result = HeadMax
  for i in 0 ..< v.len: result += cborBound(v[i])

proc putCbor*[T](p: Pos; v: seq[T]): Pos {.inline.} =
  mixin putCbor
  result = putHead(p, MajorArray, uint64(v.len))
  for i in 0 ..< v.len: result = putCbor(result, v[i])

proc getCbor*[T](d: var Decoder; at: Pos; v: var seq[T]): Pos {.inline.} =
  mixin getCbor, cborLeast
  var count: int
  var p = d.getCount(at, MajorArray, count)
  if p == 0: return 0
  nested(d):
    if not d.isBelievable(p, count, cborLeast(T)): return d.fail(EndsEarly)
    var read = 0
    setDefaults(v, roomFor(T, count))
    while not d.ended(p, count):
      if read == v.len: v.setLen(2 * read)
      p = d.getCbor(p, v[read])
      if p == 0: return d.inElement(read)
      inc read
    v.setLen(read)
  p

proc before(a, b: string): int {.noinline.} =
  ## Compare two keys as their encodings are ordered: the shorter text first, then byte by byte.
  if a.len != b.len: cmp(a.len, b.len) else: cmp(a, b)

proc before[T: SomeInteger](a, b: T): int =
  ## Compare two keys as their encodings are ordered: first 0, 1, 2 and on, then -1, -2 and on.
  when T is SomeSignedInt:
    if (a < 0) != (b < 0): (if a < 0: 1 else: -1)
    elif a < 0: cmp(b, a)
    else: cmp(a, b)
  else: cmp(a, b)

proc cborBound*[K, V](v: Table[K, V]): int =
  mixin cborBound
  result = HeadMax
  for key, value in v: result += cborBound(key) + cborBound(value)

proc putCbor*[K, V](p: Pos; v: Table[K, V]): Pos =
  mixin putCbor
  type Entry = tuple[key: K, value: ptr V]
  var entries = newSeqOfCap[Entry](v.len)
  # mpairs is the iterator that does not copy the values; nothing is changed here
  for key, value in cast[ptr Table[K, V]](unsafeAddr v)[].mpairs: entries.add((key, addr value))
  entries.sort(proc (a, b: Entry): int = before(a.key, b.key))
  result = putHead(p, MajorMap, uint64(entries.len))
  for entry in entries:
    result = putCbor(result, entry.key)
    result = putCbor(result, entry.value[])

proc getCbor*[K, V](d: var Decoder; at: Pos; v: var Table[K, V]): Pos =
  mixin getCbor, cborLeast
  var count: int
  var p = d.getCount(at, MajorMap, count)
  if p == 0: return 0
  nested(d):
    if not d.isBelievable(p, count, cborLeast(K) + cborLeast(V)): return d.fail(EndsEarly)
    var read = 0
    var twice = false
    while not d.ended(p, count):
      var key: K
      p = d.getCbor(p, key)
      if p == 0: return d.inElement(read, ".key")
      var value: V
      p = d.getCbor(p, value)
      if p == 0: return d.inElement(read, ".value")
      if v.hasKeyOrPut(key, move value): twice = true
      inc read
    if twice: return d.fail(GivenTwice)
  p

# ---- nesting ---------------------------------------------------------------------------------------------------------

# `recurses` says whether values of a type can nest without end; `isTooDeep`, whether a value that lies at `level` nests
# deeper than W7 allows. `codecs` makes both for objects; a value of any other type is not a level of its own.
func recurses*[T](_: typedesc[T]): bool {.inline.} = false
func isTooDeep*[T](v: T; level: int): bool {.inline.} = false
func isTooDeep*[T: not byte](v: seq[T]; level: int): bool {.inline.}
func isTooDeep*[K, V](v: Table[K, V]; level: int): bool
func isTooDeep*[I, T](v: array[I, T]; level: int): bool

func recurses*[T](_: typedesc[seq[T]]): bool {.inline.}
func recurses*[K, V](_: typedesc[Table[K, V]]): bool {.inline.}
func recurses*[I, T](_: typedesc[array[I, T]]): bool {.inline.} =
  mixin recurses
  recurses(T)
func recurses*[T](_: typedesc[Option[T]]): bool {.inline.} =
  mixin recurses
  recurses(T)
func recurses*[T](_: typedesc[seq[T]]): bool {.inline.} =
  mixin recurses
  recurses(T)
func recurses*[K, V](_: typedesc[Table[K, V]]): bool {.inline.} =
  mixin recurses
  recurses(V)

func isTooDeep*[T](v: Option[T]; level: int): bool {.inline.} =
  mixin isTooDeep
  v.isSome and isTooDeep(v.unsafeGet, level)

func isTooDeep*[T: not byte](v: seq[T]; level: int): bool {.inline.} =
  mixin isTooDeep
  if level == DepthMax: return true
  for i in 0 ..< v.len:
    if isTooDeep(v[i], level + 1): return true

func isTooDeep*[I, T](v: array[I, T]; level: int): bool =
  mixin isTooDeep
  if level == DepthMax: return true
  for item in v:
    if isTooDeep(item, level + 1): return true

func isTooDeep*[K, V](v: Table[K, V]; level: int): bool =
  mixin isTooDeep
  if level == DepthMax: return true
  for _, value in v:
    if isTooDeep(value, level + 1): return true

{.pop.}
