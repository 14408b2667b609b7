# refused: there is a method 'foo_bar' already
# SPDX-License-Identifier: BSD-3-Clause
import ferry

type Context = ref object

proc create(): Context {.ferryConstructor.} = Context()
proc destroy(context: Context) {.ferryDestructor.} = discard
proc fooBar(context: Context) {.ferryMethod.} = discard
proc foobar(context: Context; value: int) {.ferryMethod.} = discard
