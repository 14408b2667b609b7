-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE OverloadedStrings #-}

-- | The full-text index: SQLite's FTS5. The library thread alone uses it.
--
-- Table @note@ has the files, @note_text@ their words under the same row numbers, and @tag@ the tags of each note. A
-- note is written in one transaction, so an index that was interrupted may lack notes, but is never wrong about one.
module Notes.Index
  ( Index,
    Match (..),
    indexFolder,
    openIndex,
    closeIndex,
    knownFiles,
    knows,
    putNote,
    removeNote,
    findNotes,
    tagCounts,
    countNotes,
  )
where

import Control.Exception (catch, onException)
import Control.Monad (unless)
import Data.ByteString (ByteString)
import Data.Foldable (forM_)
import Data.IORef (IORef, atomicModifyIORef', newIORef, readIORef)
import Data.Int (Int64)
import Data.Maybe (fromMaybe)
import Data.Text (Text)
import qualified Data.Text as Text
import Data.Text.Encoding (encodeUtf8)
import Data.Word (Word32)
import Notes.Ascii (shown)
import Notes.Fault (fault)
import Notes.Folder (NoteFile (..), NoteText (..), isFolder, readNote)
import Notes.Query (Query (..), parseQuery)
import Notes.Sqlite (Database, Row, SqliteError (..), Value (..))
import qualified Notes.Sqlite as Sqlite

data Index = Index
  { indexFolder :: !ByteString,
    -- | nothing once it is closed
    _database :: !(IORef (Maybe Database))
  }

-- | A note that was found.
data Match = Match
  { matchFile :: !NoteFile,
    matchTitle :: !Text,
    -- | words that were found stand between « and »
    matchSnippet :: !Text,
    -- | greater is better
    matchScore :: !Double
  }

schemaVersion :: Int64
schemaVersion = 1

-- | How many matches one answer may have.
matchesMax :: Word32
matchesMax = 1000

snippetWords :: Int
snippetWords = 12

-- | Use the database; what SQLite refuses is a fault.
using :: Index -> (Database -> IO a) -> IO a
using (Index _ kept) use = (readIORef kept >>= maybe (fault "the index is closed") use) `catch` refused
  where
    refused :: SqliteError -> IO a
    refused (SqliteError why) = fault ("the index: " <> why)

-- | The index of the notes below a folder, kept in a file, or in memory where there is none.
openIndex :: Text -> Maybe Text -> IO Index
openIndex folder file = do
  there <- isFolder (encodeUtf8 folder)
  unless there $ fault (Text.concat ["there is no folder '", folder, "'"])
  database <- open `catch` refused
  Index (encodeUtf8 folder) <$> newIORef (Just database)
  where
    name = fromMaybe ":memory:" file
    refused :: SqliteError -> IO a
    refused (SqliteError why) = fault (Text.concat ["'", name, "' cannot be used as an index: ", why])
    open = do
      database <- Sqlite.open (encodeUtf8 name)
      prepareSchema name database `onException` Sqlite.close database
      pure database

-- | Make the tables of a new file, or look whether they are ours.
prepareSchema :: Text -> Database -> IO ()
prepareSchema name database = do
  version <- sum <$> Sqlite.rows database "PRAGMA user_version" [] (`Sqlite.number` 0)
  tables <- sum <$> Sqlite.rows database "SELECT count(*) FROM sqlite_master" [] (`Sqlite.number` 0)
  if version == 0 && tables == 0
    then Sqlite.whole database (Sqlite.script database schema)
    else
      unless (version == schemaVersion) . fault . Text.concat $
        ["'", name, "' is of version ", shown version, ", or of another program; this one writes version "]
          ++ [shown schemaVersion, ": give another file, or remove that one"]
  Sqlite.script database "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL"
  where
    schema =
      Text.concat
        [ "CREATE TABLE note(id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, title TEXT NOT NULL,",
          " modified_ns INTEGER NOT NULL, bytes INTEGER NOT NULL);",
          "CREATE VIRTUAL TABLE note_text USING fts5(title, body, tokenize='unicode61 remove_diacritics 2');",
          "CREATE TABLE tag(name TEXT NOT NULL, note INTEGER NOT NULL, PRIMARY KEY(name, note)) WITHOUT ROWID;",
          "PRAGMA user_version = ",
          shown schemaVersion
        ]

closeIndex :: Index -> IO ()
closeIndex (Index _ kept) = do
  database <- atomicModifyIORef' kept ((,) Nothing)
  forM_ database Sqlite.close

-- | The columns path, modified_ns, bytes of a row.
fileOf :: Row -> IO NoteFile
fileOf row = NoteFile <$> Sqlite.words_ row 0 <*> Sqlite.number row 1 <*> Sqlite.number row 2

knownFiles :: Index -> IO [NoteFile]
knownFiles index = using index $ \database ->
  Sqlite.rows database "SELECT path, modified_ns, bytes FROM note ORDER BY path" [] fileOf

-- | Whether the index has the note as it is now.
knows :: Index -> NoteFile -> IO Bool
knows index file = using index $ \database ->
  (== [file])
    <$> Sqlite.rows database "SELECT path, modified_ns, bytes FROM note WHERE path = ?" [Words (filePath file)] fileOf

-- | Remove a note. Returns whether it was there.
forget :: Database -> Text -> IO Bool
forget database path = do
  found <- Sqlite.rows database "SELECT id FROM note WHERE path = ?" [Words path] (`Sqlite.number` 0)
  forM_ found $ \row -> do
    Sqlite.run database "DELETE FROM note_text WHERE rowid = ?" [Number row]
    Sqlite.run database "DELETE FROM tag WHERE note = ?" [Number row]
    Sqlite.run database "DELETE FROM note WHERE id = ?" [Number row]
  pure (not (null found))

-- | Remove a note from the index. Returns whether the index had it.
removeNote :: Index -> Text -> IO Bool
removeNote index path = using index $ \database -> Sqlite.whole database (forget database path)

-- | Index a note as it is now. Returns whether it was new.
putNote :: Index -> NoteFile -> IO Bool
putNote index (NoteFile path modifiedNs bytes) = do
  NoteText title body tags <- readNote (indexFolder index) (NoteFile path modifiedNs bytes)
  using index $ \database -> Sqlite.whole database $ do
    had <- forget database path
    Sqlite.run
      database
      "INSERT INTO note(path, title, modified_ns, bytes) VALUES (?, ?, ?, ?)"
      [Words path, Words title, Number modifiedNs, Number bytes]
    row <- Sqlite.lastRow database
    Sqlite.run
      database
      "INSERT INTO note_text(rowid, title, body) VALUES (?, ?, ?)"
      [Number row, Words title, Words body]
    forM_ tags $ \tag -> Sqlite.run database "INSERT INTO tag(name, note) VALUES (?, ?)" [Words tag, Number row]
    pure (not had)

-- | At most that many notes, best or newest first, after the first so many.
findNotes :: Index -> Text -> Bool -> Word32 -> Int64 -> IO [Match]
findNotes index text newestFirst limit offset = do
  query <- parseQuery text
  using index $ \database -> Sqlite.rows database (statement query) (parameters query) matchOf
  where
    matchOf row = Match <$> fileOf row <*> Sqlite.words_ row 3 <*> Sqlite.words_ row 4 <*> Sqlite.real row 5
    parameters (Query match tags) =
      [Words match | not (Text.null match)] ++ map Words tags
        ++ [Number (fromIntegral (min limit matchesMax)), Number offset]
    statement (Query match tags) =
      Text.concat $
        ["SELECT path, modified_ns, bytes, note.title, "]
          ++ (if Text.null match then ["'', 0.0 AS score FROM note WHERE 1"] else matching)
          ++ (" AND note.id IN (SELECT note FROM tag WHERE name = ?)" <$ tags)
          ++ [" ORDER BY ", if newestFirst then "modified_ns DESC" else "score DESC", ", path LIMIT ? OFFSET ?"]
    matching =
      ["snippet(note_text, 1, '«', '»', '…', ", shown snippetWords, "), -bm25(note_text, 4.0, 1.0) AS score "]
        ++ ["FROM note_text JOIN note ON note.id = note_text.rowid WHERE note_text MATCH ?"]

-- | Every tag, and how many notes have it.
tagCounts :: Index -> IO [(Text, Word32)]
tagCounts index = using index $ \database ->
  Sqlite.rows database "SELECT name, count(*) FROM tag GROUP BY name" [] $ \row ->
    (,) <$> Sqlite.words_ row 0 <*> (fromIntegral <$> Sqlite.number row 1)

-- | How many notes there are, and their bytes.
countNotes :: Index -> IO (Int64, Int64)
countNotes index = using index $ \database -> do
  found <- Sqlite.rows database "SELECT count(*), coalesce(sum(bytes), 0) FROM note" [] $ \row ->
    (,) <$> Sqlite.number row 0 <*> Sqlite.number row 1
  pure (sum (map fst found), sum (map snd found))
