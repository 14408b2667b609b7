# refused: 'Page' is marked {.ferryEnum.}, and is no enum
import ferry
type Page {.ferryEnum.} = object
