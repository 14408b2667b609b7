# refused: only `const` sections may stand under ferryConstant
import ferry
ferryConstant:
  let maxPages = 1
