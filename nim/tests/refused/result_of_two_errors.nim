# refused: 'first' returns errors of type 'Kind' and declares 'Other'; leave the latter out
# SPDX-License-Identifier: BSD-3-Clause
import ferry
type
  Kind {.ferryEnum.} = enum one
  Other {.ferryEnum.} = enum two
  Result[T, E] = object
proc first(): Result[int64, Kind] {.ferryStatic: Other.} = discard
