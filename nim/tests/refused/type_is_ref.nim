# refused: 'Page' is marked {.ferryType.}, and is not a plain object; write `object`
# SPDX-License-Identifier: BSD-3-Clause
import ferry
type Page {.ferryType.} = ref object
  number: int
