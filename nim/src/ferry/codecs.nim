# SPDX-License-Identifier: BSD-3-Clause
## Writes the codecs of the author's types: straight-line code for each object, in both formats.
##
## This module writes them as Nim source and parses that, since source is easier to read than syntax trees. Ferry's own
## names in that source are bound here, so that an author's names cannot replace them. Overloads such as `getCbor` are
## looked up in the author's module too, since those of the author's types are there.
##
## A decoder of `cbor` expects the keys in the order of the deterministic encoding. Where the next key is another one, a
## slower procedure reads the rest of the object, so nothing is read twice, however deep it nests.

import std/[algorithm, macros, options, strutils, tables]
import "."/[cbor, decoder, flat, handles, memory, registry]

proc bound(name: string): NimNode {.compileTime.} =
  ## The symbol that a name in generated code stands for, where it is one of Ferry's; nil where it is the author's.
  case name
  of "Pos": bindSym"Pos"
  of "Decoder": bindSym"Decoder"
  of "copyKnown": bindSym"copyKnown"
  of "clear": bindSym"clear"
  of "same": bindSym"same"
  of "literal": bindSym"literal"
  of "Option": bindSym"Option"
  of "isSome": bindSym"isSome"
  of "isNone": bindSym"isNone"
  of "unsafeGet": bindSym"unsafeGet"
  of "HeadMax": bindSym"HeadMax"
  of "putHandleCbor": bindSym"putHandleCbor"
  of "getHandleCbor": bindSym"getHandleCbor"
  of "putHandleFlat": bindSym"putHandleFlat"
  of "getHandleFlat": bindSym"getHandleFlat"
  of "putHead": bindSym"putHead"
  of "getCount": bindSym"getCount"
  of "MajorMap": bindSym"MajorMap"
  of "ended": bindSym"ended"
  of "nested": bindSym"nested"
  of "isBelievable": bindSym"isBelievable"
  of "getKey": bindSym"getKey"
  of "EndsEarly": bindSym"EndsEarly"
  of "GivenTwice": bindSym"GivenTwice"
  of "Missing": bindSym"Missing"
  of "UnknownCase": bindSym"UnknownCase"
  of "OutOfRange": bindSym"OutOfRange"
  of "getNull": bindSym"getNull"
  of "loadNumber": bindSym"loadNumber"
  of "storeNumber": bindSym"storeNumber"
  of "DepthMax": bindSym"DepthMax"
  of "cborLeast": bindSym("cborLeast", brOpen)
  of "recurses": bindSym("recurses", brOpen)
  of "isTooDeep": bindSym("isTooDeep", brOpen)
  of "skipCbor": bindSym"skipCbor"
  of "leftOf": bindSym"left"
  of "failWith": bindSym"fail"
  of "inField": bindSym"inField"
  of "getZeros": bindSym"getZeros"
  of "alignUp": bindSym"alignUp"
  of "cborBound": bindSym("cborBound", brOpen)
  of "putCbor": bindSym("putCbor", brOpen)
  of "getCbor": bindSym("getCbor", brOpen)
  of "flatSize": bindSym("flatSize", brOpen)
  of "flatAlign": bindSym("flatAlign", brOpen)
  of "flatExtra": bindSym("flatExtra", brOpen)
  of "putFlat": bindSym("putFlat", brOpen)
  of "getFlat": bindSym("getFlat", brOpen)
  else: nil

proc bindNames(node: NimNode): NimNode {.compileTime.} =
  ## Replace Ferry's names by their symbols, except the names of procedures that the generated code itself defines.
  ## Quoted names stay too: they are the author's.
  case node.kind
  of nnkIdent:
    let symbol = bound($node)
    if symbol == nil: node else: symbol
  of nnkAccQuoted: node
  of nnkDotExpr:
    node[0] = bindNames(node[0])
    node
  of nnkProcDef, nnkFuncDef:
    for i in 1 ..< node.len: node[i] = bindNames(node[i])
    node
  else:
    for i in 0 ..< node.len: node[i] = bindNames(node[i])
    node

proc compiled(source: string): NimNode {.compileTime.} =
  bindNames(parseStmt(source))

# ---- pieces of source ------------------------------------------------------------------------------------------------

