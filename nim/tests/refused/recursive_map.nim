# refused: Node contains itself (Node > Node); put it into a seq where it does
# SPDX-License-Identifier: BSD-3-Clause
import std/tables
import ferry
type Node {.ferryType.} = object
  below: Table[string, Node]
