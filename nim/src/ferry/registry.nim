# SPDX-License-Identifier: BSD-3-Clause
## The registry: what the annotations of a library have declared so far, while it is compiled. It is an interface as
## spec/interface.md defines it, with the syntax that each part came from. Whatever the specification refuses is refused
## here, by an error at the author's line.

import std/[macros, sequtils, strutils]

const
  NameBytesMax* = 64
    ## How many bytes a name may have: as many as `ferry bindgen` allows.
  FieldsMax* = 4096
    ## How many fields an object and how many parameters a method may have: as many as `ferry bindgen` allows.
  EventDepthMax* = 1 shl 20
  MessageDepthMax* = 32
    ## How deep objects, sequences and maps may nest (W7).
  StructBytesMax* = 65536
    ## How many bytes a struct of format `c` may have (W7).
  PlainTypes = [("bool", "bool"), ("int8", "i8"), ("int16", "i16"), ("int32", "i32"), ("int64", "i64"), ("int", "i64"),
    ("uint8", "u8"), ("byte", "u8"), ("uint16", "u16"), ("uint32", "u32"), ("uint64", "u64"), ("uint", "u64"),
    ("float32", "f32"), ("float64", "f64"), ("float", "f64"), ("string", "string")]
  Times = ["Time", "Duration"]
  Usable = "bool, int8 … int64, uint8 … uint64, float32, float64, string, seq[byte], Option[T], seq[T], array[N, T], " &
    "Table[K, V], set[E], Time, Duration, or a type of your own marked {.ferryType.}, {.ferryEnum.} or {.ferryHandle.}"
  Instead = [("char", "uint8, or string for a text"), ("cstring", "string"), ("openArray", "seq"), ("varargs", "seq"),
    ("HashSet", "seq"), ("OrderedSet", "seq"), ("OrderedTable", "Table"), ("CountTable", "Table"), ("TableRef", "Table"),
    ("DateTime", "Time"), ("Positive", "Natural"), ("pointer", "a type marked {.ferryHandle.}"), ("cint", "int32"), ("csize_t", "uint64"),
    ("clong", "int64"), ("cdouble", "float64"),
    ("FerryStream", "it as the last parameter of an async {.ferryMethod.}")]
    ## What to use instead of a type that cannot cross.

  OtherLibraries* = ["c", "crypt", "dl", "ferry", "ferry_ingress", "ferryingress", "ferryomp", "gcc", "ingress", "m",
    "pthread", "rt", "stdc", "util"]
    ## Names that a library cannot have, since a shared object of that name exists (I3).

