# refused: 'max_pages' is of type 'char'
import ferry
ferryConstant:
  const maxPages = 'c'
