# refused: there is a library 'bad' already
# SPDX-License-Identifier: BSD-3-Clause
import ffi
type Lib = ref object
declareLibrary("bad", Lib)
declareLibrary("worse", Lib)
