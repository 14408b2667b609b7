-- SPDX-License-Identifier: BSD-3-Clause
{-# OPTIONS_HADDOCK not-home #-}

-- | Many files by one call of C (@cbits/files@), which keeps its Capability while the disk is quick. Those after a file
-- that was slow are dealt with each by a call of its own, all at the same time, so that their waits overlap.
--
-- The caller makes the first call itself. An asynchronous exception waits for it, but no longer than for one file, and
-- not at all where the system call can be interrupted. The others are made by threads of their own, and so are all
-- calls for the files of the next batches, until the disk is quick again. The caller, who waits for these threads, can
-- be thrown an exception at any time. Then the last of them ends what they have begun:
--
-- > caller                                  a thread that makes a call
-- > waits at the gate                       opens a file; the disk is slow
-- > is thrown an exception
-- > is_stopped = 1; fate: Abandoned
-- > waits at the gate a little longer
-- > throws it on
-- >                                         the disk answers, the call returns, as the last one
-- >                                         fate was Abandoned: closes what all have opened
--
-- Whoever of the two changes the fate second knows what the first has done, and ends it; so what was opened is closed
-- once.
module Ferry.Internal.Files.Overlap
  ( -- * Batches
    Files,
    newFiles,
    setPaths,
    isNoPath,
    Call,
    readCall,
    lookCall,
    Pace (..),
    overlapped,

    -- * Results
    FileRead (..),
    forgetReads,
    closeReads,
    fileRead,
    fileLooked,

    -- * Limits
    batchFiles,
    bufferBytes,
  )
where

import Control.Concurrent
import Control.Exception
import Control.Monad (forM_, void, when)
import Data.Bits (complement)
import Data.ByteString (ByteString)
import qualified Data.ByteString as ByteString
import Data.ByteString.Unsafe (unsafeUseAsCStringLen)
import Data.IORef
import Data.Int (Int32, Int64)
import Data.Word (Word32, Word64, Word8)
import Ferry.Foreign (foreignCallInterruptible)
import Ferry.Struct (Statx)
import Foreign.C.Error (Errno (..))
import Foreign.C.Types (CInt (..), CLong (..))
import Foreign.ForeignPtr
import Foreign.ForeignPtr.Unsafe (unsafeForeignPtrToPtr)
import Foreign.Marshal.Utils (copyBytes, fillBytes)
import Foreign.Ptr
import Foreign.Storable
import GHC.Clock (getMonotonicTimeNSec)

#include <sys/stat.h>
#include "files/files.h"

-- | Paths in one batch. More would make the crossing no cheaper: one is less than a thousandth of what 64 files cost.
-- As many wait for a slow disk at the same time, each on an OS thread.
batchFiles :: Int
batchFiles = 64

-- | Bytes of a file that the call for its batch reads. Files that have fewer are read by it alone.
bufferBytes :: Int
bufferBytes = #{const FERRY_FILES_FIRST}

-- | A @struct ferry_files@ and the memory it points to: for one batch at a time.
data Files = Files
  { filesAt :: !(ForeignPtr ()),
    filesStarts :: !(ForeignPtr Word32),
    filesResults :: !(ForeignPtr ()),
    filesBuffers :: !(ForeignPtr Word8),
    filesNames :: !(IORef (ForeignPtr Word8, Int))
  }

-- | A function of @cbits/files@: by a held call and by a safe one, its bytes of result and of buffer for each file.
data Call = Call
  { callHeld :: Ptr () -> CLong -> CLong -> IO CLong,
    callSafe :: Ptr () -> CLong -> CLong -> IO CLong,
    callResultBytes :: !Int,
    callBufferBytes :: !Int
  }

foreign import ccall "&ferry_files_read" readAt :: FunPtr (Ptr () -> CLong -> CLong -> IO CLong)

foreign import ccall "&ferry_files_look" lookAt :: FunPtr (Ptr () -> CLong -> CLong -> IO CLong)

-- safe, both: for files of a slow disk, where giving the Capability up at once is what is wanted
foreign import ccall safe "ferry_files_read" readSafe :: Ptr () -> CLong -> CLong -> IO CLong

foreign import ccall safe "ferry_files_look" lookSafe :: Ptr () -> CLong -> CLong -> IO CLong

-- | Open files, read them, and close those that have ended.
readCall :: Call
readCall = Call (foreignCallInterruptible readAt) readSafe #{size struct ferry_file_read} #{const FERRY_FILES_BUFFER}

-- | Ask what the file system says of files.
lookCall :: Call
lookCall = Call (foreignCallInterruptible lookAt) lookSafe #{size struct statx} 4

-- | Memory for this many files of such calls, with these flags.
newFiles :: Call -> CInt -> Int -> IO Files
newFiles call flags count = do
  at <- mallocForeignPtrBytes #{size struct ferry_files}
  starts <- mallocForeignPtrBytes (4 * count)
  results <- mallocForeignPtrBytes (callResultBytes call * count)
  buffers <- mallocForeignPtrBytes (callBufferBytes call * count)
  names <- mallocForeignPtrBytes namesBytes
  withForeignPtr at $ \to -> do
    fillBytes to 0 #{size struct ferry_files}
    -- 'kept' keeps them alive while C uses them
    #{poke struct ferry_files, starts} to (unsafeForeignPtrToPtr starts)
    #{poke struct ferry_files, results} to (unsafeForeignPtrToPtr results)
    #{poke struct ferry_files, buffers} to (unsafeForeignPtrToPtr buffers)
    #{poke struct ferry_files, flags} to flags
  Files at starts results buffers <$> newIORef (names, namesBytes)
  where
    namesBytes = 4096

-- | Copy paths to where C finds them. One that is none, because it contains a NUL, becomes the empty path, which is not
-- found: 'isNoPath' tells it apart.
setPaths :: Files -> [ByteString] -> IO ()
setPaths files paths = do
  names <- namesFor files (sum (map ByteString.length paths) + length paths)
  withForeignPtr names $ \start -> withForeignPtr (filesStarts files) $ \starts -> do
    withForeignPtr (filesAt files) $ \at -> #{poke struct ferry_files, names} at start
    let go _ _ [] = pure ()
        go index offset (path : rest)
          | isNoPath path = copied index offset ByteString.empty rest
          | otherwise = copied index offset path rest
        copied index offset path rest = do
          let bytes = ByteString.length path
          pokeElemOff starts index (fromIntegral offset)
          unsafeUseAsCStringLen path $ \(from, _) -> copyBytes (start `plusPtr` offset) (castPtr from) bytes
          pokeByteOff start (offset + bytes) (0 :: Word8)
          go (index + 1) (offset + bytes + 1) rest
    go (0 :: Int) (0 :: Int) paths

-- | Whether it contains a NUL.
isNoPath :: ByteString -> Bool
isNoPath = ByteString.elem 0

namesFor :: Files -> Int -> IO (ForeignPtr Word8)
namesFor files bytes = do
  (names, capacity) <- readIORef (filesNames files)
  if bytes <= capacity
    then pure names
    else do
      larger <- mallocForeignPtrBytes (2 * bytes)
      larger <$ writeIORef (filesNames files) (larger, 2 * bytes)

-- ---- calls ------------------------------------------------------------------------------------------------------

-- | How the disk was when the last batch was dealt with.
data Pace = Quick | Slow
  deriving (Eq, Show)

-- | What became of calls at the same time: some go on; all have returned; or their caller has left.
data Fate = Running | Finished | Abandoned
  deriving (Eq)

-- | How long a caller that an exception has reached waits for calls that are nearly done.
abandonUs :: Int
abandonUs = 10000

-- | Make the call for so many files, with the pace of the last batch, and give this one's. If an exception comes, what
-- is given last is done once no call goes on any more, to undo what they did. To be called with exceptions masked.
--
-- The caller makes the first call itself, because another thread might have to wait for its time slice. After a slow
-- batch it makes none: so an exception waits for one slow file at most, the first of all.
overlapped :: Call -> Files -> Pace -> Int -> IO () -> IO Pace
overlapped call files pace count undo = do
  next <- if pace == Slow then pure 0 else together 0 `onException` undo
  if next == count
    then pure Quick
    else do
      start <- getMonotonicTimeNSec
      apart call files next count undo
      end <- getMonotonicTimeNSec
      pure (if end - start < #{const FERRY_FILES_SLOW_NS} then Quick else Slow)
  where
    -- the number of the file after the first slow one
    together from = do
      next <- kept files $ \at -> callHeld call at (fromIntegral from) (fromIntegral count)
      case fromIntegral next of
        to
          | to < 0 -> allowInterrupt >> together (complement to)
          | to < count && not rtsSupportsBoundThreads -> allowInterrupt >> together to
          | otherwise -> pure to

-- | A call for each file from this number on, all at the same time.
apart :: Call -> Files -> Int -> Int -> IO () -> IO ()
apart call files from count undo = do
  withForeignPtr (filesAt files) $ \at -> #{poke struct ferry_files, is_stopped} at (0 :: Int32)
  fate <- newIORef Running
  left <- newIORef (count - from)
  gate <- newEmptyMVar
  let end = do
        before <- atomicModifyIORef' fate ((,) Finished)
        when (before == Abandoned) undo
        void (tryPutMVar gate ())
      returned = do
        others <- atomicModifyIORef' left (\number -> (number - 1, number - 1))
        when (others == 0) end
      abandon = do
        withForeignPtr (filesAt files) $ \at -> #{poke struct ferry_files, is_stopped} at (1 :: Int32)
        before <- atomicModifyIORef' fate ((,) Abandoned)
        if before == Finished
          then undo
          else uninterruptibleMask_ $ do
            _ <- forkIO (threadDelay abandonUs >> void (tryPutMVar gate ()))
            readMVar gate
  -- masked, as this thread is: nobody else knows them, and nobody throws to them
  forM_ [from .. count - 1] $ \number -> forkIO (alone number `finally` returned)
  readMVar gate `onException` abandon
  where
    alone number = do
      next <- kept files $ \at -> callSafe call at (fromIntegral number) (fromIntegral number + 1)
      when (next < 0) (alone number)

-- | Call with the memory of these files, which is not collected meanwhile.
kept :: Files -> (Ptr () -> IO a) -> IO a
kept files use = do
  (names, _) <- readIORef (filesNames files)
  withForeignPtr (filesAt files) $ \at ->
    withForeignPtr (filesStarts files) $ \_ ->
      withForeignPtr (filesResults files) $ \_ ->
        withForeignPtr (filesBuffers files) $ \_ ->
          withForeignPtr names $ \_ -> use at

-- ---- results ----------------------------------------------------------------------------------------------------

-- | What became of reading a file.
data FileRead = FileRead
  { readFd :: !CInt,
    readIsClosed :: !Bool,
    readFirst :: !Int64,
    readSecond :: !Int64,
    readSize :: !Word64,
    -- | where the first read put its bytes, and the second
    readBuffer :: !(Ptr Word8),
    readMore :: !(Ptr Word8)
  }

-- | Nothing has been read yet: every descriptor is -1.
forgetReads :: Files -> Int -> IO ()
forgetReads files count =
  withForeignPtr (filesResults files) $ \results -> fillBytes results 0xff (count * #{size struct ferry_file_read})

-- | Use what became of the file of this number.
fileRead :: Files -> Int -> (FileRead -> IO a) -> IO a
fileRead files number use =
  withForeignPtr (filesResults files) $ \results -> withForeignPtr (filesBuffers files) $ \buffers -> do
    let at = results `plusPtr` (number * #{size struct ferry_file_read})
        buffer = buffers `plusPtr` (number * #{const FERRY_FILES_BUFFER})
    closed <- #{peek struct ferry_file_read, is_closed} at :: IO Int32
    found <-
      FileRead
        <$> (fromIntegral <$> (#{peek struct ferry_file_read, fd} at :: IO Int32))
        <*> pure (closed /= 0)
        <*> #{peek struct ferry_file_read, first} at
        <*> #{peek struct ferry_file_read, second} at
        <*> #{peek struct ferry_file_read, size} at
        <*> pure buffer
        <*> pure (buffer `plusPtr` bufferBytes)
    use found

-- safe: a disk may be slow here too
foreign import ccall safe "close" closeSafe :: CInt -> IO CInt

-- | Close what was opened for so many files. That it could not be closed would say nothing about what was read.
closeReads :: Files -> Int -> IO ()
closeReads files count = forM_ [0 .. count - 1] $ \number -> fileRead files number $ \found ->
  when (readFd found >= 0 && not (readIsClosed found)) (void (closeSafe (readFd found)))

-- | What was found of the file of this number.
fileLooked :: Files -> Int -> IO (Either Errno Statx)
fileLooked files number =
  withForeignPtr (filesResults files) $ \results -> withForeignPtr (filesBuffers files) $ \errors -> do
    errno <- peekElemOff (castPtr errors) number :: IO Int32
    if errno == 0
      then Right <$> peek (results `plusPtr` (number * #{size struct statx}))
      else pure (Left (Errno (fromIntegral errno)))
