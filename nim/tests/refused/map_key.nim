# refused: Page.notes has keys of type 'float'
# SPDX-License-Identifier: BSD-3-Clause
import std/tables
import ferry
type Page {.ferryType.} = object
  notes: Table[float, int]
proc first(): Page {.ferryStatic.} = Page()
ferryLibrary bad, "1.0.0"
