# SPDX-License-Identifier: BSD-3-Clause
## Objects with `case`s: what hosts see of them.
##
## A `case` comes to a variant (spec/interface.md, I8), and what each branch holds to an object of its own. `Shape` with
## the fields `name` and `case kind` is an object `Shape` of `name` and of `kind`, which is the variant `ShapeByKind`, whose
## case `circle` carries an object `ShapeCircle`. An object that is nothing but a `case` is the variant itself.
##
## For each of these types there is one of Nim that is read, and a view of the author's object that is written, so that
## nothing is copied there (codecs.nim).

import std/[macros, strutils]
import "."/[comments, registry]

proc takeDefault(names: NimNode; index: int): NimNode {.compileTime.} =
  ## Take `ferryDefault` away from a field, where Nim has no default values; returns its argument, or nil.
  if names[index].kind != nnkPragmaExpr: return nil
  let pragmas = names[index][1]
  for i, pragma in pragmas:
    if pragma.kind in {nnkExprColonExpr, nnkCall} and pragma.len == 2 and typeName(pragma[0]) == "ferryDefault":
      pragmas.del(i)
      if pragmas.len == 0: names[index] = names[index][0]
      return pragma[1]
    if typeName(pragma) == "ferryDefault":
      error("ferry: write the default behind it: {.ferryDefault: 10.}", pragma)

proc noteField*(declared: Declared; part: NimNode) {.compileTime.} =
  ## Record fields that are declared together.
  for i in 0 .. part.len - 3:
    let annotated = takeDefault(part, i)
    let default = if annotated != nil: annotated elif part[^1].kind != nnkEmpty: part[^1] else: nil
    let name = part[i]
    declared.addField(Field(name: snakeName(name, "field"), nimName: $bare(name), syntax: part[^2],
      doc: docOf(bare(name)), default: default), "a field", bare(name))

proc canBeRaised*(declared: Declared): bool {.compileTime.} =
  ## Whether a type can be the error of a method.
  case declared.kind
  of KindEnum, KindObject, KindVariant: true
  of KindAlias: declared.author.len > 0
  of KindHandle: false

proc hasCases*(fields: NimNode): bool {.compileTime.} =
  ## Whether an object has a `case`.
  for part in fields:
    if part.kind == nnkRecWhen: error("ferry: the fields depend on a `when`; write them out", part)
    if part.kind == nnkRecCase: return true

proc pascal(name: string): string {.compileTime.} =
  for word in name.split('_'): result.add(capitalizeAscii(word))

type Label = tuple[name, code, doc: string]
  ## A value of a discriminant: its name for hosts, how it is written in Nim, and its documentation.

proc labelsOf(author: Declared; discriminant: NimNode): seq[Label] {.compileTime.} =
  ## The values of a discriminant, in the order of its type.
  let syntax = resolved(discriminant[^2])
  let name = typeName(syntax)
  if syntax.kind in {nnkIdent, nnkSym} and name == "bool": return @[("false", "false", ""), ("true", "true", "")]
  let declared = if syntax.kind in {nnkIdent, nnkSym, nnkDotExpr}: find(name) else: nil
  if declared == nil or declared.kind != KindEnum:
    error("ferry: '" & $bare(discriminant[0]) & "' of '" & author.name & "' says which case there is, and is of type '" &
      discriminant[^2].repr & "'; of such types only bool and an enum marked {.ferryEnum.} above it cross", discriminant)
  declared.isSelector = true
  for value in declared.values:
    result.add((value.name, declared.code & ".`" & value.nimName & "`", value.doc))

proc placeOf(author: Declared; labels: seq[Label]; written: NimNode): int {.compileTime.} =
  ## The place of a value that stands before a branch.
  let name = if written.kind == nnkDotExpr: written[^1] else: written
  if name.kind in {nnkIdent, nnkSym, nnkAccQuoted}:
    for place, label in labels:
      let nim = if '`' in label.code: label.code.split('`')[1] else: label.code
      if cmpIgnoreStyle(nim, $bare(name)) == 0: return place
  error("ferry: '" & written.repr & "' of '" & author.name & "' is none of the values that its discriminant has; write " &
    "them by their names, or as a range of names", written)

