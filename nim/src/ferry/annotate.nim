# SPDX-License-Identifier: BSD-3-Clause
## The annotations: pragmas with which an author says what a library offers. Each one records the type or procedure that
## it stands before in the registry, and does not change the definition. `ferryLibrary` makes the library from the
## registry.

import std/[macros, options, sequtils, strutils]
import "."/[asks, calls, codecs, comments, handles, registry, runtime, streams, variants]

# ---- types -----------------------------------------------------------------------------------------------------------

proc withoutEmptyPragma*(definition: NimNode): NimNode {.compileTime.} =
  ## The definition without the annotation itself: Nim 1.6 leaves an empty pragma in its place.
  result = definition
  if result[0].kind == nnkPragmaExpr and result[0][1].len == 0: result[0] = result[0][0]

proc checkNotGeneric(definition: NimNode; name: string) {.compileTime.} =
  if definition[1].kind != nnkEmpty:
    error("ferry: '" & name & "' is generic; write the type out for what it is used with", definition[1])

proc noteFields(declared: Declared; fields: NimNode) {.compileTime.} =
  ## Record the fields of an object or a tuple.
  for part in fields:
    if part.kind == nnkIdentDefs: noteField(declared, part)
  if declared.fields.len == 0:
    error("ferry: '" & declared.name & "' has no fields, and so nothing to carry; leave it out", declared.node)

proc noteType*(definition: NimNode) {.compileTime.} =
  ## Record what `ferryType` stands before.
  let node = bare(definition[0])
  let declared = Declared(kind: KindObject, name: camelName(node, "type"), node: node, doc: docOf(node))
  checkNotGeneric(definition, declared.name)
  let body = definition[2]
  case body.kind
  of nnkObjectTy:
    if body[1].kind != nnkEmpty:
      error("ferry: '" & declared.name & "' inherits fields; write them out", body[1])
    if hasCases(body[2]):
      noteCases(declared, body[2])
      return
    noteFields(declared, body[2])
  of nnkTupleTy:
    declared.isTuple = true
    noteFields(declared, body)
  of nnkDistinctTy, nnkIdent, nnkSym, nnkDotExpr, nnkBracketExpr, nnkInfix:
    declared.kind = KindAlias
    declared.isDistinct = body.kind == nnkDistinctTy
    declared.base = if declared.isDistinct: body[0] else: body
  else:
    error("ferry: '" & declared.name & "' is marked {.ferryType.}, and is not a plain object; write `object`, or a tuple " &
      "whose fields have names", node)
  addType(declared)

macro ferryType*(definition: untyped): untyped =
  ## An object or a tuple that can be a parameter, a result, an event, or part of one, whose fields all have a type that
  ## can cross the boundary. Or another name of such a type, a range, or a distinct scalar.
  noteType(definition)
  withoutEmptyPragma(definition)

proc noteEnum*(definition: NimNode) {.compileTime.} =
  ## Record what `ferryEnum` stands before.
  let node = bare(definition[0])
  let declared = Declared(kind: KindEnum, name: camelName(node, "enum"), node: node, doc: docOf(node))
  if definition[2].kind != nnkEnumTy:
    error("ferry: '" & declared.name & "' is marked {.ferryEnum.}, and is no enum", node)
  var next: BiggestInt = 0
  for value in definition[2]:
    if value.kind == nnkEmpty: continue
    var name = value
    if value.kind == nnkEnumFieldDef:
      name = value[0]
      var number = value[1]
      # what `$` makes of the value is the library's own
      if number.kind in {nnkTupleConstr, nnkPar} and number.len == 2: number = number[0]
      if number.kind in nnkStrLit .. nnkTripleStrLit: number = newLit(next)
      if number.kind == nnkPrefix and $number[0] == "-" and number[1].kind in nnkCharLit .. nnkUInt64Lit:
        number = newLit(-number[1].intVal)
      if number.kind notin nnkCharLit .. nnkUInt64Lit:
        error("ferry: write the value of '" & $bare(name) & "' as a number", value[1])
      next = number.intVal
    if next < low(int32) or next > high(int32):
      error("ferry: the value of '" & $bare(name) & "' does not fit int32", value)
    let snake = snakeName(name, "enum value")
    for other in declared.values:
      if isSame(other.name, snake): refuseAgain("an enum value", other.name, name)
    declared.values.add(Value(name: snake, nimName: $bare(name), number: next, doc: docOf(bare(name))))
    inc next
  addType(declared)

