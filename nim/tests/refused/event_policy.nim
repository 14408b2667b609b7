# refused: 'dropAll' says not what to do when a listener is slow; write dropOldest, dropNewest or coalesce
# SPDX-License-Identifier: BSD-3-Clause
import ferry
proc changed() {.ferryEvent: dropAll.}
