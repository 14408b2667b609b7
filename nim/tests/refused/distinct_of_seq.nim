# refused: 'Page' is a distinct 'seq[string]'; of distinct types only numbers, bool, string and seq[byte] cross
# SPDX-License-Identifier: BSD-3-Clause
import ferry
type Page {.ferryType.} = distinct seq[string]
proc first(page: Page): int {.ferryStatic.} = 0
ferryLibrary bad, "1.0.0"
