-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE ScopedTypeVariables #-}

-- | Loops, reductions and vectors in parallel against pure references, and what becomes of exceptions.
--
-- What these tests catch: an index that is left out or done twice, a result in the wrong place or combined out of
-- order, a chunk begun after the loop was stopped, an exception that is lost, changed, or thrown before all threads
-- have ended.
module Ferry.OpenMPSpec (spec) where

import Control.Concurrent
import Control.Exception
import Control.Monad (forM, forM_, replicateM, replicateM_, void, when)
import Data.IORef
import Data.List (sort)
import qualified Data.Vector as Boxed
import qualified Data.Vector.Primitive as Primitive
import qualified Data.Vector.Storable as Storable
import qualified Data.Vector.Storable.Mutable as Mutable
import qualified Data.Vector.Unboxed as Unboxed
import Ferry.OpenMP
import Ferry.Runtime
import Foreign.C.Types (CLong (..))
import Foreign.Ptr (FunPtr, freeHaskellFunPtr)
import Foreign.Storable (peek)
import GHC.IO (unsafeUnmask)
import System.Mem (performMajorGC)
import System.Timeout (timeout)
import Test.Hspec hiding (parallel)
import Test.QuickCheck hiding (total, vector)

foreign import ccall "&openmp_add_index" addIndexAt :: FunPtr (Kernel CLong)

foreign import ccall "&openmp_square" squareAt :: FunPtr (KernelTo Double Double)

foreign import ccall "&openmp_sinsum" sinsumAt :: FunPtr (KernelTo Double Double)

foreign import ccall "&openmp_threads" threadsAt :: FunPtr (Kernel CLong)

foreign import ccall "&openmp_slow" slowAt :: FunPtr (Kernel CLong)

foreign import ccall "wrapper" wrapKernel :: Kernel CLong -> IO (FunPtr (Kernel CLong))

-- | Ways to run a loop: every schedule, on the default team and on some.
newtype AnyLoop = AnyLoop Loop
  deriving (Show)

instance Arbitrary AnyLoop where
  arbitrary = do
    chunk <- frequency [(3, choose (1, 20)), (1, choose (1, maxBound `div` 2 ^ (32 :: Int)))]
    schedule <- elements [Static, Cyclic chunk, Dynamic chunk, Guided chunk, Runtime]
    AnyLoop . Loop schedule <$> elements [Nothing, Just 1, Just 2, Just 3, Just 7]

-- | A range somewhere, of up to so many indices.
rangeOf :: Int -> Gen (Int, Int)
rangeOf most = do
  from <- oneof [choose (-50, 50), elements [minBound, maxBound - most]]
  count <- choose (-2, most)
  pure (from, from + if from == minBound then max 0 count else count)

spec :: Spec
spec
  | isThreaded = do
    describe "parallelFor" loops
    describe "parallelReduce" reductions
    describe "parallel" regions
    describe "vectors" vectors
    describe "C kernels" kernels
    describe "exceptions" exceptions
    describe "asynchronous exceptions" asynchronous
    describe "many Haskell threads" manyThreads
    describe "settings" settings
    describe "arguments" arguments
  | otherwise = it "says that the program has to be linked with -threaded" $ do
    Left (NoRegions why) <- try (parallelFor static 0 10 (\_ -> pure ()))
    why `shouldContain` "-threaded"
    parallelFor static 10 0 (\_ -> pure ()) `shouldThrow` isNoRegions
    parallelReduce static monoid 0 3 show `shouldThrow` isNoRegions
    parallel Nothing (\_ -> pure ()) `shouldThrow` isNoRegions
    let mapped = parallelMapC static squareAt (Storable.fromList [1]) :: IO (Storable.Vector Double)
    mapped `shouldThrow` isNoRegions

isNoRegions :: OpenMPError -> Bool
isNoRegions (NoRegions _) = True
isNoRegions _ = False

