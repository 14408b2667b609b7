# refused: a static has to be a proc; 'find' is none
# SPDX-License-Identifier: BSD-3-Clause
import ferry
iterator find(limit: int): int {.ferryStatic.} = yield limit
