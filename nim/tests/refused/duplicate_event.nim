# refused: there is an event 'changed' already; rename one
# SPDX-License-Identifier: BSD-3-Clause
import ferry
proc changed() {.ferryEvent.}
proc changed(a: int) {.ferryEvent.}