loops :: Spec
loops = do
  it "runs the body once for each index" . property $ \(AnyLoop loop) -> forAll (rangeOf 300) $ \(from, to) ->
    ioProperty $ do
      seen <- newIORef []
      parallelFor loop from to $ \i -> atomicModifyIORef' seen (\list -> (i : list, ()))
      found <- sort <$> readIORef seen
      pure (found === upTo from to)
  it "gives out chunks that are the range" . property $ \(AnyLoop loop) -> forAll (rangeOf 300) $ \(from, to) ->
    ioProperty $ do
      seen <- newIORef []
      parallelForChunks loop from to $ \first past -> atomicModifyIORef' seen (\list -> ((first, past) : list, ()))
      found <- sort <$> readIORef seen
      pure $ all (uncurry (<)) found .&&. concatMap (uncurry upTo) found === upTo from to
  it "gives out the chunks that the schedule says" . withFixedTeams $ do
    let chunks loop = do
          seen <- newIORef []
          parallelForChunksOn loop 0 10 $ \worker first past ->
            atomicModifyIORef' seen (\list -> ((first, past, workerNumber worker, workerCount worker) : list, ()))
          sort <$> readIORef seen
    chunks (static `onThreads` 2) `shouldReturn` [(0, 5, 0, 2), (5, 10, 1, 2)]
    chunks (cyclic 3 `onThreads` 2) `shouldReturn` [(0, 3, 0, 2), (3, 6, 1, 2), (6, 9, 0, 2), (9, 10, 1, 2)]
    found <- chunks (dynamic 4 `onThreads` 2)
    [(first, past) | (first, past, _, _) <- found] `shouldBe` [(0, 4), (4, 8), (8, 10)]
  it "makes no team larger than there are Capabilities" . withCapabilities 1 $ do
    count <- newIORef 0
    parallel Nothing $ \worker -> writeIORef count (workerCount worker)
    readIORef count `shouldReturn` 1
  it "runs bodies that allocate, collect and wait for other threads" $ do
    box <- newEmptyMVar
    taken <- newEmptyMVar
    _ <- forkIO $ replicateM_ 40 (takeMVar box) >> putMVar taken ()
    parallelFor (dynamic 1 `onThreads` 2) 0 40 $ \i -> do
      _ <- evaluate (length (show (product [1 .. toInteger i * 10])))
      when (i `mod` 10 == 0) performMajorGC
      putMVar box ()
    takeMVar taken
  it "runs loops within loops" $ do
    seen <- newIORef (0 :: Int)
    parallelFor (dynamic 1 `onThreads` 2) 0 5 $ \i ->
      parallelFor (dynamic 2 `onThreads` 2) 0 10 $ \k -> atomicModifyIORef' seen (\n -> (n + i * 10 + k, ()))
    readIORef seen `shouldReturn` sum [0 .. 49]

upTo :: Int -> Int -> [Int]
upTo from to = takeWhile (< to) (iterate (+ 1) from)

reductions :: Spec
reductions = do
  it "keeps the order of what it combines" . property $ \(AnyLoop loop) -> forAll (rangeOf 300) $ \(from, to) ->
    ioProperty $ do
      found <- parallelReduce loop monoid from to (: [])
      pure (found === upTo from to)
  it "is the fold, for integers" . property $ \(AnyLoop loop) -> forAll (rangeOf 300) $ \(from, to) ->
    ioProperty $ do
      found <- parallelReduce loop (Reduction 0 (+)) from to (* 3)
      pure (found === sum (map (* 3) (upTo from to)))
  it "gives the same floating point sum on any number of threads" . property $ \(AnyLoop loop) count ->
    ioProperty $ do
      let total threads = parallelReduce (loop `onThreads` threads) (Reduction 0 (+)) 0 (abs count) $ \i ->
            sin (fromIntegral i) * 1e10 ** cos (fromIntegral i) :: Double
      one <- total 1
      found <- mapM total [2, 2, 5]
      pure (found === map (const one) found)
  it "combines what the body gives for blocks" $ do
    found <- parallelReduceChunks (dynamic 4) monoid 0 10 (\first past -> pure [(first, past)])
    map fst found `shouldBe` [0, 4, 7]
    last found `shouldBe` (7, 10)
  it "evaluates results on the thread that makes them" $
    parallelReduce static (Reduction 0 (+)) 0 10 (\i -> if i == 5 then throw Overflow else i)
      `shouldThrow` (== Overflow)