macro ferryEnum*(definition: untyped): untyped =
  ## An enum, which travels as the number of its value.
  noteEnum(definition)
  withoutEmptyPragma(definition)

proc noteHandle*(definition: NimNode): NimNode {.compileTime.} =
  ## Record what `ferryHandle` stands before, and have it inherit from the parent of all handles.
  let node = bare(definition[0])
  let declared = Declared(kind: KindHandle, name: camelName(node, "handle"), node: node, doc: docOf(node))
  checkNotGeneric(definition, declared.name)
  if definition[2].kind != nnkRefTy or definition[2][0].kind != nnkObjectTy:
    error("ferry: '" & declared.name & "' is marked {.ferryHandle.}, and is no `ref object`", node)
  if definition[2][0][1].kind != nnkEmpty:
    error("ferry: '" & declared.name & "' inherits already; put what it inherits from into a field", node)
  addType(declared)
  result = withoutEmptyPragma(definition)
  result[2][0][1] = nnkOfInherit.newTree(bindSym"FerryHandle")

macro ferryHandle*(definition: untyped): untyped =
  ## A `ref object` that stays in the library; hosts hold its id. The object is kept alive until `closeHandle` is called
  ## or the context ends.
  noteHandle(definition)

# ---- constants -------------------------------------------------------------------------------------------------------

proc noteConstant*(name, kind, value, doc: string; node: NimNode) {.compileTime.} =
  checkOpen(node)
  for other in constants:
    if isSame(other.name, name): refuseAgain("a constant", other.name, node)
  constants.add(Constant(name: name, kind: kind, value: value, doc: doc))

proc jsonText*(text: string): string {.compileTime.} =
  ## The text as a JSON string, with only those escapes that JSON requires.
  result = "\""
  for c in text:
    case c
    of '"': result.add("\\\"")
    of '\\': result.add("\\\\")
    of '\n': result.add("\\n")
    of '\r': result.add("\\r")
    of '\t': result.add("\\t")
    of '\b': result.add("\\b")
    of '\f': result.add("\\f")
    elif c < ' ': result.add("\\u" & toHex(ord(c), 4).toLowerAscii)
    else: result.add(c)
  result.add("\"")

proc defaultJson*[T](value: T): string =
  ## The value of a default as JSON; of an enum, its number.
  when T is enum: $ord(value)
  elif T is SomeFloat: jsonText($value)
  elif T is string: jsonText(value)
  else: $value

macro noteDefault*(declared, field: static int; value: static string): untyped =
  ## Record the value of a default, which Nim knows now.
  let kind = shapeOf(declaredTypes[declared].fields[field].syntax, "")
  declaredTypes[declared].fields[field].defaultJson = value
  if kind.kind == ShapeEnum:
    for each in find(kind.name).values:
      if $each.number == value: declaredTypes[declared].fields[field].defaultJson = jsonText(each.name)
  newStmtList()

macro noteConstantOf(name: static string; value: typed; at: untyped; doc: static string): untyped =
  ## Record a constant. Nim knows its value and its type at this point.
  var content = value
  if content.kind == nnkSym: content = content.getImpl
  if content.kind == nnkConstDef: content = content[2]
  let typeText = value.getTypeInst.repr
  case typeText
  of "bool": noteConstant(name, "bool", (if content.intVal == 1: "true" else: "false"), doc, at)
  of "string": noteConstant(name, "string", jsonText(content.strVal), doc, at)
  of "float", "float64", "float32":
    let kind = if typeText == "float32": "f32" else: "f64"
    noteConstant(name, kind, jsonText($content.floatVal), doc, at)
  else:
    if not (typeText.startsWith("int") or typeText.startsWith("uint")):
      error("ferry: '" & name & "' is of type '" & typeText & "'; constants are integers, floats, bool or string", at)
    let number = if content.kind == nnkIntLit or content.intVal < 0 or not typeText.startsWith("uint"): $content.intVal
      else: $cast[uint64](content.intVal)
    noteConstant(name, shapeOf(ident(typeText), name).name, number, doc, at)
  newStmtList()

