# refused: 'twice' is no method; write {.ferryMethod, ferryIdempotent.}, in this order
# SPDX-License-Identifier: BSD-3-Clause
import ferry
proc twice(x: int32): int32 {.ferryIdempotent, ferryStatic.} = 2 * x
