# refused: first.page is of type 'Page', which cannot cross; use bool, int8
# SPDX-License-Identifier: BSD-3-Clause
import ferry
type Page = int
proc first(page: Page): int {.ferryStatic.} = 0
ferryLibrary bad, "1.0.0"
