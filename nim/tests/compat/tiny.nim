# SPDX-License-Identifier: BSD-3-Clause
## A library with procedures of chronos and with Results; tests/nim/test_nim_ffi.py builds and calls it.

import std/atomics
import chronos
import ferry, ferry/chronos_loop

type
  Trouble {.ferryEnum, pure.} = enum none, negative
  Tiny = ref object
    number: int64

var beats: Atomic[int64]

proc beatsSoFar(): int64 {.ferryStatic.} = beats.load

proc open(number: int64): Future[Result[Tiny, Trouble]] {.ferryConstructor, async.} =
  await sleepAsync(1.milliseconds)
  if number < 0: return err(Trouble.negative)
  return ok(Tiny(number: number))

proc close(tiny: Tiny) {.ferryDestructor, async.} =
  await sleepAsync(1.milliseconds)

proc halve(tiny: Tiny; by: int64): Result[int64, Trouble] {.ferryMethod.} =
  if by < 0: err(Trouble.negative) else: ok(tiny.number div by)

proc wait(tiny: Tiny; delayMs: int64): Future[int64] {.ferryMethod, async: (raises: [CancelledError]).} =
  await sleepAsync(delayMs.milliseconds)
  return tiny.number

proc fail(tiny: Tiny; text: string): Future[void] {.ferryMethod, async: (raises: [ValueError]).} =
  raise newException(ValueError, text)

proc giveUp(tiny: Tiny): Future[void] {.ferryMethod, async.} =
  raise newException(CancelledError, "nobody wants it")

proc leave(tiny: Tiny): Future[Result[void, string]] {.ferryMethod, async.} =
  ## Leave a task behind, which the end of the context drops.
  proc later() {.async: (raises: []).} =
    try:
      while true:
        await sleepAsync(1.milliseconds)
        beats.atomicInc
    except CancelledError: discard
  asyncSpawn later()
  return ok()

proc talk(tiny: Tiny; text: string): Future[string] {.ferryMethod, async.} =
  ## Send a text through a socket, and return what comes out.
  proc answer(server: StreamServer; peer: StreamTransport) {.async: (raises: []).} =
    try:
      let line = await peer.readLine()
      discard await peer.write(line & " " & $tiny.number & "\r\n")
      await peer.closeWait()
    except CatchableError: discard
  let server = createStreamServer(initTAddress("127.0.0.1:0"), answer, {ReuseAddr})
  server.start()
  let peer = await connect(server.localAddress)
  discard await peer.write(text & "\r\n")
  result = await peer.readLine()
  await peer.closeWait()
  server.stop()
  await server.closeWait()

ferryLibrary tiny, "0.1.0"
