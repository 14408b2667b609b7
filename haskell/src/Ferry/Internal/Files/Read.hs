-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE DataKinds #-}
{-# OPTIONS_HADDOCK not-home #-}

-- | Reading many whole files.
--
-- One call of C opens, reads and closes up to 'batchFiles' files, one after the other, or on a slow disk all at the
-- same time ("Ferry.Internal.Files.Overlap"). It reads a file twice: the second read, of a few bytes, proves that the
-- first one had everything. A file that was not at its end stays open, and is read on from there, with memory of the
-- size that the file system gave. So files that grow, have no size (@\/proc@) or are no files are read right, and only
-- large files cost a crossing of their own.
--
-- Invariants. Asynchronous exceptions are masked while anything is open that is not noted in @readerOpen@, so nothing
-- is closed twice or never; they are let in while a slow disk is waited for, and between batches and reads, none of
-- which reads more than 'readBytesMax' of a file. At most 'batchFiles' files are open at a time, and when the process
-- may open no more, those are read first.
module Ferry.Internal.Files.Read
  ( foldFilesIn,

    -- * Limits
    bufferBytes,
    readBytesMax,
  )
where

import Control.Concurrent (threadWaitRead)
import Control.Exception (allowInterrupt, mask, onException)
import Control.Monad (unless, zipWithM)
import Data.ByteString (ByteString)
import qualified Data.ByteString as ByteString
import Data.ByteString.Internal (fromForeignPtr, mallocByteString)
import Data.ByteString.Unsafe (unsafeUseAsCStringLen)
import Data.Either (fromRight)
import Data.IORef (IORef, modifyIORef', newIORef, readIORef)
import Data.Int (Int64)
import qualified Data.IntSet as IntSet
import Data.Word (Word8)
import Ferry.Batch
import Ferry.Internal.Failure (errnoOf)
import Ferry.Internal.Files.Each (batchWidths, pathError)
import Ferry.Internal.Files.Kept
import Ferry.Internal.Files.Overlap
import Ferry.Internal.Prepare (forAnyThread)
import Ferry.Internal.Program (pointerTo, wordIfRan)
import Foreign.C.Error (Errno, eAGAIN, eINTR, eINVAL, eMFILE, eNFILE)
import Foreign.C.Types (CInt (..), CSize)
import Foreign.ForeignPtr (ForeignPtr, withForeignPtr)
import Foreign.Marshal.Utils (copyBytes)
import Foreign.Ptr (Ptr, castPtr, plusPtr)
import System.IO.Unsafe (unsafePerformIO)
import System.Posix.Types (Fd (..))
import Prelude hiding (read)

-- | Bytes that the read after it may get: enough for one line of a log that grows.
moreBytes :: Int
moreBytes = 64

-- | Most bytes that one read asks for, and so that are read with exceptions masked.
readBytesMax :: Int
readBytesMax = 16 * 1024 * 1024

-- | What the batch did with a file.
data Done
  = Complete !ByteString
  | NotOpened !Errno
  | -- | open, with its first bytes; then its size, or why it could not be read on
    Unfinished !CInt !ByteString !(Either Errno Int)

data Reader = Reader
  { readerMode :: !Mode,
    readerFiles :: !Files,
    readerRest :: !Rest,
    -- | descriptors that are open
    readerOpen :: !(IORef IntSet.IntSet)
  }

-- | 'Ferry.Files.foldFiles'. What a batch left open is read on in this mode.
foldFilesIn ::
  Mode -> (state -> ByteString -> Either IOError ByteString -> IO state) -> state -> [ByteString] -> IO state
foldFilesIn _ _ start [] = pure start
foldFilesIn mode step start paths = mask $ \restore -> withMemory $ \(memory, rest) -> do
  reader <- Reader mode memory rest <$> newIORef IntSet.empty
  let batches _ state [] = pure state
      batches pace state left = do
        allowInterrupt
        let (batch, others) = splitAt batchFiles left
        (pace', done) <- readBatch reader pace batch
        state' <- files state batch done
        batches pace' state' others
      files state (path : batch) (one : done) = do
        contents' <- finishFile reader path one
        state' <- restore (step state path contents')
        state' `seq` files state' batch done
      files state _ _ = pure state
  batches Quick start paths `onException` closeAll reader
  where
    withMemory = withKept keptMemory batchWidths (length (take batchFiles paths)) $ \width ->
      (,) <$> newFiles readCall 0 width <*> prepareRest

-- | With their buffers, 1.4 MB when there is memory of each width.
keptMemory :: Kept (Files, Rest)
keptMemory = unsafePerformIO newKept
{-# NOINLINE keptMemory #-}

-- | Read a batch after one of such a pace, and note what is open after it.
readBatch :: Reader -> Pace -> [ByteString] -> IO (Pace, [Done])
readBatch reader pace paths = do
  setPaths files paths
  forgetReads files count
  pace' <- overlapped readCall files pace count (closeReads files count)
  done <- zipWithM doneOf [0 ..] paths
  let left = [fromIntegral fd | Unfinished fd _ _ <- done]
  unless (null left) $ modifyIORef' (readerOpen reader) (IntSet.union (IntSet.fromList left))
  pure (pace', done)
  where
    files = readerFiles reader
    count = length paths
    doneOf number path = if isNoPath path then pure (NotOpened eINVAL) else fileRead files number doneFrom

closeAll :: Reader -> IO ()
closeAll reader = readIORef (readerOpen reader) >>= mapM_ (closeOne reader . fromIntegral) . IntSet.toList

-- | Close what is open. That it could not be closed would say nothing about what was read.
closeOne :: Reader -> CInt -> IO ()
closeOne reader fd = do
  isClosed reader fd
  _ <- run (readerMode reader) (attempt <$> close (literal fd))
  pure ()

isClosed :: Reader -> CInt -> IO ()
isClosed reader fd = modifyIORef' (readerOpen reader) (IntSet.delete (fromIntegral fd))

-- | The contents, or the error, of a file that was in the batch. It is not open any more.
finishFile :: Reader -> ByteString -> Done -> IO (Either IOError ByteString)
finishFile reader path done = case done of
  Complete contents' -> pure (Right contents')
  NotOpened errno
    | errno == eMFILE || errno == eNFILE -> do
      -- what the batch left open before this file is closed by now
      again <- snd <$> readBatch reader Quick [path]
      case again of
        [other@Unfinished {}] -> finishFile reader path other
        [Complete contents'] -> pure (Right contents')
        _ -> Left <$> pathError "openat" path errno
    | otherwise -> Left <$> pathError "openat" path errno
  Unfinished fd start size ->
    readRest reader fd start size >>= either (fmap Left . pathError "read" path) (pure . Right)

-- ---- one batch --------------------------------------------------------------------------------------------------

-- | From what became of a file. It is closed if it has ended.
doneFrom :: FileRead -> IO Done
doneFrom found
  | fd < 0 = pure (NotOpened (errnoOf fd))
  | first < 0 = pure (Unfinished fd ByteString.empty (Left (errnoOf first)))
  | first == 0 = pure (Complete ByteString.empty)
  | second == 0 = Complete <$> copied
  | second < 0 = (\start -> Unfinished fd start (Left (errnoOf second))) <$> copied
  | otherwise = do
    start <- ByteString.append <$> copied <*> packed (readMore found) second
    pure (Unfinished fd start (Right (fromIntegral (readSize found))))
  where
    fd = readFd found
    first = readFirst found
    second = readSecond found
    copied = packed (readBuffer found) first
    packed at bytes = ByteString.packCStringLen (castPtr at, fromIntegral bytes)

-- ---- what a batch left open -------------------------------------------------------------------------------------

-- | The program that reads on in one file, and closes it at its end.
data Rest = Rest
  { restFd :: !(Parameter CInt),
    restTo :: !(Parameter (Ptr Word8)),
    restBytes :: !(Parameter CSize),
    restPrepared :: !(Prepared (Int64, Int64, Ptr Word8))
  }

prepareRest :: IO Rest
prepareRest = do
  (rest, prepared) <- prepareWith loopExecutor program
  rest prepared <$ forAnyThread prepared
  where
    program = do
      fd <- parameter
      to <- parameter
      bytes <- parameter
      next <- newLabel
      ended <- newLabel
      more <- cells moreBytes
      first <- read (given fd) (given to) (given bytes)
      jump first OnFailure next
      jump first OnZero ended
      second <- read (given fd) (address more) (literal (fromIntegral moreBytes))
      jump second OnFailure next
      jump second OnPositive next
      place ended
      _ <- close (given fd)
      place next
      pure (Rest fd to bytes, (,,) <$> wordIfRan first <*> wordIfRan second <*> pointerTo more)

-- | What has been read of a file: memory, how many bytes it has, how many are filled.
data Filled = Filled !(ForeignPtr Word8) !Int !Int

-- | Read an open file to its end and close it. It begins with these bytes, which were read already; then comes its
-- size, or why it could not be read on.
readRest :: Reader -> CInt -> ByteString -> Either Errno Int -> IO (Either Errno ByteString)
readRest reader fd start size = do
  memory <- mallocByteString capacity
  filled <- append start (Filled memory capacity 0)
  either (failed filled) (const (go filled)) size
  where
    capacity = max (ByteString.length start) (fromRight bufferBytes size)
    go before = do
      allowInterrupt
      Filled memory bytes used <- withRoom 1 before
      (first, second, more) <- readOn reader fd (Filled memory (min bytes (used + readBytesMax)) used)
      let filled' = Filled memory bytes (used + fromIntegral (max 0 first))
      goOn filled' first second more
    goOn filled first second more
      | first < 0 = failed filled (errnoOf first)
      | first == 0 || second == 0 = isClosed reader fd >> pure (Right (contentsOf filled))
      | second < 0 = failed filled (errnoOf second)
      | otherwise = ByteString.packCStringLen (castPtr more, fromIntegral second) >>= (`append` filled) >>= go
    failed filled errno
      | errno == eINTR = go filled
      | errno == eAGAIN = threadWaitRead (Fd fd) >> go filled
      | otherwise = closeOne reader fd >> pure (Left errno)

-- | Fill what is free: one crossing.
readOn :: Reader -> CInt -> Filled -> IO (Int64, Int64, Ptr Word8)
readOn reader fd (Filled memory bytes used) = withForeignPtr memory $ \to -> do
  setParameter prepared (restFd rest) fd
  setParameter prepared (restTo rest) (to `plusPtr` used)
  setParameter prepared (restBytes rest) (fromIntegral (bytes - used))
  runPrepared (readerMode reader) prepared
  where
    rest = readerRest reader
    prepared = restPrepared rest

append :: ByteString -> Filled -> IO Filled
append bytes filled = do
  Filled memory capacity used <- withRoom (ByteString.length bytes) filled
  withForeignPtr memory $ \to ->
    unsafeUseAsCStringLen bytes $ \(from, count) -> copyBytes (to `plusPtr` used) (castPtr from) count
  pure (Filled memory capacity (used + ByteString.length bytes))

-- | At least so many bytes free. Memory that is too small is doubled.
withRoom :: Int -> Filled -> IO Filled
withRoom bytes filled@(Filled memory capacity used)
  | used + bytes <= capacity = pure filled
  | otherwise = do
    larger <- mallocByteString capacity'
    withForeignPtr memory $ \from -> withForeignPtr larger $ \to -> copyBytes to from used
    pure (Filled larger capacity' used)
  where
    capacity' = max (used + bytes) (2 * max bufferBytes capacity)

-- | The bytes. Memory of which much is free is not kept.
contentsOf :: Filled -> ByteString
contentsOf (Filled memory capacity used)
  | capacity - used > used `div` 4 = ByteString.copy contents'
  | otherwise = contents'
  where
    contents' = fromForeignPtr memory 0 used
