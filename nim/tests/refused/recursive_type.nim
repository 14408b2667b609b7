# refused: Right contains itself (Right > Left > Right); put it into a seq where it does
# SPDX-License-Identifier: BSD-3-Clause
import ferry
type
  Left {.ferryType.} = object
    other: Right
  Right {.ferryType.} = object
    other: Left
