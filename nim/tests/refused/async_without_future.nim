# refused: the async static 'find' returns int; write Future[int]
import std/asyncdispatch
import ferry
proc find(): int {.ferryStatic, async.} = return 1
