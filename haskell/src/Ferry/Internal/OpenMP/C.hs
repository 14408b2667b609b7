-- SPDX-License-Identifier: BSD-3-Clause
{-# OPTIONS_HADDOCK not-home #-}

-- | Every call of the C that opens parallel regions, @cbits/openmp_*.c@.
--
-- What opens a region, or waits, is @safe@: it takes as long as the work in it, and calls back. Everything else touches a
-- few words and is @unsafe@.
module Ferry.Internal.OpenMP.C
  ( -- * Loops
    CShare,
    Kernel,
    KernelTo,
    openLoop,
    callKernel,
    openKernel,
    openKernelTo,
    openKernelBlocks,
    openRegion,

    -- * A thread's share
    shareFirst,
    sharePast,
    shareThread,
    shareThreads,
    shareNext,
    shareStop,

    -- * Tasks
    CTasks,
    openTasks,
    addTask,
    waitForTasks,
    tasksStopped,
    tasksStop,

    -- * The program
    refusal,
  )
where

import Foreign.C.String (CString)
import Foreign.C.Types (CBool (..), CInt (..), CLong (..), CUInt (..))
import Foreign.Ptr (FunPtr, Ptr)
import Foreign.Storable (peekByteOff)

-- | @struct ferry_share@
data CShare

-- | A C function over the half-open range of indices that its first two arguments are.
type Kernel a = CLong -> CLong -> Ptr a -> IO ()

-- | As 'Kernel', from one array to another.
type KernelTo a b = CLong -> CLong -> Ptr a -> Ptr b -> IO ()

-- | Job, bounds, schedule, chunk, threads. Returns whether it was stopped.
foreign import ccall safe "ferry_openmp_loop"
  openLoop :: Ptr () -> CLong -> CLong -> CInt -> CLong -> CUInt -> IO CInt

-- | Call a kernel here. @safe@: it takes as long as it takes, and may call back.
foreign import ccall safe "dynamic" callKernel :: FunPtr (Kernel a) -> Kernel a

-- | Kernel, its data, job or null, bounds, schedule, chunk, threads. Returns whether it was stopped.
foreign import ccall safe "ferry_openmp_kernel"
  openKernel :: FunPtr (Kernel a) -> Ptr a -> Ptr () -> CLong -> CLong -> CInt -> CLong -> CUInt -> IO CInt

-- | Kernel, from, to, job or null, elements, schedule, chunk, threads. Returns whether it was stopped.
foreign import ccall safe "ferry_openmp_kernel_to"
  openKernelTo :: FunPtr (KernelTo a b) -> Ptr a -> Ptr b -> Ptr () -> CLong -> CInt -> CLong -> CUInt -> IO CInt

-- | Kernel, from, results, job or null, elements, blocks, bytes of a result, schedule, threads. Returns whether it was
-- stopped.
foreign import ccall safe "ferry_openmp_kernel_blocks"
  openKernelBlocks ::
    FunPtr (KernelTo a b) -> Ptr a -> Ptr b -> Ptr () -> CLong -> CLong -> CLong -> CInt -> CUInt -> IO CInt

-- | Job, threads. Returns whether it was stopped.
foreign import ccall safe "ferry_openmp_region"
  openRegion :: Ptr () -> CUInt -> IO CInt

-- | the range that is next
shareFirst, sharePast :: Ptr CShare -> IO Int
shareFirst share = peekByteOff share 0
sharePast share = peekByteOff share 8
{-# INLINE shareFirst #-}
{-# INLINE sharePast #-}

-- | the thread's number in its team, and the team's size
shareThread, shareThreads :: Ptr CShare -> IO Int
shareThread share = peekByteOff share 16
shareThreads share = peekByteOff share 24

-- | Move on to the next range; false when there is none or the loop was stopped. On the thread whose share it is.
foreign import ccall unsafe "ferry_openmp_next" shareNext :: Ptr CShare -> IO CBool

-- | Let no thread of the loop begin another range.
foreign import ccall unsafe "ferry_openmp_stop" shareStop :: Ptr CShare -> IO ()

-- | @struct ferry_tasks@
data CTasks

-- | Job, threads. Returns whether it was stopped.
foreign import ccall safe "ferry_openmp_tasks" openTasks :: Ptr () -> CUInt -> IO CInt

-- | Region, C function or null, its data or a 'Foreign.StablePtr.StablePtr' to an action, dependences or null. False
-- where this thread is not of the region. @safe@: the task may run at once.
foreign import ccall safe "ferry_openmp_task"
  addTask :: Ptr CTasks -> FunPtr (Ptr () -> IO ()) -> Ptr () -> Ptr (Ptr ()) -> IO CBool

-- | Wait for the children of the current task. False where this thread is not of the region.
foreign import ccall safe "ferry_openmp_taskwait" waitForTasks :: Ptr CTasks -> IO CBool

-- | Whether no more tasks begin.
foreign import ccall unsafe "ferry_openmp_tasks_stopped" tasksStopped :: Ptr CTasks -> IO CBool

-- | Let no more tasks begin.
foreign import ccall unsafe "ferry_openmp_tasks_stop" tasksStop :: Ptr CTasks -> IO ()

-- | Why there can be no region in this program, or null.
foreign import ccall unsafe "ferry_openmp_refusal" refusal :: IO CString
