# SPDX-License-Identifier: BSD-3-Clause
## Whether bytes are UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF (RFC 3629).

import ./memory

{.push raises: [], checks: off, stackTrace: off, profiler: off.}

const HighBits = 0x8080808080808080'u64

proc continues(p: Pos): bool {.inline.} =
  (load(byte, p) and 0xc0) == 0x80

proc isUtf8Slow(first, stop: Pos): bool {.noinline.} =
  var p = first
  while p < stop:
    while stop - p >= 8 and (load(uint64, p) and HighBits) == 0: p += 8
    if p >= stop: break
    let lead = load(byte, p)
    if lead < 0x80:
      inc p
    elif lead < 0xc2:
      return false
    elif lead < 0xe0:
      if stop - p < 2 or not continues(p + 1): return false
      p += 2
    elif lead < 0xf0:
      if stop - p < 3 or not continues(p + 1) or not continues(p + 2): return false
      let second = load(byte, p + 1)
      if (lead == 0xe0 and second < 0xa0) or (lead == 0xed and second > 0x9f): return false
      p += 3
    elif lead < 0xf5:
      if stop - p < 4 or not continues(p + 1) or not continues(p + 2) or not continues(p + 3): return false
      let second = load(byte, p + 1)
      if (lead == 0xf0 and second < 0x90) or (lead == 0xf4 and second > 0x8f): return false
      p += 4
    else:
      return false
  true

proc isUtf8*(p: Pos; bytes: int): bool {.inline.} =
  ## Whether `bytes` bytes at `p` are UTF-8. Short ASCII, which most strings are, is looked at eight bytes at a time,
  ## the last eight overlapping those before.
  if bytes >= 8:
    var seen = load(uint64, p + Pos(bytes) - 8)
    var i = 0
    while i + 8 < bytes:
      seen = seen or load(uint64, p + Pos(i))
      i += 8
    if (seen and HighBits) == 0: return true
  elif bytes >= 4:
    if ((load(uint32, p) or load(uint32, p + Pos(bytes) - 4)) and 0x80808080'u32) == 0: return true
  elif bytes > 0:
    if ((load(byte, p) or load(byte, p + Pos(bytes shr 1)) or load(byte, p + Pos(bytes) - 1)) and 0x80) == 0:
      return true
  else:
    return true
  isUtf8Slow(p, p + Pos(bytes))

{.pop.}
