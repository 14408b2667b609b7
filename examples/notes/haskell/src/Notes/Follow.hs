-- SPDX-License-Identifier: BSD-3-Clause

-- | Keeping the index up with the folder. A folder is looked at some files at a time, so that other requests run in
-- between: a Haskell thread hands one part after the other to the library thread.
module Notes.Follow
  ( lookAt,
    scanNow,
    scan,
    follow,
    stopFollowing,
    awaited,
  )
where

import Control.Concurrent
  ( MVar,
    forkIO,
    killThread,
    newEmptyMVar,
    putMVar,
    takeMVar,
    threadDelay,
    threadWaitRead,
  )
import Control.Exception (SomeException, catch, finally, throwIO, try)
import Control.Monad (forM_, forever, unless, void, when)
import Data.IORef (atomicModifyIORef', atomicWriteIORef, modifyIORef', readIORef, writeIORef)
import qualified Data.Map.Strict as Map
import Data.Text (Text)
import Ferry.Ingress (Context, onLibraryThread)
import Notes.Fault (Fault (..))
import Notes.Folder (NoteFile (..), askFile, notesBelow)
import Notes.Generated
import Notes.Index (indexFolder, knownFiles, knows, putNote, removeNote)
import Notes.State (State (..))
import Notes.Watch (Changes (..), closeWatch, openWatch, takeChanges, watchDescriptor)

-- | How many files are indexed before other requests may run.
filesPerTurn :: Int
filesPerTurn = 32

-- | How long after a change the folder is looked at, since changes come in groups.
settleUs :: Int
settleUs = 30000

-- | Have the library thread do something, and wait for what comes of it. On other threads.
awaited :: Context library -> IO a -> IO a
awaited context action = do
  given <- newEmptyMVar
  onLibraryThread context (try action >>= putMVar given)
  takeMVar given >>= either (throwIO :: SomeException -> IO a) pure

-- | Make the index agree with what is at a path now. What cannot be read is left out, and named.
lookAt :: Context library -> State -> Text -> IO ()
lookAt context state path = do
  found <- askFile (indexFolder index) path
  look found `catch` \(Fault why) -> do
    modifyIORef' (stateSkipped state) (Map.insert path why)
    forgetIt `catch` \(Fault _) -> pure ()
  where
    index = stateIndex state
    emitChange kind = emitNoteChanged context (Change kind path)
    isNoLongerSkipped = modifyIORef' (stateSkipped state) (Map.delete path)
    forgetIt = do
      had <- removeNote index path
      when had $ emitChange ChangeKindRemoved
    look Nothing = isNoLongerSkipped >> forgetIt
    look (Just file) = do
      known <- knows index file
      unless known $ do
        isNew <- putNote index file
        isNoLongerSkipped
        emitChange (if isNew then ChangeKindAdded else ChangeKindChanged)

-- | The paths at which the folder and the index differ. Files that have not changed are not read.
differences :: State -> IO [Text]
differences state = do
  known <- byPath <$> knownFiles index
  now <- byPath <$> notesBelow (indexFolder index)
  pure (Map.keys (Map.differenceWith changed now known) ++ Map.keys (known Map.\\ now))
  where
    index = stateIndex state
    byPath files = Map.fromList [(filePath file, file) | file <- files]
    changed new old = if new == old then Nothing else Just new

-- | Look at the paths of a scan, some at a time: a step for each.
steps :: Context library -> State -> [Text] -> [IO ()]
steps context state paths = go 0 paths
  where
    total = length paths
    go done left = step : [more | not (null later), more <- go done' later]
      where
        (now, later) = splitAt filesPerTurn left
        done' = done + length now
        step = do
          mapM_ (lookAt context state) now
          emitScanned context (Progress (fromIntegral done') (fromIntegral total))

-- | Make the index agree with the whole folder, at once.
scanNow :: Context library -> State -> IO ()
scanNow context state = differences state >>= sequence_ . steps context state

-- | Begin to make the index agree with the whole folder, unless that is going on already. The variable that this
-- returns is filled when the scan is over.
scan :: Context library -> State -> IO (MVar ())
scan context state = readIORef (stateScanning state) >>= maybe begin pure
  where
    begin = do
      parts <- steps context state <$> differences state
      done <- newEmptyMVar
      writeIORef (stateScanning state) (Just done)
      let over = atomicWriteIORef (stateScanning state) Nothing >> putMVar done ()
      done <$ forkIO (mapM_ (awaited context) parts `finally` over)

-- | Follow the folder's changes.
follow :: Context library -> State -> IO ()
follow context state = do
  watch <- openWatch (indexFolder (stateIndex state))
  -- the descriptor stays readable until the changes are taken, so it is asked again after that
  thread <- forkIO . forever $ do
    threadWaitRead (watchDescriptor watch)
    threadDelay settleUs
    awaited context $ do
      changes <- takeChanges watch
      mapM_ (lookAt context state) (changedPaths changes)
      -- the next change tries it again
      when (changedAnything changes) $ void (scan context state) `catch` \(Fault _) -> pure ()
  writeIORef (stateWatch state) (Just (watch, thread))

stopFollowing :: State -> IO ()
stopFollowing state = do
  watching <- atomicModifyIORef' (stateWatch state) ((,) Nothing)
  forM_ watching $ \(watch, thread) -> killThread thread >> closeWatch watch
