# SPDX-License-Identifier: BSD-3-Clause
## Runs chronos on library threads: a library whose procedures are async procedures of chronos imports this module beside
## `ferry`. The dispatcher of each library thread is run when the core calls `turn`, and never waits itself, since the
## core waits: for the dispatcher's descriptor, and until its first timer.
##
## chronos 4 or newer. It ignores SIGPIPE in the whole process, once it is loaded.

import std/[deques, heapqueue, tables]
import chronos, chronos/selectors2
import "."/runtime

{.used.}

const
  Sentinels = when declared(chronosStrictReentrancy): (when chronosStrictReentrancy: 0 else: 1) else: 1
    ## How many callbacks of its own a dispatcher always has.
  PollsMax = 16
    ## How many rounds one call of `turn` runs at most, so that a handler which always has something more to do does not
    ## keep the library thread from taking requests. A round runs the callbacks that there are when it begins.

{.push raises: [], gcsafe.}

proc nothing(ignored: pointer) = discard

proc hasCallbacks(dispatcher: PDispatcher): bool =
  dispatcher.callbacks.len > Sentinels or dispatcher.ticks.len > 0 or dispatcher.idlers.len > 0

proc skipCancelled(dispatcher: PDispatcher) =
  ## A timer that was cancelled stays in the heap, without its function.
  while dispatcher.timers.len > 0 and dispatcher.timers[0].function.function.isNil:
    discard dispatcher.timers.pop()

proc hasDescriptors(dispatcher: PDispatcher): bool =
  ## Whether anything waits for a descriptor. chronos does not say, so this looks into its selector. Without a descriptor
  ## the core waits more cheaply.
  for name, part in fieldPairs(dispatcher.getIoHandler[]):
    when name in ["fds", "pendingEvents"]:
      if part.len > 0: return true

proc isIdle(dispatcher: PDispatcher): bool =
  not dispatcher.hasCallbacks and dispatcher.timers.len == 0 and not dispatcher.hasDescriptors

proc turnChronos(): int64 {.nimcall.} =
  let dispatcher = getThreadDispatcher()
  if dispatcher.isIdle: return high(int64)
  for _ in 0 ..< PollsMax:
    # with a callback to run, `poll` does not wait
    callSoon(nothing)
    try: poll()
    except Exception as e: complain("a task failed that nothing waits for", e)
    if not dispatcher.hasCallbacks: break
  dispatcher.skipCancelled()
  if dispatcher.hasCallbacks: return 0
  if dispatcher.timers.len == 0: return high(int64)
  max(0'i64, (dispatcher.timers[0].finishAt - Moment.now()).nanoseconds)

proc descriptorOfChronos(): cint {.nimcall.} =
  let dispatcher = getThreadDispatcher()
  if dispatcher.hasDescriptors: cint(dispatcher.getIoHandler.getFd) else: -1.cint

proc dropDispatcher() =
  let dispatcher = getThreadDispatcher()
  # chronos asserts that none are left
  dispatcher.callbacks.clear()
  try:
    dispatcher.getIoHandler.close()
    setThreadDispatcher(nil)
  except Exception as e: complain("chronos was not ended cleanly", e)

proc renewChronos() {.nimcall.} =
  ## Drop what the context has left. A dispatcher with nothing to do is kept, with its descriptor.
  if not getThreadDispatcher().isIdle: dropDispatcher()

proc finishChronos() {.nimcall.} = dropDispatcher()

{.pop.}

otherLoop = Loop(turn: turnChronos, descriptor: descriptorOfChronos, renew: renewChronos, finish: finishChronos)
