-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE DataKinds #-}
{-# LANGUAGE TypeFamilies #-}
{-# LANGUAGE TypeOperators #-}

-- | The C functions of @cbits/model.c@ with their meaning in Haskell.
module Ferry.Model.Functions
  ( Sort (..),
    Memory (..),
    Fn (..),
    functions,
    doubleWord,
    wordDouble,
  )
where

import Data.Int (Int16, Int32, Int64)
import qualified Data.IntMap.Strict as IntMap
import Data.Word (Word32, Word64, Word8)
import Ferry.Call
import Foreign.C.Types
import Foreign.Ptr (FunPtr, Ptr)
import GHC.Float (castDoubleToWord64, castWord64ToDouble)

-- | What an argument or result is.
data Sort
  = Long
  | Int'
  | Uint
  | Short
  | Byte
  | Real
  | Void
  | -- | the address of a cell of that sort
    At Sort
  deriving (Eq, Show)

-- | What is in the cells of a program, by their index.
data Memory = Memory
  { memoryLongs :: IntMap.IntMap Int64,
    memoryInts :: IntMap.IntMap Int32,
    memoryReals :: IntMap.IntMap Double
  }
  deriving (Show)

-- | A C function: its type, what it does to words and memory, and the call. An address is a cell's index to the
-- meaning.
data Fn = Fn
  { fnName :: String,
    fnArguments :: [Sort],
    fnResult :: Sort,
    fnMeaning :: [Int64] -> Memory -> (Int64, Memory),
    fnCall :: [Value Int64] -> Program 'Functions (Value Int64)
  }

foreign import ccall "&model_add" addAt :: FunPtr (CLong -> CLong -> IO CLong)

foreign import ccall "&model_sign" signAt :: FunPtr (CLong -> CInt)

foreign import ccall "&model_low_int" lowIntAt :: FunPtr (CLong -> CInt)

foreign import ccall "&model_low_uint" lowUintAt :: FunPtr (CLong -> CUInt)

foreign import ccall "&model_weigh"
  weighAt :: FunPtr (CLong -> CLong -> Int -> CLong -> Int64 -> CULong -> IO CLong)

foreign import ccall "&model_narrow" narrowAt :: FunPtr (CShort -> Word8 -> CInt -> CUInt -> IO CInt)

foreign import ccall "&model_half" halfAt :: FunPtr (Double -> Double)

foreign import ccall "&model_not_a_number" notANumberAt :: FunPtr (IO CDouble)

foreign import ccall "&model_mixed"
  mixedAt :: FunPtr (CLong -> Double -> CLong -> CDouble -> Double -> CLong -> IO Double)

foreign import ccall "&model_compare" compareAt :: FunPtr (Double -> Double -> IO CLong)

foreign import ccall "&model_store_long" storeLongAt :: FunPtr (Ptr CLong -> CLong -> IO ())

foreign import ccall "&model_store_int" storeIntAt :: FunPtr (Ptr CInt -> CInt -> IO ())

foreign import ccall "&model_store_double" storeDoubleAt :: FunPtr (Ptr Double -> Double -> IO ())

foreign import ccall "&model_accumulate" accumulateAt :: FunPtr (Ptr CLong -> CLong -> IO CLong)

foreign import ccall "&model_load_int" loadIntAt :: FunPtr (Ptr CInt -> IO CInt)

foreign import ccall "&model_load_double" loadDoubleAt :: FunPtr (Ptr Double -> IO Double)

-- | Every function.
functions :: [Fn]
functions =
  [ pureFn "add" [Long, Long] Long (\a -> a 0 + a 1) (two (function "add" addAt)),
    pureFn
      "sign"
      [Long]
      Int'
      (\a -> fromIntegral ((unsigned (a 0) `div` 8) `mod` 3) - 1)
      (one (function "sign" signAt)),
    pureFn "low_int" [Long] Int' (\a -> a 0) (one (function "low_int" lowIntAt)),
    pureFn "low_uint" [Long] Uint (\a -> a 0) (one (function "low_uint" lowUintAt)),
    pureFn
      "weigh"
      (replicate 6 Long)
      Long
      (\a -> a 0 + 3 * a 1 + 5 * a 2 + 7 * a 3 + 11 * a 4 + 13 * a 5)
      (six (function "weigh" weighAt)),
    pureFn
      "narrow"
      [Short, Byte, Int', Uint]
      Int'
      (\a -> a 0 + 3 * a 1 + 5 * a 2 + 7 * a 3)
      (four (function "narrow" narrowAt)),
    pureFn "half" [Real] Real (\a -> doubleWord (wordDouble (a 0) / 2)) (one (function "half" halfAt)),
    pureFn
      "not_a_number"
      []
      Real
      (\_ -> doubleWord (0 / 0))
      (const (retype <$> call (function "not_a_number" notANumberAt))),
    pureFn "mixed" [Long, Real, Long, Real, Real, Long] Real mixed (six (function "mixed" mixedAt)),
    pureFn
      "compare"
      [Real, Real]
      Long
      (\a -> fromBool (wordDouble (a 0) > wordDouble (a 1)) - fromBool (wordDouble (a 0) < wordDouble (a 1)))
      (two (function "compare" compareAt)),
    Fn "store_long" [At Long, Long] Void (storing setLong) (two (function "store_long" storeLongAt)),
    Fn "store_int" [At Int', Int'] Void (storing setInt) (two (function "store_int" storeIntAt)),
    Fn "store_double" [At Real, Real] Void (storing setReal) (two (function "store_double" storeDoubleAt)),
    Fn "accumulate" [At Long, Long] Long accumulate (two (function "accumulate" accumulateAt)),
    Fn
      "load_int"
      [At Int']
      Int'
      (\words' memory -> (fromIntegral (memoryInts memory IntMap.! index words'), memory))
      (one (function "load_int" loadIntAt)),
    Fn
      "load_double"
      [At Real]
      Real
      (\words' memory -> (doubleWord (memoryReals memory IntMap.! index words'), memory))
      (one (function "load_double" loadDoubleAt))
  ]
  where
    fromBool truth = if truth then 1 else 0
    index = fromIntegral . sum . take 1

