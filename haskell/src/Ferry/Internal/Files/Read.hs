-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE DataKinds #-}
{-# OPTIONS_HADDOCK not-home #-}

-- | Reading many whole files.
--
-- One batch opens, reads and closes up to 'batchFiles' files, one after the other. Its slots for one file:
--
-- > open                    on failure: next file
-- > read into the buffer    on failure: next file; on end: close
-- > read a little more      on failure: next file; on end: close
-- > statx, for the size     next file
-- > close
--
-- The second read proves that the first one had everything; a file that was not at its end stays open, and is read on
-- from there, with memory of the size that statx gave. So files that grow, have no size (@\/proc@) or are no files are
-- read right, and only large files cost a crossing of their own.
--
-- Invariants. Asynchronous exceptions are masked while anything is open that is not noted in @readerOpen@, so nothing
-- is closed twice or never; they are let in between batches and reads, none of which reads more than 'readBytesMax' of
-- a file. At most 'batchFiles' files are open at a time, and when the process may open no more, those are read first.
module Ferry.Internal.Files.Read
  ( foldFilesIn,

    -- * Limits
    bufferBytes,
    readBytesMax,
  )
where

import Control.Concurrent (threadWaitRead)
import Control.Exception (allowInterrupt, mask, onException)
import Control.Monad (unless, when)
import Data.Bits ((.|.))
import Data.ByteString (ByteString)
import qualified Data.ByteString as ByteString
import Data.ByteString.Internal (fromForeignPtr, mallocByteString)
import Data.ByteString.Unsafe (unsafeUseAsCStringLen)
import Data.Either (fromRight)
import Data.IORef (IORef, modifyIORef', newIORef, readIORef)
import Data.Int (Int64)
import qualified Data.IntSet as IntSet
import Data.Word (Word64, Word8)
import Ferry.Batch
import Ferry.Internal.Failure (errnoOf)
import Ferry.Internal.Files.Each
import Ferry.Internal.Files.Kept
import Ferry.Internal.Prepare (forAnyThread)
import Ferry.Internal.Program (pointerTo, refine, wordIfRan)
import Foreign.C.Error (Errno, eAGAIN, eINTR, eMFILE, eNFILE)
import Foreign.C.Types (CChar, CInt (..), CSize)
import Foreign.ForeignPtr (ForeignPtr, mallocForeignPtrBytes, withForeignPtr)
import Foreign.ForeignPtr.Unsafe (unsafeForeignPtrToPtr)
import Foreign.Marshal.Utils (copyBytes)
import Foreign.Ptr (Ptr, castPtr, plusPtr)
import System.IO.Unsafe (unsafePerformIO)
import System.Posix.Types (Fd (..))
import Prelude hiding (read)

-- | Bytes of a file that its batch reads. Files that have fewer are read by it alone.
bufferBytes :: Int
bufferBytes = 16384

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
    readerEach :: !(Each Done),
    readerRest :: !Rest,
    -- | descriptors that are open
    readerOpen :: !(IORef IntSet.IntSet)
  }

-- | 'Ferry.Files.foldFiles', in this mode.
foldFilesIn ::
  Mode -> (state -> ByteString -> Either IOError ByteString -> IO state) -> state -> [ByteString] -> IO state
foldFilesIn _ _ start [] = pure start
foldFilesIn mode step start paths = mask $ \restore -> withPrograms $ \(each, rest) -> do
  reader <- Reader mode each rest <$> newIORef IntSet.empty
  let batches state [] = pure state
      batches state left = do
        allowInterrupt
        let (batch, others) = splitAt batchFiles left
        done <- readBatch reader batch
        state' <- files state batch done
        batches state' others
      files state (path : batch) (one : done) = do
        contents' <- finishFile reader path one
        state' <- restore (step state path contents')
        state' `seq` files state' batch done
      files state _ _ = pure state
  batches start paths `onException` closeAll reader
  where
    withPrograms = withKept keptPrograms batchWidths (length (take batchFiles paths)) $ \width ->
      (,) <$> prepareFiles width <*> prepareRest