macro ferryConstant*(section: untyped): untyped =
  ## Constants that hosts see: `ferryConstant:` before a `const` section.
  result = newStmtList()
  for part in section:
    if part.kind == nnkCommentStmt: continue
    if part.kind != nnkConstSection:
      error("ferry: only `const` sections may stand under ferryConstant", part)
    result.add(part)
    for definition in part:
      if definition.kind != nnkConstDef: continue
      let name = bare(definition[0])
      result.add(newCall(bindSym"noteConstantOf", newLit(snakeName(name, "constant")), name, name, newLit(docOf(name))))

# ---- methods ---------------------------------------------------------------------------------------------------------

proc futureOf*(syntax: NimNode): tuple[isFuture: bool; value: NimNode] {.compileTime.} =
  ## Whether a result's type is a Future, and the type of the value itself: of `Future[T]` it is T.
  case syntax.kind
  of nnkEmpty: (false, NimNode(nil))
  of nnkBracketExpr:
    if typeName(syntax) == "Future": (true, syntax[1])
    elif typeName(syntax) == "owned": futureOf(syntax[1])
    else: (false, syntax)
  of nnkCall:
    if syntax.len == 2 and typeName(syntax[0]) == "owned": futureOf(syntax[1])
    else: (false, syntax)
  else: (false, syntax)

proc resultOf*(syntax: NimNode): tuple[isResult: bool; value, error: NimNode] {.compileTime.} =
  ## Whether a type is a `Result` (of the package results), with the types of its value and its error.
  if syntax != nil and syntax.kind == nnkBracketExpr and syntax.len == 3 and typeName(syntax) == "Result":
    (true, syntax[1], syntax[2])
  else: (false, syntax, NimNode(nil))

proc hasPragma*(definition: NimNode; name: string): bool {.compileTime.} =
  for part in definition.pragma:
    if typeName(part) == name: return true

proc streamOf(definition: NimNode; kind: MethodKind): NimNode {.compileTime.} =
  ## What a method yields: of a last parameter of type `FerryStream[T]` it is T; nil when there is none.
  let last = definition.params[^1]
  if definition.params.len < 2 or last.kind != nnkIdentDefs or typeName(last[^2]) != "FerryStream": return nil
  let node = bare(definition[0])
  if last[^2].kind != nnkBracketExpr or last[^2].len != 2:
    error("ferry: say what '" & $node & "' yields: FerryStream[T]", last)
  if last.len != 3: error("ferry: '" & $node & "' has two streams; one is enough", last)
  if kind != MethodPlain:
    error("ferry: '" & $node & "' yields, and only methods do: {.ferryMethod, async.}", last)
  last[^2][1]

proc derivedMethod(made: Method; part: StreamPart; suffix: string): Method {.compileTime.} =
  ## A method that comes with one that yields.
  result = Method(kind: MethodPlain, name: made.name & suffix, node: made.node, call: made.node, context: made.context,
    part: part, stream: made.stream)
  for other in methods:
    if isSame(other.name, result.name):
      error("ferry: there is a method '" & other.name & "' already, which '" & $made.node & "' needs for its stream; " &
        "rename one", made.node)
  result.params = Declared(kind: KindObject, name: "FerryParams" & $methods.len, node: made.node, isRequest: true)
  result.params.addField(Field(name: "stream", nimName: "stream", syntax: ident(made.stream.handle)), "a parameter",
    made.node)