regions :: Spec
regions = do
  it "say on which thread of how many a body is" . withFixedTeams $ do
    seen <- newIORef []
    parallel (Just 2) $ \worker -> do
      asked <- Worker <$> threadNumber <*> threadCount
      atomicModifyIORef' seen (\list -> ((worker, asked) : list, ()))
    list <- readIORef seen
    map fst list `shouldBe` map snd list
    sort (map (workerNumber . fst) list) `shouldBe` [0 .. length list - 1]
    (,) <$> threadNumber <*> threadCount `shouldReturn` (0, 1)
  it "runs the body on each thread of the team" . property $ \(Positive threads) -> ioProperty $ do
    seen <- newIORef []
    parallel (Just (threads :: Int)) $ \worker -> atomicModifyIORef' seen (\list -> (worker : list, ()))
    found <- readIORef seen
    let count = length found
    pure $ sort (map workerNumber found) === [0 .. count - 1] .&&. map workerCount found === map (const count) found

vectors :: Spec
vectors = do
  it "maps as map does" . property $ \(AnyLoop loop) (list :: [Int]) -> ioProperty $ do
    boxed <- parallelMap loop (+ 1) (Boxed.fromList list)
    storable <- parallelMap loop (+ 1) (Storable.fromList list)
    primitive <- parallelMap loop (+ 1) (Primitive.fromList list)
    pairs <- parallelMap loop (\i -> (i, even i)) (Unboxed.fromList list)
    let expected = map (+ 1) list
    pure $
      Boxed.toList boxed === expected
        .&&. Storable.toList storable === expected
        .&&. Primitive.toList primitive === expected
        .&&. Unboxed.toList pairs === map (\i -> (i, even i)) list
  it "generates as generate does" . property $ \(AnyLoop loop) (NonNegative count) -> ioProperty $ do
    made <- parallelGenerate loop count (* 2)
    pure (made === Storable.generate count (* 2))
  it "finds out whether a primitive vector is pinned" $ do
    let movable = Primitive.fromList [1, 2, 3 :: Double]
    isPinned movable `shouldBe` False
    withElements movable peek `shouldThrow` (== NotPinned "withElements")
    fixed <- pinned movable
    isPinned fixed `shouldBe` True
    fixed `shouldBe` movable
    withElements (Primitive.drop 1 fixed) peek `shouldReturn` 2
    withElements (Primitive.drop 1 (Primitive.fromList [1 :: Double])) (const (pure ()))

kernels :: Spec
kernels = do
  it "are called once for each index" . property $ \(AnyLoop loop) -> forAll (choose (0, 300)) $ \count ->
    forAll (choose (0, count)) $ \from -> ioProperty $ do
      made <- Mutable.replicate count 0
      withMutableElements made $ parallelForC loop from count addIndexAt
      found <- Storable.freeze made
      pure (found === Storable.generate count (\i -> if i < from then 0 else fromIntegral i + 1))
  it "map storable and pinned primitive vectors" . property $ \(AnyLoop loop) list -> ioProperty $ do
    storable <- parallelMapC loop squareAt (Storable.fromList list)
    source <- pinned (Primitive.fromList list)
    primitive <- parallelMapC loop squareAt source
    pure $
      Storable.toList storable === map (^ (2 :: Int)) list
        .&&. Primitive.toList primitive === Storable.toList storable
  it "refuse a primitive vector that may be moved" $ do
    let mapped = parallelMapC static squareAt (Primitive.fromList [1, 2]) :: IO (Primitive.Vector Double)
    mapped `shouldThrow` (== NotPinned "withElements")
  it "reduce to the same sum on any number of threads" . property $ \(AnyLoop loop) list -> ioProperty $ do
    let vector = Storable.fromList list
        total threads = parallelReduceC (loop `onThreads` threads) (Reduction 0 (+)) sinsumAt vector
    one <- total 1
    found <- mapM total [2, 5]
    pure $ found === map (const one) found .&&. abs (one - sum (map sin list)) < 1e-9
  it "may call back into Haskell" $ do
    seen <- newIORef []
    let note first past _ =
          atomicModifyIORef' seen (\list -> ([fromIntegral first .. fromIntegral past - 1] ++ list, ()))
    bracket (wrapKernel note) freeHaskellFunPtr $ \kernel ->
      withMutableElements' $ parallelForC (dynamic 3 `onThreads` 2) 0 50 kernel
    sort <$> readIORef seen `shouldReturn` [0 .. 49 :: Int]
  where
    withMutableElements' use = Mutable.replicate 1 0 >>= \one -> withMutableElements one use

