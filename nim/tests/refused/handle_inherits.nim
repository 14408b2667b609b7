# refused: 'Page' inherits already; put what it inherits from into a field
# SPDX-License-Identifier: BSD-3-Clause
import ferry
type
  Base = ref object of RootObj
  Page {.ferryHandle.} = ref object of Base