proc noteStream(made: Method; syntax: NimNode): NimNode {.compileTime.} =
  ## Record what comes with a method that yields, and return the types of it.
  let camel = made.name.split('_').mapIt(capitalizeAscii(it)).join("")
  let credits = Field(name: "credits", nimName: "credits", syntax: ident"uint32")
  let stream = Stream(yields: syntax, call: made.node, handle: camel & "Stream", parts: camel & "Part")
  discard shapeOf(syntax, "what " & $made.node & " yields")
  made.part = StreamOpen
  made.stream = stream
  made.params.addField(credits, "a parameter", made.node)
  made.returns = ident(stream.parts)
  let next = derivedMethod(made, StreamNext, "_next")
  next.params.addField(credits, "a parameter", made.node)
  next.returns = made.returns
  next.error = made.error
  methods.add(next)
  methods.add(derivedMethod(made, StreamClose, "_close"))
  let (handle, parts) = (ident(stream.handle), ident(stream.parts))
  addType(Declared(kind: KindHandle, name: stream.handle, node: made.node, isDerived: true))
  let whole = Declared(kind: KindObject, name: stream.parts, node: made.node, isDerived: true)
  let (option, values) = (nnkBracketExpr.newTree(ident"Option", handle), nnkBracketExpr.newTree(ident"seq", syntax))
  whole.addField(Field(name: "stream", nimName: "stream", syntax: option), "a field", made.node)
  whole.addField(Field(name: "values", nimName: "values", syntax: values), "a field", made.node)
  addType(whole)
  let (optionType, streamType) = (bindSym"Option", bindSym"FerryStream")
  let (streamField, valuesField) = (ident"stream", ident"values")
  quote do:
    type
      `handle` = ref object of `streamType`[`syntax`]
      `parts` = object
        `streamField`: `optionType`[`handle`]
        `valuesField`: seq[`syntax`]

proc noteMethod*(definition: NimNode; kind: MethodKind; what: string; raised: NimNode = nil; name = "";
    context: NimNode = nil): NimNode {.compileTime.} =
  ## Record a procedure. `name` is what hosts call it, if that is not its own name; `context` is the type of the context
  ## of a method that does not take it.
  let node = bare(definition[0])
  checkOpen(node)
  if definition.kind != nnkProcDef:
    error("ferry: a " & what & " has to be a proc; '" & $node & "' is none", node)
  if definition[2].kind != nnkEmpty:
    error("ferry: the " & what & " '" & $node & "' is generic; write it for the types it is used with", node)
  let made = Method(kind: kind, name: (if name.len > 0: name else: snakeName(node, what)), node: node, call: node,
    doc: docOfProc(definition), context: context, isContextless: context != nil)
  for other in methods:
    if isSame(other.name, made.name): refuseAgain("a method", other.name, node)
    if other.kind == kind and kind in {MethodConstructor, MethodDestructor}:
      error("ferry: '" & $node & "' is a second " & what & " (the first is '" & $other.node & "'); keep one", node)
  let (isFuture, returned) = futureOf(definition.params[0])
  made.isAsync = isFuture or definition.hasPragma("async")
  if made.isAsync and not isFuture and returned != nil:
    error("ferry: the async " & what & " '" & $node & "' returns " & returned.repr & "; write Future[" & returned.repr &
      "]", node)
  let (isResult, value, failure) = resultOf(returned)
  made.isResult = isResult
  if value != nil and $value.repr != "void": made.returns = value
  let yields = streamOf(definition, kind)
  if yields != nil and (not made.isAsync or made.returns != nil):
    error("ferry: '" & $node & "' yields; write it as an async procedure that returns nothing: {.ferryMethod, async.}",
      node)
  made.params = Declared(kind: KindObject, name: "FerryParams" & $methods.len, node: node, isRequest: true)
  var first = kind in {MethodPlain, MethodDestructor} and context == nil
  for param in definition.params[1 .. (if yields == nil: ^1 else: ^2)]:
    if param[^1].kind != nnkEmpty:
      error("ferry: a parameter of '" & $node & "' has a default value, which hosts would not see; use an Option, or " &
        "a field with a default",
        param)
    for name in param[0 .. ^3]:
      if param[^2].kind == nnkEmpty: error("ferry: write the type of '" & $bare(name) & "'", name)
      if first:
        made.context = param[^2]
        first = false
        continue
      if param[^2].kind == nnkVarTy:
        error("ferry: '" & $bare(name) & "' is a var parameter; return what changes instead", name)
      made.params.addField(Field(name: snakeName(name, "parameter"), nimName: $bare(name),
        syntax: withoutSink(param[^2]), doc: docOf(bare(name))), "a parameter", bare(name))
  case kind
  of MethodConstructor:
    if made.returns == nil:
      error("ferry: the constructor '" & $node & "' has to return the context that the methods take first", node)
    made.context = made.returns
    made.returns = nil
  of MethodDestructor:
    if made.returns != nil or isResult: error("ferry: the destructor '" & $node & "' must not return anything", node)
    if made.params.fields.len > 0:
      error("ferry: the destructor '" & $node & "' must take nothing but the context", node)
  of MethodPlain, MethodStatic: discard
  if made.context == nil and kind != MethodStatic:
    error("ferry: the " & what & " '" & $node & "' has to take the context first; {.ferryStatic.} is without", node)
  var raised = raised
  if isResult and typeName(failure) != "string":
    if raised != nil and raised.repr.cmpIgnoreStyle(failure.repr) != 0:
      error("ferry: '" & $node & "' returns errors of type '" & failure.repr & "' and declares '" & raised.repr &
        "'; leave the latter out", raised)
    raised = failure
  if raised != nil:
    let declared = find(typeName(raised))
    if declared == nil or not declared.canBeRaised:
      error("ferry: the error of '" & $node & "' has to be a type marked {.ferryEnum.} or {.ferryType.}, and is '" &
        raised.repr & "'", raised)
    made.error = raised
  methods.add(made)
  if yields == nil: definition else: newStmtList(noteStream(made, yields), definition)

