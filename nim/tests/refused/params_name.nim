# refused: the parameters of 'find' are called FindParams, and there is a type of that name; rename one
# SPDX-License-Identifier: BSD-3-Clause
import ferry
type FindParams {.ferryType.} = object
  number: int
proc find(a: FindParams): int {.ferryStatic.} = 1
ferryLibrary bad, "1.0.0"