proc quoted(text: string): string {.compileTime.} =
  ## The text as a literal of Nim. Names are ASCII; the heads of keys need not be.
  result = "\""
  for c in text:
    if c in {'\x20' .. '\x7e'} and c notin {'"', '\\'}: result.add(c) else: result.add("\\x" & toHex(ord(c), 2))
  result.add("\"")

proc keyOf(name: string): string {.compileTime.} =
  ## A key as CBOR. A name has at most 64 bytes, so its head has one byte or two.
  let head = if name.len < 24: $chr(0x60 + name.len) else: "\x78" & $chr(name.len)
  head & name

proc isOption(field: Field): bool {.compileTime.} =
  let syntax = resolved(field.syntax)
  syntax.kind == nnkBracketExpr and typeName(syntax) == "Option"

proc viewOf(declared: Declared): string {.compileTime.} = declared.nimCode.replace("Wire", "View")

proc written(declared: Declared): string {.compileTime.} =
  ## The type whose values are written: of what a `case` comes to, a view of the author's object.
  if declared.author.len > 0: declared.viewOf else: declared.name

proc put(declared: Declared; field: Field): string {.compileTime.} =
  ## A field where it is written.
  if declared.author.len == 0: return "v.`" & field.nimName & "`"
  let part = find(typeName(field.syntax))
  # one that is a variant of the same object
  if part != nil and part.author == declared.author and part.nimCode.len > 0: part.viewOf & "(p: v.p)"
  else: "v.p[].`" & field.nimName & "`"

proc access(field: Field): string {.compileTime.} = "v.`" & field.nimName & "`"

proc cborOrder(declared: Declared): seq[int] {.compileTime.} =
  ## The indices of the fields, in the order of their encoded keys.
  for i in 0 ..< declared.fields.len: result.add(i)
  result.sort(proc (a, b: int): int = cmp(keyOf(declared.fields[a].name), keyOf(declared.fields[b].name)))

proc mapHead(count: int): string {.compileTime.} =
  if count < 24: $chr(0xa0 + count) else: "\xb8" & $chr(count)

# ---- cbor ------------------------------------------------------------------------------------------------------------

proc cborPut(declared: Declared): string {.compileTime.} =
  var keys = 2
  var sum, body, pending: string
  var required = 0
  for field in declared.fields:
    keys += keyOf(field.name).len
    if field.isOption: sum.add("\n  if isSome(" & put(declared, field) & "): result += cborBound(unsafeGet(" &
      put(declared, field) & "))")
    else:
      sum.add("\n  result += cborBound(" & put(declared, field) & ")")
      inc required
  result = "proc cborBound*(v: " & declared.written & "): int {.inline.} =\n  result = " & $keys & sum
  proc flush() =
    if pending.len > 0:
      body.add("\n  copyKnown(result, literal(" & quoted(pending) & "), " & $pending.len & ")\n  result += " &
        $pending.len)
      pending = ""
  if required == declared.fields.len: pending = mapHead(required)
  else:
    body.add("\n  var count = " & $required)
    for field in declared.fields:
      if field.isOption: body.add("\n  if isSome(" & put(declared, field) & "): inc count")
    body.add("\n  result = putHead(result, MajorMap, uint64(count))")
  for i in cborOrder(declared):
    let field = declared.fields[i]
    let key = keyOf(field.name)
    if field.isOption:
      body.add("\n  if isSome(" & put(declared, field) & "):\n    copyKnown(result, literal(" & quoted(key) & "), " &
        $key.len &
        ")\n    result = putCbor(result + " & $key.len & ", unsafeGet(" & put(declared, field) & "))")
    else:
      pending.add(key)
      flush()
      body.add("\n  result = putCbor(result, " & put(declared, field) & ")")
  flush()
  result.add("\nproc putCbor*(p: Pos; v: " & declared.written & "): Pos {.inline.} =\n  result = p" & body & "\n")

proc words(declared: Declared): int {.compileTime.} =
  ## How many words of 64 bits are needed for one bit per field.
  max(1, (declared.fields.len + 63) div 64)

