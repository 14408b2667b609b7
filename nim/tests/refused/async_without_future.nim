# refused: the async static 'find' returns int; write Future[int]
# SPDX-License-Identifier: BSD-3-Clause
import std/asyncdispatch
import ferry
proc find(): int {.ferryStatic, async.} = return 1
