# refused: 'Page' has variants; use Option fields instead
# SPDX-License-Identifier: BSD-3-Clause
import ferry
type Page {.ferryType.} = object
  case full: bool
  of true: number: int
  of false: discard