exceptions :: Spec
exceptions = do
  it "are thrown to the caller as they are" . property $ \(AnyLoop loop) (Positive count) ->
    forAll (choose (0, count - 1)) $ \bad -> ioProperty $ do
      result <- try . parallelFor loop 0 count $ \i -> when (i == bad) . throwIO $ IndexOutOfBounds (show i)
      pure (result === Left (IndexOutOfBounds (show bad)))
  it "end the loop" $ do
    done <- newIORef (0 :: Int)
    result <- try . parallelFor (dynamic 1 `onThreads` 2) 0 100000 $ \i -> do
      when (i == 10) $ throwIO Overflow
      atomicModifyIORef' done (\n -> (n + 1, ()))
      threadDelay 10
    result `shouldBe` Left Overflow
    readIORef done >>= (`shouldSatisfy` (< 10000))
  it "are thrown when all threads have ended" . forM_ [1 .. 50 :: Int] $ \_ -> do
    running <- newIORef (0 :: Int)
    result <- try . parallelFor (dynamic 1 `onThreads` 2) 0 100 $ \i -> do
      bracket_ (atomicModifyIORef' running (\n -> (n + 1, ()))) (atomicModifyIORef' running (\n -> (n - 1, ()))) $ do
        when (i == 5) $ throwIO Overflow
        threadDelay 200
    result `shouldBe` Left Overflow
    readIORef running `shouldReturn` 0
  it "leave regions and reductions too" $ do
    parallel (Just 2) (\worker -> when (workerNumber worker == workerCount worker - 1) $ throwIO Overflow)
      `shouldThrow` (== Overflow)
    parallelReduce static monoid 0 10 (\i -> if i == 9 then throw Overflow else show i) `shouldThrow` (== Overflow)
  it "that the body catches are its own" $ do
    caught <- newIORef (0 :: Int)
    parallelFor (dynamic 1) 0 20 $ \i ->
      throwIO (ErrorCall (show i)) `catch` \(ErrorCall _) -> atomicModifyIORef' caught (\n -> (n + 1, ()))
    readIORef caught `shouldReturn` 20

