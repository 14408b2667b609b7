# refused: write the default behind it: {.ferryDefault: 10.}
# SPDX-License-Identifier: BSD-3-Clause
import ferry
type Page {.ferryType.} = object
  stars {.ferryDefault.}: uint8
