# refused: the name of parameter 'größe' has to be of ASCII letters, digits and single underscores
# SPDX-License-Identifier: BSD-3-Clause
import ferry
proc size(größe: int): int {.ferryStatic.} = größe
