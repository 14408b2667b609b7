# refused: not GC-safe
# SPDX-License-Identifier: BSD-3-Clause
import ferry
var names = @["a"]
proc count(): int {.ferryStatic.} = names.len
ferryLibrary bad, "1.0.0"
