# SPDX-License-Identifier: BSD-3-Clause
## `ferryLibrary`, the last statement of a library. From all that was annotated it makes the codecs; for each method a
## procedure that decodes the request, calls the author's procedure, and answers; and the function that returns the
## `struct ingress_library`.

import std/[macros, sequtils, strutils]
import "."/[annotate, asks, calls, codecs, describe, provider, registry, runtime, streams]

const
  ferryInterface* {.strdefine.} = ""
    ## -d:ferryInterface=FILE writes the description of the interface there.
  ContextsMax = 1024'u32

proc checkWhole(node: NimNode) {.compileTime.} =
  ## Checks that need all declarations.
  var constructor, destructor: Method
  for made in methods:
    if made.kind == MethodConstructor: constructor = made
    if made.kind == MethodDestructor: destructor = made
  if constructor != nil and destructor == nil:
    error("ferry: there is a constructor, '" & $constructor.node & "', and no destructor; add a procedure marked " &
      "{.ferryDestructor.} that takes the context", constructor.node)
  if destructor != nil and constructor == nil:
    error("ferry: there is a destructor, '" & $destructor.node & "', and no constructor; add a procedure marked " &
      "{.ferryConstructor.} that returns the context", destructor.node)
  for ask in questions:
    if constructor == nil:
      error("ferry: '" & $ask.node & "' is a question, and there is no constructor; add one: a context asks it", ask.node)
    for event in events:
      if isSame(event.name, ask.name):
        error("ferry: there is an event '" & event.name & "' too; rename it or the question", ask.node)
    checkDepth(ident(ask.asked), 0, $ask.node, ask.node)
  for made in methods:
    for other in methods:
      if made.ask != nil and other != made and isSame(made.name, other.name):
        error("ferry: there is a method '" & other.name & "' already, which '" & $made.node & "' needs for its answer; " &
          "rename one", made.node)
  for made in methods:
    if made.kind == MethodStatic or made.ask != nil: continue
    if constructor == nil:
      error("ferry: '" & $made.node & "' is a method, and there is no constructor; add one, or use {.ferryStatic.}",
        made.node)
    if made.context.repr.cmpIgnoreStyle(constructor.context.repr) != 0:
      error("ferry: the first parameter of '" & $made.node & "' has to be the context that '" & $constructor.node &
        "' returns, " & constructor.context.repr & ", and is " & made.context.repr, made.node)
  for made in methods:
    if made.returns != nil: checkDepth(made.returns, 0, "the result of " & $made.node, made.node)
    if made.error != nil: checkDepth(made.error, 0, "the error of " & $made.node, made.node)
    for field in made.params.fields: checkDepth(field.syntax, 1, $made.node & "." & field.name, made.node)
    let paramsName = (made.name & "_params").split('_').join("")
    for declared in declaredTypes:
      if cmpIgnoreCase(declared.name, paramsName) == 0:
        error("ferry: the parameters of '" & $made.node & "' are called " & declared.name &
          ", and there is a type of that name; rename one", declared.node)
  for event in events:
    if event.value != nil: checkDepth(event.value, 0, $event.node, event.node)
  if methods.len == 0: error("ferry: the library has no methods; mark some with {.ferryMethod.} or {.ferryStatic.}",
    node)

proc paramsType(made: Method): NimNode {.compileTime.} =
  ## The object in which the parameters of a method travel.
  var fields = newTree(nnkRecList)
  for field in made.params.fields:
    fields.add(newIdentDefs(ident(field.nimName), copyNimTree(field.syntax)))
  nnkTypeSection.newTree(nnkTypeDef.newTree(ident(made.params.name), newEmptyNode(),
    nnkObjectTy.newTree(newEmptyNode(), newEmptyNode(), fields)))

proc callOf(made: Method; context, params: NimNode): NimNode {.compileTime.} =
  ## A call of the author's procedure, with the parameters moved into it.
  result = newCall(ident($made.call))
  if made.kind in {MethodPlain, MethodDestructor} and not made.isContextless: result.add(context)
  for field in made.params.fields:
    result.add(newCall(bindSym"move", newDotExpr(params, ident(field.nimName))))

proc errorsOf(made: Method): NimNode {.compileTime.} =
  ## The type of the error that a method declares.
  if made.error == nil: ident"void" else: copyNimTree(made.error)

proc valueOf(made: Method): NimNode {.compileTime.} =
  ## The type of what a method returns to hosts.
  if made.returns == nil: ident"void" else: copyNimTree(made.returns)

