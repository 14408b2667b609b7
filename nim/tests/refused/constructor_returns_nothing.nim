# refused: the constructor 'create' has to return the context
import ferry
proc create() {.ferryConstructor.} = discard
