# refused: is longer than 64 bytes; choose a shorter name
# SPDX-License-Identifier: BSD-3-Clause
import ferry
proc aNameThatGoesOnAndOnAndOnAndOnAndOnAndOnAndOnAndOnAndOnAndOn(): int {.ferryStatic.} = 1
