# refused: not GC-safe
import ferry
var names = @["a"]
proc count(): int {.ferryStatic.} = names.len
ferryLibrary bad, "1.0.0"
