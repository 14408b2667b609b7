# refused: this comes after ferryLibrary, which has to be the last of a library; move it up
# SPDX-License-Identifier: BSD-3-Clause
import ferry
proc find(): int {.ferryStatic.} = 1
ferryLibrary bad, "1.0.0"
proc more(): int {.ferryStatic.} = 2
