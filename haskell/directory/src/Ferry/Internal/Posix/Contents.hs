-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE CPP #-}
{-# OPTIONS_HADDOCK not-home #-}

-- | What is in a file: read whole, written whole, copied; without a Handle, so without its lock and its buffer.
--
-- Invariants. A descriptor is open only inside 'withOpened', which masks asynchronous exceptions but for its use, and
-- closes it once. A file that is to replace another has a name of its own until it is whole ('replacing'), and does not
-- outlive an exception.
module Ferry.Internal.Posix.Contents
  ( readContents,
    writeContents,
    writeContentsAtomically,
    writeWhole,
    openCall,

    -- * Replacing
    replacing,
    Replacement (..),
    copyInto,
    copyOver,
    isSynced,

    -- * Limits
    pieceBytesMax,
  )
where

import Control.Concurrent (threadWaitRead, threadWaitWrite)
import Control.Exception (allowInterrupt, mask, onException)
import Control.Monad (unless, void, when)
import Data.ByteString (ByteString)
import qualified Data.ByteString as ByteString
import Data.ByteString.Internal (fromForeignPtr, mallocByteString)
import Data.ByteString.Unsafe (unsafeUseAsCStringLen)
import Data.IORef (IORef, atomicModifyIORef', newIORef)
import Data.Word (Word8)
import qualified Ferry.Internal.Posix.C as C
import qualified Ferry.Internal.Posix.Files as Files
import Ferry.Internal.Posix.Parts
import Ferry.Internal.Posix.Path
import Foreign.C.Error
import Foreign.C.Types (CInt)
import Foreign.ForeignPtr (ForeignPtr, withForeignPtr)
import Foreign.Marshal.Alloc (allocaBytes)
import Foreign.Marshal.Utils (copyBytes)
import Foreign.Ptr (Ptr, castPtr, plusPtr)
import GHC.IO.Exception (IOErrorType (InappropriateType, ResourceBusy))
import System.IO.Error
  ( catchIOError,
    ioeSetErrorString,
    ioeSetFileName,
    ioeSetLocation,
    mkIOError,
    modifyIOError,
  )
import System.IO.Unsafe (unsafePerformIO)
import System.Posix.Files
  ( FileStatus,
    accessModes,
    deviceID,
    directoryMode,
    fileID,
    fileTypeModes,
    intersectFileModes,
    regularFileMode,
  )
import System.Posix.Process (getProcessID)
import System.Posix.Types (CSsize, Fd (..), FileMode)

-- | Most bytes that one call reads, writes or copies: an asynchronous exception waits no longer than it takes.
pieceBytesMax :: Int
pieceBytesMax = 16 * 1024 * 1024

-- | Bytes to begin with where a file does not say how many it has.
unsizedBytes :: Int
unsizedBytes = 16384

-- | What errors of opening say, which depends on the version of @base@.
openCall :: String
#if MIN_VERSION_base(4,16,0)
openCall = "withBinaryFile"
#else
openCall = "openBinaryFile"
#endif

-- | The same of copying.
copyOpenCall :: String
#if MIN_VERSION_directory(1,3,8)
copyOpenCall = "openFdAt"
#else
copyOpenCall = openCall
#endif

-- | Use an open file, and close it. That it could not be closed matters to who has written to it.
withOpened :: Path path => String -> path -> CInt -> FileMode -> (CInt -> IO a) -> IO a
withOpened call path flags mode use = mask $ \restore -> do
  fd <- modifyIOError ofOpening . withPath path $ \at -> retried call path (C.open at flags mode)
  result <- restore (use fd) `onException` C.close fd
  closeWhole "close" path fd
  pure result
  where
    -- also of a path that cannot be encoded
    ofOpening failure = failure `ioeSetLocation` call `ioeSetFileName` pathName path

-- | Close. One that a signal ended has closed its file.
closeWhole :: Path path => String -> path -> CInt -> IO ()
closeWhole call path fd = do
  closed <- C.close fd
  when (closed == -1) $ do
    errno <- getErrno
    unless (errno == eINTR) (ioError (errnoToIOError call errno Nothing (Just (pathName path))))

-- ---- reading ----------------------------------------------------------------------------------------------------

-- | All that is in a file.
readContents :: Path path => path -> IO ByteString
readContents path = withOpened openCall path C.readFlags 0 $ \fd -> do
  size <- readableBytes path fd
  memory <- mallocByteString size
  readOn path fd (Filled memory size 0)

-- | How many bytes to make room for: one more than the file has, so that the read that fills it is the last but one. A
-- directory can be opened, but not read.
readableBytes :: Path path => path -> CInt -> IO Int
readableBytes path fd = allocaBytes C.statBytes $ \to -> do
  checked_ "fstat" path (C.fstat fd to)
  kind <- intersectFileModes fileTypeModes <$> C.statMode to
  when (kind == directoryMode) . ioError $
    mkIOError InappropriateType openCall Nothing (Just (pathName path)) `ioeSetErrorString` "is a directory"
  bytes <- fromIntegral <$> C.statSize to
  pure (if kind == regularFileMode && bytes > 0 then bytes + 1 else unsizedBytes)

-- | What has been read: memory, how many bytes it has, how many are filled.
data Filled = Filled !(ForeignPtr Word8) !Int !Int

readOn :: Path path => path -> CInt -> Filled -> IO ByteString
readOn path fd = go
  where
    go full@(Filled _ capacity used) | used == capacity = doubled full >>= go
    go (Filled memory capacity used) = do
      count <- withForeignPtr memory $ \to ->
        waiting (threadWaitRead (Fd fd)) "read" path $
          C.read fd (to `plusPtr` used) (fromIntegral (min pieceBytesMax (capacity - used)))
      let filled = Filled memory capacity (used + fromIntegral count)
      if count == 0 then pure (whole filled) else go filled

doubled :: Filled -> IO Filled
doubled (Filled memory capacity used) = do
  larger <- mallocByteString (2 * capacity)
  withForeignPtr memory $ \from -> withForeignPtr larger $ \to -> copyBytes to from used
  pure (Filled larger (2 * capacity) used)

-- | The bytes. Memory of which much is free is not kept.
whole :: Filled -> ByteString
whole (Filled memory capacity used)
  | capacity - used > 1 + used `div` 4 = ByteString.copy contents
  | otherwise = contents
  where
    contents = fromForeignPtr memory 0 used

-- | A call on a descriptor that may have to wait for the other end of a FIFO or a terminal.
waiting :: Path path => IO () -> String -> path -> IO CSsize -> IO CSsize
waiting wait call path act = go
  where
    go = do
      result <- act
      if result /= -1 then pure result else getErrno >>= failed
    failed errno
      | errno == eINTR = allowInterrupt >> go
      | errno == eAGAIN = wait >> go
      | otherwise = ioError (errnoToIOError call errno Nothing (Just (pathName path)))

-- ---- writing ----------------------------------------------------------------------------------------------------

-- | Write these bytes to a file that is opened with these flags.
writeContents :: Path path => CInt -> path -> ByteString -> IO ()
writeContents flags path bytes = withOpened openCall path flags 0o666 $ \fd -> writeWhole path fd bytes

writeWhole :: Path path => path -> CInt -> ByteString -> IO ()
writeWhole path fd bytes = unsafeUseAsCStringLen bytes $ \(from, count) -> go (castPtr from) count
  where
    go :: Ptr Word8 -> Int -> IO ()
    go _ 0 = pure ()
    go from left = do
      written <-
        waiting (threadWaitWrite (Fd fd)) "write" path $ C.write fd from (fromIntegral (min pieceBytesMax left))
      go (from `plusPtr` fromIntegral written) (left - fromIntegral written)

-- ---- replacing --------------------------------------------------------------------------------------------------

-- | How a file that replaces another comes to be.
data Replacement path a = Replacement
  { -- | the mode that it is made with
    replacementMode :: FileMode,
    -- | write it: its name for now, and its descriptor
    replacementFill :: path -> CInt -> IO a,
    -- | what is to be done when it is written and closed, before it has the other's name
    replacementFinish :: path -> IO (),
    -- | give it the other's name: its name for now, and the other's
    replacementRename :: path -> path -> IO ()
  }

-- | Make a file with a new name beside this one, fill it, and give it this one's name.
replacing :: Parts path => path -> (String, String) -> Replacement path a -> IO a
replacing path affixes replacement = mask $ \restore -> do
  (temporary, fd) <- newBeside (takeDirectory path) affixes (replacementMode replacement)
  (`onException` quietly (Files.removeLink temporary)) $ do
    result <- restore (replacementFill replacement temporary fd) `onException` C.close fd
    closeWhole "close" temporary fd
    restore (replacementFinish replacement temporary)
    replacementRename replacement temporary path
    pure result
  where
    quietly act = act `catchIOError` \_ -> pure ()

-- | A new file in this directory, whose name begins and ends so.
newBeside :: Parts path => path -> (String, String) -> FileMode -> IO (path, CInt)
newBeside folder (before, after) mode = do
  process <- getProcessID
  number <- atomicModifyIORef' newNames (\count -> (count + 1, count))
  let path = folder </> fromAscii (before ++ show process ++ "-" ++ show number ++ after)
  fd <- withPath path $ \at -> C.open at C.newFlags mode
  if fd /= -1 then pure (path, fd) else getErrno >>= failed
  where
    failed errno
      | errno == eINTR || errno == eEXIST = allowInterrupt >> newBeside folder (before, after) mode
      | otherwise = ioError (errnoToIOError "openBinaryTempFile" errno Nothing (Just (pathName folder)))

-- | How many names for new files this process has thought of.
newNames :: IORef Int
newNames = unsafePerformIO (newIORef 0)
{-# NOINLINE newNames #-}

-- | What was written is on the disk.
isSynced :: Path path => path -> CInt -> IO ()
isSynced path fd = retried_ "fsync" path (C.fsync fd)

-- | Write these bytes to a new file and give it this one's name ('Ferry.File.writeFileAtomically').
writeContentsAtomically :: Parts path => path -> ByteString -> IO ()
writeContentsAtomically path bytes = located "writeFileAtomically" $ do
  found <- Files.modeOf path
  replacing path (".", ".new") $ case found of
    -- until it is whole, nobody else reads what only some may read
    Right mode -> replacement 0o600 (\temporary -> Files.setFileMode temporary (intersectFileModes accessModes mode))
    Left _ -> replacement 0o666 (\_ -> pure ())
  where
    replacement mode finish =
      Replacement
        { replacementMode = mode,
          replacementFill = \temporary fd -> writeWhole temporary fd bytes *> isSynced temporary fd,
          replacementFinish = finish,
          replacementRename = Files.rename
        }

-- ---- copying ----------------------------------------------------------------------------------------------------

-- | Copy what is in a file to an open one, whose name is for errors.
copyInto :: Path path => path -> path -> CInt -> IO ()
copyInto from toPath to = withOpened copyOpenCall from C.readFlags 0 $ \fd -> do
  void (readableBytes from fd)
  copied <- copyInKernel from fd to
  unless copied (copyByHand from fd toPath to)

-- | Copy what is in a file, of which this is known, over what is in another, which is made if need be. If both are the
-- same file, it is left as it is. The error is that of "System.IO", which finds the file locked once it is empty.
copyOver :: Path path => FileStatus -> path -> path -> IO ()
copyOver status from to = do
  found <- (Just <$> Files.getFileStatus to) `catchIOError` \_ -> pure Nothing
  when (fmap identity found == Just (identity status)) . ioError . located' $
    mkIOError ResourceBusy openCall Nothing (Just (pathName from)) `ioeSetErrorString` "file is locked"
  withOpened copyOpenCall to C.writeFlags 0o666 (located "copyFileToHandle" . copyInto from to)
  where
    identity one = (deviceID one, fileID one)
    located' failure = failure `ioeSetLocation` ("copyFileToHandle:" ++ openCall)

-- | Whether the kernel has copied it. If the first piece is empty, it may have been one of @\/proc@, which says that it
-- has no bytes; and not every two file systems can do it.
copyInKernel :: Path path => path -> CInt -> CInt -> IO Bool
copyInKernel path from to = go False
  where
    go begun = do
      count <- C.copy from to (fromIntegral pieceBytesMax)
      if count > 0 then go True else if count == 0 then pure begun else getErrno >>= failed begun
    failed begun errno
      | errno == eINTR = allowInterrupt >> go begun
      | not begun && errno `elem` [eXDEV, eINVAL, eNOSYS, eOPNOTSUPP, eBADF, ePERM] = pure False
      | otherwise = ioError (errnoToIOError "copy_file_range" errno Nothing (Just (pathName path)))

copyByHand :: Path path => path -> CInt -> path -> CInt -> IO ()
copyByHand fromPath from toPath to = allocaBytes copyBytesMax go
  where
    copyBytesMax = 128 * 1024
    go buffer = do
      count <-
        waiting (threadWaitRead (Fd from)) "read" fromPath $ C.read from buffer (fromIntegral copyBytesMax)
      unless (count == 0) $ do
        bytes <- ByteString.packCStringLen (castPtr buffer, fromIntegral count)
        writeWhole toPath to bytes
        go buffer
