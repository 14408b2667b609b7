-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE OverloadedStrings #-}
{-# LANGUAGE TypeFamilies #-}

-- | The library notes in Haskell: what @examples/notes/nim/notes.nim@ is in Nim. @ferry bindgen notes.json --provider
-- haskell@ made the first form of this file, and makes @Notes.Generated@, which the build puts elsewhere.
module Notes
  ( Notes,
  )
where

import Control.Concurrent (readMVar)
import Control.Exception (onException)
import Control.Monad (when)
import Data.IORef (IORef, modifyIORef', newIORef, readIORef)
import Data.Int (Int64)
import qualified Data.Map.Strict as Map
import Data.Text (Text)
import qualified Data.Text as Text
import Ferry.Ingress
import Notes.Fault (blaming, fault)
import Notes.Folder (NoteFile (..), NoteText (..), askFile, checkedPath, readNote, replaceNote)
import Notes.Follow (awaited, follow, lookAt, scan, scanNow, stopFollowing)
import Notes.Generated
import Notes.Index
import Notes.Query (Query (..), parseQuery)
import Notes.State (State (..))
import System.Posix.ByteString (RawFilePath, removeLink)

-- | What the library keeps for one context.
newtype Notes = Notes State

-- | A search whose matches are fetched piece by piece: what for, in which order, and how many were fetched.
data Search = Search !Text !Order !(IORef Int64)

instance Library Notes where
  type CursorObject Notes = Search

  -- Nobody else has the context yet, so the folder is looked at as a whole.
  open context path database watch = do
    index <- openIndex path (if database == Just "" then Nothing else database)
    state <- State index <$> newIORef Map.empty <*> newIORef Nothing <*> newIORef Nothing
    (when watch (follow context state) >> scanNow context state) `onException` end state
    pure (Notes state)

  close _ (Notes state) = end state

  find _ (Notes state) text order limit =
    findNotes (stateIndex state) text (order == OrderNewest) limit 0 >>= reply . map found

  search context _ text order = do
    _ <- parseQuery text
    newIORef 0 >>= openCursor context . Search text order >>= reply

  fetch _ (Notes state) cursor count = do
    let Search text order place = heldObject cursor
    at <- readIORef place
    matches <- findNotes (stateIndex state) text (order == OrderNewest) count at
    modifyIORef' place (+ fromIntegral (length matches))
    reply (map found matches)

  endSearch context _ cursor = closeCursor context (heldHandle cursor) >> reply ()

  read_ _ (Notes state) path = do
    _ <- checkedPath (folderOf state) path
    existing state path >>= readNote (folderOf state) >>= reply . textBody

  write context (Notes state) path text = do
    _ <- checkedPath (folderOf state) path
    replaceNote (folderOf state) path text
    lookAt context state path
    reply ()

  remove context (Notes state) path = do
    file <- checkedPath (folderOf state) path
    _ <- existing state path
    blaming (Text.concat ["cannot remove '", path, "'"]) (removeLink file)
    lookAt context state path
    reply ()

  refresh context (Notes state) = do
    scanning <- scan context state
    forked $ readMVar scanning >> awaited context (totalsOf state) >>= reply

  totals _ (Notes state) = totalsOf state >>= reply

  skipped _ (Notes state) = readIORef (stateSkipped state) >>= reply

  tags _ (Notes state) = tagCounts (stateIndex state) >>= reply . Map.fromList

  parse _ text = parseQuery text >>= reply . queryMatch

folderOf :: State -> RawFilePath
folderOf = indexFolder . stateIndex

-- | The note at a path, as a file.
existing :: State -> Text -> IO NoteFile
existing state path =
  askFile (folderOf state) path >>= maybe (fault (Text.concat ["there is no note '", path, "'"])) pure

end :: State -> IO ()
end state = stopFollowing state >> closeIndex (stateIndex state)

found :: Match -> Found
found (Match (NoteFile path modifiedNs bytes) title snippet score) =
  Found (Note path title modifiedNs bytes) snippet score

totalsOf :: State -> IO Totals
totalsOf state = do
  (count, bytes) <- countNotes (stateIndex state)
  left <- Map.size <$> readIORef (stateSkipped state)
  pure (Totals count bytes (fromIntegral left))
