-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE MagicHash #-}
{-# LANGUAGE UnliftedFFITypes #-}
{-# OPTIONS_HADDOCK not-home #-}

-- | Every call of the C library, but for the primitives of "Ferry.Internal.Prim".
--
-- All that only touches memory is @unsafe@: it ends within nanoseconds for each slot and calls nothing.
module Ferry.Internal.C
  ( -- * Handles
    CProgram,
    CExecutor,

    -- * Laying out
    programBytes,
    notesPlan,
    programLayOut,
    programErrorSlot,
    programErrorReason,
    executorLoop,
    executorNull,
    autoBytes,
    autoOpen,
    autoClose,

    -- * Parameters
    programSetMore,
    programSetWords,

    -- * Owners
    programOwn,
    programHandOver,
    programForAnyThread,

    -- * Running
    runUnsafe,
    runSafe,
    programRan,
  )
where

import Data.Int (Int64)
import Data.Word (Word8)
import Foreign.C.String (CString)
import Foreign.C.Types (CInt (..), CLong (..), CSize (..))
import Foreign.Ptr (Ptr)
import GHC.Exts (MutableByteArray#, RealWorld)

-- | @struct ferry_program@; also the @struct batch_prepared@ it begins with.
data CProgram

-- | @struct batch_executor@
data CExecutor

-- | bytes of a @struct ferry_program@
foreign import ccall unsafe "ferry_program_bytes" programBytes :: CSize

-- | Where the parts of a program that was noted lie, which the notes then say, and how much memory they take.
foreign import ccall unsafe "ferry_notes_plan" notesPlan :: MutableByteArray# RealWorld -> IO ()

-- | Lay a program out in its memory and verify it: its notes, the tape, and scratch memory that the notes say the size
-- of. The executor is that of a program of system calls. Returns 0, or @-errno@.
foreign import ccall unsafe "ferry_program_lay_out"
  programLayOut ::
    Ptr CProgram ->
    MutableByteArray# RealWorld ->
    MutableByteArray# RealWorld ->
    MutableByteArray# RealWorld ->
    Ptr CExecutor ->
    IO CInt

-- | Set the further argument words of a parameter that has several.
foreign import ccall unsafe "ferry_program_set_more" programSetMore :: Ptr CProgram -> CLong -> Int64 -> IO ()

-- | Set so many parameters from this one on.
foreign import ccall unsafe "ferry_program_set_words"
  programSetWords :: Ptr CProgram -> CLong -> CLong -> Ptr words -> IO ()

-- | Make the thread of this number the owner, unless there is one. 0, or the number of the thread whose it is.
foreign import ccall unsafe "ferry_program_own" programOwn :: Ptr CProgram -> Word -> IO Word

-- | The program is nobody's: the next thread that uses it owns it.
foreign import ccall unsafe "ferry_program_hand_over" programHandOver :: Ptr CProgram -> IO ()

-- | The program is for whichever thread has it.
foreign import ccall unsafe "ferry_program_for_any_thread" programForAnyThread :: Ptr CProgram -> IO ()

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
