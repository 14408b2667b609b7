-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE DataKinds #-}

-- | Random programs of C functions, as data: what @spec/program.md@ says they mean, in pure Haskell, and the same as a
-- program of the package.
--
-- A program is a list of calls. Calls are numbered from 0, and what a call may do when it has a result is in its
-- 'Control'. Results and cells last from one run of a prepared program to the next: a fed argument of a call that was
-- jumped over is what it was in the run before (rule R8).
module Ferry.Model
  ( Source (..),
    Control (..),
    Call (..),
    Case (..),
    Run (..),
    programOf,
    meaningOf,
    setGiven,
    sameRun,
  )
where

import Control.Monad (forM, zipWithM, zipWithM_)
import Data.Int (Int32, Int64)
import qualified Data.IntMap.Strict as IntMap
import Data.List (mapAccumL)
import Data.Maybe (fromMaybe)
import qualified Data.Set as Set
import Data.Word (Word8)
import Ferry.Call hiding (Functions)
import qualified Ferry.Call as Call
import Ferry.Model.Functions
import Foreign.C.Types (CInt, CLong, CShort, CUInt)
import Test.QuickCheck (Arbitrary (..), Gen, choose, elements, frequency, oneof, sublistOf, vectorOf)

-- | Where an argument comes from. Numbers are those of calls, parameters and cells.
data Source = Word' Int64 | ResultOf Int | Given Int | Contents Int | Address Int
  deriving (Eq, Show)

-- | Where control goes after a call.
data Control
  = -- | outcomes that jump: to a call (the number of calls: past the last), or nowhere more. The jumps are set when so
    -- many later calls have been added.
    Jumps Int [(Outcome, Maybe Int)]
  | -- | only if it failed, the next so many calls
    IfFailed Int
  | -- | only if it did not fail, the next so many calls
    UnlessFailed Int
  | StopOnFailure
  deriving (Eq, Show)

data Call = Call
  { -- | index in 'functions'
    callFunction :: Int,
    callSources :: [Source],
    callMayBlock :: Bool,
    callControl :: Control
  }
  deriving (Eq, Show)

-- | A program, and the parameters for each of its runs.
data Case = Case
  { caseCalls :: [Call],
    caseGiven :: [[Int64]]
  }
  deriving (Show)

-- | What is seen of one run: each call's result if it ran, the last slot, and the cells.
data Run = Run
  { runResults :: [Maybe Int64],
    runLast :: Int,
    runLongs :: [Int64],
    runInts :: [Int32],
    runReals :: [Double]
  }
  deriving (Show)

-- | The sorts of the parameters, and how many cells there are of each sort.
givenSorts :: [Sort]
givenSorts = [Long, Long, Real]

cellCount :: Int
cellCount = 3

-- Random programs -----------------------------------------------------------------------------------------------------

