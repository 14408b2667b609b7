# refused: only the library's doc comment may stand under ferryLibrary
# SPDX-License-Identifier: BSD-3-Clause
import ferry
proc find(): int {.ferryStatic.} = 1
ferryLibrary bad, "1.0.0":
  discard 1
