-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE CApiFFI #-}
{-# LANGUAGE OverloadedStrings #-}

-- | What has changed below a folder, from inotify(7).
--
-- The kernel's queue may overflow, and a folder may appear with notes in it already; then the whole folder has to be
-- looked at again. A change says only that something happened to a path, not what is there now.
module Notes.Watch
  ( Watch,
    Changes (..),
    watchDescriptor,
    openWatch,
    takeChanges,
    closeWatch,
  )
where

import Control.Exception (IOException, onException, try)
import Control.Monad (foldM, forM_, unless)
import Data.Bits ((.&.), (.|.))
import Data.ByteString (ByteString)
import qualified Data.ByteString as Bytes
import Data.IORef (IORef, modifyIORef', newIORef, readIORef)
import Data.Int (Int32)
import Data.Map.Strict (Map)
import qualified Data.Map.Strict as Map
import Data.Set (Set)
import qualified Data.Set as Set
import Data.Text (Text)
import qualified Data.Text as Text
import Data.Text.Encoding (decodeUtf8', decodeUtf8With, encodeUtf8)
import Data.Text.Encoding.Error (lenientDecode)
import Data.Word (Word32, Word8)
import Foreign.C.Error (throwErrnoIfMinus1)
import Foreign.C.String (CString)
import Foreign.C.Types (CInt (..))
import Foreign.Marshal.Alloc (allocaBytesAligned)
import Foreign.Ptr (Ptr, castPtr, plusPtr)
import Foreign.Storable (peekByteOff)
import Notes.Fault (blaming)
import Notes.Folder (folderDepthMax, foldersIn, isHidden, isNote, joined)
import System.Posix.ByteString (Fd (..), closeFd, fdReadBuf)

data Watch = Watch
  { -- | readable when there are changes
    watchDescriptor :: !Fd,
    watchFolder :: !ByteString,
    -- | the path of each watched folder below the whole
    watchPrefixes :: !(IORef (Map Int32 Text))
  }

data Changes = Changes
  { -- | notes that were written, moved or removed
    changedPaths :: !(Set Text),
    -- | the whole folder has to be looked at
    changedAnything :: !Bool
  }

-- These only look at what is in memory, but for folders that have to be read.
foreign import capi unsafe "sys/inotify.h inotify_init1" cInit :: CInt -> IO CInt

foreign import capi safe "sys/inotify.h inotify_add_watch" cAddWatch :: CInt -> CString -> Word32 -> IO CInt

foreign import capi "sys/inotify.h value IN_NONBLOCK" inNonBlock :: CInt

foreign import capi "sys/inotify.h value IN_CLOEXEC" inCloseOnExec :: CInt

foreign import capi "sys/inotify.h value IN_CLOSE_WRITE" inCloseWrite :: Word32

foreign import capi "sys/inotify.h value IN_CREATE" inCreate :: Word32

foreign import capi "sys/inotify.h value IN_DELETE" inDelete :: Word32

foreign import capi "sys/inotify.h value IN_MOVED_FROM" inMovedFrom :: Word32

foreign import capi "sys/inotify.h value IN_MOVED_TO" inMovedTo :: Word32

foreign import capi "sys/inotify.h value IN_ONLYDIR" inOnlyDir :: Word32

foreign import capi "sys/inotify.h value IN_DONT_FOLLOW" inDontFollow :: Word32

foreign import capi "sys/inotify.h value IN_EXCL_UNLINK" inExclUnlink :: Word32

foreign import capi "sys/inotify.h value IN_Q_OVERFLOW" inQueueOverflow :: Word32

foreign import capi "sys/inotify.h value IN_IGNORED" inIgnored :: Word32

foreign import capi "sys/inotify.h value IN_ISDIR" inIsDir :: Word32

-- | Watch a folder and those in it. One that cannot be watched (it is gone again, or over fs.inotify.max_user_watches)
-- is left out; the next look at the whole folder finds its notes.
addFolder :: Watch -> Int -> Text -> IO ()
addFolder watch depth prefix = do
  watched <- Bytes.useAsCString (Bytes.concat [watchFolder watch, "/", encodeUtf8 prefix]) $ \path ->
    cAddWatch descriptor path mask
  unless (watched < 0) $ do
    modifyIORef' (watchPrefixes watch) (Map.insert (fromIntegral watched) prefix)
    unless (depth >= folderDepthMax) $ foldersIn (watchFolder watch) prefix >>= mapM_ (addFolder watch (depth + 1))
  where
    Fd descriptor = watchDescriptor watch
    mask = inCloseWrite .|. inCreate .|. inDelete .|. inMovedFrom .|. inMovedTo .|. only
    only = inOnlyDir .|. inDontFollow .|. inExclUnlink

-- | Watch a folder; a fault where the system has no more inotify instances.
openWatch :: ByteString -> IO Watch
openWatch folder = blaming (Text.concat ["cannot watch '", decodeUtf8With lenientDecode folder, "'"]) $ do
  descriptor <- throwErrnoIfMinus1 "inotify_init1" (cInit (inNonBlock .|. inCloseOnExec))
  watch <- Watch (Fd descriptor) folder <$> newIORef Map.empty
  addFolder watch 0 "" `onException` closeWatch watch
  pure watch

closeWatch :: Watch -> IO ()
closeWatch = closeFd . watchDescriptor

-- | An event of the kernel's.
data Event = Event !Int32 !Word32 !ByteString

-- | The changes since the last call, without waiting.
takeChanges :: Watch -> IO Changes
takeChanges watch = go (Changes Set.empty False)
  where
    go changes = do
      events <- takeEvents (watchDescriptor watch)
      if null events then pure changes else foldM (note watch) changes events >>= go

takeEvents :: Fd -> IO [Event]
takeEvents descriptor = allocaBytesAligned bufferBytes 8 $ \buffer -> do
  got <- try (fdReadBuf descriptor buffer (fromIntegral bufferBytes))
  case got of
    Left nothingThere -> [] <$ ignored nothingThere
    Right count -> parse buffer (buffer `plusPtr` fromIntegral count)
  where
    bufferBytes = 65536
    ignored :: IOException -> IO ()
    ignored _ = pure ()
    parse :: Ptr Word8 -> Ptr Word8 -> IO [Event]
    parse at end
      | at >= end = pure []
      | otherwise = do
        watched <- peekByteOff at 0
        mask <- peekByteOff at 4
        count <- fromIntegral <$> (peekByteOff at 12 :: IO Word32)
        name <- Bytes.packCStringLen (castPtr at `plusPtr` 16, count)
        (Event watched mask (Bytes.takeWhile (/= 0) name) :) <$> parse (at `plusPtr` (16 + count)) end

note :: Watch -> Changes -> Event -> IO Changes
note watch changes (Event watched mask bytes)
  | has inQueueOverflow = pure changes {changedAnything = True}
  | has inIgnored = changes <$ modifyIORef' (watchPrefixes watch) (Map.delete watched)
  | otherwise = do
    prefix <- Map.lookup watched <$> readIORef (watchPrefixes watch)
    case (prefix, decodeUtf8' bytes) of
      (Just above, Right name) | not (Text.null name || isHidden name) -> noteAt (joined above name)
      _ -> pure changes
  where
    has flags = mask .&. flags /= 0
    noteAt path
      | has inIsDir = do
        forM_ [() | has (inCreate .|. inMovedTo)] $ \_ -> addFolder watch (Text.count "/" path + 1) path
        pure changes {changedAnything = True}
      | isNote path = pure changes {changedPaths = Set.insert path (changedPaths changes)}
      | otherwise = pure changes
