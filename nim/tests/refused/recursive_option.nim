# refused: Node contains itself (Node > Node); put it into a seq where it does
# SPDX-License-Identifier: BSD-3-Clause
import std/options
import ferry
type Node {.ferryType.} = object
  next: Option[Node]
