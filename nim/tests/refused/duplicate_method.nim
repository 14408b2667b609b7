# refused: there is a method 'find_all' already; rename one
# SPDX-License-Identifier: BSD-3-Clause
import ferry
proc findAll(a: int): int {.ferryStatic.} = a
proc find_all(a: string): int {.ferryStatic.} = 1
