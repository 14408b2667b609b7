# refused: PageFull.letter is of type 'char', which cannot cross; use uint8, or string for a text
# SPDX-License-Identifier: BSD-3-Clause
import ferry
type Kind {.ferryEnum.} = enum blank, full
type Page {.ferryType.} = object
  case kind: Kind
  of blank: discard
  of full: letter: char
proc first(): Page {.ferryStatic.} = Page()
ferryLibrary bad, "1.0.0"
