# refused: the event 'changed' cannot be async; it never waits
import std/asyncdispatch
import ferry
proc changed() {.ferryEvent, async.}
