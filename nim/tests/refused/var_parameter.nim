# refused: 'limit' is a var parameter; return what changes instead
import ferry
proc find(limit: var int): int {.ferryStatic.} = limit
