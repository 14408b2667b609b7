# refused: the event 'changed' has a body; leave it out, calling it emits the event
import ferry
proc changed() {.ferryEvent.} = discard