proc answering(made: Method; request, context, params, serve: NimNode): NimNode {.compileTime.} =
  ## Call the author's procedure and answer: at once, or when its Future is finished.
  let call = callOf(made, context, params)
  let (errors, isResult) = (errorsOf(made), newLit(made.isResult))
  if made.kind != MethodConstructor:
    let value = valueOf(made)
    return
      if made.isAsync: newCall(bindSym"serveFuture", request, call, value, errors, isResult)
      elif made.isResult: newCall(bindSym"answerResult", request, call, value, errors)
      elif made.returns == nil: newStmtList(call, newCall(bindSym"answerNothing", request))
      else: newCall(bindSym"answerValue", request, call)
  let keep = ident"ferryKeep"
  if made.isAsync: return newCall(bindSym"serveConstruction", request, call, keep, serve, errors, isResult)
  let kept =
    if made.isResult: newCall(bindSym"answerConstruction", request, call, keep, errors, ident"ferrySucceeded")
    else: quote do:
      `keep`(`call`)
      answerNothing(`request`)
      ferrySucceeded = true
  quote do:
    var ferrySucceeded {.inject.} = false
    `kept`
    endConstruction(`serve`, ferrySucceeded)

proc streamHandlerOf(made: Method; name, context: NimNode): NimNode {.compileTime.} =
  ## The procedure that serves one of the three methods of a stream.
  let (request, params, stream) = (ident"ferryRequest", ident"ferryParams", ident"ferryStream")
  let paramsOf = ident(made.params.name)
  var serve: NimNode
  case made.part
  of StreamOpen:
    let (handle, parts, yields) = (ident(made.stream.handle), ident(made.stream.parts), copyNimTree(made.stream.yields))
    let errors = errorsOf(made)
    let call = callOf(made, context, params)
    # the stream is the author's last parameter, in the place of the credits
    call[^1] = stream
    let (base, measured) = (bindSym"StreamBase", bindSym"bound")
    serve = quote do:
      let `stream` = `handle`()
      beginStream(`stream`, `request`, `params`.credits,
        proc (stream: `base`) {.nimcall, raises: [], gcsafe.} = answerPart(`handle`(stream), `parts`, `errors`),
        proc (value: `yields`; wire: uint32): int {.nimcall, raises: [], gcsafe.} = `measured`(wire, value))
      try: follow(`stream`, `call`)
      except Exception as e: finish(`stream`, e)
      endServing(`stream`)
  of StreamNext:
    serve = quote do:
      if `params`.stream.request != nil:
        answerWith(`request`, StatusFailed, "another request of this stream waits for values")
        return
      grant(`params`.stream, `request`, `params`.credits)
  of StreamClose:
    serve = quote do:
      stop(`params`.stream)
      answerNothing(`request`)
  of StreamNone: discard
  quote do:
    proc `name`(`request`: ptr Request) {.nimcall, raises: [], gcsafe.} =
      if not isReady(`request`): return
      var `params`: `paramsOf`
      if not getParams(`request`, `params`): return
      `serve`

proc answerHandlerOf(made: Method; name: NimNode): NimNode {.compileTime.} =
  ## The procedure that serves a method which brings an answer.
  let (request, params) = (ident"ferryRequest", ident"ferryParams")
  let paramsOf = ident(made.params.name)
  let question = newDotExpr(params, ident"question")
  proc given(field: string): NimNode = newCall(bindSym"move", newDotExpr(params, ident(field)))
  let serve = case made.askPart
    of AskReturn:
      if made.ask.returns == nil: newCall(bindSym("answerNothing", brOpen), question)
      else: newCall(bindSym("answerWith", brOpen), question, given("value"))
    of AskRaise: newCall(bindSym"answeredWith", question, given("error"))
    of AskFail: newCall(bindSym"hostFailed", question, given("message"))
    of AskNone: nil
  quote do:
    proc `name`(`request`: ptr Request) {.nimcall, raises: [], gcsafe.} =
      if not isReady(`request`): return
      var `params`: `paramsOf`
      if not getParams(`request`, `params`): return
      `serve`
      answerNothing(`request`)

