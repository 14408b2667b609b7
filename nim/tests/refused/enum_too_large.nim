# refused: the value of 'huge' does not fit int32
# SPDX-License-Identifier: BSD-3-Clause
import ferry
type Page {.ferryEnum.} = enum
  huge = 3_000_000_000