type
  ShapeKind* = enum ShapePlain, ShapeEnum, ShapeObject, ShapeHandle, ShapeVariant, ShapeOption, ShapeSeq, ShapeMap
  Shape* = ref object
    ## A type, as a description has it.
    kind*: ShapeKind
    name*: string ## the name of a plain type, or of one of the author's types
    parts*: seq[Shape]
  Field* = object
    name*: string     ## the name in the description
    nimName*: string
    syntax*: NimNode  ## the syntax of its type
    doc*: string
    default*: NimNode ## the expression of its default; nil when it has none
    defaultJson*: string ## the value of that, as JSON
  Value* = object
    name*, doc*: string
    nimName*: string
    number*: BiggestInt
  TypeKind* = enum KindEnum, KindObject, KindHandle, KindVariant, KindAlias
  Declared* = ref object
    ## A type that the author has annotated.
    kind*: TypeKind
    name*, doc*: string
    node*: NimNode
    fields*: seq[Field]
    values*: seq[Value]
    base*: NimNode   ## what an alias or a distinct type is of; it has no place in the description
    isDistinct*: bool
    isTuple*: bool
    isDerived*: bool ## whether it comes with a method that yields
    isRequest*: bool ## whether it stands for the parameters of a method
    hasCodec*: bool
    isSelector*: bool ## whether it says which case of an object there is; hosts see it only if it is used elsewhere too
    author*: string  ## the author's type with `case`s that it is made of; empty of most types
    isWhole*: bool   ## whether it stands for all of that type
    selector*: string ## of a variant, the field that says which case there is
    labels*: seq[string] ## of a variant, the value of that field for each case
    nimCode*: string ## what it is called in the code; empty: by its name
  Constant* = object
    name*, kind*, doc*: string
    value*: string ## the value as JSON
  MethodKind* = enum MethodPlain, MethodConstructor, MethodDestructor, MethodStatic
  AskPart* = enum AskNone, AskReturn, AskRaise, AskFail
  Ask* = ref object
    ## A question that the library asks its host (A1).
    name*, doc*: string
    node*: NimNode
    params*: seq[Field]
    returns*: NimNode  ## the type of its answer; nil when that is nothing
    error*: NimNode    ## the type of the error that it declares; nil when it declares none
    question*, asked*: string ## the names of the handle and of the object that the event carries
  StreamPart* = enum StreamNone, StreamOpen, StreamNext, StreamClose
  Stream* = ref object
    ## What comes with a method that yields (S1): two more methods, a handle and an object.
    yields*: NimNode   ## the type of its values
    call*: NimNode     ## the author's procedure
    handle*, parts*: string ## the names of the handle and of the object
  Method* = ref object
    name*, doc*: string
    kind*: MethodKind
    node*: NimNode
    call*: NimNode     ## the procedure's name
    params*: Declared
    context*: NimNode  ## the type of the context; a static method has none
    returns*: NimNode  ## the result's type, without its Future; nil when there is no result
    error*: NimNode    ## the type of the error that it declares; nil when it declares none
    part*: StreamPart  ## what it does for a stream
    stream*: Stream    ## which stream that is
    ask*: Ask          ## which question it answers
    askPart*: AskPart  ## how
    isAsync*: bool
    isResult*: bool    ## whether the procedure returns a Result: the value, or an error
    isContextless*: bool ## whether the procedure of a method does not take the context
    isIdempotent*: bool
  Event* = object
    name*, doc*, overflow*: string
    node*: NimNode
    value*: NimNode    ## the type of its value; nil when it has none
    depth*: int

var
  declaredTypes* {.compileTime.}: seq[Declared]
  constants* {.compileTime.}: seq[Constant]
  methods* {.compileTime.}: seq[Method]
  events* {.compileTime.}: seq[Event]
  questions* {.compileTime.}: seq[Ask]
  isLibraryDeclared* {.compileTime.}: bool

# ---- names -----------------------------------------------------------------------------------------------------------

proc toSnake*(name: string): string {.compileTime.} =
  ## A name in snake case: `delayMs` and `delay_ms` give `delay_ms`; `readURLNow` gives `read_url_now`.
  for i, c in name:
    if c in {'A' .. 'Z'}:
      let afterLower = i > 0 and name[i - 1] in {'a' .. 'z', '0' .. '9'}
      let beforeLower = i > 0 and i + 1 < name.len and name[i - 1] in {'A' .. 'Z'} and name[i + 1] in {'a' .. 'z'}
      if afterLower or beforeLower: result.add('_')
      result.add(c.toLowerAscii)
    else: result.add(c)

proc isSnake(name: string): bool {.compileTime.} =
  if name.len == 0 or name[0] notin {'a' .. 'z'} or name[^1] == '_' or "__" in name: return false
  for c in name:
    if c notin {'a' .. 'z', '0' .. '9', '_'}: return false
  true

proc isCamel(name: string): bool {.compileTime.} =
  if name.len == 0 or name[0] notin {'A' .. 'Z'}: return false
  for c in name:
    if c notin {'A' .. 'Z', 'a' .. 'z', '0' .. '9'}: return false
  true

proc bare*(node: NimNode): NimNode {.compileTime.} =
  ## The name in a definition, without `*`, pragmas and backticks.
  case node.kind
  of nnkPostfix: bare(node[1])
  of nnkPragmaExpr: bare(node[0])
  of nnkAccQuoted: ident($node[0])
  of nnkIdent, nnkSym: node
  else:
    error("ferry: a name was expected here", node)
    nil

