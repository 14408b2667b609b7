-- SPDX-License-Identifier: BSD-3-Clause
{-# OPTIONS_HADDOCK not-home #-}

-- | Every call of the C library, but for the primitives of "Ferry.Internal.Prim".
--
-- All that only touches memory is @unsafe@: it ends within nanoseconds for each slot and calls nothing.
module Ferry.Internal.C
  ( -- * Handles
    CProgram,
    CLabel,
    CFunction,
    CExecutor,

    -- * Laying out
    programBytes,
    programBegin,
    programCall,
    programFeed,
    programFeedWord,
    programJump,
    programLabel,
    labelBytes,
    labelInit,
    functionBytes,
    functionInit,
    prepareFunctions,
    prepareSystemCalls,
    programErrorSlot,
    programErrorReason,
    executorLoop,
    executorNull,
    autoBytes,
    autoOpen,
    autoClose,

    -- * Running
    runUnsafe,
    runSafe,
    programRan,
  )
where

import Data.Int (Int64)
import Data.Word (Word8)
import Foreign.C.String (CString)
import Foreign.C.Types (CInt (..), CLong (..), CSize (..), CUChar (..), CUInt (..))
import Foreign.Ptr (FunPtr, Ptr)

-- | @struct ferry_program@; also the @struct batch_prepared@ it begins with.
data CProgram

-- | @struct batch_label@
data CLabel

-- | @struct batch_function@
data CFunction

-- | @struct batch_executor@
data CExecutor

foreign import ccall unsafe "ferry_program_bytes" programBytes :: CSize

foreign import ccall unsafe "ferry_program_begin"
  programBegin :: Ptr CProgram -> Ptr slots -> Ptr Int64 -> CSize -> IO ()

foreign import ccall unsafe "ferry_program_call"
  programCall :: Ptr CProgram -> CInt -> CUInt -> Ptr Int64 -> CInt -> IO CLong

foreign import ccall unsafe "ferry_program_feed"
  programFeed :: Ptr CProgram -> CUInt -> CLong -> IO CLong

foreign import ccall unsafe "ferry_program_feed_word"
  programFeedWord :: Ptr CProgram -> CUInt -> Ptr word -> IO CLong

foreign import ccall unsafe "ferry_program_jump"
  programJump :: Ptr CProgram -> CLong -> CInt -> Ptr CLabel -> IO CInt

foreign import ccall unsafe "ferry_program_label"
  programLabel :: Ptr CProgram -> Ptr CLabel -> IO CInt

foreign import ccall unsafe "ferry_label_bytes" labelBytes :: CSize

foreign import ccall unsafe "ferry_label_init" labelInit :: Ptr CLabel -> IO ()

foreign import ccall unsafe "ferry_function_bytes" functionBytes :: CSize

foreign import ccall unsafe "ferry_function_init"
  functionInit :: Ptr CFunction -> FunPtr () -> CUChar -> CUChar -> CUChar -> IO ()

foreign import ccall unsafe "ferry_program_prepare_functions"
  prepareFunctions :: Ptr CProgram -> Ptr CFunction -> CSize -> IO CInt

foreign import ccall unsafe "ferry_program_prepare_system_calls"
  prepareSystemCalls :: Ptr CProgram -> Ptr CExecutor -> IO CInt

foreign import ccall unsafe "ferry_program_error_slot"
  programErrorSlot :: Ptr CProgram -> IO CLong

foreign import ccall unsafe "ferry_program_error_text"
  programErrorReason :: Ptr CProgram -> IO CString

foreign import ccall unsafe "ferry_program_ran"
  programRan :: Ptr CProgram -> CLong -> Ptr Word8 -> IO ()

foreign import ccall "&batch_executor_loop" executorLoop :: Ptr CExecutor

foreign import ccall "&batch_executor_null" executorNull :: Ptr CExecutor

foreign import ccall unsafe "ferry_auto_bytes" autoBytes :: CSize

-- | @safe@: the kernel sets up a ring, which allocates.
foreign import ccall safe "batch_auto_open" autoOpen :: Ptr CExecutor -> IO CInt

-- | @safe@: the kernel takes the ring down, which may wait for what is in flight.
foreign import ccall safe "batch_auto_close" autoClose :: Ptr CExecutor -> IO ()

-- | @unsafe@ because the caller asked for it: nothing else runs on this Capability, and no garbage collection anywhere,
-- until the batch has ended.
foreign import ccall unsafe "batch_prepared_run" runUnsafe :: Ptr CProgram -> IO CLong

-- | @safe@: an ordinary foreign call that may block and may call back.
foreign import ccall safe "batch_prepared_run" runSafe :: Ptr CProgram -> IO CLong
