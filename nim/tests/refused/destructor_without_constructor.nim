# refused: there is a destructor, 'destroy', and no constructor
import ferry
type Context = ref object
proc destroy(context: Context) {.ferryDestructor.} = discard
ferryLibrary bad, "1.0.0"
