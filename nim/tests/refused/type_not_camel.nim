# refused: the name of type 'page' has to be CamelCase
# SPDX-License-Identifier: BSD-3-Clause
import ferry
type page {.ferryType.} = object
  number: int
