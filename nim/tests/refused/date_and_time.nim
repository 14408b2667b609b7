# refused: first.page is of type 'DateTime', which cannot cross; use Time
# SPDX-License-Identifier: BSD-3-Clause
import std/times
import ferry
proc first(page: DateTime): int {.ferryStatic.} = 0
ferryLibrary bad, "1.0.0"