proc checkLength*(name: string; node: NimNode) {.compileTime.} =
  if name.len > NameBytesMax:
    error("ferry: '" & name & "' is longer than " & $NameBytesMax & " bytes; choose a shorter name", node)

proc snakeName*(node: NimNode; what: string): string {.compileTime.} =
  result = toSnake($bare(node))
  if not isSnake(result):
    error("ferry: the name of " & what & " '" & $bare(node) & "' has to be of ASCII letters, digits and single " &
      "underscores, and begin with a letter", node)
  checkLength(result, node)

proc camelName*(node: NimNode; what: string): string {.compileTime.} =
  result = $bare(node)
  if not isCamel(result):
    error("ferry: the name of " & what & " '" & result & "' has to be CamelCase, of ASCII letters and digits", node)
  checkLength(result, node)

proc checkOpen*(node: NimNode) {.compileTime.} =
  if isLibraryDeclared:
    error("ferry: this comes after ferryLibrary, which has to be the last of a library; move it up", node)

proc isSame*(a, b: string): bool {.compileTime.} =
  ## Whether two names of one list are the same but for case and `_`, which I3 forbids. Nim itself forbids it except for
  ## the case of the first letter.
  cmpIgnoreStyle(a, b) == 0

proc refuseAgain*(what, name: string; node: NimNode) {.compileTime.} =
  error("ferry: there is " & what & " '" & name & "' already; rename one", node)

# ---- types -----------------------------------------------------------------------------------------------------------

proc code*(declared: Declared): string {.compileTime.} =
  ## What a type is called in Nim.
  if declared.nimCode.len > 0: declared.nimCode else: declared.name

proc find*(name: string): Declared {.compileTime.} =
  for declared in declaredTypes:
    if declared.code.cmpIgnoreStyle(name) == 0 and declared.code[0] == name[0]: return declared

proc typeName*(syntax: NimNode): string {.compileTime.} =
  ## The name of a type, or of the generic that makes it; empty for anything else.
  case syntax.kind
  of nnkIdent, nnkSym: $syntax
  of nnkDotExpr: typeName(syntax[1])
  of nnkBracketExpr: typeName(syntax[0])
  of nnkCall:
    # `[]`(seq, T): macros write seq[T] in this way
    if syntax[0].kind in {nnkOpenSymChoice, nnkIdent, nnkSym} and $syntax[0] == "[]": typeName(syntax[1]) else: ""
  else: ""

proc withoutSink*(syntax: NimNode): NimNode {.compileTime.} =
  ## A parameter's type without `sink`.
  if syntax.kind in {nnkCommand, nnkCall} and syntax.len == 2 and syntax[0].kind in {nnkIdent, nnkSym} and
      $syntax[0] == "sink": syntax[1]
  else: syntax

proc resolved*(syntax: NimNode): NimNode {.compileTime.} =
  ## A type without the author's aliases for it; a distinct type is none.
  let declared = if syntax.kind in {nnkIdent, nnkSym, nnkDotExpr}: find(typeName(syntax)) else: nil
  if declared != nil and declared.kind == KindAlias and not declared.isDistinct: resolved(declared.base) else: syntax

proc isByte(syntax: NimNode): bool {.compileTime.} = typeName(resolved(syntax)) in ["byte", "uint8"]

proc isRange(syntax: NimNode): bool {.compileTime.} =
  syntax.kind == nnkInfix and $syntax[0] == ".." or typeName(syntax) == "range"

