# refused: type mismatch: got 'string' for '"many"' but expected 'uint8'
# SPDX-License-Identifier: BSD-3-Clause
import ferry
type Page {.ferryType.} = object
  stars {.ferryDefault: "many".}: uint8
proc first(): Page {.ferryStatic.} = Page()
ferryLibrary bad, "1.0.0"
