# refused: the fields depend on a `when`; write them out
# SPDX-License-Identifier: BSD-3-Clause
import ferry
type Page {.ferryType.} = object
  when defined(small): text: string
  else: number: int
proc first(): Page {.ferryStatic.} = Page()
ferryLibrary bad, "1.0.0"
