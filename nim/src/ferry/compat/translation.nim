# SPDX-License-Identifier: BSD-3-Clause
## What nim-ffi 0.3 calls things, as Ferry's annotations. Each pragma records the type or procedure that it stands before
## as the annotation does that means the same, and changes as little as nim-ffi does: procedures become `async`. What
## cannot be meant here is refused, with what to write instead. Not here: nim-ffi's runtime, its C functions and its
## generators, whose place the ingress and `ferry bindgen` take.

import std/[compilesettings, macros, os, strutils]
import ".."/[annotate, library, registry, runtime]

const
  ferryVersion* {.strdefine.} = "0.0.0"
    ## -d:ferryVersion=1.2.3 is the version of the library, which nim-ffi does not ask for.
  AbiFormats = ["c", "cbor"]

type
  Shape = enum ShapeMethod, ShapeStatic, ShapeExport, ShapeDestructor, ShapeEvent ## What the signature of a procedure says.
  TextEvent = object
    ## An event that `dispatchFFIEvent` emits.
    name: string
    number: int

var
  libraryName* {.compileTime.}: string
  libraryType {.compileTime.}: NimNode
  isWhole* {.compileTime.}: bool ## whether genBindings() has come
  modules {.compileTime.}: seq[string] ## the files of the modules with annotations
  textEvents {.compileTime.}: seq[TextEvent]

# ---- the library -----------------------------------------------------------------------------------------------------

proc checkPlace(pragma: string; node: NimNode) {.compileTime.} =
  if isWhole:
    error("ferry: " & pragma & " comes after genBindings(), which has to be the last of a library; move it up", node)
  if libraryName.len == 0:
    error("ferry: " & pragma & " comes before declareLibrary(name, LibType), which has to be the first", node)

proc checkOptions(options: seq[NimNode]; pragma: string) {.compileTime.} =
  ## The options of a pragma choose between wire formats, which hosts do here: both are always there.
  for option in options:
    let parts = if option.kind in nnkStrLit .. nnkTripleStrLit: option.strVal.split('=') else: @[]
    if parts.len != 2 or parts[0].strip != "abi" or parts[1].strip notin AbiFormats:
      error("ferry: " & pragma & " has the option " & option.repr & "; it takes \"abi = c\" and \"abi = cbor\"", option)

macro declareLibrary*(name: static string; libType: untyped; defaultABIFormat: static string = "cbor"): untyped =
  ## The first of a library: its name, and the type of its contexts.
  if defaultABIFormat notin AbiFormats:
    error("ferry: defaultABIFormat is '" & defaultABIFormat & "'; use \"c\" or \"cbor\"", libType)
  if libraryName.len > 0: error("ferry: there is a library '" & libraryName & "' already", libType)
  for word in querySetting(SingleValueSetting.commandLine).splitWhitespace:
    if word.strip(trailing = false, chars = {'-'}).replace("_", "").toLowerAscii == "nomain":
      error("ferry: leave --noMain out, and --nimMainPrefix with it; Nim's runtime begins when the library is loaded",
        libType)
  libraryName = name
  libraryType = libType
  newStmtList()

template initializeLibrary*() = discard
  ## Nothing is left to do: Nim's runtime begins when the library is loaded.

{.push warning[Deprecated]: off.} # `owner` is, and nothing else says which module a symbol is of
macro noteModule(procedure: typed): untyped =
  ## Remember the module of a procedure, which genBindings() imports. A file that is included is none.
  let file = procedure.getImpl.lineInfoObj.filename
  if $procedure.owner == file.splitFile.name and file notin modules: modules.add(file)
  newStmtList()
{.pop.}

# ---- types -----------------------------------------------------------------------------------------------------------

proc withStar(name: NimNode): NimNode {.compileTime.} =
  ## The name in a definition, exported: the module that has genBindings() uses it.
  case name.kind
  of nnkPragmaExpr: nnkPragmaExpr.newTree(withStar(name[0]), name[1])
  of nnkPostfix: name
  else: postfix(name, "*")

proc exportFields(fields: NimNode) {.compileTime.} =
  for part in fields:
    case part.kind
    of nnkIdentDefs:
      for i in 0 ..< part.len - 2: part[i] = withStar(part[i])
    of nnkRecList, nnkOfBranch, nnkElse, nnkRecCase: exportFields(part)
    else: discard

