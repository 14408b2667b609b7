# refused: there is a field 'a_b' already; rename one
# SPDX-License-Identifier: BSD-3-Clause
import ferry
type Page {.ferryType.} = object
  aB: int
  a_b: int
