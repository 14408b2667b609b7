# SPDX-License-Identifier: BSD-3-Clause
## Reads doc comments from the source: Nim does not show a macro the comments of fields, enum values, parameters and
## constants.
##
## A comment belongs to the code before it on its line, and continues on following lines that hold only a comment in the
## same column. Code without a comment on its line may have one on the lines below, indented deeper:
##
## .. code-block:: nim
##   message*: string  ## What to say,
##                     ## in one line.
##   delayMs*: int64
##     ## How long to wait.

import std/[macros, strutils, tables]

var sources {.compileTime.}: Table[string, seq[string]]

proc linesOf(file: string): seq[string] {.compileTime.} =
  if file notin sources:
    sources[file] = try: readFile(file).splitLines except IOError: newSeq[string]()
  sources[file]

proc commentColumn(line: string): int {.compileTime.} =
  ## Where a doc comment begins, outside of strings and character literals; -1 when there is none.
  var i = 0
  while i < line.len:
    case line[i]
    of '"':
      inc i
      while i < line.len and line[i] != '"':
        if line[i] == '\\': inc i
        inc i
    of '\'':
      # a character, or the suffix of a number: 100'u32
      if i + 2 < line.len and (line[i + 2] == '\'' or line[i + 1] == '\\'):
        i = line.find('\'', i + 2)
        if i < 0: return -1
    of '#':
      return if i + 1 < line.len and line[i + 1] == '#': i else: -1
    else: discard
    inc i
  -1

proc isOnlyComment(line: string): bool {.compileTime.} =
  line.strip.startsWith("##")

proc text(line: string; column: int): string {.compileTime.} =
  result = line[column + 2 .. ^1]
  if result.startsWith(" "): result = result[1 .. ^1]
  result = result.strip(leading = false)

proc docAt*(file: string; line, column: int; last = line): string {.compileTime.} =
  ## The doc comment of the code that begins at `line` (from 1) and `column` (from 0) of a file, and ends on line
  ## `last`.
  let lines = linesOf(file)
  if last > lines.len: return ""
  var kept: seq[string]
  var at = last
  let first = commentColumn(lines[at - 1])
  if first >= 0 and not isOnlyComment(lines[at - 1]):
    kept.add(text(lines[at - 1], first))
    inc at
    while at <= lines.len and isOnlyComment(lines[at - 1]) and commentColumn(lines[at - 1]) == first:
      kept.add(text(lines[at - 1], first))
      inc at
  else:
    inc at
    while at <= lines.len and isOnlyComment(lines[at - 1]) and commentColumn(lines[at - 1]) > column:
      kept.add(text(lines[at - 1], commentColumn(lines[at - 1])))
      inc at
  kept.join("\n").strip

proc docOf*(node: NimNode): string {.compileTime.} =
  ## The doc comment of the field, value, parameter, constant or type whose name is `node`.
  let info = node.lineInfoObj
  docAt(info.filename, info.line, info.column)

proc lastLine(node: NimNode): int {.compileTime.} =
  result = node.lineInfoObj.line
  for child in node:
    if child.kind != nnkEmpty: result = max(result, lastLine(child))

proc docOfProc*(definition: NimNode): string {.compileTime.} =
  ## The doc comment of a procedure: the one in its body, or, of a procedure without a body, the one after its head.
  if definition.body.kind == nnkStmtList and definition.body.len > 0 and definition.body[0].kind == nnkCommentStmt:
    return definition.body[0].strVal.strip
  if definition.body.kind == nnkEmpty:
    let info = definition.lineInfoObj
    let head = max(definition.params.lastLine, definition.name.lineInfoObj.line)
    return docAt(info.filename, info.line, info.column, head)
  ""
