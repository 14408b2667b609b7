# refused: is longer than 64 bytes; choose a shorter name
import ferry
proc aNameThatGoesOnAndOnAndOnAndOnAndOnAndOnAndOnAndOnAndOnAndOn(): int {.ferryStatic.} = 1
