# SPDX-License-Identifier: BSD-3-Clause
## Writes the description of an interface (spec/interface.md, I1), and its hash (I5).

import std/[algorithm, macros, strutils]
import "."/[annotate, registry]

type
  Json = ref object
    ## A JSON value: text that is written as it is, an array, or an object.
    text: string
    isObject: bool
    names: seq[string]
    items: seq[Json]

proc raw(text: string): Json {.compileTime.} = Json(text: text)
proc word(text: string): Json {.compileTime.} = Json(text: jsonText(text))
proc list(items: seq[Json]): Json {.compileTime.} = Json(items: items)

proc add(json: Json; name: string; item: Json) {.compileTime.} =
  json.names.add(name)
  json.items.add(item)

proc record(entries: varargs[(string, Json)]): Json {.compileTime.} =
  result = Json(isObject: true)
  for (name, item) in entries: result.add(name, item)

proc canonical(json: Json): string {.compileTime.} =
  ## The text that is hashed: keys are sorted, and there is neither white space nor documentation.
  if json.text.len > 0: return json.text
  var parts: seq[string]
  if not json.isObject:
    for item in json.items: parts.add(canonical(item))
    return "[" & parts.join(",") & "]"
  var order: seq[(string, int)]
  for i, name in json.names:
    if name != "doc": order.add((name, i))
  order.sort()
  for (name, i) in order: parts.add(jsonText(name) & ":" & canonical(json.items[i]))
  "{" & parts.join(",") & "}"

proc pretty(json: Json; indent: string): string {.compileTime.} =
  ## The text that people read: an array or an object that fits on one line stands on one.
  if json.text.len > 0: return json.text
  let inner = indent & "  "
  var parts: seq[string]
  for i, item in json.items:
    parts.add((if json.isObject: jsonText(json.names[i]) & ": " else: "") & pretty(item, inner))
  let (opening, closing) = if json.isObject: ("{", "}") else: ("[", "]")
  let line = parts.join(", ")
  if line.len + indent.len < 100 and '\n' notin line: opening & line & closing
  else: opening & "\n" & inner & parts.join(",\n" & inner) & "\n" & indent & closing

var mentionedEnums {.compileTime.}: seq[string]
  ## The enums of which a value travels.

proc shapeJson(shape: Shape): Json {.compileTime.} =
  case shape.kind
  of ShapePlain: word(shape.name)
  of ShapeEnum:
    mentionedEnums.add(shape.name)
    record(("enum", word(shape.name)))
  of ShapeObject: record(("object", word(shape.name)))
  of ShapeVariant: record(("variant", word(shape.name)))
  of ShapeHandle: record(("handle", word(shape.name)))
  of ShapeOption: record(("option", shapeJson(shape.parts[0])))
  of ShapeSeq: record(("seq", shapeJson(shape.parts[0])))
  of ShapeMap: record(("map", list(@[shapeJson(shape.parts[0]), shapeJson(shape.parts[1])])))

proc typeJson(syntax: NimNode; path: string): Json {.compileTime.} =
  if syntax == nil: raw("null") else: shapeJson(shapeOf(syntax, path))

proc fieldsJson(fields: seq[Field]; path: string): Json {.compileTime.} =
  result = list(@[])
  for field in fields:
    let json = record(("name", word(field.name)), ("type", typeJson(field.syntax, path & "." & field.name)))
    if field.defaultJson.len > 0: json.add("default", raw(field.defaultJson))
    json.add("doc", word(field.doc))
    result.items.add(json)

proc declaredJson(declared: Declared): Json {.compileTime.} =
  case declared.kind
  of KindEnum:
    var values = list(@[])
    for value in declared.values:
      values.items.add(record(("name", word(value.name)), ("value", raw($value.number)), ("doc", word(value.doc))))
    record(("kind", word("enum")), ("name", word(declared.name)), ("values", values), ("doc", word(declared.doc)))
  of KindObject:
    record(("kind", word("object")), ("name", word(declared.name)),
      ("fields", fieldsJson(declared.fields, declared.name)), ("doc", word(declared.doc)))
  of KindHandle:
    record(("kind", word("handle")), ("name", word(declared.name)), ("doc", word(declared.doc)))
  of KindVariant:
    var cases = list(@[])
    for part in declared.fields:
      cases.items.add(record(("name", word(part.name)), ("type", typeJson(part.syntax, declared.name & "." & part.name)),
        ("doc", word(part.doc))))
    record(("kind", word("variant")), ("name", word(declared.name)), ("cases", cases), ("doc", word(declared.doc)))
  of KindAlias: record()

proc fnv1a(text: string): string {.compileTime.} =
  var hash = 0xcbf29ce484222325'u64
  for c in text: hash = (hash xor uint64(ord(c))) * 0x100000001b3'u64
  toHex(hash).toLowerAscii

proc describe*(name, version, doc: string): tuple[text, hash: string] {.compileTime.} =
  ## The description of everything that was declared, and its hash.
  var constantsJson, typesJson, methodsJson, eventsJson = list(@[])
  for constant in constants:
    constantsJson.items.add(record(("name", word(constant.name)), ("type", word(constant.kind)),
      ("value", raw(constant.value)), ("doc", word(constant.doc))))
  var typed: seq[(Declared, Json)]
  for declared in declaredTypes:
    if declared.kind != KindAlias and not declared.isDerived: typed.add((declared, declaredJson(declared)))
  const kinds: array[MethodKind, string] = ["method", "constructor", "destructor", "static"]
  for made in methods:
    if made.part in {StreamNext, StreamClose} or made.ask != nil: continue
    let isStream = made.part == StreamOpen
    # the credits, which come last, are no parameter of the author's
    let params = if isStream: made.params.fields[0 .. ^2] else: made.params.fields
    let json = record(("name", word(made.name)), ("kind", word(kinds[made.kind])),
      ("params", fieldsJson(params, made.name)),
      ("returns", typeJson((if isStream: nil else: made.returns), "the result of " & made.name)))
    if isStream: json.add("yields", typeJson(made.stream.yields, "what " & made.name & " yields"))
    if made.error != nil: json.add("error", typeJson(made.error, "the error of " & made.name))
    if made.isIdempotent: json.add("idempotent", raw("true"))
    json.add("doc", word(made.doc))
    methodsJson.items.add(json)
  for event in events:
    eventsJson.items.add(record(("name", word(event.name)), ("type", typeJson(event.value, event.name)),
      ("overflow", word(event.overflow)), ("depth", raw($event.depth)), ("doc", word(event.doc))))
  var asksJson = list(@[])
  for ask in questions:
    let json = record(("name", word(ask.name)), ("params", fieldsJson(ask.params, ask.name)),
      ("returns", typeJson(ask.returns, "the answer to " & ask.name)))
    if ask.error != nil: json.add("error", typeJson(ask.error, "the error of " & ask.name))
    json.add("doc", word(ask.doc))
    asksJson.items.add(json)
  for (declared, json) in typed:
    if not declared.isSelector or declared.name in mentionedEnums: typesJson.items.add(json)
  let whole = record(("ferry_interface", raw("1")),
    ("library", record(("name", word(name)), ("version", word(version)), ("doc", word(doc)))),
    ("constants", constantsJson), ("types", typesJson), ("methods", methodsJson), ("events", eventsJson))
  if questions.len > 0: whole.add("asks", asksJson)
  let hash = fnv1a(canonical(whole))
  whole.names.insert("hash", 2)
  whole.items.insert(word(hash), 2)
  (pretty(whole, "") & "\n", hash)
