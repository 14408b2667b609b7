# SPDX-License-Identifier: BSD-3-Clause
## The context of the library `pantry`.

import ffi

type Pantry* = ref object
  owner*: string
  items*: seq[string]

declareLibrary("pantry", Pantry, defaultABIFormat = "c")
