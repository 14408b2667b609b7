# refused: 'Page' has no fields, and so nothing to carry; leave it out
import ferry
type Page {.ferryType.} = object
