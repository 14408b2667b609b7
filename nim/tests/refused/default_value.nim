# refused: a parameter of 'find' has a default value, which hosts would not see; use an Option, or a field with a default
# SPDX-License-Identifier: BSD-3-Clause
import ferry
proc find(limit: int = 10): int {.ferryStatic.} = limit
