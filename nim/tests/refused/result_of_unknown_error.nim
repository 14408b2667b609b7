# refused: the error of 'first' has to be a type marked {.ferryEnum.} or {.ferryType.}, and is 'int'
# SPDX-License-Identifier: BSD-3-Clause
import ferry
type Result[T, E] = object
proc first(): Result[int64, int] {.ferryStatic.} = discard
