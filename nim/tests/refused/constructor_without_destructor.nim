# refused: there is a constructor, 'create', and no destructor; add a procedure marked {.ferryDestructor.}
# SPDX-License-Identifier: BSD-3-Clause
import ferry
type Context = ref object
proc create(): Context {.ferryConstructor.} = Context()
ferryLibrary bad, "1.0.0"
