# refused: there is a type 'PageFull' already; rename one
# SPDX-License-Identifier: BSD-3-Clause
import ferry
type Kind {.ferryEnum.} = enum blank, full
type PageFull {.ferryType.} = object
  title: string
type Page {.ferryType.} = object
  case kind: Kind
  of blank: discard
  of full: text: string
proc first(): Page {.ferryStatic.} = Page()
ferryLibrary bad, "1.0.0"
