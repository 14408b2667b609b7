# refused: Right contains itself (Right > Left > Right); put it into a seq or a Table where it does
import ferry
type
  Left {.ferryType.} = object
    other: Right
  Right {.ferryType.} = object
    other: Left
