# refused: the result of deep nests 33 deep; a message nests at most 32 deep
# SPDX-License-Identifier: BSD-3-Clause
import ferry
proc deep(): seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[
  seq[seq[seq[seq[seq[int]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]
  {.ferryStatic.} = discard
ferryLibrary bad, "1.0.0"
