-- SPDX-License-Identifier: BSD-3-Clause
{-# OPTIONS_HADDOCK not-home #-}

-- | Where the parts of a program will lie: pure arithmetic on its notes.
--
-- One allocation holds everything a run needs:
--
-- > struct ferry_program | slots | rets | functions | ran | cells
module Ferry.Internal.Plan
  ( Plan (..),
    FunctionKey (..),
    planOf,
    slotOf,
    slotName,
    callNumbered,
    feeds,
    tableIndex,
    parameterWords,
  )
where

import qualified Data.IntMap.Strict as IntMap
import qualified Data.Map.Strict as Map
import Data.Maybe (mapMaybe)
import Data.Word (Word8)
import Ferry.Internal.C (functionBytes, programBytes)
import Ferry.Internal.Program
import Ferry.Internal.Spec (slotArgOffset, slotBytes)
import Ferry.Internal.Word (ResultKind)
import Foreign.Ptr (FunPtr)

-- | The parts, as offsets in bytes from the start of the allocation.
data Plan = Plan
  { -- | in order, but for jumps: each is right behind the call it is of, wherever in the program it was noted
    planSteps :: [Step],
    planCalls :: IntMap.IntMap Call,
    -- | the slot of each call; its word copies are right before it
    planSlots :: IntMap.IntMap Int,
    planSlotCount :: !Int,
    -- | every slot runs, in order
    planStraight :: !Bool,
    -- | the number of each distinct function in the program's table
    planFunctions :: Map.Map FunctionKey Int,
    planSlotsAt :: !Int,
    planRetsAt :: !Int,
    planFunctionsAt :: !Int,
    planRanAt :: !Int,
    planCellsAt :: !Int,
    planBytes :: !Int
  }

-- | What makes two functions the same entry of the table.
data FunctionKey = FunctionKey
  { functionAddress :: !(FunPtr ()),
    functionArgc :: !Int,
    functionDoubles :: !Word8,
    functionResult :: !ResultKind
  }
  deriving (Eq, Ord)

-- | Lay out what was noted.
planOf :: Notes -> Plan
planOf notes =
  Plan
    { planSteps = settled steps,
      planCalls = IntMap.fromDistinctAscList (zip [0 ..] calls),
      planSlots = IntMap.fromDistinctAscList (zip [0 ..] (map (subtract 1) ends)),
      planSlotCount = slotCount,
      planStraight = straight,
      planFunctions = functions,
      planSlotsAt = slotsAt,
      planRetsAt = retsAt,
      planFunctionsAt = functionsAt,
      planRanAt = ranAt,
      planCellsAt = cellsAt,
      planBytes = cellsAt + noteBytes notes
    }
  where
    steps = reverse (noteSteps notes)
    calls = [call | StepCall call <- steps]
    straight = null [() | StepJump {} <- steps]
    ends = drop 1 (scanl (\count call -> count + length (feeds call) + 1) 0 calls)
    slotCount = if null ends then 0 else last ends
    functions = Map.fromList (zip (Map.keys (Map.fromList [(key, ()) | key <- mapMaybe functionKey calls])) [0 ..])
    slotsAt = cacheLines (fromIntegral programBytes)
    retsAt = slotsAt + slotCount * slotBytes
    functionsAt = retsAt + slotCount * 8
    ranAt = functionsAt + Map.size functions * fromIntegral functionBytes
    cellsAt = cacheLines (ranAt + if straight then 0 else slotCount)
    cacheLines bytes = (bytes + 63) `div` 64 * 64

-- | Every jump right behind its call. A jump of no call of the program stays, and is refused when it is built.
settled :: [Step] -> [Step]
settled steps = go (0 :: Int) steps
  where
    callCount = length [() | StepCall _ <- steps]
    jumps = IntMap.fromListWith (flip (++)) [(number, [step]) | step@(StepJump (CallId number) _ _) <- steps]
    go _ [] = []
    go number (step : rest) = case step of
      StepCall _ -> step : IntMap.findWithDefault [] number jumps ++ go (number + 1) rest
      StepJump (CallId from) _ _ | from >= 0 && from < callCount -> go number rest
      _ -> step : go number rest

functionKey :: Call -> Maybe FunctionKey
functionKey call = case callTarget call of
  TargetFunction at doubles kind -> Just (FunctionKey at (length (callArguments call)) doubles kind)
  TargetSystemCall _ _ -> Nothing

-- | A call's arguments that are not known before the batch runs: a word copy each.
feeds :: Call -> [(Int, Source)]
feeds call = [(index, source) | (index, source) <- zip [0 ..] (callArguments call), isFed source]
  where
    isFed (ResultOf _) = True
    isFed (ContentsOf _) = True
    isFed _ = False

-- | The slot of a call, if there is such a call.
slotOf :: Plan -> CallId -> Maybe Int
slotOf plan (CallId number) = IntMap.lookup number (planSlots plan)

-- | The call with this number; there must be one.
callNumbered :: Plan -> CallId -> Call
callNumbered plan (CallId number) = planCalls plan IntMap.! number

-- | What a slot is called in messages; a word copy is called as the call it feeds.
slotName :: Plan -> Int -> String
slotName plan slot = case filter ((>= slot) . snd) (IntMap.toList (planSlots plan)) of
  (number, _) : _ -> callName (planCalls plan IntMap.! number)
  [] -> "slot " ++ show slot

-- | The number that a slot of this call has: a system call's, or the index in the table of functions.
tableIndex :: Plan -> Call -> Int
tableIndex plan call = case callTarget call of
  TargetSystemCall number _ -> number
  TargetFunction {} -> maybe (-1) (planFunctions plan Map.!) (functionKey call)

-- | Where each parameter's words are, as offsets.
parameterWords :: Plan -> IntMap.IntMap [Int]
parameterWords plan =
  IntMap.fromListWith
    (++)
    [ (index, [planSlotsAt plan + slot * slotBytes + slotArgOffset + 8 * argument])
      | (number, call) <- IntMap.toList (planCalls plan),
        Just slot <- [IntMap.lookup number (planSlots plan)],
        (argument, FromParameter index) <- zip [0 ..] (callArguments call)
    ]
