# SPDX-License-Identifier: BSD-3-Clause
## Types of Nim that travel as another type, their carrier: an array and a set as a sequence, a time and a duration as
## nanoseconds. `carrier(v)` is what travels instead of `v`; `restored` makes `v` of that, unless it is no value of
## `v`'s type.

import std/times
import "."/[decoder, memory]

{.push raises: [], checks: off, stackTrace: off, profiler: off.}

const SecondNs = 1_000_000_000'i64

type
  Carried* = array | set | Time | Duration

template wholeOf*(T: typedesc): typedesc =
  ## The type that a number is read as which has to be in a range.
  when low(T) < 0: int64 else: uint64

func isIn*[W: int64 | uint64](whole: W; T: typedesc): bool {.inline.} =
  ## Whether a number that was read is one of a range.
  whole >= W(low(T)) and whole <= W(high(T))

var unsendable* {.threadvar.}: string ## why the value that was just encoded cannot be sent; empty: it can

proc carrier*[I, T](v: array[I, T]): seq[T] {.inline.} = @v

proc restored*[I, T](d: var Decoder; after: Pos; carried: var seq[T]; v: var array[I, T]): Pos =
  if carried.len != v.len: return d.fail(OutOfRange)
  var next = 0
  for item in v.mitems:
    item = move carried[next]
    inc next
  after

proc carrier*[T](v: set[T]): seq[T] =
  for number in ord(low(T)) .. ord(high(T)):
    if cast[T](number) in v: result.add(cast[T](number))

proc restored*[T](d: var Decoder; after: Pos; carried: var seq[T]; v: var set[T]): Pos =
  for item in carried:
    if item in v: return d.fail(GivenTwice)
    v.incl(item)
  after

proc nanoseconds(seconds: int64; part: int): int64 =
  ## Return so many seconds, and a part of one in nanoseconds, as nanoseconds. A value of 292 years or more cannot be sent.
  const limit = high(int64) div SecondNs
  if seconds > -limit and seconds < limit: return seconds * SecondNs + part
  unsendable = "a time or a duration of more than 292 years does not fit into nanoseconds"

proc carrier*(v: Time): int64 = nanoseconds(v.toUnix, v.nanosecond)

proc restored*(d: var Decoder; after: Pos; carried: var int64; v: var Time): Pos =
  v = initTime(0, 0) + initDuration(nanoseconds = carried)
  after

proc carrier*(v: Duration): int64 =
  nanoseconds(v.inSeconds, int((v - initDuration(seconds = v.inSeconds)).inNanoseconds))

proc restored*(d: var Decoder; after: Pos; carried: var int64; v: var Duration): Pos =
  v = initDuration(nanoseconds = carried)
  after

{.pop.}
