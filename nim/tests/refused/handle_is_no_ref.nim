# refused: 'Page' is marked {.ferryHandle.}, and is no `ref object`
import ferry
type Page {.ferryHandle.} = object
  number: int
