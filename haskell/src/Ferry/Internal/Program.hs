-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE BangPatterns #-}
{-# LANGUAGE DataKinds #-}
{-# LANGUAGE ExistentialQuantification #-}
{-# LANGUAGE KindSignatures #-}
{-# LANGUAGE ScopedTypeVariables #-}
{-# OPTIONS_HADDOCK not-home #-}

-- | The language of batches as data: a program only notes what its slots shall be. "Ferry.Internal.Prepare" lays them
-- out in memory.
--
-- Invariants. Steps are kept newest first. Calls are numbered in the order they were added, from 0; a 'Source' names
-- only calls added before it. Offsets are into the program's cells, each aligned for its type.
module Ferry.Internal.Program
  ( -- * Programs
    Kind (..),
    Program,
    Notes (..),
    Kept (..),
    runNotes,
    note,

    -- * Steps
    Step (..),
    Call (..),
    Target (..),
    CallId (..),
    Outcome (..),
    Goal (..),

    -- * Values
    Value (..),
    Source (..),
    literal,
    retype,
    Parameter (..),
    parameter,
    given,

    -- * Memory
    Cell (..),
    cell,
    cells,
    cellBytesMax,
    cellAt,
    address,
    contents,
    constantBytes,
    constant,
    keeping,

    -- * Control
    Label (..),
    newLabel,
    place,
    jump,
    finish,
    mayBlock,
    doesNotBlock,
    addCall,
    refuse,
    requireLast,

    -- * Outputs
    Output (..),
    Layout (..),
    output,
    outputIfRan,
    readCell,
    readBytes,
    lastSlot,
    resultWord,
    resultOr,
    wordIfRan,
    refine,
    pointerTo,
    callOf,
  )
where

import Control.Applicative ((<|>))
import Control.Exception (throw, throwIO)
import Control.Monad (unless, when)
import Data.ByteString (ByteString)
import qualified Data.ByteString as ByteString
import Data.ByteString.Internal (create)
import Data.Int (Int64)
import qualified Data.IntMap.Strict as IntMap
import Data.Maybe (fromMaybe, listToMaybe)
import Data.Word (Word8)
import Ferry.Error (NotRun (..), ProgramError (..))
import Ferry.Internal.Word
import Foreign.Ptr (FunPtr, Ptr, castPtr, plusPtr)
import Foreign.Storable (Storable (..))
import System.IO.Unsafe (unsafeDupablePerformIO)

-- | What the slots of a program call: C functions, or the kernel.
data Kind = Functions | SystemCalls

-- | A batch that is being described. Nothing runs before it is prepared and run.
newtype Program (kind :: Kind) a = Program (Notes -> (a, Notes))

instance Functor (Program kind) where
  fmap f (Program step) = Program $ \notes -> case step notes of (a, notes') -> (f a, notes')

instance Applicative (Program kind) where
  pure a = Program $ \notes -> (a, notes)
  Program stepF <*> Program stepA = Program $ \notes -> case stepF notes of
    (f, notes') -> case stepA notes' of (a, notes'') -> (f a, notes'')

instance Monad (Program kind) where
  Program step >>= k = Program $ \notes -> case step notes of
    (a, notes') -> case k a of Program next -> next notes'

-- | Something that is kept alive, of whatever type.
data Kept = forall kept. Kept kept

-- | What a program has noted so far.
data Notes = Notes
  { -- | newest first
    noteSteps :: [Step],
    noteCalls :: !Int,
    noteLabels :: !Int,
    noteParameters :: !Int,
    -- | bytes of cells
    noteBytes :: !Int,
    -- | what cells hold when the program is prepared: bytes by their offset
    noteConstants :: !(IntMap.IntMap ByteString),
    -- | whether calls that are being added may block; 'Nothing': as is their nature
    noteMayBlock :: !(Maybe Bool),
    -- | what must stay alive as long as the prepared program
    noteKept :: [Kept],
    -- | what was wrong first, for which the program is refused
    noteMisuse :: !(Maybe ProgramError)
  }

-- | What a program does, in order.
data Step
  = StepCall Call
  | StepJump CallId Outcome Goal
  | StepPlace Label

-- | The number of a call: how many were added before it.
newtype CallId = CallId Int
  deriving (Eq, Ord, Show)

-- | One call.
data Call = Call
  { callTarget :: Target,
    -- | what it is called in messages
    callName :: String,
    -- | the path it works on, for messages
    callPath :: Maybe ByteString,
    callArguments :: [Source],
    callMayBlock :: !Bool
  }

-- | What is called.
data Target
  = -- | by its number; whether its nature is that it may block
    TargetSystemCall !Int !Bool
  | -- | address, which arguments are doubles (bit k: argument k), result
    TargetFunction !(FunPtr ()) !Word8 !ResultKind

-- | Which of a slot's results a jump is for.
data Outcome = OnFailure | OnZero | OnPositive
  deriving (Eq, Ord, Show, Enum, Bounded)

-- | Where a jump goes.
data Goal = GoalStop | GoalLabel Label

-- | A place that earlier calls jump to.
newtype Label = Label Int

-- | An argument of a later call: known now, or a result of the batch itself.
newtype Value a = Value Source

-- | Where an argument word comes from.
data Source
  = Literal !Int64
  | ResultOf !CallId
  | FromParameter !Int
  | AddressOf !Int
  | ContentsOf !Int

-- | A value that is known when the program is built.
literal :: Argument a => a -> Value a
literal = Value . Literal . toWord

-- | The same word as another type: a @'Foreign.Ptr.Ptr' a@ as a @'Foreign.Ptr.Ptr' b@, say. Nothing is converted.
retype :: Value a -> Value b
retype (Value source) = Value source

-- | A value that may be changed between two runs of a prepared program ('Ferry.Run.setParameter').
newtype Parameter a = Parameter Int

-- | Add a parameter; it is all zero bits until it is set.
parameter :: Argument a => Program kind (Parameter a)
parameter = Program $ \notes ->
  (Parameter (noteParameters notes), notes {noteParameters = noteParameters notes + 1})

-- | The parameter as an argument.
given :: Parameter a -> Value a
given (Parameter index) = Value (FromParameter index)

-- | Memory of the program itself: as long-lived as the prepared program, zeroed when it is prepared.
data Cell a = Cell
  { cellOffset :: !Int,
    -- | elements
    cellCount :: !Int
  }

-- | Memory for one value: for a result that a C function stores through a pointer.
cell :: Storable a => Program kind (Cell a)
cell = cells 1

-- | Memory for several values next to each other. A negative number is 0.
cells :: forall a kind. Storable a => Int -> Program kind (Cell a)
cells count = do
  when (wanted > cellBytesMax `div` max 1 size) . refuse . ProgramError Nothing $
    show count ++ " cells of " ++ show size ++ " bytes are more than " ++ show cellBytesMax ++ " bytes; pass a pointer"
  Program $ \notes ->
    let offset = align (alignment (undefined :: a)) (noteBytes notes)
     in (Cell offset wanted, notes {noteBytes = offset + min cellBytesMax (wanted * size)})
  where
    wanted = max 0 count
    size = sizeOf (undefined :: a)

-- | Bytes of one cell or group of cells.
cellBytesMax :: Int
cellBytesMax = 1073741824

-- | A part of memory as a cell: @cellAt bytes cell@ begins that many bytes after it. Used for a field of a structure.
cellAt :: Int -> Cell a -> Cell b
cellAt bytes (Cell offset _) = Cell (offset + bytes) 1

-- | The address of the memory, as an argument.
address :: Cell a -> Value (Ptr a)
address = Value . AddressOf . cellOffset

-- | The word that is in the memory when the call that uses it runs, as an argument: one word copy. Only for types of 8
-- bytes; of a narrower one the bytes behind it would come along.
contents :: Argument a => Cell a -> Value a
contents = Value . ContentsOf . cellOffset

-- | The address of these bytes and a NUL behind them, copied into the program.
constantBytes :: ByteString -> Program kind (Value (Ptr a))
constantBytes bytes = Program $ \notes ->
  let offset = noteBytes notes
   in ( Value (AddressOf offset),
        notes
          { noteBytes = offset + ByteString.length bytes + 1,
            noteConstants = IntMap.insert offset bytes (noteConstants notes)
          }
      )

-- | The address of this value, copied into the program: for an argument that is a pointer to a structure.
constant :: forall a kind. Storable a => a -> Program kind (Value (Ptr a))
constant value = Program $ \notes ->
  let offset = align (alignment value) (noteBytes notes)
      bytes = unsafeDupablePerformIO (create (sizeOf value) (\to -> poke (castPtr to) value))
   in ( Value (AddressOf offset),
        notes
          { noteBytes = offset + sizeOf value,
            noteConstants = IntMap.insert offset bytes (noteConstants notes)
          }
      )

-- | This, and the memory it is responsible for, stays alive as long as the prepared program: a
-- 'Foreign.ForeignPtr.ForeignPtr' that an argument points into, for example.
keeping :: kept -> Program kind ()
keeping kept = Program $ \notes -> ((), notes {noteKept = Kept kept : noteKept notes})

align :: Int -> Int -> Int
align to offset = (offset + to - 1) `div` to * to

-- | A place to jump to; 'place' says where it is. Control only goes forward.
newLabel :: Program kind Label
newLabel = Program $ \notes -> (Label (noteLabels notes), notes {noteLabels = noteLabels notes + 1})

-- | The label is here: before the next call that is added, or at the end of the program.
place :: Label -> Program kind ()
place = note . StepPlace

-- | On that outcome of the call the value comes from, go to the label. 'Ferry.Error.ProgramError' when the program is
-- prepared, unless the value is a call's result, the label is placed after that call, and this outcome goes nowhere
-- yet.
jump :: Value a -> Outcome -> Label -> Program kind ()
jump value outcome = note . StepJump (callOf value) outcome . GoalLabel

-- | On that outcome of the call the value comes from, end the batch.
finish :: Value a -> Outcome -> Program kind ()
finish value outcome = note (StepJump (callOf value) outcome GoalStop)

-- | A hint: calls added in here may take long or block, or call back into Haskell. An adaptive run gives the Capability
-- up before the first of them. A call without the hint that takes long keeps other Haskell threads of its Capability
-- waiting for some milliseconds, until that is taken from it.
--
-- For C functions, which are taken to be short. A system call is marked by itself when it may block.
mayBlock :: Program kind a -> Program kind a
mayBlock = marking True

-- | Calls added in here take microseconds, whatever their nature: a @read@ of a file that was just written, a @close@
-- of a descriptor that something else keeps open. An adaptive run then makes them at the price of an unsafe call. When
-- such a call does take long, it holds up the other threads of its Capability for some milliseconds.
doesNotBlock :: Program kind a -> Program kind a
doesNotBlock = marking False

marking :: Bool -> Program kind a -> Program kind a
marking blocks (Program step) = Program $ \notes -> case step notes {noteMayBlock = Just blocks} of
  (a, notes') -> (a, notes' {noteMayBlock = noteMayBlock notes})

-- | Add a call; its result is a value. The first of the candidates that is constant bytes is what messages name as its
-- path; then come the arguments.
addCall :: Target -> String -> [Source] -> [Source] -> Program kind (Value r)
addCall target name candidates arguments = Program $ \notes ->
  let constants = [bytes | AddressOf offset <- candidates, Just bytes <- [IntMap.lookup offset (noteConstants notes)]]
      nature = case target of
        TargetSystemCall _ blocks -> blocks
        TargetFunction {} -> False
      blocking = fromMaybe nature (noteMayBlock notes)
   in ( Value (ResultOf (CallId (noteCalls notes))),
        notes
          { noteSteps = StepCall (Call target name (listToMaybe constants) arguments blocking) : noteSteps notes,
            noteCalls = noteCalls notes + 1
          }
      )

-- | The program cannot be a batch, for this reason. The first reason counts.
refuse :: ProgramError -> Program kind ()
refuse why = Program $ \notes -> ((), notes {noteMisuse = noteMisuse notes <|> Just why})

-- | The value is the result of the call that was added last; a program where it is not is refused.
requireLast :: Value a -> Program kind ()
requireLast value = do
  added <- Program $ \notes -> (noteCalls notes, notes)
  unless (callOf value == CallId (added - 1)) . refuse . ProgramError Nothing $
    "ifFailed and unlessFailed are for the call that was added last: put them right after it, or use labels"

-- | Add a step.
note :: Step -> Program kind ()
note step = Program $ \notes -> ((), notes {noteSteps = step : noteSteps notes})

-- | What a program returns, and what it has noted.
runNotes :: Program kind a -> (a, Notes)
runNotes (Program step) = step (Notes [] 0 0 0 0 IntMap.empty Nothing [] Nothing)

-- | The call a value is the result of; no call has the number -1.
callOf :: Value a -> CallId
callOf (Value (ResultOf call)) = call
callOf _ = CallId (-1)

-- | Where a prepared program's parts lie, and the names for its messages.
data Layout = Layout
  { -- | the slot of a call, if there is such a call
    layoutSlotOf :: CallId -> Maybe Int,
    layoutCall :: CallId -> Call,
    layoutRets :: !(Ptr Int64),
    layoutCells :: !(Ptr Word8),
    -- | whether a slot ran
    layoutRan :: Int -> IO Bool
  }

-- | What is read when the batch has run. It gets the index of the last slot that ran. Where the layout alone shows that
-- it cannot be read, applying it to the layout throws.
newtype Output a = Output (Layout -> Int -> IO a)

instance Functor Output where
  fmap f (Output get) = Output $ \layout -> case get layout of !get' -> \lastRan -> fmap f (get' lastRan)

instance Applicative Output where
  pure a = Output $ \_ _ -> pure a
  Output getF <*> Output getA = Output $ \layout -> case (getF layout, getA layout) of
    (!getF', !getA') -> \lastRan -> getF' lastRan <*> getA' lastRan

-- | A call's result, as C returned it. 'NotRun' is thrown when the batch jumped over the call.
output :: Result a => Value a -> Output a
output value = resultWord value (\_ word -> pure (fromWord word))

-- | As 'output', and 'Nothing' when the batch jumped over the call.
outputIfRan :: Result a => Value a -> Output (Maybe a)
outputIfRan value = resultOr (\_ -> pure Nothing) value (\_ word -> pure (Just (fromWord word)))

-- | A call's result word, given to a function that knows the call.
resultWord :: Value a -> (Call -> Int64 -> IO b) -> Output b
resultWord = resultOr (\call -> throwIO (NotRun (callName call) (callPath call)))

-- | A call's result word, or what to do when the batch jumped over it.
resultOr :: (Call -> IO b) -> Value a -> (Call -> Int64 -> IO b) -> Output b
resultOr otherwiseDo value use = Output $ \layout ->
  let called = layoutCall layout (callOf value)
   in case layoutSlotOf layout (callOf value) of
        Nothing -> throw (ProgramError Nothing "an output is the result of a call of the same program, not a constant")
        Just slot -> \_ -> do
          ran <- layoutRan layout slot
          if ran then peekElemOff (layoutRets layout) slot >>= use called else otherwiseDo called

-- | A call's result word; one that no call returns ('minBound') when the batch jumped over it.
wordIfRan :: Value a -> Output Int64
wordIfRan value = resultOr (\_ -> pure minBound) value (\_ word -> pure word)

-- | Go on reading with what was read.
refine :: (a -> IO b) -> Output a -> Output b
refine use (Output get) = Output $ \layout -> let get' = get layout in \lastRan -> get' lastRan >>= use

-- | Where the memory is; it is there as long as the prepared program.
pointerTo :: Cell a -> Output (Ptr a)
pointerTo at = Output $ \layout _ -> pure (castPtr (layoutCells layout `plusPtr` cellOffset at))

-- | What is in the memory after the run.
readCell :: Storable a => Cell a -> Output a
readCell at = Output $ \layout _ -> peek (castPtr (layoutCells layout `plusPtr` cellOffset at))

-- | That many bytes of the memory after the run, copied; a negative number is 0, and no more than the memory has.
readBytes :: Output Int -> Cell Word8 -> Output ByteString
readBytes (Output count) at = Output $ \layout ->
  case count layout of
    !count' -> \lastRan -> do
      bytes <- count' lastRan
      ByteString.packCStringLen
        (castPtr (layoutCells layout `plusPtr` cellOffset at), max 0 (min bytes (cellCount at)))

-- | The index of the last slot that ran, word copies counted.
lastSlot :: Output Int
lastSlot = Output $ \_ lastRan -> pure lastRan
