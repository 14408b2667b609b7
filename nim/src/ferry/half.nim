# SPDX-License-Identifier: BSD-3-Clause
## Floats of 16 bits (IEEE 754 binary16), which CBOR prefers where they keep the value.

{.push raises: [], checks: off, stackTrace: off, profiler: off.}

proc toHalf*(v: float32; half: var uint16): bool =
  ## The 16-bit float of the same value; false when there is none. `v` is not NaN.
  let bits = cast[uint32](v)
  let sign = uint16(bits shr 16) and 0x8000
  let exponent = int((bits shr 23) and 0xff) - 127
  let fraction = bits and 0x7fffff
  if exponent == 128:
    half = sign or 0x7c00
  elif exponent >= -14 and exponent <= 15:
    if (fraction and 0x1fff) != 0: return false
    half = sign or (uint16(exponent + 15) shl 10) or uint16(fraction shr 13)
  elif exponent >= -24 and exponent < -14:
    # subnormal: units of 2^-24
    let whole = fraction or 0x800000
    let dropped = uint32(-1 - exponent)
    if (whole and ((1'u32 shl dropped) - 1)) != 0: return false
    half = sign or uint16(whole shr dropped)
  elif exponent == -127 and fraction == 0:
    half = sign
  else: return false
  true

proc fromHalf*(half: uint16): float64 =
  let sign = if (half and 0x8000) != 0: -1.0 else: 1.0
  let exponent = int((half shr 10) and 0x1f)
  let fraction = float64(half and 0x3ff)
  let magnitude =
    if exponent == 31: (if fraction == 0: Inf else: NaN)
    elif exponent == 0: fraction / 16777216.0
    else:
      # 2^(exponent - 25) * (1024 + fraction), with the power built from its bits
      cast[float64](uint64(exponent - 25 + 1023) shl 52) * (1024.0 + fraction)
  sign * magnitude

{.pop.}
