# refused: first.page is of type 'char', which cannot cross; use uint8, or string for a text
# SPDX-License-Identifier: BSD-3-Clause
import ferry
proc first(page: char): int {.ferryStatic.} = 0
ferryLibrary bad, "1.0.0"