macro ferryConstructor*(definition: untyped): untyped =
  ## The procedure that starts a context, and returns it.
  noteMethod(definition, MethodConstructor, "constructor")

macro ferryConstructor*(raised, definition: untyped): untyped =
  ## As above; `raised` is the type of the errors that it raises by `newFerryError`.
  noteMethod(definition, MethodConstructor, "constructor", raised)

macro ferryDestructor*(definition: untyped): untyped =
  ## The procedure that runs when a context ends, after its last handler.
  noteMethod(definition, MethodDestructor, "destructor")

macro ferryMethod*(definition: untyped): untyped =
  ## A procedure that hosts call, with the context as its first parameter. Calls of an `async` procedure run
  ## interleaved; any other procedure is answered as soon as it returns.
  noteMethod(definition, MethodPlain, "method")

macro ferryMethod*(raised, definition: untyped): untyped =
  ## As above; `raised` is the type of the errors that it raises by `newFerryError`.
  noteMethod(definition, MethodPlain, "method", raised)

macro ferryStatic*(definition: untyped): untyped =
  ## A procedure that hosts call without a context.
  noteMethod(definition, MethodStatic, "static")

macro ferryStatic*(raised, definition: untyped): untyped =
  ## As above; `raised` is the type of the errors that it raises by `newFerryError`.
  noteMethod(definition, MethodStatic, "static", raised)

macro ferryIdempotent*(definition: untyped): untyped =
  ## A call of the procedure may be made again when nobody knows what became of it, as after a lost connection; written
  ## behind `ferryMethod` or `ferryStatic`.
  let node = bare(definition[0])
  for made in methods:
    if made.node == node and made.kind in {MethodPlain, MethodStatic}:
      if made.part != StreamNone:
        error("ferry: '" & $node & "' yields, and cannot be idempotent: its values come once", node)
      made.isIdempotent = true
      return definition
  error("ferry: '" & $node & "' is no method; write {.ferryMethod, ferryIdempotent.}, in this order", node)

# ---- events ----------------------------------------------------------------------------------------------------------

