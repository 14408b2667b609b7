# refused: the result of first is a set of 'char'; only sets of an enum marked {.ferryEnum.} cross
# SPDX-License-Identifier: BSD-3-Clause
import ferry
proc first(): set[char] {.ferryStatic.} = {}
ferryLibrary bad, "1.0.0"
