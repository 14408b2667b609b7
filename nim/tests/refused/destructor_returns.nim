# refused: the destructor 'destroy' must not return anything
import ferry
type Context = ref object
proc destroy(context: Context): int {.ferryDestructor.} = 1
