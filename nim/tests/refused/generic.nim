# refused: the static 'find' is generic; write it for the types it is used with
# SPDX-License-Identifier: BSD-3-Clause
import ferry
proc find[T](limit: T): T {.ferryStatic.} = limit
