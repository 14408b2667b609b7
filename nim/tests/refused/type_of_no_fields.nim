# refused: 'Page' has no fields, and so nothing to carry; leave it out
# SPDX-License-Identifier: BSD-3-Clause
import ferry
type Page {.ferryType.} = object
