# refused: first.page is a set of 'uint8'; only sets of an enum marked {.ferryEnum.} cross
# SPDX-License-Identifier: BSD-3-Clause
import ferry
proc first(page: set[uint8]): int {.ferryStatic.} = 0
ferryLibrary bad, "1.0.0"
