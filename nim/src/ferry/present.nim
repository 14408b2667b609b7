# SPDX-License-Identifier: BSD-3-Clause
## Options that are filled in where they lie. `some(value)` makes a copy that the processor then waits for: its stores are
## half as wide as the loads that move it (measured as 15% of decoding ComplexRequest).

import std/options

{.push raises: [], checks: off, stackTrace: off, profiler: off.}

template intoOption*[T](v: var Option[T]; name, read: untyped): untyped =
  ## `read` the value `name` within `v`, which is none; its result is a position, 0 when that failed.
  when T is ref:
    # of a ref the option is the ref, and may not be nil
    var name: T
    let after = read
    if after != 0: v = some(name)
    after
  else:
    for field, part in fieldPairs(v):
      when field == "has": part = true
    template name: untyped = cast[ptr T](unsafeAddr v.unsafeGet)[]
    read

{.pop.}
