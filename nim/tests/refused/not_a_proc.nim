# refused: a static has to be a proc; 'find' is none
import ferry
iterator find(limit: int): int {.ferryStatic.} = yield limit