proc placesOf(author: Declared; labels: seq[Label]; branch: NimNode; taken: var seq[bool]): seq[int] {.compileTime.} =
  ## The places of the values for which a branch is.
  if branch.kind == nnkElse:
    for place in 0 ..< labels.len:
      if not taken[place]: result.add(place)
  for written in (if branch.kind == nnkElse: @[] else: branch[0 .. ^2]):
    if written.kind == nnkInfix and $written[0] == "..":
      for place in placeOf(author, labels, written[1]) .. placeOf(author, labels, written[2]): result.add(place)
    else: result.add(placeOf(author, labels, written))
  for place in result: taken[place] = true

proc partsOf(fields: NimNode): seq[NimNode] {.compileTime.} =
  ## The fields and the `case`s that a branch declares; an empty branch declares none.
  let all = if fields.kind == nnkRecList: fields[0 .. ^1] else: @[fields]
  for part in all:
    case part.kind
    of nnkIdentDefs, nnkRecCase: result.add(part)
    of nnkRecWhen: error("ferry: the fields depend on a `when`; write them out", part)
    else: discard

proc derived(author: Declared; kind: TypeKind; name: string; node: NimNode): Declared {.compileTime.} =
  checkLength(name, node)
  Declared(kind: kind, name: name, node: node, author: author.code)

proc added(made: Declared): Declared {.compileTime.} =
  # a number that no other type has, since types are only added
  made.nimCode = "FerryWire" & $declaredTypes.len
  addType(made)
  made

proc partsType(author: Declared; name: string; parts: seq[NimNode]; node: NimNode): Declared {.compileTime.}

proc variantOf(author: Declared; name, ofObject: string; part: NimNode): Declared {.compileTime.} =
  ## The variant that a `case` comes to.
  let discriminant = part[0]
  let labels = labelsOf(author, discriminant)
  let made = derived(author, KindVariant, name, bare(discriminant[0]))
  made.selector = $bare(discriminant[0])
  var taken = newSeq[bool](labels.len)
  var carried = newSeq[NimNode](labels.len)
  for branch in part[1 .. ^1]:
    let places = placesOf(author, labels, branch, taken)
    let parts = partsOf(branch[^1])
    if places.len == 0 or parts.len == 0: continue
    let inner = partsType(author, ofObject & pascal(labels[places[0]].name), parts, branch)
    for place in places: carried[place] = ident(inner.code)
  for place, label in labels:
    made.labels.add(label.code)
    made.addField(Field(name: label.name, nimName: "c" & $place, syntax: carried[place], doc: label.doc), "a case",
      made.node)
  for each in carried:
    if each != nil: return added(made)
  error("ferry: no branch of '" & author.name & "' has a field; use the enum itself", part)

proc partsType(author: Declared; name: string; parts: seq[NimNode]; node: NimNode): Declared {.compileTime.} =
  ## The type of fields and `case`s that stand together.
  if parts.len == 1 and parts[0].kind == nnkRecCase: return variantOf(author, name, name, parts[0])
  let made = derived(author, KindObject, name, node)
  for part in parts:
    if part.kind == nnkIdentDefs: noteField(made, part)
    else:
      let discriminant = bare(part[0][0])
      let snake = snakeName(discriminant, "field")
      let variant = variantOf(author, name & "By" & pascal(snake), name, part)
      made.addField(Field(name: snake, nimName: $discriminant, syntax: ident(variant.code), doc: docOf(discriminant)),
        "a field", discriminant)
  added(made)

proc noteCases*(author: Declared; fields: NimNode) {.compileTime.} =
  ## Record an object with `case`s, and the types that it comes to.
  author.kind = KindAlias
  let whole = partsType(author, author.name, partsOf(fields), author.node)
  whole.isWhole = true
  whole.doc = author.doc
  author.base = ident(whole.code)
  author.author = author.name
  checkOpen(author.node)
  declaredTypes.add(author)
