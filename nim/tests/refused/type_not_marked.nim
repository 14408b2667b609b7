# refused: first.page is of type 'Page', which cannot cross
# SPDX-License-Identifier: BSD-3-Clause
import ferry
type Page = object
  number: int
proc first(page: Page): int {.ferryStatic.} = page.number
ferryLibrary bad, "1.0.0"
