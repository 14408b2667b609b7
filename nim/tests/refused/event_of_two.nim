# refused: the event 'changed' carries more than one value; put them into an object
import ferry
proc changed(a, b: int) {.ferryEvent.}
