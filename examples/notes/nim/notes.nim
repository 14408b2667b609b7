# SPDX-License-Identifier: BSD-3-Clause
## Notes: full-text search over a folder of plain text and Markdown, with changes as they happen. A library for programs
## in C, C++, Rust and Python; this is all of its source that knows of them.

import std/[asyncdispatch, options, os, tables]
import ferry
import "."/[folder, index, query, watch]

const
  FilesPerTurn = 32 ## indexed before other requests have their turn
  SettleMs = 30 ## how long after a change the folder is looked at, since changes come in groups

ferryConstant:
  const
    MaxResults* = uint32(MatchesMax) ## Matches in one answer, at most.

type
  Order* {.ferryEnum.} = enum ## How matches are sorted.
    relevance ## Best first.
    newest    ## Last changed first.
  ChangeKind* {.ferryEnum.} = enum ## What happened to a note.
    added
    changed
    removed
  Note* {.ferryType.} = object ## A note, without its text.
    path*: string        ## Below the folder, with `/`.
    title*: string       ## Its first line that is not empty.
    modifiedNs*: int64  ## When it was last changed: nanoseconds since 1970.
    bytes*: int64        ## Of its file.
  Found* {.ferryType.} = object ## A note that matches.
    note*: Note
    snippet*: string ## A few words of it; those that were found stand between « and ».
    score*: float    ## How well it matches; greater is better.
  Totals* {.ferryType.} = object ## What the index holds.
    notes*: int64
    bytes*: int64   ## Of all notes.
    skipped*: int64 ## Files that were left out at the last scan: too long, unreadable, or not UTF-8.
  Change* {.ferryType.} = object ## One note has changed.
    kind*: ChangeKind
    path*: string
  Progress* {.ferryType.} = object ## How far a scan has come.
    done*: int64
    total*: int64
  Cursor* {.ferryHandle.} = ref object ## A search whose matches are fetched piece by piece.
    text: string
    order: Order
    at: int
  Notes = ref object
    index: Index
    watch: Watch
    skipped: Table[string, string] ## why each was left out
    scanning: Future[void]
    isSettling: bool

proc noteChanged*(change: Change) {.ferryEvent: dropOldest.}
  ## A note was added, changed or removed, and the index knows.

proc scanned*(progress: Progress) {.ferryEvent: coalesce.}
  ## A scan has come so far; at its end `done` is `total`.

# ---- keeping up with the folder --------------------------------------------------------------------------------------

proc lookAt(notes: Notes; path: string) =
  ## Make the index agree with what is at `path` now.
  var file: NoteFile
  try:
    if not fileOf(notes.index.folder, path, file):
      notes.skipped.del(path)
      if notes.index.remove(path): noteChanged(Change(kind: removed, path: path))
      return
    if notes.index.knows(file): return
    let isNew = notes.index.put(file)
    notes.skipped.del(path)
    noteChanged(Change(kind: if isNew: added else: changed, path: path))
  except IOError, ValueError:
    notes.skipped[path] = getCurrentExceptionMsg()
    if notes.index.remove(path): noteChanged(Change(kind: removed, path: path))

proc scanFolder(notes: Notes) {.async.} =
  ## Make the index agree with the whole folder; unchanged notes are not read.
  var known: Table[string, NoteFile]
  for file in notes.index.files: known[file.path] = file
  var todo: seq[string]
  for file in folder.notes(notes.index.folder):
    if known.getOrDefault(file.path) != file: todo.add(file.path)
    known.del(file.path)
  for path in known.keys: todo.add(path)
  for i, path in todo:
    notes.lookAt(path)
    if i mod FilesPerTurn == FilesPerTurn - 1:
      scanned(Progress(done: i + 1, total: todo.len))
      await sleepAsync(0)
  scanned(Progress(done: todo.len, total: todo.len))

proc scan(notes: Notes): Future[void] =
  ## One scan at a time: a call that comes while one runs waits for that one.
  if notes.scanning == nil or notes.scanning.finished: notes.scanning = scanFolder(notes)
  notes.scanning

proc settle(notes: Notes) {.async.} =
  await sleepAsync(SettleMs)
  notes.isSettling = false
  if notes.watch == nil: return
  let changes = notes.watch.take()
  for path in changes.paths: notes.lookAt(path)
  if changes.rescan: await notes.scan()