instance Arbitrary Case where
  arbitrary = do
    count <- choose (1, 24)
    calls <- genCalls count []
    runs <- choose (1, 4)
    Case calls <$> vectorOf runs (mapM genWord givenSorts)
  shrink (Case calls given') =
    [Case calls given'' | given'' <- [take 1 given' | length given' > 1]]
      ++ [ Case (map (clip count) (take count calls)) given'
           | count <- [length calls `div` 2, length calls - 1],
             count > 0
         ]
      ++ [ Case (before ++ simpler : after) given'
           | (before, one : after) <- map (`splitAt` calls) [0 .. length calls - 1],
             simpler <- simpleCalls one
         ]
    where
      clip count one = case callControl one of
        Jumps late jumps -> one {callControl = Jumps late [(outcome, min count <$> to) | (outcome, to) <- jumps]}
        _ -> one

simpleCalls :: Call -> [Call]
simpleCalls one =
  [one {callMayBlock = False} | callMayBlock one]
    ++ [one {callControl = Jumps 0 []} | callControl one /= Jumps 0 []]
    ++ [one {callControl = Jumps 0 jumps} | Jumps late jumps <- [callControl one], late > 0]

-- | Calls, given the functions of those before.
genCalls :: Int -> [Int] -> Gen [Call]
genCalls count before
  | length before == count = pure []
  | otherwise = do
    index <- choose (0, length functions - 1)
    sources <- mapM (genSource before) (fnArguments (functions !! index))
    blocks <- frequency [(5, pure False), (1, pure True)]
    control <- genControl count (length before)
    (Call index sources blocks control :) <$> genCalls count (before ++ [index])

genSource :: [Int] -> Sort -> Gen Source
genSource before sort = case sort of
  At _ -> Address <$> choose (0, cellCount - 1)
  Short -> literal'
  Byte -> literal'
  _ ->
    frequency $
      [(2, literal')]
        ++ [(4, ResultOf <$> elements fitting) | not (null fitting)]
        ++ [(1, Given <$> elements [index | (index, of') <- zip [0 ..] givenSorts, of' `fits` sort])]
        ++ [(1, Contents <$> choose (0, cellCount - 1)) | sort /= Real]
  where
    literal' = Word' <$> genWord sort
    fitting = [number | (number, index) <- zip [0 ..] before, fnResult (functions !! index) `fits` sort]

-- | Whether a word of the one sort may be an argument of the other. Doubles only as doubles: a NaN has many words.
fits :: Sort -> Sort -> Bool
fits Real to = to == Real
fits _ to = to /= Real

genWord :: Sort -> Gen Int64
genWord sort = case sort of
  Real -> doubleWord <$> frequency [(4, arbitrary), (1, elements [0, -0.0, 1 / 0, -1 / 0])]
  _ -> oneof [choose (-40, 40), elements [minBound, maxBound, 0x7fffffff, 0x80000000, -0x80000000], arbitrary]

genControl :: Int -> Int -> Gen Control
genControl count number =
  frequency
    [ (6, pure (Jumps 0 [])),
      (3, Jumps <$> frequency [(2, pure 0), (1, choose (1, 3))] <*> (sublistOf [minBound .. maxBound] >>= mapM to)),
      (1, IfFailed <$> choose (0, 4)),
      (1, UnlessFailed <$> choose (0, 4)),
      (1, pure StopOnFailure)
    ]
  where
    to outcome =
      (,) outcome <$> frequency [(1, pure Nothing), (3, Just <$> choose (number + 1, min count (number + 6)))]

-- The meaning ---------------------------------------------------------------------------------------------------------

-- | What each run gives, in order.
meaningOf :: Case -> [Run]
meaningOf (Case calls given') = snd (mapAccumL (runOnce calls) (IntMap.empty, emptyMemory) given')

emptyMemory :: Memory
emptyMemory = Memory (zeros 0) (zeros 0) (zeros 0)
  where
    zeros zero = IntMap.fromList [(index, zero) | index <- [0 .. cellCount - 1]]

type State = (IntMap.IntMap Int64, Memory)

-- | One run: the slots from 0 on, each going where its result says.
runOnce :: [Call] -> State -> [Int64] -> (State, Run)
runOnce calls start given' = go 0 0 Set.empty start
  where
    count = length calls
    goals = IntMap.fromList (goalsOf calls)
    byNumber = IntMap.fromList (zip [0 ..] calls)
    go lastRan number ran state@(results, memory)
      | number >= count =
        ( state,
          Run
            { runResults =
                [if Set.member index ran then IntMap.lookup index results else Nothing | index <- [0 .. count - 1]],
              runLast = slotOf calls lastRan,
              runLongs = IntMap.elems (memoryLongs memory),
              runInts = IntMap.elems (memoryInts memory),
              runReals = IntMap.elems (memoryReals memory)
            }
        )
      | otherwise =
        let one = byNumber IntMap.! number
            fn = functions !! callFunction one
            (result, memory') = fnMeaning fn (map (wordOf given' state) (callSources one)) memory
            next = fromMaybe count ((goals IntMap.! number) (outcomeOf (fnResult fn) result))
         in go number next (Set.insert number ran) (IntMap.insert number result results, memory')

wordOf :: [Int64] -> State -> Source -> Int64
wordOf given' (results, memory) source = case source of
  Word' word -> word
  ResultOf number -> IntMap.findWithDefault 0 number results
  Given index -> given' !! index
  Contents index -> memoryLongs memory IntMap.! index
  Address index -> fromIntegral index

-- | Rule R20: which way a result jumps.
outcomeOf :: Sort -> Int64 -> Outcome
outcomeOf Real word
  | wordDouble word > 0 = OnPositive
  | wordDouble word == 0 = OnZero
  | otherwise = OnFailure
outcomeOf _ word = case compare word 0 of
  LT -> OnFailure
  EQ -> OnZero
  GT -> OnPositive

-- | For each call, where each outcome goes: a call, or 'Nothing' when the batch ends.
goalsOf :: [Call] -> [(Int, Outcome -> Maybe Int)]
goalsOf calls = inBlock 0 (length calls)
  where
    inBlock number end
      | number >= end = []
      | otherwise = case callControl (calls !! number) of
        Jumps _ jumps ->
          (number, \outcome -> fromMaybe (Just (number + 1)) (lookup outcome jumps)) : inBlock (number + 1) end
        StopOnFailure ->
          (number, \outcome -> if outcome == OnFailure then Nothing else Just (number + 1)) : inBlock (number + 1) end
        IfFailed size -> body (/= OnFailure) size
        UnlessFailed size -> body (== OnFailure) size
      where
        body skips size =
          let after = min end (number + 1 + size)
           in (number, \outcome -> Just (if skips outcome then after else number + 1)) :
              inBlock (number + 1) after ++ inBlock after end

-- | A call's slot: every call before it has one, and one for each of its fed arguments.
slotOf :: [Call] -> Int -> Int
slotOf calls number = sum (map slots (take (number + 1) calls)) - 1
  where
    slots one = 1 + length (filter isFed (callSources one))
    isFed (ResultOf _) = True
    isFed (Contents _) = True
    isFed _ = False

-- | Whether two runs are the same; every NaN is one.
sameRun :: [Call] -> Run -> Run -> Bool
sameRun calls a b =
  and (zipWith3 sameResult calls (runResults a) (runResults b))
    && runLast a == runLast b
    && runLongs a == runLongs b
    && runInts a == runInts b
    && and (zipWith sameReal (runReals a) (runReals b))
  where
    sameResult one (Just x) (Just y)
      | fnResult (functions !! callFunction one) == Real = sameReal (wordDouble x) (wordDouble y)
    sameResult _ x y = x == y
    sameReal x y = (isNaN x && isNaN y) || doubleWord x == doubleWord y

-- The program ---------------------------------------------------------------------------------------------------------

-- | Set every parameter of a prepared program.
setGiven :: Prepared a -> [Parameter Int64] -> [Int64] -> IO ()
setGiven prepared = zipWithM_ (setParameter prepared)

data Cells = Cells
  { cellsLong :: [Cell CLong],
    cellsInt :: [Cell CInt],
    cellsReal :: [Cell Double]
  }

-- | The program, its parameters and what is seen of a run.
programOf :: [Call] -> Program 'Call.Functions ([Parameter Int64], Output Run)
programOf calls = do
  inputs' <- mapM (const parameter) givenSorts
  -- an int before every long, so that each has to be aligned
  memory <- forM [1 .. cellCount] (const ((,,) <$> cell <*> cell <*> cell))
  let at = Cells [long | (_, long, _) <- memory] [int | (int, _, _) <- memory] [real | (_, _, real) <- memory]
  labels <- forM [0 .. length calls] (const newLabel)
  values <- addBlock calls inputs' at labels 0 (length calls) []
  mapM_ place [label | (number, label) <- zip [0 ..] labels, number == length calls]
  mapM_ (setJumps labels calls values) [number | (number, late) <- lateJumps, number + late >= length calls]
  pure
    ( inputs',
      Run
        <$> zipWithM observe calls values
        <*> lastSlot
        <*> traverse (fmap fromIntegral . readCell) (cellsLong at)
        <*> traverse (fmap fromIntegral . readCell) (cellsInt at)
        <*> traverse readCell (cellsReal at)
    )
  where
    lateJumps = [(number, late) | (number, Call _ _ _ (Jumps late _)) <- zip [0 ..] calls]

-- | The calls from the one number up to the other; the values of all calls so far are given and returned.
addBlock ::
  [Call] ->
  [Parameter Int64] ->
  Cells ->
  [Label] ->
  Int ->
  Int ->
  [Value Int64] ->
  Program 'Call.Functions [Value Int64]
addBlock calls inputs' at labels number end values
  | number >= end = pure values
  | otherwise = do
    place (labels !! number)
    let one = calls !! number
        mark = if callMayBlock one then mayBlock else id
        arguments =
          zipWith (argument inputs' at values) (fnArguments (functions !! callFunction one)) (callSources one)
    value <- mark (fnCall (functions !! callFunction one) arguments)
    let values' = values ++ [value]
        block = addBlock calls inputs' at labels
        body within size = do
          let after = min end (number + 1 + size)
          inner <- within value (block (number + 1) after values')
          block after end inner
    mapM_
      (setJumps labels calls values')
      [from | (from, Call _ _ _ (Jumps late _)) <- zip [0 .. number] calls, from + late == number]
    case callControl one of
      IfFailed size -> body ifFailed size
      UnlessFailed size -> body unlessFailed size
      StopOnFailure -> stopOnFailure value >> block (number + 1) end values'
      Jumps _ _ -> block (number + 1) end values'

setJumps :: [Label] -> [Call] -> [Value Int64] -> Int -> Program 'Call.Functions ()
setJumps labels calls values number = case callControl (calls !! number) of
  Jumps _ jumps -> mapM_ set jumps
  _ -> pure ()
  where
    set (outcome, to) = maybe (finish (values !! number) outcome) (jump (values !! number) outcome . (labels !!)) to

argument :: [Parameter Int64] -> Cells -> [Value Int64] -> Sort -> Source -> Value Int64
argument inputs' at values sort source = case source of
  Word' word -> literalOf sort word
  ResultOf number -> values !! number
  Given index -> given (inputs' !! index)
  Contents index -> retype (contents (cellsLong at !! index))
  Address index -> case sort of
    At Int' -> retype (address (cellsInt at !! index))
    At Real -> retype (address (cellsReal at !! index))
    _ -> retype (address (cellsLong at !! index))

-- | A literal, by way of the argument's own type.
literalOf :: Sort -> Int64 -> Value Int64
literalOf sort word = case sort of
  Int' -> retype (literal (fromIntegral word :: CInt))
  Uint -> retype (literal (fromIntegral word :: CUInt))
  Short -> retype (literal (fromIntegral word :: CShort))
  Byte -> retype (literal (fromIntegral word :: Word8))
  Real -> retype (literal (wordDouble word))
  _ -> literal word

-- | A call's result if it ran, by way of its own type.
observe :: Call -> Value Int64 -> Output (Maybe Int64)
observe one value = case fnResult (functions !! callFunction one) of
  Int' -> fmap (fromIntegral :: CInt -> Int64) <$> outputIfRan (retype value)
  Uint -> fmap (fromIntegral :: CUInt -> Int64) <$> outputIfRan (retype value)
  Real -> fmap doubleWord <$> outputIfRan (retype value)
  Void -> fmap (\() -> 0) <$> outputIfRan (retype value)
  _ -> outputIfRan value
