# refused: 'Page' has variants; use Option fields instead
import ferry
type Page {.ferryType.} = object
  case full: bool
  of true: number: int
  of false: discard