proc follow(notes: Notes) =
  notes.watch = openWatch(notes.index.folder)
  let descriptor = AsyncFD(notes.watch.descriptor)
  register(descriptor)
  addRead(descriptor, proc (_: AsyncFD): bool {.gcsafe.} =
    # the descriptor stays readable until `settle` takes the changes, so look no further until then
    if not notes.isSettling:
      notes.isSettling = true
      asyncCheck notes.settle()
    false)

# ---- what hosts call -------------------------------------------------------------------------------------------------

proc open*(path: string; database: Option[string]; watch: bool): Future[Notes] {.async, ferryConstructor.} =
  ## Open the folder `path` and bring its index up to date. The index is kept in the file `database`, or in memory; with
  ## `watch` it follows the folder's changes.
  let notes = Notes(index: openIndex(path, database.get("")))
  if watch: notes.follow()
  await notes.scan()
  return notes

proc close*(notes: Notes) {.ferryDestructor.} =
  ## Close the index.
  if notes.watch != nil:
    unregister(AsyncFD(notes.watch.descriptor))
    notes.watch.close()
    notes.watch = nil
  notes.index.close()

proc noteOf(found: Match): Note =
  Note(path: found.file.path, title: found.title, modifiedNs: found.file.modifiedNs, bytes: found.file.bytes)

proc matches(notes: Notes; text: string; order: Order; limit, offset: int): seq[Found] =
  for found in notes.index.find(text, order == newest, limit, offset):
    result.add(Found(note: noteOf(found), snippet: found.snippet, score: found.score))

proc find*(notes: Notes; text: string; order: Order; limit: uint32): seq[Found] {.ferryMethod.} =
  ## The notes that match. Words must all occur; "a phrase", begin*, -without and #tag are understood.
  notes.matches(text, order, int(limit), 0)

proc search*(notes: Notes; text: string; order: Order): Cursor {.ferryMethod.} =
  ## As find, for many matches: a cursor from which they are fetched.
  discard parseQuery(text)
  Cursor(text: text, order: order)

proc fetch*(notes: Notes; cursor: Cursor; count: uint32): seq[Found] {.ferryMethod.} =
  ## The next `count` matches; none at the end.
  result = notes.matches(cursor.text, cursor.order, int(count), cursor.at)
  cursor.at += result.len

proc endSearch*(notes: Notes; cursor: Cursor) {.ferryMethod.} =
  ## Forget a cursor.
  closeHandle(cursor)

proc read*(notes: Notes; path: string): string {.ferryMethod.} =
  ## The text of a note.
  var file: NoteFile
  discard checkedPath(notes.index.folder, path)
  if not fileOf(notes.index.folder, path, file): raise newException(IOError, "there is no note '" & path & "'")
  readNote(notes.index.folder, file).body

proc write*(notes: Notes; path, text: string) {.ferryMethod.} =
  ## Write a note, and index it. It is replaced as a whole or not at all.
  let target = checkedPath(notes.index.folder, path)
  createDir(target.parentDir)
  let fresh = target.parentDir / "." & target.extractFilename & ".new"
  writeFile(fresh, text)
  moveFile(fresh, target)
  notes.lookAt(path)

proc remove*(notes: Notes; path: string) {.ferryMethod.} =
  ## Remove a note's file, and forget it.
  let target = checkedPath(notes.index.folder, path)
  if not fileExists(target): raise newException(IOError, "there is no note '" & path & "'")
  removeFile(target)
  notes.lookAt(path)

proc refresh*(notes: Notes): Future[Totals] {.async, ferryMethod.} =
  ## Look at the whole folder again; other requests go on meanwhile.
  await notes.scan()
  let (count, bytes) = notes.index.totals
  return Totals(notes: count, bytes: bytes, skipped: notes.skipped.len)

proc totals*(notes: Notes): Totals {.ferryMethod.} =
  ## What the index holds.
  let (count, bytes) = notes.index.totals
  Totals(notes: count, bytes: bytes, skipped: notes.skipped.len)

proc skipped*(notes: Notes): Table[string, string] {.ferryMethod.} =
  ## The files that were left out, and why.
  notes.skipped

proc tags*(notes: Notes): Table[string, uint32] {.ferryMethod.} =
  ## Every tag, and how many notes have it.
  for (name, count) in notes.index.tags: result[name] = uint32(count)

proc parse*(text: string): string {.ferryStatic.} =
  ## How a query is understood, in the words of SQLite's FTS5; a query that cannot be asked fails.
  parseQuery(text).match

ferryLibrary notes, "0.1.0":
  ## Full-text search over a folder of notes, with changes as they happen.
