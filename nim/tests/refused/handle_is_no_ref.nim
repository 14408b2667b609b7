# refused: 'Page' is marked {.ferryHandle.}, and is no `ref object`
# SPDX-License-Identifier: BSD-3-Clause
import ferry
type Page {.ferryHandle.} = object
  number: int
