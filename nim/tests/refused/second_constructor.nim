# refused: 'again' is a second constructor (the first is 'create'); keep one
# SPDX-License-Identifier: BSD-3-Clause
import ferry
type Context = ref object
proc create(): Context {.ferryConstructor.} = Context()
proc again(): Context {.ferryConstructor.} = Context()
