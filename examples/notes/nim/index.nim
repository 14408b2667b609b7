# SPDX-License-Identifier: BSD-3-Clause
## The full-text index: SQLite's FTS5, through Nim's db_sqlite. One thread at a time.
##
## Table `note` has the files, `note_text` their words under the same row numbers, and `tag` the tags of each note. A
## note is written in one transaction, so an index that was interrupted may lack notes, but is never wrong about one.

import std/[db_sqlite, os, strutils]
import "."/[folder, query]

const
  SchemaVersion = 1
  MatchesMax* = 1000 ## how many matches one answer may have
  SnippetWords = 12

type
  Index* = ref object
    folder*: string
    db: DbConn
  Match* = object
    file*: NoteFile
    title*: string
    snippet*: string ## words that were found between « and »
    score*: float ## greater is better
  StoreError* = object of CatchableError

proc createTables(db: DbConn) =
  db.exec(sql"BEGIN")
  db.exec(sql"""CREATE TABLE note(id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, title TEXT NOT NULL,
    modified_ns INTEGER NOT NULL, bytes INTEGER NOT NULL)""")
  db.exec(sql"""CREATE VIRTUAL TABLE note_text USING fts5(title, body, tokenize='unicode61 remove_diacritics 2')""")
  db.exec(sql"CREATE TABLE tag(name TEXT NOT NULL, note INTEGER NOT NULL, PRIMARY KEY(name, note)) WITHOUT ROWID")
  db.exec(sql("PRAGMA user_version = " & $SchemaVersion))
  db.exec(sql"COMMIT")

proc openIndex*(folder, database: string): Index =
  ## The index of the notes below `folder`, kept in the file `database`, or in memory when that is empty.
  ## Raises StoreError when there is no such folder, or the file is not an index.
  if not dirExists(folder): raise newException(StoreError, "there is no folder '" & folder & "'")
  result = Index(folder: folder)
  try:
    result.db = open(if database.len > 0: database else: ":memory:", "", "", "")
    let version = parseInt(result.db.getValue(sql"PRAGMA user_version"))
    let tables = parseInt(result.db.getValue(sql"SELECT count(*) FROM sqlite_master"))
    if version == 0 and tables == 0: createTables(result.db)
    elif version != SchemaVersion:
      result.db.close()
      raise newException(StoreError, "'" & database & "' is of version " & $version & ", or of another program; " &
        "this one writes version " & $SchemaVersion & ": give another file, or remove that one")
    result.db.exec(sql"PRAGMA journal_mode = WAL")
    result.db.exec(sql"PRAGMA synchronous = NORMAL")
  except DbError as error:
    raise newException(StoreError, "'" & database & "' cannot be used as an index: " & error.msg)

proc close*(index: Index) =
  if index.db != nil: index.db.close()
  index.db = nil

proc fileOf(row: Row): NoteFile = NoteFile(path: row[0], modifiedNs: parseBiggestInt(row[1]), bytes: parseBiggestInt(row[2]))

proc files*(index: Index): seq[NoteFile] =
  for row in index.db.fastRows(sql"SELECT path, modified_ns, bytes FROM note ORDER BY path"): result.add(fileOf(row))

proc knows*(index: Index; file: NoteFile): bool =
  ## Whether the index has the note as it is now.
  let row = index.db.getRow(sql"SELECT path, modified_ns, bytes FROM note WHERE path = ?", file.path)
  row[0].len > 0 and fileOf(row) == file

proc forget(index: Index; path: string): bool =
  let id = index.db.getValue(sql"SELECT id FROM note WHERE path = ?", path)
  if id.len == 0: return false
  index.db.exec(sql"DELETE FROM note_text WHERE rowid = ?", id)
  index.db.exec(sql"DELETE FROM tag WHERE note = ?", id)
  index.db.exec(sql"DELETE FROM note WHERE id = ?", id)
  true

template whole(index: Index; body: untyped) =
  index.db.exec(sql"BEGIN")
  try:
    body
    index.db.exec(sql"COMMIT")
  except CatchableError:
    index.db.exec(sql"ROLLBACK")
    raise

proc remove*(index: Index; path: string): bool =
  ## Remove a note from the index. Returns whether the index had it.
  index.whole: result = index.forget(path)

proc put*(index: Index; file: NoteFile): bool =
  ## Index a note as it is now. Returns whether it was new. Raises as readNote does.
  let text = readNote(index.folder, file)
  index.whole:
    result = not index.forget(file.path)
    let id = index.db.insertID(sql"INSERT INTO note(path, title, modified_ns, bytes) VALUES (?, ?, ?, ?)",
      file.path, text.title, file.modifiedNs, file.bytes)
    index.db.exec(sql"INSERT INTO note_text(rowid, title, body) VALUES (?, ?, ?)", id, text.title, text.body)
    for tag in text.tags: index.db.exec(sql"INSERT INTO tag(name, note) VALUES (?, ?)", tag, id)

proc find*(index: Index; text: string; newestFirst: bool; limit, offset: int): seq[Match] =
  ## At most `limit` notes, best or newest first, after the first `offset`. Raises QueryError.
  let query = parseQuery(text)
  var arguments: seq[string]
  var rows = "SELECT path, modified_ns, bytes, note.title, "
  if query.match.len > 0:
    rows.add("snippet(note_text, 1, '«', '»', '…', " & $SnippetWords & "), -bm25(note_text, 4.0, 1.0) AS score " &
      "FROM note_text JOIN note ON note.id = note_text.rowid WHERE note_text MATCH ?")
    arguments.add(query.match)
  else: rows.add("'', 0.0 AS score FROM note WHERE 1")
  for tag in query.tags:
    rows.add(" AND note.id IN (SELECT note FROM tag WHERE name = ?)")
    arguments.add(tag)
  rows.add(" ORDER BY " & (if newestFirst: "modified_ns DESC" else: "score DESC") & ", path LIMIT " &
    $min(limit, MatchesMax) & " OFFSET " & $offset)
  for row in index.db.getAllRows(sql(rows), arguments):
    result.add(Match(file: fileOf(row), title: row[3], snippet: row[4], score: parseFloat(row[5])))

proc tags*(index: Index): seq[(string, int)] =
  ## Every tag, and how many notes have it.
  for row in index.db.fastRows(sql"SELECT name, count(*) FROM tag GROUP BY name ORDER BY name"):
    result.add((row[0], parseInt(row[1])))

proc totals*(index: Index): (int, int64) =
  ## How many notes there are, and their bytes.
  let row = index.db.getRow(sql"SELECT count(*), coalesce(sum(bytes), 0) FROM note")
  (parseInt(row[0]), parseBiggestInt(row[1]))
