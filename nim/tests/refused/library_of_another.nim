# refused: libm.so is another library; choose another name
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-License-Identifier: BSD-3-Clause
import ferry

proc version(): string {.ferryStatic.} = "1"

ferryLibrary m, "1"