proc replaced(syntax: NimNode): NimNode {.compileTime.} =
  ## A type as Ferry knows it: a `cstring` travels as a string, and `Maybe` is nim-ffi's other word for `Option`.
  result = syntax
  if syntax.kind == nnkIdent and $syntax == "cstring": result = ident"string"
  elif syntax.kind == nnkIdent and $syntax == "Maybe": result = ident"Option"
  elif syntax.kind == nnkBracketExpr:
    result = newNimNode(nnkBracketExpr, syntax)
    for part in syntax: result.add(replaced(part))

proc noted(definition: NimNode): NimNode {.compileTime.} =
  ## Record a type, and export it.
  result = withoutEmptyPragma(definition)
  result[0] = withStar(result[0])
  let body = result[2]
  if body.kind == nnkEnumTy:
    noteEnum(result)
    return
  if body.kind == nnkObjectTy and body[2].kind == nnkRecList: exportFields(body[2])
  let recorded = copyNimTree(result)
  if body.kind == nnkObjectTy:
    for field in recorded[2][2]:
      if field.kind == nnkIdentDefs: field[^2] = replaced(field[^2])
  noteType(recorded)

macro ffiHandle*(args: varargs[untyped]): untyped =
  ## A `ref object` that stays in the library: {.ferryHandle.}.
  let definition = args[^1]
  checkPlace("{.ffiHandle.}", definition)
  checkOptions(args[0 ..^ 2], "{.ffiHandle.}")
  if definition.kind != nnkTypeDef: error("ferry: {.ffiHandle.} stands before a type", definition)
  result = noteHandle(definition)
  result[0] = withStar(result[0])

macro ffiConst*(args: varargs[untyped]): untyped =
  ## A constant that hosts see: `ferryConstant:`.
  let section = args[^1]
  checkPlace("{.ffiConst.}", section)
  checkOptions(args[0 ..^ 2], "{.ffiConst.}")
  if section.kind != nnkConstSection: error("ferry: {.ffiConst.} stands behind a constant's name", section)
  for definition in section:
    if definition[0].kind == nnkPragmaExpr and definition[0][1].len == 0: definition[0] = definition[0][0]
  newCall(bindSym"ferryConstant", newStmtList(section))

# ---- procedures ------------------------------------------------------------------------------------------------------

proc isHandle(syntax: NimNode): bool {.compileTime.} =
  let declared = find(typeName(syntax))
  declared != nil and declared.kind == KindHandle

proc isLibrary(syntax: NimNode): bool {.compileTime.} =
  syntax.kind == nnkIdent and syntax.repr.cmpIgnoreStyle(libraryType.repr) == 0

proc shapeOf(definition: NimNode): Shape {.compileTime.} =
  let (params, returned) = (definition.params, definition.params[0])
  let (isFuture, value) = futureOf(returned)
  if params.len > 1 and (isLibrary(params[1][^2]) or isHandle(params[1][^2])):
    return if value == nil or value.repr == "void": ShapeDestructor else: ShapeMethod
  if params.len == 1 and not isFuture: ShapeExport
  elif params.len > 1 and returned.kind == nnkEmpty: ShapeEvent
  else: ShapeStatic

proc checkProcedure(definition: NimNode; pragma: string; wanted: set[Shape]; shape: string) {.compileTime.} =
  checkPlace(pragma, definition)
  if definition.kind notin {nnkProcDef, nnkFuncDef}: error("ferry: " & pragma & " stands before a procedure", definition)
  if shapeOf(definition) notin wanted:
    error("ferry: " & pragma & " stands before a procedure that " & shape & "; '" & $bare(definition[0]) &
      "' is of another shape", definition[0])

proc checkReturned(definition: NimNode; pragma, value: string) {.compileTime.} =
  let (isFuture, returned) = futureOf(definition.params[0])
  if not isFuture or not resultOf(returned).isResult:
    error("ferry: " & pragma & " stands before a procedure that returns Future[Result[" & value & ", string]]; '" &
      $bare(definition[0]) & "' returns " & (if definition.params[0].kind == nnkEmpty: "nothing" else:
      definition.params[0].repr), definition[0])

