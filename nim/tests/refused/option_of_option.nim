# refused: Page.note is an Option in an Option; one is enough
# SPDX-License-Identifier: BSD-3-Clause
import std/options
import ferry
type Page {.ferryType.} = object
  note: Option[Option[int]]
proc first(): Page {.ferryStatic.} = Page()
ferryLibrary bad, "1.0.0"
