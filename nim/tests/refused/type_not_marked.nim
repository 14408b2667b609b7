# refused: first.page is of type 'Page', which cannot cross
import ferry
type Page = object
  number: int
proc first(page: Page): int {.ferryStatic.} = page.number
ferryLibrary bad, "1.0.0"
