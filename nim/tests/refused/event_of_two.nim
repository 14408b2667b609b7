# refused: the event 'changed' carries more than one value; put them into an object
# SPDX-License-Identifier: BSD-3-Clause
import ferry
proc changed(a, b: int) {.ferryEvent.}