-- | A function that neither reads nor writes memory; its arguments are passed as C would convert them.
pureFn ::
  String ->
  [Sort] ->
  Sort ->
  ((Int -> Int64) -> Int64) ->
  ([Value Int64] -> Program 'Functions (Value Int64)) ->
  Fn
pureFn name arguments result meaning = Fn name arguments result $ \words' memory ->
  (converted result (meaning (zipWith converted arguments words' !!)), memory)

-- | The word as C converts it to that sort.
converted :: Sort -> Int64 -> Int64
converted sort word = case sort of
  Int' -> fromIntegral (fromIntegral word :: Int32)
  Uint -> fromIntegral (fromIntegral word :: Word32)
  Short -> fromIntegral (fromIntegral word :: Int16)
  Byte -> fromIntegral (fromIntegral word :: Word8)
  _ -> word

mixed :: (Int -> Int64) -> Int64
mixed a =
  doubleWord
    ( small 0 + 3 * wordDouble (a 1) + 5 * small 2 + 7 * wordDouble (a 3) + 11 * wordDouble (a 4)
        + 13 * small 5
    )
  where
    small k = fromIntegral (a k `rem` 1000)

accumulate :: [Int64] -> Memory -> (Int64, Memory)
accumulate words' memory = case words' of
  [at, word] ->
    let before = memoryLongs memory IntMap.! fromIntegral at
     in (before, setLong (fromIntegral at) (before + word) memory)
  _ -> error "accumulate takes two words"

storing :: (Int -> Int64 -> Memory -> Memory) -> [Int64] -> Memory -> (Int64, Memory)
storing set words' memory = case words' of
  [at, word] -> (0, set (fromIntegral at) word memory)
  _ -> error "a store takes two words"

setLong, setInt, setReal :: Int -> Int64 -> Memory -> Memory
setLong at word memory = memory {memoryLongs = IntMap.insert at word (memoryLongs memory)}
setInt at word memory = memory {memoryInts = IntMap.insert at (fromIntegral word) (memoryInts memory)}
setReal at word memory = memory {memoryReals = IntMap.insert at (wordDouble word) (memoryReals memory)}

unsigned :: Int64 -> Word64
unsigned = fromIntegral

doubleWord :: Double -> Int64
doubleWord = fromIntegral . castDoubleToWord64

wordDouble :: Int64 -> Double
wordDouble = castWord64ToDouble . fromIntegral

-- Calls with as many arguments, each given its own type.

one ::
  (Argument a, FunctionType r, Applied r ~ Program 'Functions (Value b)) =>
  Function (a -> r) ->
  [Value Int64] ->
  Program 'Functions (Value Int64)
one f arguments = case arguments of
  [a] -> retype <$> call f (retype a)
  _ -> error "takes one argument"

two ::
  (Argument a, Argument b, FunctionType r, Applied r ~ Program 'Functions (Value c)) =>
  Function (a -> b -> r) ->
  [Value Int64] ->
  Program 'Functions (Value Int64)
two f arguments = case arguments of
  [a, b] -> retype <$> call f (retype a) (retype b)
  _ -> error "takes two arguments"

four ::
  (Argument a, Argument b, Argument c, Argument d, FunctionType r, Applied r ~ Program 'Functions (Value e)) =>
  Function (a -> b -> c -> d -> r) ->
  [Value Int64] ->
  Program 'Functions (Value Int64)
four f arguments = case arguments of
  [a, b, c, d] -> retype <$> call f (retype a) (retype b) (retype c) (retype d)
  _ -> error "takes four arguments"

six ::
  ( Argument a,
    Argument b,
    Argument c,
    Argument d,
    Argument e,
    Argument f,
    FunctionType r,
    Applied r ~ Program 'Functions (Value g)
  ) =>
  Function (a -> b -> c -> d -> e -> f -> r) ->
  [Value Int64] ->
  Program 'Functions (Value Int64)
six g arguments = case arguments of
  [a, b, c, d, e, f] -> retype <$> call g (retype a) (retype b) (retype c) (retype d) (retype e) (retype f)
  _ -> error "takes six arguments"