asynchronous :: Spec
asynchronous = do
  it "end a loop between chunks" $ do
    done <- newIORef (0 :: Int)
    result <- timeout 50000 . parallelFor (dynamic 1 `onThreads` 2) 0 5000 $ \_ -> do
      threadDelay 1000
      atomicModifyIORef' done (\n -> (n + 1, ()))
    result `shouldBe` Nothing
    ran <- readIORef done
    ran `shouldSatisfy` (\n -> n > 0 && n < 4000)
    threadDelay 5000
    readIORef done `shouldReturn` ran
  it "end a loop of C kernels" . withCount $ \count -> do
    timeout 50000 (parallelForC (dynamic 1 `onThreads` 2) 0 5000 slowAt count) `shouldReturn` Nothing
    ran <- peek count
    ran `shouldSatisfy` (\n -> n > 0 && n < 4000)
    threadDelay 5000
    peek count `shouldReturn` ran
  it "wait for the end where they are masked" $ do
    done <- newIORef (0 :: Int)
    started <- newEmptyMVar
    ended <- newEmptyMVar
    thread <- mask_ . forkIO $ do
      parallelFor (dynamic 1 `onThreads` 2) 0 50 $ \_ -> do
        void (tryPutMVar started ())
        threadDelay 1000
        atomicModifyIORef' done (\n -> (n + 1, ()))
      readIORef done >>= putMVar ended
    takeMVar started
    killThread thread
    takeMVar ended `shouldReturn` 50
  it "are not lost, and each is thrown once" $ do
    caught <- newIORef (0 :: Int)
    stopped <- newEmptyMVar
    ready <- newEmptyMVar
    thread <- mask_ . forkIO $ do
      let go = do
            putMVar ready ()
            result <- try (unsafeUnmask (parallelFor (dynamic 1 `onThreads` 2) 0 100000 (\_ -> threadDelay 100)))
            case result of
              Left UserInterrupt -> modifyIORef' caught (+ 1) >> go
              other -> putMVar stopped other
      go
    replicateM_ 20 $ takeMVar ready >> threadDelay 1000 >> throwTo thread UserInterrupt
    takeMVar ready
    killThread thread
    takeMVar stopped `shouldReturn` Left ThreadKilled
    readIORef caught `shouldReturn` 20
  where
    withCount use = Mutable.replicate 1 0 >>= \one -> withMutableElements one use

manyThreads :: Spec
manyThreads = it "open regions at once, and each gets what is its own" $ do
  results <- forM [1 .. 8 :: Int] $ \k -> do
    box <- newEmptyMVar
    _ <- forkFinally (replicateM 50 (parallelReduce (dynamic 5) (Reduction 0 (+)) 0 200 (* k))) (putMVar box)
    pure (k, box)
  forM_ results $ \(k, box) -> do
    Right found <- takeMVar box
    found `shouldBe` replicate 50 (k * sum [0 .. 199])

settings :: Spec
settings = do
  it "are what regions begin with, on whatever OS thread" $
    with setDefaultThreads (Just 3) (Just <$> getDefaultThreads) . with setDynamicTeams False getDynamicTeams $ do
      sizes <- forM [forkIO, forkOS, forkOn 1] $ \fork -> do
        box <- newEmptyMVar
        _ <- fork $ do
          size <- newIORef 0
          -- a C kernel's region: one of Haskell bodies is no larger than there are Capabilities
          withSize $ \at -> parallelForC (cyclic 1) 0 100 threadsAt at >> peek at >>= writeIORef size
          readIORef size >>= putMVar box
        takeMVar box
      sizes `shouldBe` [3, 3, 3]
  it "say what Runtime stands for" $
    forM_ [Static, Cyclic 3, Dynamic 4, Guided 5] $ \schedule ->
      with setRuntimeSchedule schedule getRuntimeSchedule $ getRuntimeSchedule `shouldReturn` schedule
  it "that mean nothing are refused" $ do
    setDefaultThreads (Just 0) `shouldThrow` isBadArgument
    setRuntimeSchedule Runtime `shouldThrow` isBadArgument
    setRuntimeSchedule (Dynamic 0) `shouldThrow` isBadArgument
    setMaxLevels (-1) `shouldThrow` isBadArgument
  where
    with change value look' act = look' >>= \was -> bracket_ (change value) (change was) act
    withSize use = Mutable.replicate 1 0 >>= \one -> withMutableElements one use

isBadArgument :: OpenMPError -> Bool
isBadArgument (BadArgument _) = True
isBadArgument _ = False

arguments :: Spec
arguments = it "that mean nothing are refused, with what they have to be" $ do
  forM_ [dynamic 0, guided (-1), cyclic 0, static `onThreads` 0, dynamic (2 ^ (40 :: Int))] $ \loop -> do
    Left (BadArgument text) <- try (parallelFor loop 0 1 (\_ -> pure ()))
    text `shouldContain` "give 1 to"
  Left (BadArgument text) <- try (parallelGenerate static (-1) id :: IO (Boxed.Vector Int))
  text `shouldContain` "give 0 or more"
