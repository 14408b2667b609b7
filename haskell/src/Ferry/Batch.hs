-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE DataKinds #-}

-- | Batches of system calls: any number of them for one crossing from Haskell to C.
--
-- > main = do
-- >   contents <- run Adaptive $ do
-- >     path <- constantBytes "/etc/hostname"
-- >     fd <- open path (oRdonly .|. oCloexec) 0
-- >     stopOnFailure fd
-- >     buffer <- cells 4096
-- >     count <- readInto fd buffer
-- >     _ <- close fd
-- >     pure (result fd *> readBytes (fromIntegral <$> result count) buffer)
-- >   print contents
--
-- == Calls that block
--
-- Whether a system call blocks is not the caller's to know. @unlink@ is short, until the file is large and its file
-- system busy: a server whose @unlink@ was a foreign call marked @unsafe@ stood still for two minutes, all its threads
-- and its garbage collector (haskell\/unix, issue 34). So each call that touches a file, a socket or a futex, or that
-- sleeps, is marked as one that may block, and an 'Adaptive' run gives the Capability up before the first of them. Only
-- calls that read or change the state of this process alone are not: 'mmap', 'munmap', 'mprotect', 'madvise',
-- 'rt_sigaction', 'pipe2', 'eventfd2', 'memfd_create', 'socket', 'socketpair', 'clock_gettime', 'getpid', 'getppid',
-- 'gettid'. Where you know better, say so for a part of the program: with 'mayBlock' (an @mmap@ that populates a
-- gigabyte) or with 'doesNotBlock' (a @write@ to an @eventfd@).
module Ferry.Batch
  ( -- * System calls
    module Ferry.Internal.SystemCalls,
    open,
    pread,
    pwrite,
    readInto,
    preadInto,

    -- * Results
    result,
    resultIfRan,
    attempt,
    attemptIfRan,

    -- * Running
    run,
    prepare,
    module Ferry.Run,

    -- * Executors
    Executor,
    loopExecutor,
    nullExecutor,
    withAutoExecutor,
    runOn,
    prepareOn,
    prepareWith,

    -- * Constants and structures
    module Ferry.Constants,
    module Ferry.Struct,

    -- * The language
    module Ferry.Program,
  )
where

import Control.Exception (bracket_)
import Data.Int (Int64)
import Data.Word (Word8)
import Ferry.Constants
import Ferry.Internal.C (CExecutor, autoBytes, autoClose, autoOpen, executorLoop, executorNull)
import Ferry.Internal.Failure (callError, errnoOf)
import Ferry.Internal.Notes (Kept (..))
import Ferry.Internal.Prepare (prepareProgram)
import Ferry.Internal.Program
import Ferry.Internal.SystemCalls
import Ferry.Internal.Word
import Ferry.Program
import Ferry.Run
import Ferry.Struct
import Foreign.C.Error (Errno)
import Foreign.C.Types (CChar, CInt, CSize)
import Foreign.ForeignPtr (mallocForeignPtrBytes, touchForeignPtr)
import Foreign.ForeignPtr.Unsafe (unsafeForeignPtrToPtr)
import Foreign.Ptr (Ptr)
import System.Posix.Types (CMode, COff, CSsize)
import Prelude hiding (read)

-- | 'openat', from the working directory: path, flags, and the mode of a file it makes.
open :: Value (Ptr CChar) -> CInt -> CMode -> Program 'SystemCalls (Value CInt)
open path flags mode = openat (literal atFdcwd) path (literal flags) (literal mode)

-- | 'pread64'
pread :: Value CInt -> Value (Ptr a) -> Value CSize -> Value COff -> Program 'SystemCalls (Value CSsize)
pread = pread64

-- | 'pwrite64'
pwrite :: Value CInt -> Value (Ptr a) -> Value CSize -> Value COff -> Program 'SystemCalls (Value CSsize)
pwrite = pwrite64

-- | Read as many bytes as the buffer has, at most.
readInto :: Value CInt -> Cell Word8 -> Program 'SystemCalls (Value CSsize)
readInto fd buffer = read fd (address buffer) (literal (fromIntegral (cellCount buffer)))

