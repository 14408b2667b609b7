# refused: 'Page' is marked {.ferryType.}, and is not a plain object; write `object`
import ferry
type Page {.ferryType.} = ref object
  number: int
