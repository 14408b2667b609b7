# refused: there is a constant 'max_pages' already; rename one
# SPDX-License-Identifier: BSD-3-Clause
import ferry
ferryConstant:
  const maxPages = 1
block:
  ferryConstant:
    const maxPages = 2
