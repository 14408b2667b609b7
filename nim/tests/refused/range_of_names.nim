# refused: first.page is a range; write both of its bounds as integers of one type
# SPDX-License-Identifier: BSD-3-Clause
import ferry
const most = 9
proc first(page: range[0 .. most]): int {.ferryStatic.} = 0
ferryLibrary bad, "1.0.0"
