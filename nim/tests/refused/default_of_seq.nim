# refused: Page.words has a default, which only numbers, bool, string and enums have; an Option is absent by itself
# SPDX-License-Identifier: BSD-3-Clause
import ferry
type Page {.ferryType.} = object
  words {.ferryDefault: @["a"].}: seq[string]
proc first(): Page {.ferryStatic.} = Page()
ferryLibrary bad, "1.0.0"
