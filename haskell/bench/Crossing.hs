-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE BangPatterns #-}
{-# LANGUAGE DataKinds #-}
{-# OPTIONS_GHC -O2 #-}

-- | What does a C function cost from Haskell, by each way of calling it?
--
-- Every way but @prim@, @named@ and @floor@ does the same work: for each of n calls a function's address and two words
-- are read from memory, the function is called, and its result is written to memory. The functions do one operation on
-- words, so that what is left is the crossing.
--
--   * @unsafe@, @safe@: a Haskell loop over an array of (address, word, word), one foreign import @dynamic@ per call.
--   * @foreign@: the same loop, with a call of "Ferry.Foreign" each.
--   * @named@: the same loop with one function imported by its name, which no table can choose. For comparison only.
--   * @wrapper@: one unsafe call of a C function that loops over the same array: what one writes by hand.
--   * @floor@: one safe call of a C function that calls the same functions by their names, results to memory. No batch
--     can cost less, as none knows at compile time what it calls. For comparison only.
--   * @batched@, @adaptive@: a program of "Ferry.Call", prepared once, run by 'runPrepared_'.
--   * @fresh@: as @adaptive@, with both arguments of every call set anew before each run, from two vectors (for one
--     call, from two numbers), and all results read after it, into a vector (for one call, as a number).
--   * @carry@: what @fresh@ does beside the calls, by the least that does it: one unsafe call of a C function that
--     stores two words in each of n cache lines, from two arrays, and copies n words.
--   * @once@: a program of "Ferry.Call" that is described, laid out and run adaptively once, and its results are read.
--   * @held@: a Haskell loop of held calls, each with the Capability held until somebody wants it, as "Ferry.OpenMP"
--     calls what opens regions.
--   * @prim@: n calls of the primitive that gives the Capability's number, which makes no call to C.
--
-- @one@ calls one function n times. @several@ calls four in turn, so that no processor can take the address for
-- granted. @getter@ calls one that takes nothing and gives a number, the least that a C function can do: only its
-- address is read. @pointer@ calls one function that takes the address of a word and adds to it, the shape of a held
-- call.
module Main (main) where

import Control.Exception (evaluate)
import Control.Monad (forM, forM_, void)
import qualified Data.Vector.Storable as Storable
import qualified Data.Vector.Storable.Mutable as Mutable
import Ferry.Call
import Ferry.Foreign (foreignCall)
import Ferry.Internal.Prim (runHeld)
import Foreign.Marshal.Alloc (mallocBytes)
import Foreign.Ptr (FunPtr, Ptr, alignPtr, plusPtr)
import Foreign.Storable (peekByteOff, peekElemOff, pokeByteOff, pokeElemOff)
import Harness

type Word2 = Int -> Int -> IO Int

foreign import ccall "&bench_add" addAt :: FunPtr Word2

foreign import ccall "&bench_subtract" subtractAt :: FunPtr Word2

foreign import ccall "&bench_exclude" excludeAt :: FunPtr Word2

foreign import ccall "&bench_unite" uniteAt :: FunPtr Word2

-- unsafe: what is measured
foreign import ccall unsafe "dynamic" unsafeCall :: FunPtr Word2 -> Word2

-- safe: what is measured
foreign import ccall safe "dynamic" safeCall :: FunPtr Word2 -> Word2

-- unsafe: what is measured
foreign import ccall unsafe "bench_add" addNamed :: Word2

-- unsafe: what is measured
foreign import ccall unsafe "bench_wrapper" wrapperCall :: Ptr () -> Ptr Int -> Int -> IO ()

-- safe: what is measured
foreign import ccall safe "bench_floor" floorOne :: Ptr () -> Ptr Int -> Int -> IO ()

-- safe: what is measured
foreign import ccall safe "bench_floor_several" floorSeveral :: Ptr () -> Ptr Int -> Int -> IO ()

-- safe: what is measured
foreign import ccall safe "bench_floor_getter" floorGetter :: Ptr () -> Ptr Int -> Int -> IO ()

type Word0 = IO Int

foreign import ccall "&bench_get" getAt :: FunPtr Word0

-- unsafe: what is measured
foreign import ccall unsafe "dynamic" unsafeGet :: FunPtr Word0 -> Word0

-- safe: what is measured
foreign import ccall safe "dynamic" safeGet :: FunPtr Word0 -> Word0

-- unsafe: what is measured
foreign import ccall unsafe "bench_get_wrapper" wrapperGet :: Ptr () -> Ptr Int -> Int -> IO ()

foreign import ccall "&bench_touch" touchAt :: FunPtr (Ptr Int -> IO ())

-- unsafe: what is measured
foreign import ccall unsafe "dynamic" unsafeTouch :: FunPtr (Ptr Int -> IO ()) -> Ptr Int -> IO ()

-- safe: what is measured
foreign import ccall safe "dynamic" safeTouch :: FunPtr (Ptr Int -> IO ()) -> Ptr Int -> IO ()

-- unsafe: what is measured
foreign import ccall unsafe "bench_carry"
  carryWords :: Ptr () -> Ptr Int -> Ptr Int -> Ptr Int -> Ptr Int -> Int -> IO ()

-- unsafe: what is measured
foreign import ccall unsafe "bench_touch_wrapper" wrapperTouch :: FunPtr (Ptr Int -> IO ()) -> Ptr Int -> Int -> IO ()

-- | The i-th function.
type Choice = Int -> FunPtr Word2

one, several :: Choice
one _ = addAt
several i = case i `mod` 4 of
  0 -> addAt
  1 -> subtractAt
  2 -> excludeAt
  _ -> uniteAt

main :: IO ()
main = sampleAll suite variants
  where
    suite =
      Suite
        { suiteBoundary = "haskell",
          suiteQuestion = "What does a C function cost from Haskell, by each way of calling it?",
          suiteVariants = map variantName variants,
          suiteSizes = [1, 2, 5, 10, 20, 50, 100, 1000],
          suiteRepetitions = 300,
          suiteQuick = 60,
          suiteSampleNs = 20000
        }
    variants =
      Variant "prim" (pure . primLoop) :
      Variant "named:one" (looping namedLoop one) :
      concat
        [ [ Variant ("wrapper" ++ what) (looping wrapperLoop choice),
            Variant ("unsafe" ++ what) (looping unsafeLoop choice),
            Variant ("foreign" ++ what) (looping foreignLoop choice),
            Variant ("safe" ++ what) (looping safeLoop choice),
            Variant ("floor" ++ what) (looping floorLoop choice),
            Variant ("batched" ++ what) (running Batched (wordCall choice)),
            Variant ("adaptive" ++ what) (running Adaptive (wordCall choice)),
            Variant ("fresh" ++ what) (fresh choice),
            Variant ("once" ++ what) (once choice)
          ]
          | (what, choice, floorLoop) <- [(":one", one, floorOne), (":several", several, floorSeveral)]
        ]
        ++ [ Variant "carry" carry,
             Variant "wrapper:getter" (getting wrapperGet),
             Variant "unsafe:getter" (getting unsafeGetLoop),
             Variant "foreign:getter" (getting foreignGetLoop),
             Variant "safe:getter" (getting safeGetLoop),
             Variant "floor:getter" (getting floorGetter),
             Variant "batched:getter" (running Batched getCall),
             Variant "adaptive:getter" (running Adaptive getCall),
             Variant "wrapper:pointer" (touching (wrapperTouch touchAt)),
             Variant "unsafe:pointer" (touching (touchLoop (unsafeTouch touchAt))),
             Variant "foreign:pointer" (touching (touchLoop (foreignCall touchAt))),
             Variant "safe:pointer" (touching (touchLoop (safeTouch touchAt))),
             Variant "held:pointer" (touching (touchLoop (runHeld touchAt)))
           ]

-- | A program whose i-th call this adds, prepared, and what runs it. Inlined, so that the mode is known as in any
-- program that names it, for which it takes n by itself.
running :: Mode -> (Int -> Program 'Functions ()) -> Int -> IO (IO ())
running mode callOf = \n -> do
  prepared <- prepare (pure () <$ mapM_ callOf [0 .. n - 1])
  pure (runPrepared_ mode prepared)
{-# INLINE running #-}

{- HLINT ignore running "Redundant lambda" -}

-- | The same with arguments that change and results that are read.
fresh :: Choice -> Int -> IO (IO ())
fresh choice 1 = do
  ((!a, !b), !prepared) <- prepareWith $ do
    a <- parameter
    b <- parameter
    found <- call (function "f" (choice 0)) (given a) (given b)
    pure ((a, b), output found)
  numbers <- mallocBytes 24 :: IO (Ptr Int)
  pokeElemOff numbers 0 7
  pokeElemOff numbers 1 1
  pure $ do
    peekElemOff numbers 0 >>= setParameter prepared a
    peekElemOff numbers 1 >>= setParameter prepared b
    runPrepared Adaptive prepared >>= pokeElemOff numbers 2
fresh choice n = do
  ((!as, !bs), !prepared) <- prepareWith $ do
    as <- parameterVector n
    bs <- parameterVector n
    found <- forM [0 .. n - 1] $ \i -> call (function "f" (choice i)) (givenAt as i) (givenAt bs i)
    pure ((as, bs), outputsInto found)
  results <- Mutable.replicate n 0
  -- evaluated, or the compiler makes both anew in each run
  firsts <- evaluate (Storable.generate n id)
  seconds <- evaluate (Storable.replicate n 1)
  pure $ do
    setParameters prepared as firsts
    setParameters prepared bs seconds
    into <- runPrepared Adaptive prepared
    into results

-- | What the arguments and results of 'fresh' cost by themselves.
carry :: Int -> IO (IO ())
carry n = do
  -- the lines are aligned as a batch's slots are
  lines' <- (`alignPtr` lineBytes) <$> mallocBytes ((n + 1) * lineBytes)
  words' <- mallocBytes (4 * n * 8)
  forM_ [0 .. 4 * n - 1] $ \i -> pokeElemOff words' i i
  let part i = words' `plusPtr` (i * n * 8)
  pure (carryWords lines' (part 0) (part 1) (part 2) (part 3) n)
  where
    lineBytes = 64

-- | A program that runs once.
once :: Choice -> Int -> IO (IO ())
once choice n = do
  results <- mallocBytes (8 * n)
  pure $ do
    found <- run Adaptive (outputs <$> mapM (\i -> call (function "f" (choice i)) (literal i) 1) [0 .. n - 1])
    Storable.imapM_ (pokeElemOff results) found

wordCall :: Choice -> Int -> Program 'Functions ()
wordCall choice i = void (call (function "f" (choice i)) (literal i) (literal 1))

getCall :: Int -> Program 'Functions ()
getCall _ = void (call (function "get" getAt))

-- | Bytes of one entry of the array: address, word, word.
entryBytes :: Int
entryBytes = 24

looping :: Loop -> Choice -> Int -> IO (IO ())
looping loop choice n = do
  calls <- mallocBytes (n * entryBytes)
  results <- mallocBytes (n * 8)
  forM_ [0 .. n - 1] $ \i -> do
    let entry = calls `plusPtr` (i * entryBytes) :: Ptr ()
    pokeByteOff entry 0 (choice i)
    pokeByteOff entry 8 i
    pokeByteOff entry 16 (1 :: Int)
  pure (loop calls results n)

-- | As 'looping', over an array of nothing but addresses.
getting :: Loop -> Int -> IO (IO ())
getting loop n = do
  addresses <- mallocBytes (n * 8)
  results <- mallocBytes (n * 8)
  forM_ [0 .. n - 1] $ \i -> pokeByteOff addresses (i * 8) getAt
  pure (loop addresses results n)

-- | As 'looping', of the same word again and again.
touching :: (Ptr Int -> Int -> IO ()) -> Int -> IO (IO ())
touching loop n = do
  word <- mallocBytes 8
  pokeElemOff word 0 0
  pure (loop word n)

touchLoop :: (Ptr Int -> IO ()) -> Ptr Int -> Int -> IO ()
touchLoop touch !word !n = go 0
  where
    go !i
      | i == n = pure ()
      | otherwise = touch word >> go (i + 1)
{-# INLINE touchLoop #-}

-- | Over an array of so many calls, with results to another one. Not inlined: that would be another loop for each
-- variant.
type Loop = Ptr () -> Ptr Int -> Int -> IO ()

unsafeLoop :: Loop
unsafeLoop !calls !results !n = go calls 0
  where
    go !entry !i
      | i == n = pure ()
      | otherwise = do
        at <- peekByteOff entry 0
        a <- peekByteOff entry 8
        b <- peekByteOff entry 16
        unsafeCall at a b >>= pokeElemOff results i
        go (entry `plusPtr` entryBytes) (i + 1)
{-# NOINLINE unsafeLoop #-}

foreignLoop :: Loop
foreignLoop !calls !results !n = go calls 0
  where
    go !entry !i
      | i == n = pure ()
      | otherwise = do
        at <- peekByteOff entry 0
        a <- peekByteOff entry 8
        b <- peekByteOff entry 16
        foreignCall (at :: FunPtr Word2) a b >>= pokeElemOff results i
        go (entry `plusPtr` entryBytes) (i + 1)
{-# NOINLINE foreignLoop #-}

safeLoop :: Loop
safeLoop !calls !results !n = go calls 0
  where
    go !entry !i
      | i == n = pure ()
      | otherwise = do
        at <- peekByteOff entry 0
        a <- peekByteOff entry 8
        b <- peekByteOff entry 16
        safeCall at a b >>= pokeElemOff results i
        go (entry `plusPtr` entryBytes) (i + 1)
{-# NOINLINE safeLoop #-}

namedLoop :: Loop
namedLoop !calls !results !n = go calls 0
  where
    go !entry !i
      | i == n = pure ()
      | otherwise = do
        a <- peekByteOff entry 8
        b <- peekByteOff entry 16
        addNamed a b >>= pokeElemOff results i
        go (entry `plusPtr` entryBytes) (i + 1)
{-# NOINLINE namedLoop #-}

wrapperLoop :: Loop
wrapperLoop = wrapperCall
{-# NOINLINE wrapperLoop #-}

unsafeGetLoop :: Loop
unsafeGetLoop !addresses !results !n = go 0
  where
    go !i
      | i == n = pure ()
      | otherwise = do
        at <- peekByteOff addresses (i * 8)
        unsafeGet at >>= pokeElemOff results i
        go (i + 1)
{-# NOINLINE unsafeGetLoop #-}

foreignGetLoop :: Loop
foreignGetLoop !addresses !results !n = go 0
  where
    go !i
      | i == n = pure ()
      | otherwise = do
        at <- peekByteOff addresses (i * 8)
        foreignCall (at :: FunPtr Word0) >>= pokeElemOff results i
        go (i + 1)
{-# NOINLINE foreignGetLoop #-}

safeGetLoop :: Loop
safeGetLoop !addresses !results !n = go 0
  where
    go !i
      | i == n = pure ()
      | otherwise = do
        at <- peekByteOff addresses (i * 8)
        safeGet at >>= pokeElemOff results i
        go (i + 1)
{-# NOINLINE safeGetLoop #-}

primLoop :: Int -> IO ()
primLoop !n = go 0
  where
    go !i
      | i == n = pure ()
      | otherwise = capabilityNumber >> go (i + 1)
{-# NOINLINE primLoop #-}
