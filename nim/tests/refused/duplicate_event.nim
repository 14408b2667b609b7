# refused: there is an event 'changed' already; rename one
import ferry
proc changed() {.ferryEvent.}
proc changed(a: int) {.ferryEvent.}