-- | Read as many bytes as the buffer has, at most, from this place in the file.
preadInto :: Value CInt -> Cell Word8 -> Value COff -> Program 'SystemCalls (Value CSsize)
preadInto fd buffer = pread fd (address buffer) (literal (fromIntegral (cellCount buffer)))

-- | A system call's result. When it failed, an 'IOError' that names the call and its path is thrown; when the batch
-- jumped over it, 'Ferry.Error.NotRun'.
result :: Result a => Value a -> Output a
result value = resultWord value orThrow

-- | As 'result', and 'Nothing' when the batch jumped over the call.
resultIfRan :: Result a => Value a -> Output (Maybe a)
resultIfRan value = resultOr (const (pure Nothing)) value (\called word -> Just <$> orThrow called word)

orThrow :: Result a => Call -> Int64 -> IO a
orThrow called word
  | word < 0 = callError (callName called) (callPath called) (errnoOf word) >>= ioError
  | otherwise = pure (fromWord word)

-- | A system call's result, or why it failed.
attempt :: Result a => Value a -> Output (Either Errno a)
attempt value = resultWord value (\_ word -> pure (orErrno word))

-- | As 'attempt', and 'Nothing' when the batch jumped over the call.
attemptIfRan :: Result a => Value a -> Output (Maybe (Either Errno a))
attemptIfRan value = resultOr (const (pure Nothing)) value (\_ word -> pure (Just (orErrno word)))

orErrno :: Result a => Int64 -> Either Errno a
orErrno word = if word < 0 then Left (errnoOf word) else Right (fromWord word)

-- | What makes the system calls of a batch.
data Executor = Executor (Ptr CExecutor) Kept

-- | One system call for each slot: needs nothing, carries everything.
loopExecutor :: Executor
loopExecutor = Executor executorLoop (Kept ())

-- | Makes no system call: each gives 0. For measuring what the batch itself costs.
nullExecutor :: Executor
nullExecutor = Executor executorNull (Kept ())

-- | An executor that makes each batch in the way that was measured to be best for its kind: batches of chains that
-- open, read and close through io_uring, where this machine has it, everything else as 'loopExecutor'.
--
-- It is for one thread at a time. It runs batches whole: 'Adaptive' is 'Batched' on it. A program that was prepared on
-- it and runs after the action has ended runs as on 'loopExecutor'.
withAutoExecutor :: (Executor -> IO a) -> IO a
withAutoExecutor use = do
  memory <- mallocForeignPtrBytes (fromIntegral autoBytes)
  let executor = unsafeForeignPtrToPtr memory
  bracket_ (autoOpen executor) (autoClose executor >> touchForeignPtr memory) $
    use (Executor executor (Kept memory))

-- | Lay a program out, verify it and run it once. 'Ferry.Error.ProgramError' when it cannot be a batch.
run :: Mode -> Program 'SystemCalls (Output a) -> IO a
run = runOn loopExecutor

-- | Lay a program out and verify it, to be run many times. 'Ferry.Error.ProgramError' when it cannot be a batch.
prepare :: Program 'SystemCalls (Output a) -> IO (Prepared a)
prepare = prepareOn loopExecutor

-- | 'run', on that executor.
runOn :: Executor -> Mode -> Program 'SystemCalls (Output a) -> IO a
runOn executor mode program = prepareOn executor program >>= runPrepared mode

-- | 'prepare', for that executor.
prepareOn :: Executor -> Program 'SystemCalls (Output a) -> IO (Prepared a)
prepareOn executor program = snd <$> prepareWith executor ((,) () <$> program)

-- | 'prepareOn', for a program with parameters: it gives them beside its outputs.
--
-- > (size, prepared) <- prepareWith loopExecutor $ do
-- >   size <- parameter
-- >   cut <- ftruncate (literal fd) (given size)
-- >   pure (size, result cut)
-- > setParameter prepared size 4096
-- > runPrepared Adaptive prepared
prepareWith :: Executor -> Program 'SystemCalls (parameters, Output a) -> IO (parameters, Prepared a)
prepareWith (Executor executor kept) program = prepareProgram executor (keeping kept *> program)
