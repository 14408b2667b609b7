# refused: there is a destructor, 'destroy', and no constructor
# SPDX-License-Identifier: BSD-3-Clause
import ferry
type Context = ref object
proc destroy(context: Context) {.ferryDestructor.} = discard
ferryLibrary bad, "1.0.0"
