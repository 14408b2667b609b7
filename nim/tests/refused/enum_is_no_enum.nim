# refused: 'Page' is marked {.ferryEnum.}, and is no enum
# SPDX-License-Identifier: BSD-3-Clause
import ferry
type Page {.ferryEnum.} = object
