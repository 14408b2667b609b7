# refused: the name of type 'page' has to be CamelCase
import ferry
type page {.ferryType.} = object
  number: int
