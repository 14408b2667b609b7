# SPDX-License-Identifier: BSD-3-Clause
## Makes a query for SQLite's full-text index of what a person types to search.
##
## All words must occur, in any order and in capitals or not. `"a phrase"` must occur as it stands; `begin*` is the
## begin of a word; `-word` must not occur; `#tag` is a tag of the note. No other character has a meaning, so that no
## query is a syntax error in FTS5's own language.

import std/strutils

const QueryBytesMax* = 4096 ## how many bytes a query may have

type
  QueryError* = object of ValueError ## a query that cannot be asked; the message says why
  Query* = object
    match*: string     ## for FTS5; empty when only tags are asked for
    tags*: seq[string] ## without #, in lower case

proc quoted(text: string): string = '"' & text.replace("\"", "\"\"") & '"'

proc addWord(words, without: var seq[string]; query: var Query; word: string) =
  case word[0]
  of '#':
    if word.len == 1: raise newException(QueryError, "'#' stands alone; write the tag right behind it, as in #todo")
    query.tags.add(word[1 .. ^1].toLowerAscii)
  of '-':
    if word.len == 1: raise newException(QueryError, "'-' stands alone; write the word right behind it, as in -draft")
    without.add(quoted(word[1 .. ^1]))
  else:
    let stem = word.strip(leading = false, chars = {'*'})
    if stem.len == 0: raise newException(QueryError, "'*' stands alone; write the begin of a word before it")
    words.add(if stem.len < word.len: quoted(stem) & "*" else: quoted(stem))

proc parseQuery*(text: string): Query =
  ## Make a query of what a person typed. Raises QueryError.
  if text.len > QueryBytesMax:
    raise newException(QueryError, "the query has " & $text.len & " bytes; at most " & $QueryBytesMax & " are allowed")
  var words, without: seq[string]
  var at = 0
  while at < text.len:
    case text[at]
    of Whitespace: inc at
    of '\0': raise newException(QueryError, "the query holds a zero byte")
    of '"':
      let to = text.find('"', at + 1)
      if to < 0: raise newException(QueryError, "a quotation mark is not closed")
      if to > at + 1: words.add(quoted(text[at + 1 ..< to]))
      at = to + 1
    else:
      let start = at
      while at < text.len and text[at] notin Whitespace + {'"', '\0'}: inc at
      addWord(words, without, result, text[start ..< at])
  if words.len == 0 and result.tags.len == 0:
    raise newException(QueryError,
      if without.len > 0: "a query needs a word that occurs; -words alone exclude everything" else: "the query is empty")
  if words.len == 0 and without.len > 0:
    raise newException(QueryError, "-words need a word beside the tags")
  result.match = words.join(" AND ")
  for word in without: result.match.add(" NOT " & word)