proc shapeOfRange(syntax: NimNode; path: string): Shape {.compileTime.} =
  ## The shape of `range[0 .. 9]`, which is that of the integers in its bounds.
  const kinds = [(nnkIntLit, "i64"), (nnkInt8Lit, "i8"), (nnkInt16Lit, "i16"), (nnkInt32Lit, "i32"), (nnkInt64Lit, "i64"),
    (nnkUIntLit, "u64"), (nnkUInt8Lit, "u8"), (nnkUInt16Lit, "u16"), (nnkUInt32Lit, "u32"), (nnkUInt64Lit, "u64")]
  let bounds = if syntax.kind == nnkBracketExpr: syntax[^1] else: syntax
  if bounds.kind == nnkInfix and bounds.len == 3:
    let last = if bounds[2].kind == nnkPrefix: bounds[2][1] else: bounds[2]
    let first = if bounds[1].kind == nnkPrefix: bounds[1][1] else: bounds[1]
    for (literal, kind) in kinds:
      if first.kind != literal or last.kind != literal: continue
      let isBelow = bounds[1].kind == nnkPrefix or first.intVal <= 0
      let isAbove = bounds[2].kind != nnkPrefix and last.intVal >= 0
      if isBelow and isAbove: return Shape(kind: ShapePlain, name: kind)
      error("ferry: " & path & " is a range without 0, with which values begin; have it begin at 0", syntax)
  error("ferry: " & path & " is a range; write both of its bounds as integers of one type, as in range[0 .. 100]", syntax)

proc refuse(syntax: NimNode; path: string) {.compileTime.} =
  ## Say what to use instead of a type that cannot cross.
  let name = typeName(syntax)
  var instead = Usable
  for (refused, other) in Instead:
    if name == refused: instead = other
  if syntax.kind in {nnkTupleTy, nnkTupleConstr, nnkPar}: instead = "a tuple or object with a name, marked {.ferryType.}"
  if syntax.kind in {nnkRefTy, nnkPtrTy}: instead = "a `ref object` with a name, marked {.ferryHandle.}"
  if syntax.kind == nnkProcTy: instead = "an event, {.ferryEvent.}, which calls the host"
  error("ferry: " & path & " is of type '" & syntax.repr & "', which cannot cross; use " & instead, syntax)

proc shapeOf*(given: NimNode; path: string): Shape {.compileTime.} =
  ## The shape that a type has in a description. `path` is for the error message, when the type cannot cross.
  let syntax = resolved(given)
  let name = typeName(syntax)
  if isRange(syntax): return shapeOfRange(syntax, path)
  proc part(index: int; more: string): Shape = shapeOf(syntax[index], path & more)
  if syntax.kind == nnkBracketExpr:
    case name
    of "Option":
      if syntax.len == 2:
        let item = part(1, "")
        if item.kind == ShapeOption: error("ferry: " & path & " is an Option in an Option; one is enough", syntax)
        return Shape(kind: ShapeOption, parts: @[item])
    of "seq":
      if syntax.len == 2:
        if isByte(syntax[1]): return Shape(kind: ShapePlain, name: "bytes")
        return Shape(kind: ShapeSeq, parts: @[part(1, "[]")])
    of "array":
      if syntax.len == 3:
        if isByte(syntax[2]): return Shape(kind: ShapePlain, name: "bytes")
        return Shape(kind: ShapeSeq, parts: @[part(2, "[]")])
    of "set":
      if syntax.len == 2:
        let item = find(typeName(resolved(syntax[1])))
        if item == nil or item.kind != KindEnum:
          error("ferry: " & path & " is a set of '" & syntax[1].repr & "'; only sets of an enum marked {.ferryEnum.} cross",
            syntax)
        return Shape(kind: ShapeSeq, parts: @[part(1, "")])
    of "Table":
      if syntax.len == 3:
        let key = part(1, " (its keys)")
        if not PlainTypes.anyIt(it[0] == typeName(resolved(syntax[1]))) or
            (key.name[0] notin {'i', 'u'} and key.name != "string"):
          error("ferry: " & path & " has keys of type '" & syntax[1].repr & "'; keys are integers or strings", syntax)
        return Shape(kind: ShapeMap, parts: @[key, part(2, "[]")])
    else: discard
  else:
    for (nim, plain) in PlainTypes:
      if name == nim: return Shape(kind: ShapePlain, name: plain)
    let declared = find(name)
    if declared != nil:
      if declared.kind == KindAlias: return shapeOf(declared.base, path)
      const kinds: array[KindEnum .. KindVariant, ShapeKind] = [ShapeEnum, ShapeObject, ShapeHandle, ShapeVariant]
      return Shape(kind: kinds[declared.kind], name: declared.name)
    if name == "Natural" or name in Times: return Shape(kind: ShapePlain, name: "i64")
  refuse(syntax, path)