proc handlerOf(made: Method; name, context, serve: NimNode): NimNode {.compileTime.} =
  ## The procedure that serves one method.
  let request = ident"ferryRequest"
  let params = ident"ferryParams"
  let paramsOf = ident(made.params.name)
  let answer = answering(made, request, context, params, serve)
  let errors = errorsOf(made)
  var before = newStmtList()
  case made.kind
  of MethodPlain: before.add(quote do: (if not isReady(`request`): return))
  of MethodDestructor:
    before.add(quote do:
      if not hasContext():
        answerNothing(`request`)
        return
      endStreams())
  of MethodConstructor, MethodStatic: discard
  let decode =
    if made.kind == MethodDestructor: newStmtList()
    else: quote do:
      var `params`: `paramsOf`
      if not getParams(`request`, `params`): return
  if made.kind == MethodConstructor: decode.add(newCall(bindSym"beginConstruction"))
  let failed =
    if made.kind == MethodConstructor: newCall(bindSym"endConstruction", serve, newLit(false)) else: newStmtList()
  quote do:
    proc `name`(`request`: ptr Request) {.nimcall, raises: [], gcsafe.} =
      `before`
      `decode`
      beginCall(`request`)
      try: `answer`
      except Exception as e:
        answerFailure(`request`, e, `errors`)
        `failed`
      leaveCall()

proc dispatch(handlers: seq[NimNode]; serve: NimNode): NimNode {.compileTime.} =
  ## The procedure that finds the one of a method by its number. The core has checked the number.
  let request = ident"ferryRequest"
  var choice = nnkCaseStmt.newTree(newDotExpr(request, ident"number"))
  for i, handler in handlers: choice.add(nnkOfBranch.newTree(newLit(uint32(i)), newCall(handler, request)))
  choice.add(nnkElse.newTree(newCall(bindSym"answerWith", request, bindSym"StatusFailed", newLit("no such method"))))
  quote do:
    proc `serve`(`request`: ptr Request) {.nimcall, raises: [], gcsafe.} = `choice`

