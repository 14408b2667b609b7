# refused: the error of 'first' has to be a type marked {.ferryEnum.} or {.ferryType.}, and is 'string'
# SPDX-License-Identifier: BSD-3-Clause
import ferry
proc first(): int64 {.ferryStatic: string.} = 0
ferryLibrary bad, "1.0.0"
