# refused: Page.cursor[] is of type 'pointer', which cannot cross; use bool, int8
import ferry
type Page {.ferryType.} = object
  cursor: seq[pointer]
proc first(): Page {.ferryStatic.} = Page()
ferryLibrary bad, "1.0.0"