proc bit(index: int): string {.compileTime.} = $(1'u64 shl (index mod 64)) & "'u64"

proc mark(index: int): string {.compileTime.} =
  "[" & $(index div 64) & "]"

proc lacks(declared: Declared): string {.compileTime.} =
  ## Code that asks whether any field other than an option has not been read.
  for word in 0 ..< words(declared):
    var mask = 0'u64
    for i in word * 64 ..< min(declared.fields.len, word * 64 + 64):
      if not declared.fields[i].isOption: mask = mask or (1'u64 shl (i - word * 64))
    if mask != 0: result.add(" or (had[" & $word & "] and " & $mask & "'u64) != " & $mask & "'u64")

proc cborRest(declared: Declared): string {.compileTime.} =
  ## The procedure that reads the rest of an object, from the first key that is not where the deterministic encoding has
  ## it.
  result = "proc getCborRest(d: var Decoder; at: Pos; before: int; had: array[" & $words(declared) &
    ", uint64]; v: var " & declared.code &
      "): Pos {.noinline.} =\n  result = at\n  var count = before\n  var given = had\n" &
    "  while not ended(d, result, count):\n    var key: string\n    result = getKey(d, result, key)\n" &
    "    if result == 0: return 0\n    case key\n"
  for i, field in declared.fields:
    result.add("    of " & quoted(field.name) & ":\n      if (given" & mark(i) & " and " & bit(i) & ") != 0:\n" &
      "        discard failWith(d, GivenTwice)\n        return inField(d, " & quoted(field.name) & ")\n" &
      "      given" & mark(i) & " = given" & mark(i) & " or " & bit(i) & "\n      result = getCbor(d, result, " &
        access(field) & ")\n" &
      "      if result == 0: return inField(d, " & quoted(field.name) & ")\n")
  if declared.fields.len == 0: result = result.replace("    case key\n", "    block:\n")
  else: result.add("    else:\n")
  result.add("      result = skipCbor(d, result)\n      if result == 0: return 0\n")
  for i in cborOrder(declared):
    let field = declared.fields[i]
    if field.isOption: continue
    result.add("  if (given" & mark(i) & " and " & bit(i) &
      ") == 0:\n    discard failWith(d, Missing)\n    return inField(d, " &
      quoted(field.name) & ")\n")

proc cborGet(declared: Declared): string {.compileTime.} =
  result = cborRest(declared)
  result.add("proc getCbor*(d: var Decoder; at: Pos; v: var " & declared.code & "): Pos {.inline.} =\n" &
    "  var count: int\n  result = getCount(d, at, MajorMap, count)\n  if result == 0: return 0\n" &
    "  var had: array[" & $words(declared) &
      ", uint64]\n  nested(d):\n    if not isBelievable(d, result, count, 2): " &
      "return failWith(d, EndsEarly)\n    block straight:\n")
  if declared.fields.len == 0: result.add("      discard\n")
  for i in cborOrder(declared):
    let field = declared.fields[i]
    let key = keyOf(field.name)
    result.add("      if count > 0 and leftOf(d, result) >= " & $key.len & " and same(result, literal(" & quoted(key) &
      "), " & $key.len & "):\n        result = getCbor(d, result + " & $key.len & ", " & access(field) & ")\n" &
      "        if result == 0: return inField(d, " & quoted(field.name) & ")\n        had" & mark(i) & " = had" &
        mark(i) &
      " or " & bit(i) &
      "\n        dec count\n")
    if not field.isOption: result.add("      else: break straight\n")
  result.add("    if count != 0" & lacks(declared) & ":\n" &
    "      result = getCborRest(d, result, count, had, v)\n      if result == 0: return 0\n")

# ---- c ---------------------------------------------------------------------------------------------------------------

proc offsets(declared: Declared): string {.compileTime.} =
  ## Where each field begins (o), where it ends (e), and the size and alignment of the whole, as constants.
  result = "  const\n"
  if declared.kind == KindVariant:
    # what a case carries lies `within`, behind the number of the case
    var (aligned, most) = ("4", "0")
    for part in declared.fields:
      if part.syntax == nil: continue
      aligned = "max(" & aligned & ", flatAlign(" & part.syntax.repr & "))"
      most = "max(" & most & ", flatSize(" & part.syntax.repr & "))"
    return result & "    aligned = " & aligned & "\n    within = alignUp(4, aligned)\n    size = alignUp(within + " & most &
      ", aligned)\n"
  var ends = "0"
  var aligned = "1"
  for i, field in declared.fields:
    let syntax = field.syntax.repr
    result.add("    o" & $i & " = alignUp(" & ends & ", flatAlign(" & syntax & "))\n    e" & $i & " = o" & $i &
      " + flatSize(" &
      syntax & ")\n")
    ends = "e" & $i
    aligned = "max(" & aligned & ", flatAlign(" & syntax & "))"
  result.add("    aligned = " & aligned & "\n    size = alignUp(" & ends & ", aligned)\n")

proc gap(declared: Declared; i: int): string {.compileTime.} =
  ## Where the padding after a field ends.
  if i + 1 < declared.fields.len: "o" & $(i + 1) else: "size"

proc flatLayout(declared: Declared): string {.compileTime.} =
  for function in ["Size", "Align"]:
    result.add("func flat" & function & "*(_: typedesc[" & declared.code & "]): int {.inline.} =\n" &
      offsets(declared) &
      "  " & (if function == "Size": "size" else: "aligned") & "\n")
    if declared.isWhole:
      result.add("func flat" & function & "*(_: typedesc[" & declared.author & "]): int {.inline.} = flat" & function &
        "(" & declared.code & ")\n")

proc flatPut(declared: Declared): string {.compileTime.} =
  result = "proc flatExtra*(v: " & declared.written & "): int {.inline.} =\n  result = 0\n"
  for field in declared.fields: result.add("  result += flatExtra(" & put(declared, field) & ")\n")
  result.add("proc putFlat*(base, at, tail: Pos; v: " & declared.written & "): Pos {.inline.} =\n" & offsets(declared) &
    "  result = tail\n")
  for i, field in declared.fields:
    result.add("  result = putFlat(base, at + Pos(o" & $i & "), result, " & put(declared, field) & ")\n" &
      "  when " & gap(declared, i) & " > e" & $i & ": clear(at + Pos(e" & $i & "), " & gap(declared, i) & " - e" &
        $i & ")\n")

proc flatGet(declared: Declared): string {.compileTime.} =
  result = "proc getFlat*(d: var Decoder; at, tail: Pos; v: var " & declared.code & "): Pos {.inline.} =\n" &
    offsets(declared) & "  result = tail\n  nested(d):\n"
  for i, field in declared.fields:
    result.add("    result = getFlat(d, at + Pos(o" & $i & "), result, " & access(field) & ")\n" &
      "    if result == 0: return inField(d, " & quoted(field.name) & ")\n" &
      "    when " & gap(declared, i) & " > e" & $i & ":\n      if getZeros(d, at + Pos(e" & $i & "), " &
        gap(declared, i) &
      " - e" & $i & ") == 0: return 0\n")
  if declared.fields.len == 0: result.add("    discard\n")

# ---- nesting ---------------------------------------------------------------------------------------------------------

proc reaches(declared: Declared; name: string; seen: var seq[string]): bool {.compileTime.} =
  ## Whether values of a type can hold values of the type `name`, at any depth.
  proc inSyntax(given: NimNode; seen: var seq[string]): bool =
    let syntax = resolved(given)
    if syntax.kind == nnkBracketExpr:
      for i in 1 ..< syntax.len:
        if inSyntax(syntax[i], seen): return true
      return false
    let inner = find(typeName(syntax))
    if inner == nil or inner.kind notin {KindObject, KindVariant}: return false
    inner.code == name or reaches(inner, name, seen)
  if declared.code in seen: return false
  seen.add(declared.code)
  for field in declared.fields:
    if field.syntax != nil and inSyntax(field.syntax, seen): return true

proc isRecursive(declared: Declared): bool {.compileTime.} =
  ## Whether values of a type can nest without end.
  for other in declaredTypes:
    if other.kind notin {KindObject, KindVariant}: continue
    var seen, seenAgain: seq[string]
    if (other == declared or reaches(declared, other.code, seen)) and reaches(other, other.code, seenAgain): return true

proc nesting(declared: Declared): string {.compileTime.} =
  result = "func recurses*(_: typedesc[" & declared.code & "]): bool {.inline.} = " & $isRecursive(declared) & "\n" &
    "func isTooDeep*(v: " & declared.written & "; level: int): bool {.inline.}\n"

proc nestingBody(declared: Declared): string {.compileTime.} =
  result = "func isTooDeep*(v: " & declared.written &
    "; level: int): bool {.inline.} =\n  if level == DepthMax: return true\n"
  for field in declared.fields: result.add("  if isTooDeep(" & put(declared, field) & ", level + 1): return true\n")

proc leastOf(declared: Declared): int {.compileTime.}

proc leastOf(given: NimNode): int {.compileTime.} =
  ## The fewest bytes that a value of a type takes in `cbor`. It is computed here and not by `cborLeast` of the types
  ## inside, since among overloads for types Nim takes the general one where a macro has bound the name.
  let syntax = if given == nil: nil else: resolved(given)
  let declared = if syntax == nil or syntax.kind == nnkBracketExpr: nil else: find(typeName(syntax))
  if declared == nil: 1 else: leastOf(declared)

proc leastOf(declared: Declared): int {.compileTime.} =
  case declared.kind
  of KindObject:
    result = 1
    for field in declared.fields:
      if not field.isOption: result += keyOf(field.name).len + leastOf(field.syntax)
  of KindVariant:
    result = high(int)
    for part in declared.fields: result = min(result, 1 + keyOf(part.name).len + leastOf(part.syntax))
  else: result = 1

proc least(declared: Declared): string {.compileTime.} =
  ## Two things about an object or a variant: the fewest bytes that it takes in `cbor`, and a check that its struct in `c`
  ## is small enough.
  "func cborLeast*(_: typedesc[" & declared.code & "]): int {.inline.} = " & $leastOf(declared) & "\n" &
    "when flatSize(" & declared.code & ") > " & $StructBytesMax & ":\n  {.error: \"ferry: a struct of '" &
      declared.name &
    "' would be larger than " & $StructBytesMax & " bytes; put some of its objects into a seq\".}\n"

proc heads(declared: Declared): string {.compileTime.} =
  ## The declarations of an object's codecs. They stand before all bodies, since objects may hold sequences of each
  ## other.
  let (name, written) = (declared.code, declared.written)
  "proc cborBound*(v: " & written & "): int {.inline.}\nproc putCbor*(p: Pos; v: " & written & "): Pos {.inline.}\n" &
    "proc getCbor*(d: var Decoder; at: Pos; v: var " & name & "): Pos {.inline.}\n" &
    "proc flatExtra*(v: " & written & "): int {.inline.}\nproc putFlat*(base, at, tail: Pos; v: " & written &
      "): Pos {.inline.}\n" &
    "proc getFlat*(d: var Decoder; at, tail: Pos; v: var " & name & "): Pos {.inline.}\n"

# ---- variants ----------------------------------------------------------------------------------------------------------

proc isEmpty(part: Field): bool {.compileTime.} = part.syntax == nil

proc inBranch(part: Field): string {.compileTime.} =
  ## What a case carries, where it is written.
  find(typeName(part.syntax)).viewOf & "(p: v.p)"

proc variantTypes(declared: Declared): string {.compileTime.} =
  ## The type that is read, and the view of the author's object that is written.
  result = "type\n  " & declared.code & " = object\n"
  if declared.kind == KindVariant: result.add("    which: int32\n")
  for part in declared.fields:
    if not part.isEmpty: result.add("    `" & part.nimName & "`: " & part.syntax.repr & "\n")
  result.add("  " & declared.viewOf & " = object\n    p: ptr " & declared.author & "\n")

proc eachCase(declared: Declared; empty, carrying: proc (part: Field; place: int): string): string {.compileTime.} =
  ## A `case` statement over the author's object, with a line for each of its cases.
  result = "  case v.p[].`" & declared.selector & "`\n"
  for place, part in declared.fields:
    result.add("  of " & declared.labels[place] & ": " & (if part.isEmpty: empty(part, place) else: carrying(part, place)) &
      "\n")

proc variantPut(declared: Declared): string {.compileTime.} =
  proc head(part: Field): string = mapHead(1) & keyOf(part.name)
  proc start(part: Field; more: string): string =
    "copyKnown(p, literal(" & quoted(head(part) & more) & "), " & $(head(part).len + more.len) & ")"
  result = "proc cborBound*(v: " & declared.viewOf & "): int {.inline.} =\n" & eachCase(declared,
    proc (part: Field; place: int): string = "result = " & $(head(part).len + 1),
    proc (part: Field; place: int): string = "result = " & $head(part).len & " + cborBound(" & inBranch(part) & ")")
  result.add("proc putCbor*(p: Pos; v: " & declared.viewOf & "): Pos {.inline.} =\n" & eachCase(declared,
    proc (part: Field; place: int): string =
      "\n    " & start(part, "\xf6") & "\n    result = p + " & $(head(part).len + 1),
    proc (part: Field; place: int): string =
      "\n    " & start(part, "") & "\n    result = putCbor(p + " & $head(part).len & ", " & inBranch(part) & ")"))
  result.add("proc flatExtra*(v: " & declared.viewOf & "): int {.inline.} =\n" & eachCase(declared,
    proc (part: Field; place: int): string = "result = 0",
    proc (part: Field; place: int): string = "result = flatExtra(" & inBranch(part) & ")"))
  result.add("proc putFlat*(base, at, tail: Pos; v: " & declared.viewOf & "): Pos {.inline.} =\n" & offsets(declared) &
    "  clear(at, size)\n" & eachCase(declared,
    proc (part: Field; place: int): string = "\n    storeNumber(at, " & $place & ")\n    result = tail",
    proc (part: Field; place: int): string =
      "\n    storeNumber(at, " & $place & ")\n    result = putFlat(base, at + Pos(within), tail, " & inBranch(part) & ")"))

proc variantGet(declared: Declared): string {.compileTime.} =
  result = "proc getCbor*(d: var Decoder; at: Pos; v: var " & declared.code & "): Pos {.inline.} =\n" &
    "  var count: int\n  result = getCount(d, at, MajorMap, count)\n  if result == 0: return 0\n  nested(d):\n" &
    "    if not isBelievable(d, result, count, 2): return failWith(d, EndsEarly)\n" &
    "    if ended(d, result, count): return failWith(d, Missing)\n    var key: string\n" &
    "    result = getCbor(d, result, key)\n    if result == 0: return 0\n    case key\n"
  for place, part in declared.fields:
    result.add("    of " & quoted(part.name) & ":\n      v.which = " & $place & "\n      result = " &
      (if part.isEmpty: "getNull(d, result)" else: "getCbor(d, result, " & access(part) & ")") &
      "\n      if result == 0: return inField(d, " & quoted(part.name) & ")\n")
  result.add("    else: return failWith(d, UnknownCase)\n" &
    "    if not ended(d, result, count): return failWith(d, GivenTwice)\n")
  result.add("proc getFlat*(d: var Decoder; at, tail: Pos; v: var " & declared.code & "): Pos {.inline.} =\n" &
    offsets(declared) & "  result = tail\n  nested(d):\n    v.which = loadNumber(at)\n" &
    "    if v.which < 0 or v.which >= " & $declared.fields.len & ": return failWith(d, UnknownCase)\n" &
    "    if getZeros(d, at + Pos(4), within - 4) == 0: return 0\n    case v.which\n")
  for place, part in declared.fields:
    if part.isEmpty:
      result.add("    of " & $place & ":\n      if getZeros(d, at + Pos(within), size - within) == 0: return 0\n")
      continue
    result.add("    of " & $place & ":\n      result = getFlat(d, at + Pos(within), result, " & access(part) & ")\n" &
      "      if result == 0: return inField(d, " & quoted(part.name) & ")\n" &
      "      if getZeros(d, at + Pos(within + flatSize(" & part.syntax.repr & ")), size - within - flatSize(" &
      part.syntax.repr & ")) == 0: return 0\n")
  result.add("    else: discard\n")

proc variantNesting(declared: Declared): string {.compileTime.} =
  "func isTooDeep*(v: " & declared.viewOf & "; level: int): bool {.inline.} =\n  if level == DepthMax: return true\n" &
    eachCase(declared, proc (part: Field; place: int): string = "discard",
    proc (part: Field; place: int): string = "result = isTooDeep(" & inBranch(part) & ", level + 1)")

proc wholeHeads(declared: Declared): string {.compileTime.} =
  ## The declarations of the codecs of the author's own type.
  let name = declared.author
  heads(Declared(kind: KindObject, name: name)) & "func isTooDeep*(v: " & name & "; level: int): bool {.inline.}\n" &
    "func recurses*(_: typedesc[" & name & "]): bool {.inline.} = " & $isRecursive(declared) & "\n" &
    "func cborLeast*(_: typedesc[" & name & "]): int {.inline.} = " & $leastOf(declared) & "\n"

proc restoring(author, indent, fields: string; left: seq[(Declared, string)]): string {.compileTime.} =
  ## Code that makes the author's object of what was read. `fields` were found before, and `left` are the types whose
  ## values are still to be looked at, with where they were read.
  if left.len == 0: return indent & "v = " & author & "(" & fields & ")\n"
  let (declared, at) = left[^1]
  let others = left[0 .. ^2]
  if declared.kind == KindObject:
    var (given, more) = (fields, others)
    for field in declared.fields:
      let part = find(typeName(field.syntax))
      let place = at & ".`" & field.nimName & "`"
      if part != nil and part.author == declared.author and part.nimCode.len > 0: more.add((part, place))
      else: given.add((if given.len > 0: ", " else: "") & "`" & field.nimName & "`: move(" & place & ")")
    return restoring(author, indent, given, more)
  result = indent & "case " & at & ".which\n"
  for place, part in declared.fields:
    let given = fields & (if fields.len > 0: ", " else: "") & "`" & declared.selector & "`: " & declared.labels[place]
    let inner = if part.isEmpty: others else: others & (find(typeName(part.syntax)), at & ".`" & part.nimName & "`")
    result.add(indent & (if place < declared.fields.len - 1: "of " & $place else: "else") & ":\n" &
      restoring(author, indent & "  ", given, inner))

proc wholeCode(declared: Declared): string {.compileTime.} =
  ## The codecs of the author's own type, which are those of what it comes to.
  let name = declared.author
  let view = declared.viewOf & "(p: unsafeAddr v)"
  let made = restoring(name, "    ", "", @[(declared, "w")])
  "proc cborBound*(v: " & name & "): int {.inline.} = cborBound(" & view & ")\n" &
    "proc putCbor*(p: Pos; v: " & name & "): Pos {.inline.} = putCbor(p, " & view & ")\n" &
    "proc flatExtra*(v: " & name & "): int {.inline.} = flatExtra(" & view & ")\n" &
    "proc putFlat*(base, at, tail: Pos; v: " & name & "): Pos {.inline.} = putFlat(base, at, tail, " & view & ")\n" &
    "func isTooDeep*(v: " & name & "; level: int): bool {.inline.} = isTooDeep(" & view & ", level)\n" &
    "proc getCbor*(d: var Decoder; at: Pos; v: var " & name & "): Pos {.inline.} =\n  var w: " & declared.code &
    "\n  result = getCbor(d, at, w)\n  if result != 0:\n" & made &
    "proc getFlat*(d: var Decoder; at, tail: Pos; v: var " & name & "): Pos {.inline.} =\n  var w: " & declared.code &
    "\n  result = getFlat(d, at, tail, w)\n  if result != 0:\n" & made

# ---- a module's worth ------------------------------------------------------------------------------------------------

proc enumCode(declared: Declared): string {.compileTime.} =
  result = "func isValueOf*(_: typedesc[" & declared.name & "]; number: int64): bool {.inline.} =\n  case number\n"
  for value in declared.values: result.add("  of " & $value.number & ": true\n")
  result.add("  else: false\n")

proc handleCode(declared: Declared; kind: int): string {.compileTime.} =
  ## Both formats of a handle type, which `Option[T]`, `seq[T]` and `Table[K, T]` find as they find those of objects.
  let name = declared.name
  let more = ", " & $kind & "'u32, " & quoted(name) & ")\n"
  "proc cborBound*(v: " & name & "): int {.inline.} = HeadMax\n" &
    "proc putCbor*(p: Pos; v: " & name & "): Pos {.inline.} = putHandleCbor(p, v, " & $kind & "'u32)\n" &
    "proc getCbor*(d: var Decoder; at: Pos; v: var " & name & "): Pos {.inline.} =\n  getHandleCbor(d, at, v" & more &
    "func flatSize*(_: typedesc[" & name & "]): int {.inline.} = 8\n" &
    "func flatAlign*(_: typedesc[" & name & "]): int {.inline.} = 8\n" &
    "proc flatExtra*(v: " & name & "): int {.inline.} = 0\n" &
    "proc putFlat*(base, at, tail: Pos; v: " & name & "): Pos {.inline.} = putHandleFlat(at, tail, v, " & $kind &
    "'u32)\n" &
    "proc getFlat*(d: var Decoder; at, tail: Pos; v: var " & name & "): Pos {.inline.} =\n" &
    "  getHandleFlat(d, at, tail, v" & more

proc distinctCode(declared: Declared): string {.compileTime.} =
  ## Both formats of a distinct type, which are those of the type that it is of.
  let (name, base) = (declared.name, declared.base.repr)
  let get = ": Pos {.inline.} =\n  var base: " & base & "\n"
  "proc cborBound*(v: " & name & "): int {.inline.} = cborBound(" & base & "(v))\n" &
    "proc putCbor*(p: Pos; v: " & name & "): Pos {.inline.} = putCbor(p, " & base & "(v))\n" &
    "proc getCbor*(d: var Decoder; at: Pos; v: var " & name & ")" & get &
    "  result = getCbor(d, at, base)\n  v = " & name & "(base)\n" &
    "func flatSize*(_: typedesc[" & name & "]): int {.inline.} = flatSize(" & base & ")\n" &
    "func flatAlign*(_: typedesc[" & name & "]): int {.inline.} = flatAlign(" & base & ")\n" &
    "proc flatExtra*(v: " & name & "): int {.inline.} = flatExtra(" & base & "(v))\n" &
    "proc putFlat*(base, at, tail: Pos; v: " & name & "): Pos {.inline.} = putFlat(base, at, tail, " & base & "(v))\n" &
    "proc getFlat*(d: var Decoder; at, tail: Pos; v: var " & name & ")" & get &
    "  result = getFlat(d, at, tail, base)\n  v = " & name & "(base)\n"

proc checkAlias(declared: Declared) {.compileTime.} =
  ## Refuse an alias of what cannot cross, and a distinct type that is not of a scalar.
  let shape = shapeOf(declared.base, declared.name)
  if declared.isDistinct and shape.kind != ShapePlain:
    error("ferry: '" & declared.name & "' is a distinct '" & declared.base.repr & "'; of distinct types only numbers, " &
      "bool, string and seq[byte] cross", declared.node)

proc inOrder(pending: seq[Declared]): seq[Declared] {.compileTime.} =
  ## Sort the objects: each one after those that lie in it, since it needs their sizes. No object contains itself.
  var placed: seq[string]
  proc place(declared: Declared; found: var seq[Declared]) =
    if declared.code in placed: return
    placed.add(declared.code)
    for name in inlineTypesOf(declared):
      let inner = find(name)
      if inner != nil and not inner.hasCodec and inner.kind in {KindObject, KindVariant}: place(inner, found)
    found.add(declared)
  for declared in pending: place(declared, result)

proc codecsOf*(pending: seq[Declared]): NimNode {.compileTime.} =
  ## The codecs of these types. A type that is part of one of them has its codec already, or is among them.
  for declared in pending:
    for field in declared.fields:
      if field.syntax != nil: discard shapeOf(field.syntax, declared.name & "." & field.name)
  var source = "{.push raises: [], gcsafe, checks: off, stackTrace: off, profiler: off, " &
    "hint[XDeclaredButNotUsed]: off.}\n"
  var objects: seq[Declared]
  var types: string
  for declared in pending:
    case declared.kind
    of KindEnum: source.add(enumCode(declared))
    of KindHandle:
      var kind = 0
      for other in declaredTypes:
        if other == declared: break
        if other.kind == KindHandle: inc kind
      source.add(handleCode(declared, kind))
    of KindObject, KindVariant:
      objects.add(declared)
      if declared.author.len > 0: types.add(variantTypes(declared))
    of KindAlias:
      checkAlias(declared)
      if declared.isDistinct: source.add(distinctCode(declared))
  objects = inOrder(objects)
  for declared in objects: source.add(flatLayout(declared))
  for declared in objects:
    source.add(least(declared) & nesting(declared) & heads(declared))
    if declared.isWhole: source.add(wholeHeads(declared))
  for declared in objects:
    if declared.kind == KindVariant:
      source.add(variantPut(declared) & variantGet(declared) & variantNesting(declared))
    else:
      source.add(cborPut(declared) & cborGet(declared) & flatPut(declared) & flatGet(declared) & nestingBody(declared))
    if declared.isWhole: source.add(wholeCode(declared))
    declared.hasCodec = true
  for declared in pending: declared.hasCodec = true
  # the types in one section, since they may contain each other
  let first = if types.len > 0: "type\n" & types.replace("type\n", "") else: ""
  compiled(first & source & "{.pop.}\n")

proc missingCodecs*(): NimNode {.compileTime.} =
  ## The codecs of every type that was declared since the last time.
  var pending: seq[Declared]
  for declared in declaredTypes:
    if not declared.hasCodec: pending.add(declared)
  if pending.len == 0: newStmtList() else: codecsOf(pending)

macro ferryCodecs*(): untyped =
  ## Write the codecs of the types that were declared so far, for a program that uses them without a library.
  missingCodecs()
