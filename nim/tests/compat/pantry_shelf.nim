# SPDX-License-Identifier: BSD-3-Clause
## A module of the library `pantry` with annotations of its own.

import ffi
when not declared(chronos): import results
import pantry_types

type Jar {.ffiHandle.} = ref object
  ## A jar that stands open.
  label: string
  spoons: int

proc pantryOpenJar(pantry: Pantry, label: string): Future[Result[Jar, string]] {.ffi.} =
  ## Open a jar.
  if label notin pantry.items: return err("there is no jar " & label)
  return ok(Jar(label: label))

proc takeSpoon(jar: Jar): Future[Result[int, string]] {.ffi.} =
  ## Take a spoon; returns how many were taken.
  inc jar.spoons
  return ok(jar.spoons)

proc pantryCloseJar(pantry: Pantry, jar: Jar): Future[Result[void, string]] {.ffi.} =
  closeHandle(jar)
  return ok()
