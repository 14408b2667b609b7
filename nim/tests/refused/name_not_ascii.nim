# refused: the name of parameter 'größe' has to be of ASCII letters, digits and single underscores
import ferry
proc size(größe: int): int {.ferryStatic.} = größe
