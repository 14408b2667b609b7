# refused: the event 'changed' must not return anything
# SPDX-License-Identifier: BSD-3-Clause
import ferry
proc changed(): int {.ferryEvent.}
