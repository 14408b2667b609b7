# refused: the result of first is of type 'set[char]', which cannot cross
# SPDX-License-Identifier: BSD-3-Clause
import ferry
proc first(): set[char] {.ferryStatic.} = {}
ferryLibrary bad, "1.0.0"
