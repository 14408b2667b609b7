# refused: 'kind' of 'Page' says which case there is, and is of type 'Kind'; of such types only bool and an enum marked {.ferryEnum.} above it cross
# SPDX-License-Identifier: BSD-3-Clause
import ferry
type Kind = enum blank, full
type Page {.ferryType.} = object
  case kind: Kind
  of blank: discard
  of full: text: string
proc first(): Page {.ferryStatic.} = Page()
ferryLibrary bad, "1.0.0"
