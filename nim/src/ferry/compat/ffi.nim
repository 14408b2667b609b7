# SPDX-License-Identifier: BSD-3-Clause
## Builds a library that was written for nim-ffi 0.3: `import ferry/compat/ffi` instead of `import ffi`. Or leave the source
## as it is, and have the compiler look for `ffi` in the folder of this file. docs/ingress-nim.md says what is kept.
##
## As nim-ffi does, this offers chronos, `tables` and `atomics` too, and chronicles where the compiler finds it. With
## -d:asyncBackend:asyncdispatch it needs nothing but the standard library.

import std/[atomics, compilesettings, os, tables]
import "."/translation
import "../.."/ferry

const
  asyncBackend {.strdefine.} = "chronos"
  hasChronicles = block:
    var found = false
    for setting in [MultipleValueSetting.searchPaths, MultipleValueSetting.nimblePaths]:
      for folder in querySettingSeq(setting):
        if fileExists(folder / "chronicles.nim"): found = true
    found

export atomics, ferry, tables
export translation except libraryName, isWhole

when asyncBackend == "chronos":
  import chronos
  import "../chronos_loop"
  export chronos
elif asyncBackend == "asyncdispatch":
  import std/asyncdispatch
  export asyncdispatch
else:
  {.error: "ferry: asyncBackend is '" & asyncBackend & "'; use chronos or asyncdispatch".}

when hasChronicles:
  import chronicles
  export chronicles
