# refused: there is a constructor, 'create', and no destructor; add a procedure marked {.ferryDestructor.}
import ferry
type Context = ref object
proc create(): Context {.ferryConstructor.} = Context()
ferryLibrary bad, "1.0.0"
