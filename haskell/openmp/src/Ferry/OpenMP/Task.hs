-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE ExistentialQuantification #-}

-- | OpenMP tasks in Haskell and in C: for work that is no loop, as the nodes of a tree.
--
-- > sumTree tree = do
-- >   total <- newIORef 0
-- >   withTasks Nothing $ \tasks -> do
-- >     let visit node = do
-- >           atomicModifyIORef' total (\t -> (t + value node, ()))
-- >           mapM_ (task tasks . visit) (children node)
-- >     visit tree
-- >   readIORef total
--
-- A task runs at once, or later, or on another thread of the team; all have ended when 'withTasks' returns. Each takes
-- a Capability, so that a task should do more than a microsecond's work. An exception that leaves a task or the body
-- ends the region: no other task begins, and when those that run have ended it is thrown to the caller of 'withTasks'.
-- So does an asynchronous exception for that caller, unless it is masked.
module Ferry.OpenMP.Task
  ( -- * A region of tasks
    Tasks,
    withTasks,

    -- * Tasks
    task,
    taskC,
    taskWait,

    -- * Order
    Access (..),
    taskAfter,
    taskAfterC,
  )
where

import Control.Exception (mask_, throwIO)
import Control.Monad (join, unless, when)
import Data.IORef (newIORef, readIORef, writeIORef)
import Ferry.Internal.OpenMP.C (CTasks, addTask, openTasks, tasksStopped, waitForTasks)
import Ferry.Internal.OpenMP.Job (withTasksJob)
import Ferry.Internal.OpenMP.Loop
import Foreign.Marshal.Array (withArray)
import Foreign.Ptr (FunPtr, Ptr, castFunPtr, castPtr, intPtrToPtr, nullFunPtr, nullPtr)
import Foreign.StablePtr (castStablePtrToPtr, freeStablePtr, newStablePtr)

-- | A region in which tasks are added. Of no use outside the body of its 'withTasks': 'NotInRegion' there.
newtype Tasks = Tasks (Ptr CTasks)

-- | Open a region of at most so many threads, 'Nothing' for the default. The body adds the first tasks.
withTasks :: Maybe Int -> (Tasks -> IO a) -> IO a
withTasks threads body = do
  checkLoop "withTasks" loop
  result <- newIORef (throwIO Withdrawn)
  withTasksJob (\region -> body (Tasks region) >>= writeIORef result . pure) $ openTasks (loopTeam loop)
  -- a body that did not end has thrown
  join (readIORef result)
  where
    loop = Loop Static threads

-- | Add a task. It is a child of the task that adds it.
task :: Tasks -> IO () -> IO ()
task tasks = taskAfter tasks []

-- | Add a task that calls the C function with this pointer, without a Capability. It may call back into Haskell.
taskC :: Tasks -> FunPtr (Ptr a -> IO ()) -> Ptr a -> IO ()
taskC tasks = taskAfterC tasks []

-- | What a task does with what lies at an address. The address is a name only; nothing is read or written there. A task
-- begins when each of its siblings that were added before it, and that this one has to come after, has ended: those
-- that write what it reads, and those that read or write what it writes.
data Access
  = forall a. Reads (Ptr a)
  | forall a. Writes (Ptr a)

-- | Add a task that comes after others.
taskAfter :: Tasks -> [Access] -> IO () -> IO ()
taskAfter tasks accesses action = mask_ $ do
  at <- newStablePtr action
  isAdded <- add tasks accesses nullFunPtr (castStablePtrToPtr at)
  unless isAdded $ freeStablePtr at >> throwIO (NotInRegion "task")

-- | As 'taskC', of a task that comes after others.
taskAfterC :: Tasks -> [Access] -> FunPtr (Ptr a -> IO ()) -> Ptr a -> IO ()
taskAfterC tasks accesses function at = do
  isAdded <- add tasks accesses (castFunPtr function) (castPtr at)
  unless isAdded $ throwIO (NotInRegion "taskC")

add :: Tasks -> [Access] -> FunPtr (Ptr () -> IO ()) -> Ptr () -> IO Bool
add (Tasks region) accesses function at = (/= 0) <$> order (addTask region function at)
  where
    order use = if null accesses then use nullPtr else withArray (counts ++ written ++ readOnly) use
    -- as GCC lays it out: how many, how many of them are written, those, the others
    counts = map (intPtrToPtr . fromIntegral) [length accesses, length written]
    written = [castPtr address | Writes address <- accesses]
    readOnly = [castPtr address | Reads address <- accesses]

-- | Wait until the tasks that this one, or the body, has added have ended. Meanwhile this thread runs others.
taskWait :: Tasks -> IO ()
taskWait (Tasks region) = do
  isHere <- waitForTasks region
  when (isHere == 0) $ throwIO (NotInRegion "taskWait")
  isStopped <- tasksStopped region
  -- some have not run; the reason is known already and is what the caller gets
  when (isStopped /= 0) $ throwIO Withdrawn
