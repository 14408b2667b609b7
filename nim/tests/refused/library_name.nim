# refused: write the library's name in snake_case
# SPDX-License-Identifier: BSD-3-Clause
import ferry
proc find(): int {.ferryStatic.} = 1
ferryLibrary BadName, "1.0.0"
