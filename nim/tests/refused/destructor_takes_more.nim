# refused: the destructor 'destroy' must take nothing but the context
# SPDX-License-Identifier: BSD-3-Clause
import ferry
type Context = ref object
proc destroy(context: Context; why: string) {.ferryDestructor.} = discard