proc tables(kinds, eventKinds: NimNode): NimNode {.compileTime.} =
  ## The tables of methods and events that the core reads.
  const kindNumbers: array[MethodKind, uint8] = [0'u8, 1, 2, 3]
  var kindList = newTree(nnkBracket)
  for made in methods: kindList.add(newLit(kindNumbers[made.kind]))
  result = newStmtList(quote do:
    var `kinds` = `kindList`)
  if events.len == 0 and questions.len == 0:
    result.add(quote do:
      var `eventKinds`: array[1, EventKind])
    return
  var eventList = newTree(nnkBracket)
  for event in events:
    let overflow = newLit(uint32(["", "drop_oldest", "drop_newest", "coalesce"].find(event.overflow)))
    let depth = newLit(uint32(event.depth))
    eventList.add(quote do: EventKind(overflow: `overflow`, depth: `depth`))
  let depth = newLit(uint32(QuestionsMax))
  for ask in questions: eventList.add(quote do: EventKind(overflow: 1'u32, depth: `depth`)) # the oldest are dropped
  result.add(quote do:
    var `eventKinds` = `eventList`)

proc exported(name, hash: string; serve, context, kinds, eventKinds: NimNode; hasState: bool): NimNode {.compileTime.} =
  ## The struct of the library, and the function that returns it.
  let nameText = newLit(name)
  let hashValue = nnkCall.newTree(bindSym"uint64", newLit(fromHex[uint64](hash)))
  let methodCount = newLit(uint32(methods.len))
  let eventCount = newLit(uint32(events.len + questions.len))
  let function = ident("ferry_library_" & name)
  let symbol = newLit("ferry_library_" & name)
  let forget = if hasState: newCall(bindSym"reset", context) else: nnkDiscardStmt.newTree(newEmptyNode())
  let library = ident"ferryTheLibrary"
  result = quote do:
    proc ferryServeAll(state: pointer; requests: Requests; count: csize_t) {.cdecl, raises: [], gcsafe.} =
      enter()
      for i in 0 ..< int(count): `serve`(requests[i])
    proc ferryForget() {.nimcall, raises: [], gcsafe.} = `forget`
    proc ferryEndContext(state: pointer) {.cdecl, raises: [], gcsafe.} = endContext(ferryForget)
    var `library` = Library(abi: IngressAbi, contextsMax: ContextsMax, name: cstring(`nameText`),
      interfaceHash: `hashValue`, methodCount: `methodCount`, eventCount: `eventCount`, methods: addr `kinds`,
      events: addr `eventKinds`, defaults: nil, threadBegin: beginThread, requests: ferryServeAll, turn: turn,
      descriptor: descriptor, contextEnd: ferryEndContext, threadEnd: endThread)
    proc `function`*(): ptr Library {.exportc: `symbol`, dynlib, cdecl, raises: [].} =
      addr `library`

proc docOfBody(body: NimNode): string {.compileTime.} =
  if body.kind != nnkStmtList: error("ferry: only the library's doc comment may stand under ferryLibrary", body)
  for part in body:
    if part.kind == nnkCommentStmt: return part.strVal.strip
    error("ferry: only the library's doc comment may stand under ferryLibrary", part)

proc makeLibrary(name: NimNode; version: string; body: NimNode): NimNode {.compileTime.} =
  checkOpen(name)
  if name.kind notin {nnkIdent, nnkStrLit}: error("ferry: write the library's name, in snake_case", name)
  let libraryName = if name.kind == nnkStrLit: name.strVal else: $name
  discard snakeName(ident(libraryName), "library")
  if libraryName in OtherLibraries:
    error("ferry: lib" & libraryName & ".so is another library; choose another name", name)
  if libraryName != toSnake(libraryName): error("ferry: write the library's name in snake_case", name)
  checkWhole(name)
  # the methods that bring answers come last (I4)
  methods = methods.filterIt(it.ask == nil) & methods.filterIt(it.ask != nil)
  let description = describe(libraryName, version, docOfBody(body))
  when ferryInterface.len > 0: writeFile(ferryInterface, description.text)
  isLibraryDeclared = true
  result = newStmtList(missingCodecs())
  let (context, serve) = (ident"ferryContext", ident"ferryServe")
  var hasState = false
  var requests: seq[Declared]
  for made in methods:
    result.add(paramsType(made))
    requests.add(made.params)
    if made.kind == MethodConstructor:
      let contextType = made.context
      hasState = true
      let keep = ident"ferryKeep"
      result.add(quote do:
        var `context` {.threadvar.}: `contextType`
        proc `keep`(made: `contextType`) {.nimcall, raises: [], gcsafe.} = `context` = made)
  result.add(codecsOf(requests))
  let request = ident"ferryRequest"
  result.add(quote do:
    proc `serve`(`request`: ptr Request) {.nimcall, raises: [], gcsafe.})
  var handlers: seq[NimNode]
  for i, made in methods:
    handlers.add(ident("ferryServe" & $i))
    result.add(if made.ask != nil: answerHandlerOf(made, handlers[^1])
      elif made.part == StreamNone: handlerOf(made, handlers[^1], context, serve)
      else: streamHandlerOf(made, handlers[^1], context))
  result.add(dispatch(handlers, serve))
  if questions.len > 0:
    let eventsBefore = newLit(uint32(events.len))
    result.add(newAssignment(bindSym"askEventsFrom", eventsBefore))
  let (kinds, eventKinds) = (ident"ferryMethodKinds", ident"ferryEventKinds")
  result.add(tables(kinds, eventKinds))
  result.add(exported(libraryName, description.hash, serve, context, kinds, eventKinds, hasState))

proc notedDefaults(): NimNode {.compileTime.} =
  ## Code that gives each default to the compiler as a constant of its field's type, and its value to the registry.
  result = newStmtList()
  for i, declared in declaredTypes:
    for j, field in declared.fields:
      if field.default == nil: continue
      let shape = shapeOf(field.syntax, declared.name & "." & field.name)
      if shape.kind notin {ShapePlain, ShapeEnum} or shape.name == "bytes":
        error("ferry: " & declared.name & "." & field.name & " has a default, which only numbers, bool, string and " &
          "enums have; an Option is absent by itself", field.default)
      let value = genSym(nskConst, "ferryDefault")
      result.add(nnkConstSection.newTree(nnkConstDef.newTree(value, copyNimTree(field.syntax), field.default)))
      result.add(newCall(bindSym"noteDefault", newLit(i), newLit(j), newCall(bindSym"defaultJson", value)))

macro finishLibrary(name: untyped; version: static string; body: untyped): untyped =
  ## Make the library, once all is known that the description has.
  makeLibrary(name, version, body)

macro ferryLibrary*(name: untyped; version: static string; body: untyped): untyped =
  ## Make the library `name`: the last statement, with the library's doc comment as its body.
  notedDefaults().add(newCall(bindSym"finishLibrary", name, newLit(version), body))

macro ferryLibrary*(name: untyped; version: static string): untyped =
  ## As above, without a doc comment.
  notedDefaults().add(newCall(bindSym"finishLibrary", name, newLit(version), newStmtList()))
