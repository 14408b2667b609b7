# refused: the constructor 'create' has to return the context
# SPDX-License-Identifier: BSD-3-Clause
import ferry
proc create() {.ferryConstructor.} = discard
