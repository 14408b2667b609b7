# SPDX-License-Identifier: BSD-3-Clause
## A library in the style of nim-ffi 0.3, of which no line knows of Ferry; tests/nim/test_nim_ffi.py builds and calls it.

import std/[options, strutils]
import ffi
when not declared(chronos): import results
import pantry_types, pantry_shelf

type Maybe[T] = Option[T]

const
  MaxItems* {.ffiConst.} = 2 + 1
  Motto* {.ffiConst.} = "waste" & " not"

type Season {.ffi.} = enum
  snSpring = "spring"
  snAutumn = (5, "autumn")

type PantryConfig {.ffi.} = object
  owner: string ## Whose it is.
  items: Maybe[seq[string]]

type Item {.ffi.} = object
  name: string
  season: Season
  seal: seq[byte]

type Added {.ffi.} = object
  item: Item
  count: int

proc onAdded*(event: Added) {.ffiEvent.} =
  ## An item was added.

proc onMoved*(item: string, fromShelf, toShelf: int) {.ffiEvent: "on_item_moved".}

proc pause(milliseconds: int): Future[void] {.async.} =
  when declared(chronos): await sleepAsync(chronos.milliseconds(milliseconds))
  else: await sleepAsync(milliseconds)

var ended: Atomic[int]

proc pantryCreate*(config: PantryConfig): Future[Result[Pantry, string]] {.ffiCtor.} =
  ## Begin with what there is.
  await pause(1)
  if config.owner.len == 0:
    return err("a pantry has an owner")
  return ok(Pantry(owner: config.owner, items: config.items.get(@[])))

proc pantryAdd*(pantry: Pantry, item: Item, delayMs: int): Future[Result[int, string]] {.ffi: "abi = c".} =
  ## Add an item, after a while.
  await pause(delayMs)
  if pantry.items.len >= MaxItems:
    return err("the pantry of $1 is full" % pantry.owner)
  pantry.items.add(item.name)
  onAdded(Added(item: item, count: pantry.items.len))
  dispatchFFIEvent("onNote"):
    pantry.owner & " has " & item.name
  return ok(pantry.items.len)

proc pantryMove*(pantry: Pantry, item: cstring, fromShelf, toShelf: int): Future[Result[string, string]] {.ffi.} =
  await pause(1)
  onMoved($item, fromShelf, toShelf)
  return ok("moved " & $item)

proc pantryFail*(pantry: Pantry): Future[Result[void, string]] {.ffi.} =
  await pause(1)
  raise newException(ValueError, "the shelf broke")

proc pantryParse*(text: string): Future[Result[Item, string]] {.ffiStatic.} =
  let parts = text.split('/')
  if parts.len != 2: return err("write name/season")
  return ok(Item(name: parts[0], season: parseEnum[Season](parts[1]), seal: @[byte 1, 2]))

proc pantryEnded(): int {.ffi.} =
  ## How many pantries have ended.
  ended.load

proc pantryDestroy*(pantry: Pantry) {.ffiDtor.} =
  ## End, after a while.
  await pause(1)
  ended.atomicInc

genBindings()