proc noteEvent*(definition, policy, depth: NimNode; name = ""): NimNode {.compileTime.} =
  ## Record an event, and write the procedure that emits it. `name` is what hosts call it, if that is not its own name.
  let node = bare(definition[0])
  checkOpen(node)
  if definition.kind != nnkProcDef: error("ferry: an event has to be a proc without a body", node)
  if definition.body.kind != nnkEmpty and not (definition.body.kind == nnkStmtList and definition.body.len == 1 and
      definition.body[0].kind == nnkCommentStmt):
    error("ferry: the event '" & $node & "' has a body; leave it out, calling it emits the event", node)
  if definition.params[0].kind != nnkEmpty: error("ferry: the event '" & $node & "' must not return anything", node)
  if definition.hasPragma("async"): error("ferry: the event '" & $node & "' cannot be async; it never waits", node)
  var event = Event(name: (if name.len > 0: name else: snakeName(node, "event")), node: node, doc: docOfProc(definition))
  for other in events:
    if isSame(other.name, event.name): refuseAgain("an event", other.name, node)
  event.overflow = toSnake($policy)
  if event.overflow notin ["drop_oldest", "drop_newest", "coalesce"]:
    error("ferry: '" & policy.repr & "' says not what to do when a listener is slow; write dropOldest, dropNewest or " &
      "coalesce", node)
  if depth.kind != nnkIntLit or depth.intVal < 0 or depth.intVal > EventDepthMax:
    error("ferry: the depth of '" & $node & "' has to be a number up to " & $EventDepthMax, node)
  event.depth = int(depth.intVal)
  let params = definition.params
  if params.len > 2 or (params.len == 2 and params[1].len != 3):
    error("ferry: the event '" & $node & "' carries more than one value; put them into an object", node)
  if params.len == 2:
    event.value = params[1][1]
    discard shapeOf(event.value, event.name)
  let number = newLit(uint32(events.len))
  events.add(event)
  result = newStmtList(missingCodecs())
  definition.addPragma(nnkExprColonExpr.newTree(ident"raises", nnkBracket.newTree()))
  definition.addPragma(ident"gcsafe")
  definition.body =
    if params.len == 2: newCall(bindSym("emitEvent", brOpen), number, bare(params[1][0]))
    else: newCall(bindSym("emitEvent", brOpen), number)
  result.add(definition)

macro ferryEvent*(definition: untyped): untyped =
  ## An event: a procedure without a body that carries one value or none. Calling it emits the event. A listener that is
  ## too slow loses the oldest events.
  noteEvent(definition, ident"dropOldest", newLit(0))

macro ferryEvent*(policy, definition: untyped): untyped =
  ## As above; `policy` is what a listener that is too slow loses: dropOldest, dropNewest, coalesce.
  noteEvent(definition, policy, newLit(0))

macro ferryEvent*(policy, depth, definition: untyped): untyped =
  ## As above; `depth` events may wait for one listener.
  noteEvent(definition, policy, depth)

# ---- questions -------------------------------------------------------------------------------------------------------

proc askMethod(ask: Ask; part: AskPart; suffix, field: string; syntax: NimNode) {.compileTime.} =
  ## Record a method that brings an answer. It stands behind the others when the library is made.
  let made = Method(kind: MethodPlain, name: ask.name & suffix, node: ask.node, call: ask.node, ask: ask, askPart: part)
  made.params = Declared(kind: KindObject, name: "FerryParams" & $methods.len, node: ask.node, isRequest: true)
  made.params.addField(Field(name: "question", nimName: "question", syntax: ident(ask.question)), "a parameter", ask.node)
  if syntax != nil:
    made.params.addField(Field(name: field, nimName: field, syntax: syntax), "a parameter", ask.node)
  methods.add(made)

