# refused: only `const` sections may stand under ferryConstant
# SPDX-License-Identifier: BSD-3-Clause
import ferry
ferryConstant:
  let maxPages = 1
