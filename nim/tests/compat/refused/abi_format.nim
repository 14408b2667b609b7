# refused: defaultABIFormat is 'json'; use "c" or "cbor"
# SPDX-License-Identifier: BSD-3-Clause
import ffi
type Lib = ref object
declareLibrary("bad", Lib, "json")
