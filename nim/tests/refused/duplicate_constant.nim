# refused: there is a constant 'max_pages' already; rename one
import ferry
ferryConstant:
  const maxPages = 1
block:
  ferryConstant:
    const maxPages = 2
