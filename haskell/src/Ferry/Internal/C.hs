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

-- | bytes of a @struct ferry_program@
foreign import ccall unsafe "ferry_program_bytes" programBytes :: CSize

-- | Begin a program with its slots, its results, and how many of each there are.
foreign import ccall unsafe "ferry_program_begin"
  programBegin :: Ptr CProgram -> Ptr slots -> Ptr Int64 -> CSize -> IO ()

-- | Add a call: its number, its argument words and how many, and whether it may block. Returns its slot, or @-errno@.
foreign import ccall unsafe "ferry_program_call"
  programCall :: Ptr CProgram -> CInt -> CUInt -> Ptr Int64 -> CInt -> IO CLong

-- | The next call's argument is the result of that slot. Returns the slot that copies it, or @-errno@.
foreign import ccall unsafe "ferry_program_feed"
  programFeed :: Ptr CProgram -> CUInt -> CLong -> IO CLong

-- | The next call's argument is the word at that address. Returns the slot that copies it, or @-errno@.
foreign import ccall unsafe "ferry_program_feed_word"
  programFeedWord :: Ptr CProgram -> CUInt -> Ptr word -> IO CLong

-- | On that outcome of the slot go to the label, or end the batch where the label is 'Foreign.Ptr.nullPtr'. Returns 0,
-- or @-errno@.
foreign import ccall unsafe "ferry_program_jump"
  programJump :: Ptr CProgram -> CLong -> CInt -> Ptr CLabel -> IO CInt

-- | The label is here. Returns 0, or @-errno@.
foreign import ccall unsafe "ferry_program_label"
  programLabel :: Ptr CProgram -> Ptr CLabel -> IO CInt

-- | bytes of a @struct batch_label@
foreign import ccall unsafe "ferry_label_bytes" labelBytes :: CSize

-- | Make a label that is nowhere yet.
foreign import ccall unsafe "ferry_label_init" labelInit :: Ptr CLabel -> IO ()

-- | bytes of a @struct batch_function@
foreign import ccall unsafe "ferry_function_bytes" functionBytes :: CSize

-- | Describe a function: its address, how many arguments, a bit for each that is a double, and the kind of its result.
foreign import ccall unsafe "ferry_function_init"
  functionInit :: Ptr CFunction -> FunPtr () -> CUChar -> CUChar -> CUChar -> IO ()

-- | Close the program and verify it, as a batch of these functions. Returns 0, or @-errno@.
foreign import ccall unsafe "ferry_program_prepare_functions"
  prepareFunctions :: Ptr CProgram -> Ptr CFunction -> CSize -> IO CInt

-- | Close the program and verify it, as a batch of system calls for this executor. Returns 0, or @-errno@.
foreign import ccall unsafe "ferry_program_prepare_system_calls"
  prepareSystemCalls :: Ptr CProgram -> Ptr CExecutor -> IO CInt

-- | the slot that the last refusal is about, or -1
foreign import ccall unsafe "ferry_program_error_slot"
  programErrorSlot :: Ptr CProgram -> IO CLong

-- | why the last refusal was made, as a sentence in static storage
foreign import ccall unsafe "ferry_program_error_text"
  programErrorReason :: Ptr CProgram -> IO CString

-- | After a run that ended at that slot: note for each slot 1 when it ran, 0 when it did not.
foreign import ccall unsafe "ferry_program_ran"
  programRan :: Ptr CProgram -> CLong -> Ptr Word8 -> IO ()

-- | makes system calls one by one
foreign import ccall "&batch_executor_loop" executorLoop :: Ptr CExecutor

-- | makes no call; its results are 0
foreign import ccall "&batch_executor_null" executorNull :: Ptr CExecutor

-- | bytes of a @struct batch_auto@
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
