# refused: 'find' is a method, and there is no constructor; add one, or use {.ferryStatic.}
# SPDX-License-Identifier: BSD-3-Clause
import ferry
type Context = ref object
proc find(context: Context): int {.ferryMethod.} = 1
ferryLibrary bad, "1.0.0"
