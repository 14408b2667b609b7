# refused: 'limit' is a var parameter; return what changes instead
# SPDX-License-Identifier: BSD-3-Clause
import ferry
proc find(limit: var int): int {.ferryStatic.} = limit
