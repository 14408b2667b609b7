# refused: the method 'find' has to take the context first; {.ferryStatic.} is without
import ferry
proc find(): int {.ferryMethod.} = 1
