# refused: 'dropAll' says not what to do when a listener is slow; write dropOldest, dropNewest or coalesce
import ferry
proc changed() {.ferryEvent: dropAll.}
