# refused: there is a field 'a_b' already; rename one
import ferry
type Page {.ferryType.} = object
  aB: int
  a_b: int
