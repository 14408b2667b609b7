# refused: the destructor 'destroy' must not return anything
# SPDX-License-Identifier: BSD-3-Clause
import ferry
type Context = ref object
proc destroy(context: Context): int {.ferryDestructor.} = 1
