# refused: there is a method 'do_work' already
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-License-Identifier: BSD-3-Clause
import ferry

type Context = ref object

proc create(): Context {.ferryConstructor.} = Context()
proc destroy(context: Context) {.ferryDestructor.} = discard
proc doWork(context: Context) {.ferryMethod.} = discard
proc dowork(context: Context; value: int) {.ferryMethod.} = discard
