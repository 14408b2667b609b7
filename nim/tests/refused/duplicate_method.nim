# refused: there is a method 'find_all' already; rename one
import ferry
proc findAll(a: int): int {.ferryStatic.} = a
proc find_all(a: string): int {.ferryStatic.} = 1
