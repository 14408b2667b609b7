-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE BangPatterns #-}
{-# LANGUAGE DataKinds #-}
{-# OPTIONS_HADDOCK not-home #-}

-- | The language of batches: a program only notes what its slots shall be. "Ferry.Internal.Prepare" lays them out in
-- memory.
module Ferry.Internal.Program
  ( -- * Programs, values and memory
    module Ferry.Internal.Value,

    -- * Calls
    Call (..),
    Target (..),
    addCall,

    -- * Control
    Outcome (..),
    Label (..),
    newLabel,
    place,
    jump,
    finish,
    mayBlock,
    doesNotBlock,
    requireLast,

    -- * Outputs
    module Ferry.Internal.Output,
  )
where

import Control.Applicative ((<|>))
import Control.Monad (unless, void, when)
import Data.Bits (bit, shiftL, (.|.))
import Data.Int (Int64)
import Data.Primitive.ByteArray (writeByteArray)
import Data.Word (Word8)
import Ferry.Error (ProgramError (..))
import Ferry.Internal.Notes
import Ferry.Internal.Output
import Ferry.Internal.Spec (batchArgsMax)
import Ferry.Internal.Value
import Ferry.Internal.Word
import Foreign.Ptr (FunPtr, IntPtr (..), castFunPtrToPtr, ptrToIntPtr)

-- | What is called.
data Target
  = -- | by its number; whether its nature is that it may block
    TargetSystemCall !Int !Bool
  | -- | address, which arguments are doubles (bit k: argument k), result
    TargetFunction !(FunPtr ()) !Word8 !ResultKind

-- | Which of a slot's results a jump is for.
data Outcome = OnFailure | OnZero | OnPositive
  deriving (Eq, Ord, Show, Enum, Bounded)

-- | A place that earlier calls jump to: an identity, and where it is on the tape.
data Label = Label !Int !Int

-- | A place to jump to; 'place' says where it is. Control only goes forward.
newLabel :: Program kind Label
newLabel = Program $ \notes -> do
  (at, tape) <- reserve notes 2
  writeByteArray tape at tapeLabel
  writeByteArray tape (at + 1) (-1 :: Int)
  pure (Label (noteIdentity notes) (at + 1))

-- | The label is here: before the next call that is added, or at the end of the program.
place :: Label -> Program kind ()
place (Label identity at) = Program $ \notes ->
  if identity /= noteIdentity notes
    then refuseIn notes foreignLabel
    else do
      placed <- tapeWord notes at
      if placed >= 0
        then refuseIn notes (ProgramError Nothing "a label is placed twice: place the label once")
        else count notes Slots >>= setTapeWord notes at . fromIntegral

-- | On that outcome of the call the value comes from, go to the label. 'Ferry.Error.ProgramError' when the program is
-- prepared, unless the value is a call's result, the label is placed after that call, and this outcome goes nowhere
-- yet.
jump :: Value a -> Outcome -> Label -> Program kind ()
jump value outcome (Label identity at) = Program $ \notes ->
  if identity /= noteIdentity notes then refuseIn notes foreignLabel else addJump notes value outcome at

-- | On that outcome of the call the value comes from, end the batch.
finish :: Value a -> Outcome -> Program kind ()
finish value outcome = Program $ \notes -> addJump notes value outcome (-1)

addJump :: Notes -> Value a -> Outcome -> Int -> IO ()
addJump notes value outcome to = case slotIn notes value of
  Nothing ->
    refuseIn notes (ProgramError Nothing "a jump is for the result of a call of this program, not for a constant")
  Just slot -> do
    (at, tape) <- reserve notes 3
    writeByteArray tape at (tapeJump .|. fromEnum outcome `shiftL` 8)
    writeByteArray tape (at + 1) slot
    writeByteArray tape (at + 2) to
    void (countMore notes Jumps 1)

foreignLabel :: ProgramError
foreignLabel =
  ProgramError Nothing "the label is another program's: use labels of newLabel in the same program only"

-- | A hint: calls added in here may take long or block, or call back into Haskell. An adaptive run gives the Capability
-- up before the first of them. A call without the hint that takes long keeps other Haskell threads of its Capability
-- waiting for some milliseconds, until that is taken from it.
--
-- For C functions, which are taken to be short. A system call is marked by itself when it may block.
mayBlock :: Program kind a -> Program kind a
mayBlock = marking 1

-- | Calls added in here take microseconds, whatever their nature: a @read@ of a file that was just written, a @close@
-- of a descriptor that something else keeps open. An adaptive run then makes them at the price of an unsafe call. When
-- such a call does take long, it holds up the other threads of its Capability for some milliseconds.
doesNotBlock :: Program kind a -> Program kind a
doesNotBlock = marking 2

marking :: Int -> Program kind a -> Program kind a
marking how (Program step) = Program $ \notes -> do
  before <- count notes Marking
  setCount notes Marking how
  result <- step notes
  result <$ setCount notes Marking before

-- | Add a call; its result is a value. The first of the candidates that is constant bytes is what messages name as its
-- path; then come the arguments.
addCall :: Target -> String -> [Source] -> [Source] -> Program kind (Value r)
addCall target name candidates arguments = Program $ \notes ->
  if any isNarrow arguments
    then mapM (widened notes target) arguments >>= noted notes target call
    else noted notes target call arguments
  where
    call slot = Call slot name (foldr (\source rest -> constantOf source <|> rest) Nothing candidates)
    constantOf (AddressOf _ _ bytes) = bytes
    constantOf _ = Nothing
    isNarrow (ContentsOf _ _ size _) = size < 8
    isNarrow _ = False

-- | Note a call on the tape.
noted :: Notes -> Target -> (Int -> Call) -> [Source] -> IO (Value r)
noted notes target callAt arguments = do
  (at, tape) <- reserve notes (2 + batchArgsMax)
  let put !k !kinds !fed kind word rest = do
        writeByteArray tape (at + 2 + k) (word :: Int64)
        go (k + 1) (kinds .|. kind `shiftL` (3 * k)) fed rest
      go !k !kinds !fed sources = case sources of
        [] -> done k kinds fed
        _ | k >= batchArgsMax -> refuseCall tooMany >> done k kinds fed
        source : rest -> case source of
          Literal word -> put k kinds fed 0 word rest
          ResultOf identity slot _ | identity == own -> put k kinds (fed + 1) 1 (fromIntegral slot) rest
          FromParameter identity number uses | identity == own -> do
            before <- readUses uses
            when (before > 0) . void $ countMore notes ExtraUses 1
            put k kinds fed 2 (fromIntegral number) rest
          AddressOf identity offset _ | identity == own -> put k kinds fed 3 (fromIntegral offset) rest
          ContentsOf identity offset _ _ | identity == own -> put k kinds (fed + 1) 4 (fromIntegral offset) rest
          ResultAt identity slot offset | identity == own -> put k kinds fed 5 (fromIntegral (8 * slot + offset)) rest
          ResultPart identity slot offset
            | identity == own -> put k kinds (fed + 1) 6 (fromIntegral (8 * slot + offset)) rest
          Unusable why -> refuseCall why >> go (k + 1) kinds fed rest
          _ -> refuseCall foreignValue >> go (k + 1) kinds fed rest
      done argc kinds fed = do
        marks <- count notes Marking
        let blocks = case target of
              TargetSystemCall _ nature -> if marks == 0 then nature else marks == 1
              TargetFunction {} -> marks == 1
            head' = argc `shiftL` 8 .|. (if blocks then bit 12 else 0) .|. kinds `shiftL` 16
        setCount notes TapeWords (at + 2 + argc)
        case target of
          TargetSystemCall number _ -> do
            writeByteArray tape at (tapeSystemCall .|. head')
            writeByteArray tape (at + 1) number
          TargetFunction function doubles result -> do
            let shape = fromIntegral doubles `shiftL` 40 .|. fromEnum result `shiftL` 48 .|. argc `shiftL` 8
                IntPtr word = ptrToIntPtr (castFunPtrToPtr function)
            writeByteArray tape at (tapeFunction .|. head' .|. shape)
            writeByteArray tape (at + 1) word
            countFunction word shape
        slot <- (+ fed) <$> countMore notes Slots (fed + 1)
        let call = callAt slot
        noteCall notes call
        pure (Value (ResultOf own slot call))
      countFunction word shape = do
        lastWord <- count notes LastAddress
        lastShape <- count notes LastShape
        unless (word == lastWord && shape == lastShape) $ do
          setCount notes LastAddress word
          setCount notes LastShape shape
          void (countMore notes FunctionsAtMost 1)
      readUses uses = do
        before <- tapeWord notes uses
        before <$ setTapeWord notes uses (before + 1)
  go 0 (0 :: Int) 0 arguments
  where
    own = noteIdentity notes
    refuseCall why = refuseIn notes (ProgramError (Just (callName (callAt 0))) why)
    foreignValue = "an argument belongs to another program: use values of the same program only"
    tooMany = "takes more than " ++ show batchArgsMax ++ " arguments; pass a pointer to a structure"

-- | What is narrower than a word, as a word: a function of the package loads it. A program of system calls copies it
-- and the bytes behind it, and then zeros over these; the kernel looks at as many bytes as its argument has.
widened :: Notes -> Target -> Source -> IO Source
widened notes target source = case source of
  ContentsOf identity offset size signed | size < 8 && identity == noteIdentity notes -> case target of
    TargetFunction {} -> do
      let load = TargetFunction (loadOf size signed) 0 ResultLong
      Value loaded <- noted notes load (\slot -> Call slot "contents" Nothing) [AddressOf identity offset Nothing]
      pure loaded
    TargetSystemCall {} -> do
      -- a word and zeros to write behind it, and zeros to write from
      word <- addBytes notes 8 24
      copied word offset
      copied (word + size) (word + 16)
      pure (ContentsOf identity word 8 False)
  _ -> pure source
  where
    copied to from = do
      (at, tape) <- reserve notes 3
      writeByteArray tape at tapeCopy
      writeByteArray tape (at + 1) to
      writeByteArray tape (at + 2) from
      void (countMore notes Slots 1)

-- | What loads a number of so many bytes.
loadOf :: Int -> Bool -> FunPtr ()
loadOf 1 True = loadS8
loadOf 1 False = loadU8
loadOf 2 True = loadS16
loadOf 2 False = loadU16
loadOf _ True = loadS32
loadOf _ False = loadU32

foreign import ccall "&ferry_load_s8" loadS8 :: FunPtr ()

foreign import ccall "&ferry_load_u8" loadU8 :: FunPtr ()

foreign import ccall "&ferry_load_s16" loadS16 :: FunPtr ()

foreign import ccall "&ferry_load_u16" loadU16 :: FunPtr ()

foreign import ccall "&ferry_load_s32" loadS32 :: FunPtr ()

foreign import ccall "&ferry_load_u32" loadU32 :: FunPtr ()

-- | The value is the result of the call that was added last; a program where it is not is refused.
requireLast :: Value a -> Program kind ()
requireLast value = Program $ \notes -> do
  slots <- count notes Slots
  unless (slotIn notes value == Just (slots - 1)) . refuseIn notes . ProgramError Nothing $
    "ifFailed and unlessFailed are for the call that was added last: put them right after it, or use labels"

-- | The slot that a value is the result of.
slotIn :: Notes -> Value a -> Maybe Int
slotIn notes (Value (ResultOf identity slot _)) | identity == noteIdentity notes = Just slot
slotIn _ _ = Nothing
