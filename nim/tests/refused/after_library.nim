# refused: this comes after ferryLibrary, which has to be the last of a library; move it up
import ferry
proc find(): int {.ferryStatic.} = 1
ferryLibrary bad, "1.0.0"
proc more(): int {.ferryStatic.} = 2
