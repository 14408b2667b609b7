# refused: no branch of 'Page' has a field; use the enum itself
# SPDX-License-Identifier: BSD-3-Clause
import ferry
type Kind {.ferryEnum.} = enum blank, full
type Page {.ferryType.} = object
  title: string
  case kind: Kind
  of blank: discard
  of full: discard
proc first(): Page {.ferryStatic.} = Page()
ferryLibrary bad, "1.0.0"
