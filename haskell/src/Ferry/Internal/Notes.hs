-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE ExistentialQuantification #-}
{-# LANGUAGE MagicHash #-}
{-# LANGUAGE UnboxedTuples #-}
{-# OPTIONS_HADDOCK not-home #-}

-- | What a program notes while it is described: words on a tape, which C turns into slots in one call
-- (@cbits\/batch\/lay_out.c@). Everything that runs only when a program is refused, or is read after a failure, stays
-- in Haskell.
--
-- A program of a few calls that runs once is to cost less than as many safe calls, so a call leaves no more here than
-- its words and its name. Its slot is known at once: every call has one, behind one for each argument that is fed.
--
-- Each time a program is described it has a new identity, which its values, parameters, cells and labels carry. What
-- belongs to another program is found out by it.
module Ferry.Internal.Notes
  ( Notes (..),
    Rest (..),
    Kept (..),
    Call (..),
    newNotes,

    -- * Counts
    Count (..),
    count,
    setCount,
    countMore,
    countsBytes,

    -- * The tape
    tapeFunction,
    tapeSystemCall,
    tapeJump,
    tapeLabel,
    tapeParameters,
    tapeCopy,
    reserve,
    tapeWord,
    setTapeWord,

    -- * Names
    noteCall,
    slotName,
  )
where

import Control.Monad.Primitive (RealWorld)
import Data.ByteString (ByteString)
import Data.Int (Int64)
import Data.Primitive.ByteArray
import Data.Primitive.MutVar
import Data.Word (Word8)
import Ferry.Error (ProgramError (..))
import GHC.Exts (Int (I#), fetchAddIntArray#)
import GHC.IO (IO (..))
import System.IO.Unsafe (unsafePerformIO)

-- | The notes of one program.
data Notes = Notes
  { noteIdentity :: !Int,
    -- | @struct ferry_notes@
    noteCounts :: !(MutableByteArray RealWorld),
    -- | grows
    noteTape :: !(MutVar RealWorld (MutableByteArray RealWorld)),
    -- | newest first
    noteCalls :: !(MutVar RealWorld [Call]),
    noteRest :: !(MutVar RealWorld Rest)
  }

-- | What few programs have.
data Rest = Rest
  { -- | what cells hold when the program is prepared: bytes, and their offset
    restConstants :: [(Int, ByteString)],
    -- | what must stay alive as long as the prepared program
    restKept :: [Kept],
    -- | what was wrong first, for which the program is refused
    restMisuse :: !(Maybe ProgramError)
  }

-- | Something that is kept alive, of whatever type.
data Kept = forall kept. Kept kept

-- | One call, for messages.
data Call = Call
  { callSlot :: !Int,
    callName :: String,
    -- | the path it works on
    callPath :: Maybe ByteString
  }

-- | The numbers of @struct ferry_notes@ that are counted here, in its order (@cbits\/batch\/notes.h@).
data Count
  = TapeWords
  | Slots
  | ParameterCount
  | -- | argument words of parameters that have one already
    ExtraUses
  | CellBytes
  | -- | 'Ferry.Internal.Program.mayBlock': 0 as is their nature, 1 all may block, 2 none does
    Marking
  | Jumps
  | -- | at least as many as there are different functions
    FunctionsAtMost
  | LastAddress
  | LastShape
  deriving (Enum)

-- | Bytes of @struct ferry_notes@: what is counted, and what C adds.
countsBytes :: Int
countsBytes = 20 * 8

-- | Identities so far. Two programs never have the same one.
identities :: MutableByteArray RealWorld
identities = unsafePerformIO $ do
  counter <- newByteArray 8
  counter <$ writeByteArray counter 0 (0 :: Int)
{-# NOINLINE identities #-}

-- | Nothing is noted yet.
newNotes :: IO Notes
newNotes = do
  identity <- case identities of
    MutableByteArray counter -> IO $ \s -> case fetchAddIntArray# counter 0# 1# s of (# s', was #) -> (# s', I# was #)
  counts <- newByteArray countsBytes
  setByteArray counts 0 countsBytes (0 :: Word8)
  -- of no function that can be noted
  writeByteArray counts (fromEnum LastShape) (-1 :: Int)
  tape <- newByteArray (tapeWords * 8)
  Notes identity counts <$> newMutVar tape <*> newMutVar [] <*> newMutVar (Rest [] [] Nothing)

-- | What stands on the tape: @enum ferry_note@ of @cbits\/batch\/notes.h@, which says what comes behind it.
tapeFunction, tapeSystemCall, tapeJump, tapeLabel, tapeParameters, tapeCopy :: Int
tapeFunction = 1
tapeSystemCall = 2
tapeJump = 3
tapeLabel = 4
tapeParameters = 5
tapeCopy = 6

-- | Words of a new tape: a call of two arguments takes four.
tapeWords :: Int
tapeWords = 64

-- | A number that was counted.
count :: Notes -> Count -> IO Int
count notes which = readByteArray (noteCounts notes) (fromEnum which)
{-# INLINE count #-}

-- | Set a number.
setCount :: Notes -> Count -> Int -> IO ()
setCount notes which = writeByteArray (noteCounts notes) (fromEnum which)
{-# INLINE setCount #-}

-- | Count so many more. What was counted before.
countMore :: Notes -> Count -> Int -> IO Int
countMore notes which more = do
  before <- count notes which
  before <$ setCount notes which (before + more)
{-# INLINE countMore #-}

-- | Take the next words of the tape: where they begin, and the tape, until more words are taken.
reserve :: Notes -> Int -> IO (Int, MutableByteArray RealWorld)
reserve notes words' = do
  at <- countMore notes TapeWords words'
  tape <- readMutVar (noteTape notes)
  bytes <- getSizeofMutableByteArray tape
  if (at + words') * 8 <= bytes then pure (at, tape) else (,) at <$> grow tape at (at + words')
  where
    grow :: MutableByteArray RealWorld -> Int -> Int -> IO (MutableByteArray RealWorld)
    grow tape used wanted = do
      longer <- newByteArray (16 * wanted)
      copyMutableByteArray longer 0 tape 0 (used * 8)
      writeMutVar (noteTape notes) longer
      pure longer
{-# INLINE reserve #-}

-- | A word of the tape.
tapeWord :: Notes -> Int -> IO Int64
tapeWord notes at = readMutVar (noteTape notes) >>= \tape -> readByteArray tape at

-- | Write over a word of the tape.
setTapeWord :: Notes -> Int -> Int64 -> IO ()
setTapeWord notes at word = readMutVar (noteTape notes) >>= \tape -> writeByteArray tape at word

-- | Note what a call is named.
noteCall :: Notes -> Call -> IO ()
noteCall notes call = do
  calls <- readMutVar (noteCalls notes)
  writeMutVar (noteCalls notes) (call : calls)
{-# INLINE noteCall #-}

-- | What a slot is called in messages; a word copy is called as the call it feeds.
slotName :: [Call] -> Int -> String
slotName calls slot = case reverse (takeWhile ((>= slot) . callSlot) calls) of
  call : _ -> callName call
  [] -> "slot " ++ show slot
