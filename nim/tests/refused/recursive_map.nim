# refused: Node contains itself (Node > Node); put it into a seq where it does
import std/tables
import ferry
type Node {.ferryType.} = object
  below: Table[string, Node]