proc nameFor(definition: NimNode): string {.compileTime.} =
  ## What hosts call a procedure: its name, without that of the library before it.
  let whole = snakeName(definition[0], "procedure")
  result = whole
  if whole.startsWith(libraryName & "_"): result = whole[libraryName.len + 1 .. ^1]
  if result.len == 0 or result[0] notin {'a' .. 'z'}: result = whole

proc taken(definition: NimNode): seq[NimNode] {.compileTime.} =
  ## Give parameters the types in which they travel; returns those that the author has as `cstring`.
  for i in 1 ..< definition.params.len:
    # a slice of a node would be of copies
    let param = definition.params[i]
    if param[^2].kind == nnkIdent and $param[^2] == "cstring":
      for name in param[0 .. ^3]: result.add(bare(name))
    param[^2] = replaced(param[^2])

proc asProc(definition: NimNode): NimNode {.compileTime.} =
  ## A procedure of the name that the author gave it, exported.
  result = newNimNode(nnkProcDef, definition)
  for part in definition: result.add(part)
  result[0] = withStar(result[0])

proc noted(given: NimNode; kind: MethodKind; what: string; context: NimNode = nil): NimNode {.compileTime.} =
  ## Record a procedure as what it is to hosts, and make it `async` if it returns a Future.
  let definition = asProc(given)
  let texts = taken(definition)
  result = newStmtList()
  let isFuture = futureOf(definition.params[0]).isFuture
  if isFuture and not definition.hasPragma("async"): definition.addPragma(ident"async")
  result.add(noteMethod(definition, kind, what, name = nameFor(definition), context = context))
  if definition.body.kind != nnkStmtList: definition.body = newStmtList(definition.body)
  let first = if definition.body.len > 0 and definition.body[0].kind == nnkCommentStmt: 1 else: 0
  for text in texts:
    definition.body.insert(first, newLetStmt(text, newCall(ident"cstring", text)))
  result.add(newCall(bindSym"noteModule", bare(definition[0])))

proc notedMethod(definition: NimNode): NimNode {.compileTime.} =
  checkReturned(definition, "{.ffi.}", "T")
  let receiver = definition.params[1][^2]
  noted(definition, MethodPlain, "method", if isHandle(receiver): libraryType else: nil)

proc notedStatic(definition: NimNode): NimNode {.compileTime.} =
  checkReturned(definition, "{.ffiStatic.}", "T")
  noted(definition, MethodStatic, "static")

proc isNothing(body: NimNode): bool {.compileTime.} =
  body.kind in {nnkEmpty, nnkCommentStmt, nnkDiscardStmt}

proc notedDestructor(definition: NimNode): NimNode {.compileTime.} =
  ## A destructor may await whether or not it returns a Future.
  if isHandle(definition.params[1][^2]):
    error("ferry: the destructor '" & $bare(definition[0]) & "' has to take the library, " & libraryType.repr &
      "; a handle is closed by closeHandle(it)", definition[0])
  var isEmpty = true
  for part in definition.body: isEmpty = isEmpty and isNothing(part)
  if not isEmpty and definition.params[0].kind == nnkEmpty:
    definition.params[0] = nnkBracketExpr.newTree(ident"Future", ident"void")
  noted(definition, MethodDestructor, "destructor")

macro ffiCtor*(args: varargs[untyped]): untyped =
  ## The constructor: {.ferryConstructor.}.
  let definition = args[^1]
  checkOptions(args[0 ..^ 2], "{.ffiCtor.}")
  checkPlace("{.ffiCtor.}", definition)
  checkReturned(definition, "{.ffiCtor.}", libraryType.repr)
  noted(definition, MethodConstructor, "constructor")

macro ffiDtor*(args: varargs[untyped]): untyped =
  ## The destructor: {.ferryDestructor.}.
  let definition = args[^1]
  checkOptions(args[0 ..^ 2], "{.ffiDtor.}")
  checkProcedure(definition, "{.ffiDtor.}", {ShapeDestructor},
    "takes the library and returns nothing or Future[void]")
  notedDestructor(definition)