proc inlineTypes(syntax: NimNode; found: var seq[string]) {.compileTime.} =
  ## The author's types that lie in a value itself, and not behind a seq. Types in a Table count too: the specification
  ## allows an object with a Table of its own type (spec/wire's `forest`), but Nim 2.2.12 recurses without end when it
  ## destroys one.
  let syntax = resolved(syntax)
  if syntax.kind == nnkBracketExpr:
    if typeName(syntax) in ["Option", "Table", "array"]: inlineTypes(syntax[^1], found)
  else: found.add(typeName(syntax))

proc inlineTypesOf*(declared: Declared): seq[string] {.compileTime.} =
  for field in declared.fields:
    if field.syntax != nil: inlineTypes(field.syntax, result)

proc checkRecursion*(declared: Declared) {.compileTime.} =
  ## Refuse an object that contains itself, directly or through other objects. Objects that are declared later are
  ## checked when they are added.
  var path = @[declared.code]
  proc visit(current: Declared) =
    for name in inlineTypesOf(current):
      let inner = find(name)
      if inner == nil or inner.kind notin {KindObject, KindVariant}: continue
      if inner == declared:
        error("ferry: " & declared.name & " contains itself (" & (path & inner.code).mapIt(find(it).name).join(" > ") &
          "); put it into a seq where it does", declared.node)
      if inner.code notin path:
        path.add(inner.code)
        visit(inner)
        discard path.pop()
  visit(declared)

proc addType*(declared: Declared) {.compileTime.} =
  checkOpen(declared.node)
  for other in declaredTypes:
    if isSame(other.name, declared.name): refuseAgain("a type", other.name, declared.node)
    if declared.isTuple and other.isTuple and other.fields.mapIt((it.nimName, it.syntax.repr)) ==
        declared.fields.mapIt((it.nimName, it.syntax.repr)):
      error("ferry: the tuples '" & other.name & "' and '" & declared.name & "' have the same fields, and are one type " &
        "to Nim; make one an object", declared.node)
  declaredTypes.add(declared)
  if declared.kind in {KindObject, KindVariant}: checkRecursion(declared)

proc addField*(declared: Declared; field: Field; what: string; node: NimNode) {.compileTime.} =
  for other in declared.fields:
    if isSame(other.name, field.name): refuseAgain(what, other.name, node)
  declared.fields.add(field)
  if declared.fields.len > FieldsMax:
    error("ferry: '" & declared.name & "' has more than " & $FieldsMax & " fields; put some into an object", node)

# ---- depth -----------------------------------------------------------------------------------------------------------

proc depthOf*(syntax: NimNode; within: seq[string]): int {.compileTime.} =
  ## How deep objects, sequences and maps nest in a value of a type. A type that contains itself counts once.
  let syntax = resolved(syntax)
  let name = typeName(syntax)
  if isRange(syntax): return 0
  if syntax.kind == nnkBracketExpr:
    if name in ["seq", "array"] and isByte(syntax[^1]): return 0
    for i in 1 ..< syntax.len: result = max(result, depthOf(syntax[i], within))
    return if name == "Option": result else: result + 1
  let declared = find(name)
  if declared == nil or declared.kind notin {KindObject, KindVariant} or declared.code in within: return 0
  for field in declared.fields:
    if field.syntax != nil: result = max(result, depthOf(field.syntax, within & declared.code))
  inc result

proc checkDepth*(syntax: NimNode; around: int; path: string; node: NimNode) {.compileTime.} =
  ## Refuse a type whose values always nest too deep to be sent (W7).
  let depth = depthOf(syntax, @[]) + around
  if depth > MessageDepthMax:
    error("ferry: " & path & " nests " & $depth & " deep; a message nests at most " & $MessageDepthMax & " deep", node)
