-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE GHCForeignImportPrim #-}
{-# LANGUAGE MagicHash #-}
{-# LANGUAGE UnboxedTuples #-}
{-# LANGUAGE UnliftedFFITypes #-}
{-# OPTIONS_HADDOCK not-home #-}

-- | Every @foreign import prim@ of the package: the functions of @cmm/@, which says how they work.
--
-- All are @IO@ by @State#@: a primitive without it may be called once for two calls, or not at all.
module Ferry.Internal.Prim
  ( capabilityNumber,
    runBatched,
    runAdaptive,
    exceptionWaits,
    runHeld,

    -- * Held calls with arguments
    -- $foreign
    FromWords,
    FromDoubles,
    FromFloats,
    foreignWordsWord,
    foreignWordsDouble,
    foreignWordsFloat,
    foreignDoublesWord,
    foreignDoublesDouble,
    foreignDoublesFloat,
    foreignFloatsWord,
    foreignFloatsDouble,
    foreignFloatsFloat,
  )
where

import Ferry.Internal.C (CProgram)
import GHC.Conc (ThreadId (..))
import GHC.Exts
  ( Addr#,
    Double (D#),
    Double#,
    Float (F#),
    Float#,
    FunPtr (FunPtr),
    Int (I#),
    Int#,
    Ptr (Ptr),
    RealWorld,
    State#,
    ThreadId#,
    Word (W#),
    Word#,
    isTrue#,
    (/=#),
  )
import GHC.IO (IO (..))

foreign import prim "ferry_capability_number"
  capabilityNumber# :: State# RealWorld -> (# State# RealWorld, Int# #)

foreign import prim "ferry_run_batched"
  runBatched# :: Addr# -> State# RealWorld -> (# State# RealWorld, Int# #)

foreign import prim "ferry_run_adaptive"
  runAdaptive# :: Addr# -> Int# -> State# RealWorld -> (# State# RealWorld, Int# #)

foreign import prim "ferry_exception_waits"
  exceptionWaits# :: ThreadId# -> State# RealWorld -> (# State# RealWorld, Int# #)

foreign import prim "ferry_run_held"
  runHeld# :: Addr# -> Addr# -> State# RealWorld -> (# State# RealWorld #)

type FromWords# r = Word# -> Word# -> Word# -> Word# -> Word# -> Word# -> r

type FromDoubles# r = Double# -> Double# -> Double# -> Double# -> r

type FromFloats# r = Float# -> Float# -> Float# -> Float# -> r

foreign import prim "ferry_foreign_words_word"
  foreignWordsWord# :: FromWords# (State# RealWorld -> (# State# RealWorld, Word# #))

foreign import prim "ferry_foreign_words_double"
  foreignWordsDouble# :: FromWords# (State# RealWorld -> (# State# RealWorld, Double# #))

foreign import prim "ferry_foreign_words_float"
  foreignWordsFloat# :: FromWords# (State# RealWorld -> (# State# RealWorld, Float# #))

foreign import prim "ferry_foreign_doubles_word"
  foreignDoublesWord# :: FromWords# (FromDoubles# (State# RealWorld -> (# State# RealWorld, Word# #)))

foreign import prim "ferry_foreign_doubles_double"
  foreignDoublesDouble# :: FromWords# (FromDoubles# (State# RealWorld -> (# State# RealWorld, Double# #)))

foreign import prim "ferry_foreign_doubles_float"
  foreignDoublesFloat# :: FromWords# (FromDoubles# (State# RealWorld -> (# State# RealWorld, Float# #)))

foreign import prim "ferry_foreign_floats_word"
  foreignFloatsWord# :: FromWords# (FromFloats# (State# RealWorld -> (# State# RealWorld, Word# #)))

foreign import prim "ferry_foreign_floats_double"
  foreignFloatsDouble# :: FromWords# (FromFloats# (State# RealWorld -> (# State# RealWorld, Double# #)))

foreign import prim "ferry_foreign_floats_float"
  foreignFloatsFloat# :: FromWords# (FromFloats# (State# RealWorld -> (# State# RealWorld, Float# #)))

-- | The number of the Capability that runs this thread, from 0. It may be another the next moment.
capabilityNumber :: IO Int
capabilityNumber = IO $ \s -> case capabilityNumber# s of (# s', number #) -> (# s', I# number #)
{-# INLINE capabilityNumber #-}

-- | Run a prepared program with the Capability given up for the whole batch. The last slot that ran.
runBatched :: Ptr CProgram -> IO Int
runBatched (Ptr program) = IO $ \s -> case runBatched# program s of (# s', last' #) -> (# s', I# last' #)
{-# INLINE runBatched #-}

-- | Run a prepared program from this slot on as a held call, with the Capability held until somebody wants it or a slot
-- that may block is next, then a slice of it with the Capability given up. The last slot that ran, or, when the batch
-- has not ended, the 'Data.Bits.complement' of the slot to go on with. On a runtime system with one OS thread,
-- 'Control.Concurrent.yield' first.
runAdaptive :: Ptr CProgram -> Int -> IO Int
runAdaptive (Ptr program) (I# from) = IO $ \s ->
  case runAdaptive# program from s of (# s', last' #) -> (# s', I# last' #)
{-# INLINE runAdaptive #-}

-- | Whether another thread's exception waits until this thread can be interrupted.
exceptionWaits :: ThreadId -> IO Bool
exceptionWaits (ThreadId thread) = IO $ \s ->
  case exceptionWaits# thread s of (# s', waits #) -> (# s', isTrue# (waits /=# 0#) #)
{-# INLINE exceptionWaits #-}

-- | Call a C function with the Capability held until somebody wants it, at the price of an @unsafe@ call and with the
-- manners of a @safe@ one: a garbage collection takes the Capability, another Haskell thread waits for it 4 ms at most,
-- and the function may call back into Haskell and open parallel regions (@cbits/held/held.c@). On a runtime system with
-- one OS thread, and on the debug one, the Capability is given up at once, as by a @safe@ call.
runHeld :: FunPtr (Ptr a -> IO ()) -> Ptr a -> IO ()
runHeld (FunPtr function) (Ptr argument) = IO $ \s ->
  case runHeld# function argument s of (# s' #) -> (# s', () #)
{-# INLINE runHeld #-}

-- $foreign
-- Held calls of the function at an address, with up to five words and four numbers in registers: by what it takes
-- beside words and by what it returns (@cmm/foreign.cmm@). Registers that it does not take are read by nobody.

-- | The function's address and five words.
type FromWords r = Word -> Word -> Word -> Word -> Word -> Word -> r

-- | Four doubles.
type FromDoubles r = Double -> Double -> Double -> Double -> r

-- | Four floats.
type FromFloats r = Float -> Float -> Float -> Float -> r

-- | Takes words, returns a word.
foreignWordsWord :: FromWords (IO Word)
foreignWordsWord (W# at) (W# a) (W# b) (W# c) (W# d) (W# e) = IO $ \w ->
  case foreignWordsWord# c d b a e at w of (# w', result #) -> (# w', W# result #)
{-# INLINE foreignWordsWord #-}

-- | Takes words, returns a double.
foreignWordsDouble :: FromWords (IO Double)
foreignWordsDouble (W# at) (W# a) (W# b) (W# c) (W# d) (W# e) = IO $ \w ->
  case foreignWordsDouble# c d b a e at w of (# w', result #) -> (# w', D# result #)
{-# INLINE foreignWordsDouble #-}

-- | Takes words, returns a float.
foreignWordsFloat :: FromWords (IO Float)
foreignWordsFloat (W# at) (W# a) (W# b) (W# c) (W# d) (W# e) = IO $ \w ->
  case foreignWordsFloat# c d b a e at w of (# w', result #) -> (# w', F# result #)
{-# INLINE foreignWordsFloat #-}

-- | Takes words and doubles, returns a word.
foreignDoublesWord :: FromWords (FromDoubles (IO Word))
foreignDoublesWord (W# at) (W# a) (W# b) (W# c) (W# d) (W# e) (D# p) (D# q) (D# r) (D# s) = IO $ \w ->
  case foreignDoublesWord# c d b a e at p q r s w of (# w', result #) -> (# w', W# result #)
{-# INLINE foreignDoublesWord #-}

-- | Takes words and doubles, returns a double.
foreignDoublesDouble :: FromWords (FromDoubles (IO Double))
foreignDoublesDouble (W# at) (W# a) (W# b) (W# c) (W# d) (W# e) (D# p) (D# q) (D# r) (D# s) = IO $ \w ->
  case foreignDoublesDouble# c d b a e at p q r s w of (# w', result #) -> (# w', D# result #)
{-# INLINE foreignDoublesDouble #-}

-- | Takes words and doubles, returns a float.
foreignDoublesFloat :: FromWords (FromDoubles (IO Float))
foreignDoublesFloat (W# at) (W# a) (W# b) (W# c) (W# d) (W# e) (D# p) (D# q) (D# r) (D# s) = IO $ \w ->
  case foreignDoublesFloat# c d b a e at p q r s w of (# w', result #) -> (# w', F# result #)
{-# INLINE foreignDoublesFloat #-}

-- | Takes words and floats, returns a word.
foreignFloatsWord :: FromWords (FromFloats (IO Word))
foreignFloatsWord (W# at) (W# a) (W# b) (W# c) (W# d) (W# e) (F# p) (F# q) (F# r) (F# s) = IO $ \w ->
  case foreignFloatsWord# c d b a e at p q r s w of (# w', result #) -> (# w', W# result #)
{-# INLINE foreignFloatsWord #-}

-- | Takes words and floats, returns a double.
foreignFloatsDouble :: FromWords (FromFloats (IO Double))
foreignFloatsDouble (W# at) (W# a) (W# b) (W# c) (W# d) (W# e) (F# p) (F# q) (F# r) (F# s) = IO $ \w ->
  case foreignFloatsDouble# c d b a e at p q r s w of (# w', result #) -> (# w', D# result #)
{-# INLINE foreignFloatsDouble #-}

-- | Takes words and floats, returns a float.
foreignFloatsFloat :: FromWords (FromFloats (IO Float))
foreignFloatsFloat (W# at) (W# a) (W# b) (W# c) (W# d) (W# e) (F# p) (F# q) (F# r) (F# s) = IO $ \w ->
  case foreignFloatsFloat# c d b a e at p q r s w of (# w', result #) -> (# w', F# result #)
{-# INLINE foreignFloatsFloat #-}
