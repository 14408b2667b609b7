# refused: the destructor 'destroy' must take nothing but the context
import ferry
type Context = ref object
proc destroy(context: Context; why: string) {.ferryDestructor.} = discard
