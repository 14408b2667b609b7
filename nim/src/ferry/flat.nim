# SPDX-License-Identifier: BSD-3-Clause
## Format `c` of every type that is not the author's own (spec/interface.md, W4 to W6); `codecs` makes the same for
## objects.
##
## `flatSize(T)` and `flatAlign(T)` are the size and alignment of the C struct, known when compiling. `flatExtra(v)`
## says how many bytes are enough for what `v` refers to. `putFlat(base, at, tail, v)` writes `v` itself at `at` and
## what it refers to from `tail` on, and returns the position after that. It writes every byte of both, so nothing has
## to be cleared before. `getFlat(d, at, tail, v)` reads the same; its caller has checked that the bytes at `at` are
## there. A value has one encoding: the only right offset of a part is the position where the part before it ended. So
## parts cannot overlap, and none is read twice.

import std/[algorithm, options, tables]
import "."/[carried, decoder, memory, present, utf8]

{.push raises: [], checks: off, stackTrace: off, profiler: off.}

proc alignUp*(n, alignment: int): int {.inline.} =
  (n + alignment - 1) and not (alignment - 1)

proc getZeros*(d: var Decoder; p: Pos; bytes: int): Pos {.inline.} =
  ## Skip padding, which has to be zero. Returns the position after it.
  for i in 0 ..< bytes:
    if load(byte, p + Pos(i)) != 0: return d.fail(PaddingNotZero)
  p + Pos(bytes)

