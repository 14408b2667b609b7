# refused: 'Kind(1)' of 'Page' is none of the values that its discriminant has; write them by their names, or as a range of names
# SPDX-License-Identifier: BSD-3-Clause
import ferry
type Kind {.ferryEnum.} = enum blank, full
type Page {.ferryType.} = object
  case kind: Kind
  of blank: discard
  of Kind(1): text: string
proc first(): Page {.ferryStatic.} = Page()
ferryLibrary bad, "1.0.0"
