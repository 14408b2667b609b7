# refused: Page.cursor[] is of type 'pointer', which cannot cross; use a type marked {.ferryHandle.}
# SPDX-License-Identifier: BSD-3-Clause
import ferry
type Page {.ferryType.} = object
  cursor: seq[pointer]
proc first(): Page {.ferryStatic.} = Page()
ferryLibrary bad, "1.0.0"
