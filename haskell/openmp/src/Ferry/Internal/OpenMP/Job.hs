-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE ForeignFunctionInterface #-}
{-# OPTIONS_HADDOCK not-home #-}

-- | What the threads of a region run of Haskell, and what becomes of exceptions.
--
-- A thread of the team enters Haskell through @ferryOpenmpShare@, in a Haskell thread of its own that is bound to it:
-- every call to C is made on the thread of the team. An exception that leaves the body is kept, stops the loop, and is
-- thrown to the caller when all threads have ended. The caller itself is in a foreign call, in which no exception can
-- reach it: so who has a Capability looks, between two chunks, whether one is waiting for it.
module Ferry.Internal.OpenMP.Job
  ( Body,
    withJob,
    withWatch,
    withoutJob,
    withTasksJob,
    chunksOf,
  )
where

import Control.Applicative ((<|>))
import Control.Concurrent (myThreadId)
import Control.Exception
import Control.Monad (unless, void, when)
import Data.IORef
import Ferry.Internal.OpenMP.C
import Ferry.Internal.OpenMP.Loop (OpenMPError (Withdrawn))
import Ferry.Internal.Prim (exceptionWaits)
import Foreign.C.Types (CInt (..))
import Foreign.Ptr (Ptr, nullPtr)
import Foreign.StablePtr

-- | What a thread of the team does with its share.
type Body = IO Bool -> Ptr CShare -> IO ()

-- | A region as Haskell sees it: of a loop or the like, where what each thread runs is given its share, or of tasks.
data Job part = Job
  { jobBody :: Ptr part -> IO (),
    -- | whether an exception waits for the caller
    jobWanted :: IO Bool,
    -- | the first exception that left a body
    jobFailure :: IORef (Maybe SomeException)
  }

-- | Run a part of the region's work. An exception is kept, and the rest is stopped.
keeping :: Job part -> IO () -> IO () -> IO ()
keeping job stop run =
  run `catch` \failure -> do
    stop
    atomicModifyIORef' (jobFailure job) $ \before -> (before <|> Just failure, ())

-- | A thread of the team does its share.
share :: StablePtr (Job CShare) -> Ptr CShare -> IO ()
share at mine = deRefStablePtr at >>= \job -> keeping job (shareStop mine) (jobBody job mine)

foreign export ccall "ferryOpenmpShare" share :: StablePtr (Job CShare) -> Ptr CShare -> IO ()

-- | Whether an exception waits for the caller, for threads that run no Haskell.
wanted :: StablePtr (Job CShare) -> IO CInt
wanted at = deRefStablePtr at >>= fmap (fromIntegral . fromEnum) . jobWanted

foreign export ccall "ferryOpenmpWanted" wanted :: StablePtr (Job CShare) -> IO CInt

-- | The body of a region of tasks.
tasksBody :: StablePtr (Job CTasks) -> Ptr CTasks -> IO ()
tasksBody at region = deRefStablePtr at >>= \job -> keeping job (tasksStop region) (jobBody job region)

foreign export ccall "ferryOpenmpTasksBody" tasksBody :: StablePtr (Job CTasks) -> Ptr CTasks -> IO ()

-- | One task, unless an exception waits for who opened the region.
runTask :: StablePtr (Job CTasks) -> Ptr CTasks -> StablePtr (IO ()) -> IO ()
runTask at region actionAt = do
  job <- deRefStablePtr at
  action <- deRefStablePtr actionAt
  freeStablePtr actionAt
  isWanted <- jobWanted job
  if isWanted then tasksStop region else keeping job (tasksStop region) action

foreign export ccall "ferryOpenmpTask"
  runTask :: StablePtr (Job CTasks) -> Ptr CTasks -> StablePtr (IO ()) -> IO ()

-- | Open a region whose threads run this body. It returns whether it was stopped.
withJob :: Body -> (Ptr () -> IO Bool) -> IO ()
withJob = withJobOf
{-# INLINE withJob #-}

-- | Open a region of tasks.
withTasksJob :: (Ptr CTasks -> IO ()) -> (Ptr () -> IO Bool) -> IO ()
withTasksJob body = withJobOf (const body)

withJobOf :: (IO Bool -> Ptr part -> IO ()) -> (Ptr () -> IO Bool) -> IO ()
withJobOf body open = do
  failure <- newIORef Nothing
  caller <- myThreadId
  mask $ \restore -> do
    isMasked <- (/= Unmasked) <$> restore getMaskingState
    let waits = if isMasked then pure False else exceptionWaits caller
    at <- newStablePtr (Job (body waits) waits failure)
    -- the region has ended before an exception can reach us, so nobody uses the job then
    stopped <- restore (open (castStablePtrToPtr at)) `onException` freeStablePtr at
    freeStablePtr at
    readIORef failure >>= mapM_ throwIO
    when stopped $ throwIO Withdrawn
{-# INLINE withJobOf #-}

-- | Open a region of C kernels which asks now and then whether an exception waits for the caller.
withWatch :: (Ptr () -> IO Bool) -> IO ()
withWatch = withJob (\_ _ -> pure ())

-- | Open a region of C kernels that nothing stops.
withoutJob :: (Ptr () -> IO Bool) -> IO ()
withoutJob open = void (open nullPtr)

-- | Run each of the ranges that this thread is given.
chunksOf :: (Int -> Int -> Int -> Int -> IO ()) -> Body
chunksOf body waits mine = do
  thread <- shareThread mine
  threads <- shareThreads mine
  let go = do
        first <- shareFirst mine
        past <- sharePast mine
        body thread threads first past
        more <- shareNext mine
        unless (more == 0) $ do
          isWanted <- waits
          if isWanted then shareStop mine else go
  go
{-# INLINE chunksOf #-}