macro ffiStatic*(args: varargs[untyped]): untyped =
  ## A procedure that hosts call without a context: {.ferryStatic.}.
  let definition = args[^1]
  checkOptions(args[0 ..^ 2], "{.ffiStatic.}")
  checkProcedure(definition, "{.ffiStatic.}", {ShapeStatic, ShapeExport}, "does not take the library")
  notedStatic(definition)

macro ffiExport*(definition: untyped): untyped =
  ## A procedure without parameters that answers at once: {.ferryStatic.} too.
  checkProcedure(definition, "{.ffiExport.}", {ShapeExport}, "takes nothing and returns no Future")
  noted(definition, MethodStatic, "static")

# ---- events ----------------------------------------------------------------------------------------------------------

proc withoutOn(name: string): string {.compileTime.} =
  if name.len > 3 and name.startsWith("on_") and name[3] in {'a' .. 'z'}: name[3 .. ^1] else: name

proc eventName(options: seq[NimNode]; definition: NimNode; pragma: string): string {.compileTime.} =
  ## What hosts call an event: the name in the pragma, or the procedure's; without `on`, which bindings write before it.
  var rest = options
  result = snakeName(definition[0], "event")
  if options.len > 0 and options[0].kind in nnkStrLit .. nnkTripleStrLit and '=' notin options[0].strVal:
    result = snakeName(ident(options[0].strVal), "event")
    rest = options[1 .. ^1]
  checkOptions(rest, pragma)
  result = result.withoutOn

proc camelOf(name: string): string {.compileTime.} =
  for part in name.split('_'): result.add(capitalizeAscii(part))

proc notedEvent(given: NimNode; options: seq[NimNode]; pragma: string): NimNode {.compileTime.} =
  ## An event carries one value here. Several parameters are put into an object, as nim-ffi does.
  let definition = asProc(given)
  let name = eventName(options, definition, pragma)
  if definition.body.kind == nnkEmpty: definition.body = newStmtList()
  var kept = newNimNode(nnkPragma)
  for part in definition.pragma:
    # the procedure that emits has them already
    if typeName(if part.kind == nnkExprColonExpr: part[0] else: part) notin ["raises", "gcsafe"]: kept.add(part)
  definition.pragma = if kept.len > 0: kept else: newEmptyNode()
  discard taken(definition)
  var params: seq[(NimNode, NimNode)]
  for param in definition.params[1 .. ^1]:
    for each in param[0 .. ^3]: params.add((bare(each), param[^2]))
  let (policy, depth) = (ident"dropOldest", newLit(0))
  if definition.body.kind == nnkStmtList and definition.body.len == 0: definition.body = newEmptyNode()
  if params.len == 1: return noteEvent(definition, policy, depth, name)
  let payload = ident("On" & camelOf(name) & "Payload")
  let declared = Declared(kind: KindObject, name: $payload, node: definition[0])
  var (fields, made) = (newTree(nnkRecList), nnkObjConstr.newTree(payload))
  for (field, syntax) in params:
    declared.addField(Field(name: snakeName(field, "parameter"), nimName: $field, syntax: syntax), "a parameter", field)
    fields.add(newIdentDefs(postfix(field, "*"), syntax))
    made.add(nnkExprColonExpr.newTree(field, field))
  addType(declared)
  let emit = ident("ferryEmit" & $payload)
  let value = ident"ferryValue"
  result = newStmtList(nnkTypeSection.newTree(nnkTypeDef.newTree(postfix(payload, "*"), newEmptyNode(),
    nnkObjectTy.newTree(newEmptyNode(), newEmptyNode(), fields))))
  let emitter = newProc(emit, [newEmptyNode(), newIdentDefs(value, payload)], newEmptyNode())
  if definition.body.kind == nnkStmtList: emitter.body = definition.body
  result.add(noteEvent(emitter, policy, depth, name))
  definition.body = newStmtList(newCall(emit, made))
  result.add(definition)

macro ffiEvent*(args: varargs[untyped]): untyped =
  ## An event, which calling the procedure emits: {.ferryEvent.}.
  let definition = args[^1]
  checkProcedure(definition, "{.ffiEvent.}", {ShapeEvent}, "takes what the event carries and returns nothing")
  notedEvent(definition, args[0 ..^ 2], "{.ffiEvent.}")

