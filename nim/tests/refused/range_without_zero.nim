# refused: first.page is a range without 0, with which values begin; have it begin at 0
# SPDX-License-Identifier: BSD-3-Clause
import ferry
proc first(page: range[1 .. 9]): int {.ferryStatic.} = 0
ferryLibrary bad, "1.0.0"
