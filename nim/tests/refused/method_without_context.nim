# refused: the method 'find' has to take the context first; {.ferryStatic.} is without
# SPDX-License-Identifier: BSD-3-Clause
import ferry
proc find(): int {.ferryMethod.} = 1
