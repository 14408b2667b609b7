-- SPDX-License-Identifier: BSD-3-Clause
{-# OPTIONS_HADDOCK not-home #-}

-- | Every call of the C that opens parallel regions, @cbits/region/@.
--
-- What opens a region, or waits, is @safe@: it takes as long as the work in it, and calls back. Everything else touches
-- a few words and is @unsafe@.
module Ferry.Internal.OpenMP.C
  ( -- * Loops
    CShare,
    Kernel,
    KernelTo,
    CLoop,
    initBody,
    initRegion,
    initKernel,
    initKernelTo,
    initBlocks,
    openBodies,
    openKernels,
    callKernel,

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
    initialSet,
    initialGet,
    refusal,
  )
where

import Ferry.Internal.Prim (runHeld)
import Foreign.C.String (CString)
import Foreign.C.Types (CBool (..), CInt (..), CLong (..), CSize (..), CUInt (..))
import Foreign.Marshal.Alloc (allocaBytes)
import Foreign.Ptr (FunPtr, Ptr)
import Foreign.Storable (peekByteOff)

-- | @struct ferry_share@
data CShare

-- | A C function over the half-open range of indices that its first two arguments are.
type Kernel a = CLong -> CLong -> Ptr a -> IO ()

-- | As 'Kernel', from one array to another.
type KernelTo a b = CLong -> CLong -> Ptr a -> Ptr b -> IO ()

-- | @struct ferry_loop@
data CLoop

-- | bytes of a @struct ferry_loop@
foreign import ccall unsafe "ferry_openmp_loop_bytes" loopBytes :: CSize

-- | A loop whose body is its job: bounds, schedule, chunk, threads.
foreign import ccall unsafe "ferry_openmp_init_body"
  initBody :: CLong -> CLong -> CInt -> CLong -> CUInt -> Ptr CLoop -> IO ()

-- | A region that runs its job once for each thread: threads.
foreign import ccall unsafe "ferry_openmp_init_region" initRegion :: CUInt -> Ptr CLoop -> IO ()

-- | Kernel, its data, bounds, schedule, chunk, threads.
foreign import ccall unsafe "ferry_openmp_init_kernel"
  initKernel :: FunPtr (Kernel a) -> Ptr a -> CLong -> CLong -> CInt -> CLong -> CUInt -> Ptr CLoop -> IO ()

-- | Kernel, from, to, elements, schedule, chunk, threads.
foreign import ccall unsafe "ferry_openmp_init_kernel_to"
  initKernelTo ::
    FunPtr (KernelTo a b) -> Ptr a -> Ptr b -> CLong -> CInt -> CLong -> CUInt -> Ptr CLoop -> IO ()

-- | Kernel, from, results, elements, blocks, bytes of a result, schedule, threads.
foreign import ccall unsafe "ferry_openmp_init_blocks"
  initBlocks ::
    FunPtr (KernelTo a b) -> Ptr a -> Ptr b -> CLong -> CLong -> CLong -> CInt -> CUInt -> Ptr CLoop -> IO ()

foreign import ccall unsafe "ferry_openmp_set_job" setJob :: Ptr CLoop -> Ptr () -> IO ()

foreign import ccall unsafe "ferry_openmp_was_stopped" wasStopped :: Ptr CLoop -> IO CBool

-- | @safe@: every thread of the team, this one too, takes a Capability for the body.
foreign import ccall safe "ferry_openmp_run" runBodies :: Ptr CLoop -> IO ()

-- | Called with the Capability held until somebody wants it: kernels of C need none.
foreign import ccall "&ferry_openmp_run" runAt :: FunPtr (Ptr CLoop -> IO ())

-- | Open the region of a loop with Haskell bodies: how to fill it in, and its job. Whether it was stopped.
openBodies :: (Ptr CLoop -> IO ()) -> Ptr () -> IO Bool
openBodies fill job = allocaBytes (fromIntegral loopBytes) $ \loop -> do
  fill loop
  setJob loop job
  runBodies loop
  (/= 0) <$> wasStopped loop

-- | Open the region of a loop of C kernels: how to fill it in, and its job or null. Whether it was stopped.
openKernels :: (Ptr CLoop -> IO ()) -> Ptr () -> IO Bool
openKernels fill job = allocaBytes (fromIntegral loopBytes) $ \loop -> do
  fill loop
  setJob loop job
  runHeld runAt loop
  (/= 0) <$> wasStopped loop

-- | Call a kernel here. @safe@: it takes as long as it takes, and may call back.
foreign import ccall safe "dynamic" callKernel :: FunPtr (Kernel a) -> Kernel a

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
foreign import ccall safe "ferry_openmp_tasks" cTasks :: Ptr () -> CUInt -> IO CInt

-- | Open a region of tasks: threads, job. Whether it was stopped.
openTasks :: CUInt -> Ptr () -> IO Bool
openTasks threads job = (/= 0) <$> cTasks job threads

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

-- | Variable and value of @ferryomp_initial_set@. Negative where the runtime refuses.
foreign import ccall unsafe "ferryomp_initial_set" initialSet :: CInt -> CInt -> IO CInt

-- | The value of @ferryomp_initial_get@.
foreign import ccall unsafe "ferryomp_initial_get" initialGet :: CInt -> IO CInt
