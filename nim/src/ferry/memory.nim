# SPDX-License-Identifier: BSD-3-Clause
## Raw memory: positions in a message; and strings and sequences that are made without being zeroed first.
##
## A position is an address as an integer: it can be compared and advanced without checks, and 0 means "failed".
## Code that reads or writes at a position has checked that the bytes are there.
##
## `newString` and `newSeq` clear memory that is about to be overwritten; for a large blob that costs as much as copying
## it. The memory layouts that `setString`, `setSeq` and `setDefaults` write are those of Nim 1.6 to 2.2; tests with
## both compilers and each memory manager check them.

{.push raises: [], checks: off, stackTrace: off, profiler: off.}

when not compileOption("threads"):
  {.error: "a ferry library runs on threads of the core: compile with --threads:on".}

when defined(gcDestructors) and not defined(useMalloc) and (NimMajor, NimMinor) < (2, 0):
  {.hint: "ferry: memory of this Nim takes a lock for each string; compile with -d:useMalloc, which is quicker".}

type Pos* = uint ## an address, or 0

proc memcpy(to, source: pointer; n: csize_t): pointer {.importc, header: "<string.h>", discardable.}
proc memset(to: pointer; value: cint; n: csize_t): pointer {.importc, header: "<string.h>", discardable.}
proc memcmp(a, b: pointer; n: csize_t): cint {.importc, header: "<string.h>".}

template load*(T: typedesc; p: Pos): untyped =
  ## The T at `p`, whatever its alignment.
  var loaded {.noinit.}: T
  memcpy(addr loaded, cast[pointer](p), csize_t(sizeof(T)))
  loaded

template store*[T](p: Pos; value: T) =
  ## Write `value` at `p`, whatever its alignment.
  var stored = value
  memcpy(cast[pointer](p), addr stored, csize_t(sizeof(T)))

proc copy*(to, source: Pos; bytes: int) {.inline.} =
  ## Copy `bytes` bytes. Most strings are short: up to 16 bytes go in two pieces that may overlap, without a call.
  if bytes <= 16:
    if bytes >= 8:
      let last = load(uint64, source + Pos(bytes) - 8)
      store(to, load(uint64, source))
      store(to + Pos(bytes) - 8, last)
    elif bytes >= 4:
      let last = load(uint32, source + Pos(bytes) - 4)
      store(to, load(uint32, source))
      store(to + Pos(bytes) - 4, last)
    elif bytes > 0:
      let middle = load(byte, source + Pos(bytes shr 1))
      let last = load(byte, source + Pos(bytes) - 1)
      store(to, load(byte, source))
      store(to + Pos(bytes shr 1), middle)
      store(to + Pos(bytes) - 1, last)
  else:
    memcpy(cast[pointer](to), cast[pointer](source), csize_t(bytes))

proc copyKnown*(to, source: Pos; bytes: static int) {.inline.} =
  ## As `copy`, for a number of bytes that is known when compiling: the C compiler turns it into loads and stores.
  memcpy(cast[pointer](to), cast[pointer](source), csize_t(bytes))

proc clear*(to: Pos; bytes: int) {.inline.} =
  memset(cast[pointer](to), 0, csize_t(bytes))

proc same*(a, b: Pos; bytes: int): bool {.inline.} =
  memcmp(cast[pointer](a), cast[pointer](b), csize_t(bytes)) == 0

proc literal*(text: static string): Pos {.inline.} =
  ## Where the bytes of a string known when compiling lie.
  cast[Pos](cstring(text))

proc start*(text: string): Pos {.inline.} =
  ## Where the bytes of `text` lie; 0 when there are none. Valid while `text` is not changed.
  if text.len == 0: Pos(0) else: cast[Pos](unsafeAddr text[0])

proc start*[T](items: seq[T]): Pos {.inline.} =
  ## Where the elements of `items` lie; 0 when there are none. Valid while `items` is not changed.
  if items.len == 0: Pos(0) else: cast[Pos](unsafeAddr items[0])

when defined(gcDestructors):
  type
    Payload = object
      capacity: int
      data: UncheckedArray[byte]
    Block = object
      len: int
      payload: ptr Payload

  proc setString*(v: var string; source: Pos; bytes: int) {.inline.} =
    ## Make `v`, which is empty, a copy of `bytes` bytes.
    if bytes > 0:
      let payload = cast[ptr Payload](allocShared(sizeof(int) + bytes + 1))
      payload.capacity = bytes
      copy(cast[Pos](addr payload.data), source, bytes)
      payload.data[bytes] = 0
      cast[ptr Block](addr v)[] = Block(len: bytes, payload: payload)

  proc setSeq*[T](v: var seq[T]; source: Pos; count: int) {.inline.} =
    ## Make `v`, which is empty, a copy of `count` elements, which have to be plain: without references, 8-aligned at
    ## most.
    if count > 0:
      let payload = cast[ptr Payload](allocShared(sizeof(int) + count * sizeof(T)))
      payload.capacity = count
      copy(cast[Pos](addr payload.data), source, count * sizeof(T))
      cast[ptr Block](addr v)[] = Block(len: count, payload: payload)

  proc setDefaults*[T](v: var seq[T]; count: int) {.inline.} =
    ## Make `v`, which is empty, `count` elements of zeros, 8-aligned at most.
    when alignof(T) > 8: {.error: "ferry: a type that is aligned to more than 8 bytes".}
    if count > 0:
      let payload = cast[ptr Payload](allocShared(sizeof(int) + count * sizeof(T)))
      payload.capacity = count
      clear(cast[Pos](addr payload.data), count * sizeof(T))
      cast[ptr Block](addr v)[] = Block(len: count, payload: payload)
else:
  proc setString*(v: var string; source: Pos; bytes: int) {.inline.} =
    ## Make `v`, which is empty, a copy of `bytes` bytes.
    if bytes > 0:
      v = newStringOfCap(bytes)
      cast[ptr int](cast[pointer](v))[] = bytes
      copy(cast[Pos](addr v[0]), source, bytes)
      cast[ptr byte](cast[Pos](addr v[0]) + Pos(bytes))[] = 0

  proc setSeq*[T](v: var seq[T]; source: Pos; count: int) {.inline.} =
    ## Make `v`, which is empty, a copy of `count` elements, which have to be plain: without references, 8-aligned at
    ## most.
    if count > 0:
      v = newSeqOfCap[T](count)
      cast[ptr int](cast[pointer](v))[] = count
      copy(cast[Pos](addr v[0]), source, count * sizeof(T))

  proc setDefaults*[T](v: var seq[T]; count: int) {.inline.} =
    ## Make `v`, which is empty, `count` elements of zeros.
    v = newSeq[T](count)

{.pop.}