-- | With their buffers, 1.4 MB when there is a program of each width.
keptPrograms :: Kept (Each Done, Rest)
keptPrograms = unsafePerformIO newKept
{-# NOINLINE keptPrograms #-}

-- | Run the batch, and note what is open after it.
readBatch :: Reader -> [ByteString] -> IO [Done]
readBatch reader paths = do
  done <- runEach (readerMode reader) (readerEach reader) paths
  let left = [fromIntegral fd | Unfinished fd _ _ <- done]
  unless (null left) $ modifyIORef' (readerOpen reader) (IntSet.union (IntSet.fromList left))
  pure done

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
      again <- readBatch reader [path]
      case again of
        [other@Unfinished {}] -> finishFile reader path other
        [Complete contents'] -> pure (Right contents')
        _ -> Left <$> pathError "openat" path errno
    | otherwise -> Left <$> pathError "openat" path errno
  Unfinished fd start size ->
    readRest reader fd start size >>= either (fmap Left . pathError "read" path) (pure . Right)

-- ---- one batch --------------------------------------------------------------------------------------------------

-- | The program for so many files, and their buffers.
prepareFiles :: Int -> IO (Each Done)
prepareFiles width = do
  buffers <- mallocForeignPtrBytes (width * bufferBytes)
  prepareEach width $ \index path -> do
    when (index == 0) $ keeping buffers
    readOne (unsafeForeignPtrToPtr buffers `plusPtr` (index * bufferBytes)) path

-- | The slots of one file.
readOne :: Ptr Word8 -> Value (Ptr CChar) -> Program 'SystemCalls (Output Done)
readOne buffer path = do
  next <- newLabel
  ended <- newLabel
  more <- cells moreBytes
  looked <- cell
  fd <- openat (literal atFdcwd) path (literal openFlags) (literal 0)
  jump fd OnFailure next
  first <- read fd (literal buffer) (literal (fromIntegral bufferBytes))
  jump first OnFailure next
  jump first OnZero ended
  second <- read fd (address more) (literal (fromIntegral moreBytes))
  jump second OnFailure next
  jump second OnZero ended
  empty <- constantBytes ByteString.empty
  size <- statx fd empty (literal atEmptyPath) (literal statxSize) (address looked)
  mapM_ (\outcome -> jump size outcome next) [OnFailure, OnZero, OnPositive]
  place ended
  _ <- close fd
  place next
  pure . refine id $
    doneFrom buffer
      <$> wordIfRan fd
      <*> wordIfRan first
      <*> wordIfRan second
      <*> readCell (stxSizeAt looked)
      <*> pointerTo more

openFlags :: CInt
openFlags = oRdonly .|. oNonblock .|. oCloexec .|. oNoctty

-- | From the results of a file's slots. The last read that ran says how it went on: at the end of the file it is
-- closed.
doneFrom :: Ptr Word8 -> Int64 -> Int64 -> Int64 -> Word64 -> Ptr Word8 -> IO Done
doneFrom buffer fd first second size more
  | fd < 0 = pure (NotOpened (errnoOf fd))
  | first < 0 = pure (Unfinished (fromIntegral fd) ByteString.empty (Left (errnoOf first)))
  | first == 0 = pure (Complete ByteString.empty)
  | second == 0 = Complete <$> copied
  | second < 0 = (\start -> Unfinished (fromIntegral fd) start (Left (errnoOf second))) <$> copied
  | otherwise = do
    start <- ByteString.append <$> copied <*> ByteString.packCStringLen (castPtr more, fromIntegral second)
    pure (Unfinished (fromIntegral fd) start (Right (fromIntegral size)))
  where
    copied = ByteString.packCStringLen (castPtr buffer, fromIntegral first)

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
