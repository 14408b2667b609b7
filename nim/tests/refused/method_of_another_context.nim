# refused: the first parameter of 'find' has to be the context that 'create' returns, Context, and is Other
# SPDX-License-Identifier: BSD-3-Clause
import ferry
type
  Context = ref object
  Other = ref object
proc create(): Context {.ferryConstructor.} = Context()
proc destroy(context: Context) {.ferryDestructor.} = discard
proc find(other: Other): int {.ferryMethod.} = 1
ferryLibrary bad, "1.0.0"
