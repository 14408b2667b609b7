# refused: 'max_pages' is of type 'char'
# SPDX-License-Identifier: BSD-3-Clause
import ferry
ferryConstant:
  const maxPages = 'c'