proc noteAsk(definition: NimNode; raised: NimNode): NimNode {.compileTime.} =
  let node = bare(definition[0])
  checkOpen(node)
  if definition.kind != nnkProcDef: error("ferry: a question has to be a proc without a body", node)
  if definition.body.kind != nnkEmpty and not (definition.body.kind == nnkStmtList and definition.body.len == 1 and
      definition.body[0].kind == nnkCommentStmt):
    error("ferry: the question '" & $node & "' has a body; leave it out, calling it asks the host", node)
  if definition[2].kind != nnkEmpty:
    error("ferry: the question '" & $node & "' is generic; write it for the types it is used with", node)
  let (isFuture, value) = futureOf(definition.params[0])
  if not isFuture:
    error("ferry: the question '" & $node & "' has to return a Future of its answer: Future[T], or Future[void]", node)
  let ask = Ask(name: snakeName(node, "question"), node: node, doc: docOfProc(definition))
  for other in questions:
    if isSame(other.name, ask.name): refuseAgain("a question", other.name, node)
  if $value.repr != "void":
    ask.returns = value
    discard shapeOf(value, "the answer to " & ask.name)
  if raised != nil:
    let declared = find(typeName(raised))
    if declared == nil or not declared.canBeRaised:
      error("ferry: the error of '" & $node & "' has to be a type marked {.ferryEnum.} or {.ferryType.}, and is '" &
        raised.repr & "'", raised)
    ask.error = raised
  let camel = ask.name.split('_').mapIt(capitalizeAscii(it)).join("")
  ask.question = camel & "Question"
  ask.asked = camel & "Asked"
  addType(Declared(kind: KindHandle, name: ask.question, node: node, isDerived: true))
  let whole = Declared(kind: KindObject, name: ask.asked, node: node, isDerived: true)
  whole.addField(Field(name: "question", nimName: "question", syntax: ident(ask.question)), "a field", node)
  for param in definition.params[1 .. ^1]:
    if param[^1].kind != nnkEmpty:
      error("ferry: a parameter of '" & $node & "' has a default value, which hosts would not see; use an Option, or " &
        "a field with a default", param)
    for name in param[0 .. ^3]:
      if param[^2].kind in {nnkEmpty, nnkVarTy}: error("ferry: write the type of '" & $bare(name) & "', without var", name)
      if cmpIgnoreStyle($bare(name), "question") == 0 or cmpIgnoreStyle($bare(name), "waitMs") == 0 or
          cmpIgnoreStyle($bare(name), "during") == 0:
        error("ferry: every question has '" & $bare(name) & "' already; rename this parameter", name)
      let field = Field(name: snakeName(name, "parameter"), nimName: $bare(name), syntax: withoutSink(param[^2]),
        doc: docOf(bare(name)))
      ask.params.add(field)
      whole.addField(field, "a parameter", bare(name))
  addType(whole)
  askMethod(ask, AskReturn, "_return", "value", ask.returns)
  if ask.error != nil: askMethod(ask, AskRaise, "_raise", "error", ask.error)
  askMethod(ask, AskFail, "_fail", "message", ident"string")
  let number = newLit(uint32(questions.len))
  questions.add(ask)
  let (question, asked, of0, answer) = (ident(ask.question), ident(ask.asked), bindSym"FerryQuestion", copyNimTree(value))
  var fields = newTree(nnkRecList, newIdentDefs(ident"question", ident(ask.question)))
  var made = nnkObjConstr.newTree(asked, nnkExprColonExpr.newTree(ident"question", ident"ferryQuestion"))
  for field in ask.params:
    fields.add(newIdentDefs(ident(field.nimName), copyNimTree(field.syntax)))
    made.add(nnkExprColonExpr.newTree(ident(field.nimName), ident(field.nimName)))
  let objectType = nnkObjectTy.newTree(newEmptyNode(), newEmptyNode(), fields)
  result = newStmtList(quote do:
    type
      `question` = ref object of `of0`[`answer`]
      `asked` = `objectType`)
  result.add(missingCodecs())
  let (each, waitMs, during) = (ident"ferryQuestion", ident"waitMs", ident"during")
  let (begin, follow, emit, call) = (bindSym("beginQuestion", brOpen), bindSym"followQuestion", bindSym("emitAsk", brOpen),
    bindSym"FerryCall")
  definition.params.add(newIdentDefs(waitMs, newEmptyNode(), bindSym"QuestionMs"))
  definition.params.add(newIdentDefs(during, newEmptyNode(), nnkObjConstr.newTree(call)))
  definition.addPragma(nnkExprColonExpr.newTree(ident"raises", nnkBracket.newTree()))
  definition.addPragma(ident"gcsafe")
  definition.body = quote do:
    let `each` = `question`()
    if `begin`(`each`, `number`, `waitMs`, `during`):
      `emit`(`number`, `made`)
      `follow`(`each`)
    `each`.answer
  result.add(definition)

macro ferryAsk*(definition: untyped): untyped =
  ## A question to the host: a procedure without a body that returns a Future of the answer. Calling it asks. It takes two
  ## more parameters, `waitMs`, how long an answer is waited for, and `during`, the call that ends it when it is cancelled.
  noteAsk(definition, nil)

macro ferryAsk*(raised, definition: untyped): untyped =
  ## As above; `raised` is the type of the errors by which the host refuses to answer.
  noteAsk(definition, raised)
