# refused: the event 'changed' must not return anything
import ferry
proc changed(): int {.ferryEvent.}
