# SPDX-License-Identifier: BSD-3-Clause
## Notes as files: plain text and Markdown below one folder. Symbolic links are not followed, so nothing outside of the
## folder is read, and there is no cycle.

import std/[os, posix, strutils]

const
  NoteBytesMax* = 16 * 1024 * 1024 ## a longer file is left out, and counted
  FolderDepthMax* = 64
  Extensions = [".md", ".markdown", ".txt"]

type
  NoteFile* = object
    path*: string ## below the folder, with `/`
    modifiedNs*: int64
    bytes*: int64
  Text* = object
    title*: string
    body*: string
    tags*: seq[string] ## each tag once, in lower case, without #

proc wrongByte*(text: string): int =
  ## The first byte that is not of UTF-8 (RFC 3629), or -1. `validateUtf8` of std/unicode also takes what is overlong, a
  ## surrogate or too great, and no host can be told of a text that holds these.
  var at = 0
  while at < text.len:
    let first = text[at]
    let more = if first < '\x80': 0 elif first < '\xe0': 1 elif first < '\xf0': 2 else: 3
    if first in {'\x80' .. '\xc1', '\xf5' .. '\xff'} or at + more >= text.len: return at
    # the second byte's range, which leaves those out
    var range = case first
      of '\xe0': {'\xa0' .. '\xbf'}
      of '\xed': {'\x80' .. '\x9f'}
      of '\xf0': {'\x90' .. '\xbf'}
      of '\xf4': {'\x80' .. '\x8f'}
      else: {'\x80' .. '\xbf'}
    for k in 1 .. more:
      if text[at + k] notin range: return at
      range = {'\x80' .. '\xbf'}
    at += more + 1
  -1

proc isNote*(path: string): bool =
  ## Whether a file with this path is a note. Hosts get paths as texts, so one that is not UTF-8 is none.
  let (_, name, extension) = splitFile(path)
  name.len > 0 and name[0] != '.' and extension.toLowerAscii in Extensions and path.wrongByte < 0

proc checkedPath*(folder, path: string): string =
  ## The file of a note that was named by a host, or ValueError: a path may not lead out of the folder.
  if path.len == 0 or '\0' in path or path.isAbsolute or ".." in path.split('/'):
    raise newException(ValueError, "'" & path & "' is not a path below the folder")
  if not isNote(path):
    raise newException(ValueError, "'" & path & "' is no note; its name has to end in " & Extensions.join(", "))
  var at = folder
  for part in path.split('/'):
    at = at / part
    if symlinkExists(at): raise newException(ValueError, "'" & path & "' leads through a symbolic link")
  at

proc fileOf*(folder, path: string; file: var NoteFile): bool =
  ## Ask the file system about a note; false when there is none.
  var status: Stat
  if lstat(cstring(folder / path), status) != 0 or not S_ISREG(status.st_mode): return false
  file = NoteFile(path: path, bytes: int64(status.st_size),
    modifiedNs: int64(status.st_mtim.tv_sec) * 1_000_000_000 + int64(status.st_mtim.tv_nsec))
  true

iterator notes*(folder: string): NoteFile =
  ## Every note below the folder, in no particular order. Files and folders that cannot be read are left out.
  var open = @[("", 0)]
  while open.len > 0:
    let (prefix, depth) = open.pop()
    for kind, name in walkDir(folder / prefix, relative = true):
      let path = if prefix.len > 0: prefix & "/" & name else: name
      if name[0] == '.': continue
      if kind == pcDir:
        if depth < FolderDepthMax: open.add((path, depth + 1))
      elif kind == pcFile and isNote(path):
        var file: NoteFile
        if fileOf(folder, path, file): yield file

proc titleOf(path, body: string): string =
  for line in body.splitLines:
    let words = line.strip(chars = Whitespace + {'#'})
    if words.len > 0: return words
  splitFile(path).name

proc tagsOf(body: string): seq[string] =
  ## Words that start with #, at the start of a word, and go on with a letter.
  var at = 0
  while at < body.len:
    if body[at] == '#' and (at == 0 or body[at - 1] in Whitespace + {'('}):
      let start = at + 1
      at = start
      while at < body.len and (body[at] in IdentChars + {'-', '/'} or body[at] >= '\x80'): inc at
      if at > start and body[start] notin {'0' .. '9', '-', '/'}:
        let tag = body[start ..< at].toLowerAscii
        if tag notin result: result.add(tag)
    else: inc at

proc readNote*(folder: string; file: NoteFile): Text =
  ## Read a note. Raises IOError when the file cannot be read or is too long, ValueError when it is not UTF-8.
  if file.bytes > NoteBytesMax:
    raise newException(IOError, file.path & " has " & $file.bytes & " bytes; at most " & $NoteBytesMax & " are read")
  result.body = readFile(folder / file.path)
  let wrong = result.body.wrongByte
  if wrong >= 0: raise newException(ValueError, file.path & " is not UTF-8 at byte " & $wrong)
  result.title = titleOf(file.path, result.body)
  result.tags = tagsOf(result.body)
