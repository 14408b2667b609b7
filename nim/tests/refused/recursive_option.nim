# refused: Node contains itself (Node > Node); put it into a seq or a Table where it does
import std/options
import ferry
type Node {.ferryType.} = object
  next: Option[Node]
