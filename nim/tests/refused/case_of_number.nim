# refused: 'lines' of 'Page' says which case there is, and is of type 'range[0 .. 3]'; of such types only bool and an enum marked {.ferryEnum.} above it cross
# SPDX-License-Identifier: BSD-3-Clause
import ferry
type Page {.ferryType.} = object
  case lines: range[0 .. 3]
  of 0: discard
  else: text: string
proc first(): Page {.ferryStatic.} = Page()
ferryLibrary bad, "1.0.0"
