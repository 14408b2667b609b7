# refused: the tuples 'Page' and 'Leaf' have the same fields, and are one type to Nim; make one an object
# SPDX-License-Identifier: BSD-3-Clause
import ferry
type
  Page {.ferryType.} = tuple[x, y: int]
  Leaf {.ferryType.} = tuple[x, y: int]