proc putReference*(base, at, to: Pos; count: int) {.inline.} =
  ## Write a reference: the offset and the count of the elements at `to`.
  store(at, if count == 0: 0'u64 else: uint64(to - base) or (uint64(count) shl 32))

proc getReference*(d: var Decoder; at, tail: Pos; alignment, size: int; count: var int): Pos {.inline.} =
  ## Check a reference: its offset, its count, and the padding before the elements. Returns where the elements lie, or
  ## `tail` when there are none.
  let both = load(uint64, at)
  count = int(both shr 32)
  let offset = both and 0xffffffff'u64
  if count == 0:
    return if offset == 0: tail else: d.fail(WrongOffset)
  let start = d.base + Pos(alignUp(int(tail - d.base), alignment))
  if alignment > 1:
    if start > d.stop: return d.fail(EndsEarly)
    if d.getZeros(tail, int(start - tail)) == 0: return 0
  if d.base + Pos(offset) != start: return d.fail(WrongOffset)
  if count > d.left(start) div size: return d.fail(EndsEarly)
  start

proc loadNumber*(at: Pos): int32 {.inline.} = load(int32, at) ## The number of a variant's case.
proc storeNumber*(at: Pos; number: int32) {.inline.} = store(at, number)

# ---- containers, declared --------------------------------------------------------------------------------------------

# These are declared before their bodies, so that each container can hold one that is defined further down: a generic
# procedure sees only what stands before it, and what the author's module has.
func flatSize*[T](_: typedesc[seq[T]]): int {.inline.}
func flatAlign*[T](_: typedesc[seq[T]]): int {.inline.}
func flatSize*[T](_: typedesc[Option[T]]): int {.inline.}
func flatAlign*[T](_: typedesc[Option[T]]): int {.inline.}
func flatSize*[K, V](_: typedesc[Table[K, V]]): int {.inline.}
func flatAlign*[K, V](_: typedesc[Table[K, V]]): int {.inline.}
proc flatExtra*(v: seq[byte]): int {.inline.}
proc flatExtra*[T](v: Option[T]): int {.inline.}
proc flatExtra*[T](v: seq[T]): int {.inline.}
proc flatExtra*[K, V](v: Table[K, V]): int
proc putFlat*(base, at, tail: Pos; v: seq[byte]): Pos {.inline.}
proc putFlat*[T](base, at, tail: Pos; v: Option[T]): Pos {.inline.}
proc putFlat*[T](base, at, tail: Pos; v: seq[T]): Pos {.inline.}
proc putFlat*[K, V](base, at, tail: Pos; v: Table[K, V]): Pos
proc getFlat*(d: var Decoder; at, tail: Pos; v: var seq[byte]): Pos {.inline.}
proc getFlat*[T](d: var Decoder; at, tail: Pos; v: var Option[T]): Pos {.inline.}
proc getFlat*[T](d: var Decoder; at, tail: Pos; v: var seq[T]): Pos {.inline.}
proc getFlat*[K, V](d: var Decoder; at, tail: Pos; v: var Table[K, V]): Pos
func flatSize*[T: Carried](_: typedesc[T]): int {.inline.}
func flatAlign*[T: Carried](_: typedesc[T]): int {.inline.}
proc flatExtra*[T: Carried](v: T): int {.inline.}
proc putFlat*[T: Carried](base, at, tail: Pos; v: T): Pos {.inline.}
proc getFlat*[T: Carried](d: var Decoder; at, tail: Pos; v: var T): Pos {.inline.}

# ---- integers, floats, booleans, enums -------------------------------------------------------------------------------

type Plain* = SomeInteger | SomeFloat ## the types of values that both sides of the boundary hold in the same bytes

func flatSize*[T: Plain](_: typedesc[T]): int {.inline.} = sizeof(T)
func flatAlign*[T: Plain](_: typedesc[T]): int {.inline.} = sizeof(T)
func flatSize*(_: typedesc[bool]): int {.inline.} = 1
func flatAlign*(_: typedesc[bool]): int {.inline.} = 1
func flatSize*[T: enum and not bool](_: typedesc[T]): int {.inline.} = 4
func flatAlign*[T: enum and not bool](_: typedesc[T]): int {.inline.} = 4

proc flatExtra*(v: Plain | bool | enum): int {.inline.} = 0

proc putFlat*[T: Plain](base, at, tail: Pos; v: T): Pos {.inline.} =
  store(at, v)
  tail

proc getFlat*[T: Plain](d: var Decoder; at, tail: Pos; v: var T): Pos {.inline.} =
  v = load(T, at)
  when T is range:
    if not isIn(wholeOf(T)(v), T): return d.fail(OutOfRange)
  tail

proc putFlat*(base, at, tail: Pos; v: bool): Pos {.inline.} =
  store(at, byte(v))
  tail

proc getFlat*(d: var Decoder; at, tail: Pos; v: var bool): Pos {.inline.} =
  let value = load(byte, at)
  if value > 1: return d.fail(NeitherNorOne)
  v = value == 1
  tail

proc putFlat*[T: enum and not bool](base, at, tail: Pos; v: T): Pos {.inline.} =
  store(at, int32(ord(v)))
  tail

proc getFlat*[T: enum and not bool](d: var Decoder; at, tail: Pos; v: var T): Pos {.inline.} =
  mixin isValueOf
  let number = load(int32, at)
  if not isValueOf(T, int64(number)): return d.fail(UnknownEnumValue)
  v = cast[T](number)
  tail

# ---- strings and bytes -----------------------------------------------------------------------------------------------

func flatSize*(_: typedesc[string]): int {.inline.} = 8
func flatAlign*(_: typedesc[string]): int {.inline.} = 4

proc flatExtra*(v: string): int {.inline.} = v.len + 1

proc putFlat*(base, at, tail: Pos; v: string): Pos {.inline.} =
  putReference(base, at, tail, v.len)
  if v.len == 0: return tail
  copy(tail, start(v), v.len)
  store(tail + Pos(v.len), 0'u8) # for C, and not counted
  tail + Pos(v.len) + 1

proc getFlat*(d: var Decoder; at, tail: Pos; v: var string): Pos {.inline.} =
  var bytes: int
  let p = d.getReference(at, tail, 1, 1, bytes)
  if p == 0: return 0
  if bytes == 0: return p
  if bytes == d.left(p): return d.fail(EndsEarly)
  if not isUtf8(p, bytes): return d.fail(InvalidUtf8)
  if load(byte, p + Pos(bytes)) != 0: return d.fail(PaddingNotZero)
  setString(v, p, bytes)
  p + Pos(bytes) + 1

func flatSize*[T](_: typedesc[seq[T]]): int {.inline.} = 8
func flatAlign*[T](_: typedesc[seq[T]]): int {.inline.} = 4

proc flatExtra*(v: seq[byte]): int {.inline.} = v.len

proc putFlat*(base, at, tail: Pos; v: seq[byte]): Pos {.inline.} =
  putReference(base, at, tail, v.len)
  copy(tail, start(v), v.len)
  tail + Pos(v.len)

proc getFlat*(d: var Decoder; at, tail: Pos; v: var seq[byte]): Pos {.inline.} =
  var bytes: int
  let p = d.getReference(at, tail, 1, 1, bytes)
  if p == 0: return 0
  setSeq(v, p, bytes)
  p + Pos(bytes)

# ---- options ---------------------------------------------------------------------------------------------------------

func flatAlign*[T](_: typedesc[Option[T]]): int {.inline.} =
  mixin flatAlign
  flatAlign(T)
func flatSize*[T](_: typedesc[Option[T]]): int {.inline.} =
  mixin flatAlign, flatSize
  flatAlign(T) + flatSize(T) # the value follows the bool at the first address that suits it

proc flatExtra*[T](v: Option[T]): int {.inline.} =
  mixin flatExtra
  if v.isSome: flatExtra(v.unsafeGet) else: 0

proc putFlat*[T](base, at, tail: Pos; v: Option[T]): Pos {.inline.} =
  mixin flatAlign, flatSize, putFlat
  if v.isNone:
    clear(at, flatSize(Option[T]))
    return tail
  clear(at, flatAlign(T))
  store(at, 1'u8)
  putFlat(base, at + Pos(flatAlign(T)), tail, v.unsafeGet)

proc getFlat*[T](d: var Decoder; at, tail: Pos; v: var Option[T]): Pos {.inline.} =
  mixin flatAlign, flatSize, getFlat
  let present = load(byte, at)
  if present > 1: return d.fail(NeitherNorOne)
  if present == 0:
    if d.getZeros(at + 1, flatSize(Option[T]) - 1) == 0: return 0
    return tail
  if d.getZeros(at + 1, flatAlign(T) - 1) == 0: return 0
  intoOption(v, value): getFlat(d, at + Pos(flatAlign(T)), tail, value)

# ---- what another type carries ----------------------------------------------------------------------------------------

func flatSize*[T: Carried](_: typedesc[T]): int {.inline.} = 8
func flatAlign*[T: Carried](_: typedesc[T]): int {.inline.} = (when T is array | set: 4 else: 8)

proc flatExtra*[T: Carried](v: T): int {.inline.} =
  mixin flatExtra
  flatExtra(carrier(v))

proc putFlat*[T: Carried](base, at, tail: Pos; v: T): Pos {.inline.} =
  mixin putFlat
  putFlat(base, at, tail, carrier(v))

proc getFlat*[T: Carried](d: var Decoder; at, tail: Pos; v: var T): Pos {.inline.} =
  mixin getFlat
  var carried: typeof(carrier(v))
  let after = getFlat(d, at, tail, carried)
  if after == 0: Pos(0) else: restored(d, after, carried, v)

# ---- sequences -------------------------------------------------------------------------------------------------------

proc flatExtra*[T](v: seq[T]): int {.inline.} =
  mixin flatExtra, flatSize
  result = 7 + v.len * flatSize(T)
  when T isnot Plain:
    for i in 0 ..< v.len: result += flatExtra(v[i])

proc putFlat*[T](base, at, tail: Pos; v: seq[T]): Pos {.inline.} =
  mixin flatSize, putFlat
  if v.len == 0:
    store(at, 0'u64)
    return tail
  let first = base + Pos(alignUp(int(tail - base), 8))
  clear(tail, int(first - tail))
  putReference(base, at, first, v.len)
  result = first + Pos(v.len * flatSize(T))
  when T is Plain and T isnot range:
    copy(first, start(v), v.len * sizeof(T))
  else:
    for i in 0 ..< v.len: result = putFlat(base, first + Pos(i * flatSize(T)), result, v[i])

proc getFlat*[T](d: var Decoder; at, tail: Pos; v: var seq[T]): Pos {.inline.} =
  mixin flatSize, getFlat
  var count: int
  nested(d):
    let first = d.getReference(at, tail, 8, flatSize(T), count)
    if first == 0: return 0
    result = first + Pos(count * flatSize(T))
    when T is Plain and T isnot range:
      setSeq(v, first, count)
    else:
      setDefaults(v, count)
      for i in 0 ..< count:
        result = d.getFlat(first + Pos(i * flatSize(T)), result, v[i])
        if result == 0: return d.inElement(i)

# ---- maps ------------------------------------------------------------------------------------------------------------

func flatSize*[K, V](_: typedesc[Table[K, V]]): int {.inline.} = 8
func flatAlign*[K, V](_: typedesc[Table[K, V]]): int {.inline.} = 4

func pairAlign(K, V: typedesc): int {.inline.} =
  mixin flatAlign
  max(flatAlign(K), flatAlign(V))
func valueOffset(K, V: typedesc): int {.inline.} =
  mixin flatAlign, flatSize
  alignUp(flatSize(K), flatAlign(V))
func pairSize(K, V: typedesc): int {.inline.} =
  mixin flatSize
  alignUp(valueOffset(K, V) + flatSize(V), pairAlign(K, V))

proc flatExtra*[K, V](v: Table[K, V]): int =
  mixin flatExtra
  result = 7 + v.len * pairSize(K, V)
  for key, value in v: result += flatExtra(key) + flatExtra(value)

proc putFlat*[K, V](base, at, tail: Pos; v: Table[K, V]): Pos =
  mixin putFlat
  type Entry = tuple[key: K, value: ptr V]
  if v.len == 0:
    store(at, 0'u64)
    return tail
  var entries = newSeqOfCap[Entry](v.len)
  # mpairs is the iterator that does not copy the values; nothing is changed here
  for key, value in cast[ptr Table[K, V]](unsafeAddr v)[].mpairs: entries.add((key, addr value))
  entries.sort(proc (a, b: Entry): int = cmp(a.key, b.key))
  let first = base + Pos(alignUp(int(tail - base), 8))
  clear(tail, int(first - tail))
  clear(first, v.len * pairSize(K, V))
  putReference(base, at, first, v.len)
  result = first + Pos(v.len * pairSize(K, V))
  for i, entry in entries:
    let pair = first + Pos(i * pairSize(K, V))
    result = putFlat(base, pair, result, entry.key)
    result = putFlat(base, pair + Pos(valueOffset(K, V)), result, entry.value[])

proc getFlat*[K, V](d: var Decoder; at, tail: Pos; v: var Table[K, V]): Pos =
  mixin flatSize, getFlat
  var count: int
  nested(d):
    let first = d.getReference(at, tail, 8, pairSize(K, V), count)
    if first == 0: return 0
    result = first + Pos(count * pairSize(K, V))
    var last: K
    for i in 0 ..< count:
      let pair = first + Pos(i * pairSize(K, V))
      let value = pair + Pos(valueOffset(K, V))
      var key: K
      var read: V
      result = d.getFlat(pair, result, key)
      if result == 0: return d.inElement(i, ".key")
      if d.getZeros(pair + Pos(flatSize(K)), valueOffset(K, V) - flatSize(K)) == 0: return d.inElement(i)
      result = d.getFlat(value, result, read)
      if result == 0: return d.inElement(i, ".value")
      if d.getZeros(value + Pos(flatSize(V)), pairSize(K, V) - valueOffset(K, V) - flatSize(V)) == 0:
        return d.inElement(i)
      if i > 0 and cmp(last, key) >= 0: return d.fail(KeysOutOfOrder)
      last = key
      v[key] = move read

{.pop.}
