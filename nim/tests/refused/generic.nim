# refused: the static 'find' is generic; write it for the types it is used with
import ferry
proc find[T](limit: T): T {.ferryStatic.} = limit
