# SPDX-License-Identifier: BSD-3-Clause
## Stands for the package `results` in the tests, which have no packages: what a library uses of it here.

type Result*[T, E] = object
  failed: bool
  when T isnot void:
    held: T
  failure: E

proc isErr*[T, E](outcome: Result[T, E]): bool = outcome.failed
proc error*[T, E](outcome: Result[T, E]): E = outcome.failure
proc get*[T: not void, E](outcome: Result[T, E]): T =
  doAssert not outcome.failed
  outcome.held

proc succeed*[T: not void, E](kind: typedesc[Result[T, E]]; value: T): Result[T, E] = Result[T, E](held: value)
proc succeed*[E](kind: typedesc[Result[void, E]]): Result[void, E] = Result[void, E]()
proc fail*[T, E](kind: typedesc[Result[T, E]]; error: E): Result[T, E] = Result[T, E](failed: true, failure: error)

template ok*(value: untyped): untyped = succeed(typeof(result), value)
template ok*(): untyped = succeed(typeof(result))
template err*(error: untyped): untyped = fail(typeof(result), error)

template valueOr*[T, E](outcome: Result[T, E]; otherwise: untyped): untyped =
  let each = outcome
  if each.isErr:
    template error: untyped {.used, inject.} = each.failure
    otherwise
  else: each.held
