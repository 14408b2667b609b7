# refused: which cannot cross; use a tuple or object with a name, marked {.ferryType.}
# SPDX-License-Identifier: BSD-3-Clause
import ferry
proc first(page: tuple[x, y: int]): int {.ferryStatic.} = 0
ferryLibrary bad, "1.0.0"