macro dispatchFFIEvent*(eventName: static string; body: untyped): untyped =
  ## Emit an event that carries a text, and is declared by that.
  let name = snakeName(ident(eventName), "event").withoutOn
  var number = -1
  for event in textEvents:
    if event.name == name: number = event.number
  if number < 0:
    checkPlace("dispatchFFIEvent", body)
    number = events.len
    for event in events:
      if isSame(event.name, name): refuseAgain("an event", event.name, body)
    events.add(Event(name: name, overflow: "drop_oldest", node: ident(eventName), value: ident"string"))
    textEvents.add(TextEvent(name: name, number: number))
  let (at, emit) = (newLit(uint32(number)), bindSym"emitEvent")
  quote do:
    block:
      let text: string = `body`
      `emit`(`at`, text)

# ---- one pragma for all ----------------------------------------------------------------------------------------------

macro ffi*(args: varargs[untyped]): untyped =
  ## A type that can cross, or a procedure, whose signature says what it is to hosts.
  let definition = args[^1]
  if definition.kind == nnkTypeDef:
    if isWhole: checkPlace("{.ffi.}", definition)
    checkOptions(args[0 ..^ 2], "{.ffi.}")
    return noted(definition)
  checkProcedure(definition, "{.ffi.}", {low(Shape) .. high(Shape)}, "")
  if shapeOf(definition) != ShapeEvent: checkOptions(args[0 ..^ 2], "{.ffi.}")
  case shapeOf(definition)
  of ShapeMethod: notedMethod(definition)
  of ShapeStatic: notedStatic(definition)
  of ShapeExport: noted(definition, MethodStatic, "static")
  of ShapeDestructor: notedDestructor(definition)
  of ShapeEvent: notedEvent(definition, args[0 ..^ 2], "{.ffi.}")

macro genBindings*(args: varargs[untyped]): untyped =
  ## The last of a library: makes it, as ferryLibrary does. Bindings come from `ferry bindgen`, so what nim-ffi's
  ## generators are told is of no use here.
  let here = args.lineInfoObj.filename
  checkPlace("genBindings()", args)
  isWhole = true
  result = newStmtList()
  # that one is imported already is no fault of the author's
  var imports = newStmtList()
  for file in modules:
    if file != here: imports.add(nnkImportStmt.newTree(newLit(file.changeFileExt(""))))
  if imports.len > 0:
    result.add(nnkPragma.newTree(ident"push", nnkExprColonExpr.newTree(nnkBracketExpr.newTree(ident"hint",
      ident"DuplicateModuleImport"), ident"off")), imports, nnkPragma.newTree(ident"pop"))
  var hasConstructor, hasDestructor: bool
  for made in methods:
    hasConstructor = hasConstructor or made.kind == MethodConstructor
    hasDestructor = hasDestructor or made.kind == MethodDestructor
  if hasConstructor and not hasDestructor:
    let (name, libType, destructor) = (ident"destroy", libraryType, bindSym"ferryDestructor")
    result.add(quote do:
      proc `name`(library: `libType`) {.`destructor`.} = discard)
  result.add(newCall(bindSym"ferryLibrary", newLit(libraryName), newLit(ferryVersion)))

# ---- what is not here ------------------------------------------------------------------------------------------------

macro ffiRaw*(args: varargs[untyped]): untyped =
  error("ferry: {.ffiRaw.} is for procedures with a callback; write proc name(lib: LibType, ...): " &
    "Future[Result[string, string]] {.ffi.}", args[^1])

macro registerReqFFI*(args: varargs[untyped]): untyped =
  error("ferry: there are no requests to register; write proc name(lib: LibType, ...): Future[Result[T, string]] {.ffi.}",
    args[0])

macro processReq*(args: varargs[untyped]): untyped =
  error("ferry: there are no requests to process; hosts call a procedure marked {.ffi.} directly", args[0])

macro dispatchFFIEventCbor*(args: varargs[untyped]): untyped =
  error("ferry: declare the event, proc name(value: T) {.ffiEvent.}, and call that", args[0])

macro declareLibraryBase*(args: varargs[untyped]): untyped =
  error("ferry: write declareLibrary(name, LibType)", args[0])
