-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE TemplateHaskell #-}

-- | Calls of "Ferry.Foreign": what they pass and return, and what a program may do while they go on.
--
-- What these tests catch: an argument in the wrong register or place, a result with rubbish above its width, a call
-- that keeps its Capability from a collection, a thread or a callback, a Haskell thread whose stack or nursery was not
-- saved where its Capability was taken from it, and an errno or an exception that is lost.
module Ferry.ForeignSpec (spec) where

import Control.Concurrent
import Control.Exception
import Control.Monad
import Data.IORef
import Data.Int
import Data.Word
import Ferry.Foreign
import Ferry.Runtime
import Foreign.C.Error (eNOTTY, getErrno, resetErrno)
import Foreign.C.Types
import Foreign.Marshal.Alloc (alloca)
import Foreign.Ptr
import Foreign.StablePtr
import Foreign.Storable (poke)
import GHC.Clock (getMonotonicTime)
import System.Exit (ExitCode (..))
import System.IO.Unsafe (unsafePerformIO)
import System.Mem (performMajorGC)
import System.Posix.Process (ProcessStatus (..), exitImmediately, forkProcess, getProcessStatus)
import System.Timeout (timeout)
import Test.Hspec
import Test.QuickCheck

foreignImportAs "foreign_int8" "int8" [t|Int8 -> Int8|]

foreignImportAs "foreign_int16" "int16" [t|Int16 -> Int16|]

foreignImportAs "foreign_int32" "int32" [t|Int32 -> IO Int32|]

foreignImportAs "foreign_int64" "int64" [t|Int64 -> Int64|]

foreignImportAs "foreign_word8" "word8" [t|Word8 -> Word8|]

foreignImportAs "foreign_word16" "word16" [t|Word16 -> Word16|]

foreignImportAs "foreign_word32" "word32" [t|Word32 -> Word32|]

foreignImportAs "foreign_word64" "word64" [t|Word64 -> IO Word64|]

foreignImportAs "foreign_int64" "int" [t|Int -> Int|]

foreignImportAs "foreign_word64" "word" [t|Word -> Word|]

foreignImportAs "foreign_float" "float" [t|Float -> Float|]

foreignImportAs "foreign_double" "double" [t|Double -> IO Double|]

foreignImportAs "foreign_bool" "cBool" [t|CBool -> CBool|]

foreignImportAs "foreign_int" "bool" [t|Bool -> Bool|]

foreignImportAs "foreign_word32" "char" [t|Char -> Char|]

foreignImportAs "foreign_pointer" "pointer" [t|Ptr Int -> Ptr Int|]

foreignImportAs "foreign_pointer" "functionPointer" [t|FunPtr (IO ()) -> FunPtr (IO ())|]

foreignImportAs "foreign_pointer" "stablePointer" [t|StablePtr String -> IO (StablePtr String)|]

foreignImportAs "foreign_rubbish" "rubbish" [t|Int32 -> Int32|]

foreignImportAs "foreign_rubbish" "rubbishBool" [t|Bool -> Bool|]

foreignImport "foreign_count" [t|IO ()|]

foreignImport "foreign_counted" [t|IO CLong|]

foreignImport "foreign_six" [t|CLong -> CLong -> CLong -> CLong -> CLong -> CLong -> CLong|]

foreignImport "foreign_floats" [t|CFloat -> CLong -> CFloat -> CLong -> CFloat -> CFloat|]

type Mixed =
  Int8 ->
  Double ->
  Float ->
  Word16 ->
  CLong ->
  CLong ->
  CLong ->
  CLong ->
  Int32 ->
  Float ->
  Double ->
  Double ->
  Double ->
  Double ->
  Double ->
  Double ->
  CFloat ->
  CLong ->
  CDouble ->
  Float ->
  IO Double

foreignImport "foreign_mixed" [t|Mixed|]

foreignImport "foreign_fail" [t|CLong -> IO CInt|]

foreignImport "foreign_sleep" [t|CLong -> IO CInt|]

foreign import ccall "&foreign_sleep" sleepAt :: FunPtr (CLong -> IO CInt)

interruptible' :: CLong -> IO CInt
interruptible' = foreignCallInterruptible sleepAt

type Back = CLong -> IO CLong

foreignImport "foreign_back" [t|FunPtr Back -> CLong -> IO CLong|]

foreignImport "foreign_back_claimed" [t|FunPtr Back -> CLong -> IO CLong|]

-- unsafe, all five: they only look at the state of calls, and must not be one
foreign import ccall unsafe "foreign_without_barrier" withoutBarrier :: IO CInt

foreign import ccall unsafe "foreign_is_prepared" isPrepared :: IO CInt

foreign import ccall unsafe "foreign_is_possible" isPossible :: IO CInt

foreign import ccall unsafe "foreign_withdraw" withdraw :: IO Word32

foreign import ccall unsafe "foreign_given_up" givenUp :: IO Word32

foreign import ccall "wrapper" newBack :: Back -> IO (FunPtr Back)

-- unsafe: what ours is compared with; it neither blocks nor calls back
foreign import ccall unsafe "foreign_mixed" mixedUnsafe :: Mixed

foreignImportAs "runtime_await" "awaitGate" [t|Ptr Int64 -> IO CLong|]

same :: (Arbitrary a, Show a, Eq a) => String -> (a -> a) -> Spec
same name act = it ("passes and returns " ++ name) . property $ \value -> act value === value

sameIO :: (Arbitrary a, Show a, Eq a) => String -> (a -> IO a) -> Spec
sameIO name act = it ("passes and returns " ++ name) . property $ \value -> ioProperty ((=== value) <$> act value)

spec :: Spec
spec = do
  types
  it "has the function's errno, after a short call and a long one" . forM_ [0, 30000000] $ \ns -> do
    resetErrno
    foreign_fail ns `shouldReturn` (-1)
    code <- getErrno
    (code == eNOTTY) `shouldBe` True
  it "may be made while exceptions are masked, and in unsafePerformIO" $ do
    mask_ (backFrom41 (+ 1)) `shouldReturn` 43
    uninterruptibleMask_ (backFrom41 (+ 1)) `shouldReturn` 43
    unsafePerformIO (foreign_sleep 0) `shouldBe` 0
  it "may be made by a finalizer" $ do
    done <- newEmptyMVar
    -- not foreign_sleep: without threads the runtime system's clock is a signal, which ends that
    newIORef () >>= \key -> void (mkWeakIORef key (foreign_fail 1000000 >>= putMVar done))
    waitUntil (performMajorGC >> not <$> isEmptyMVar done)
    takeMVar done `shouldReturn` (-1)
  it "may call back, and the callback may call" $ do
    backFrom41 (const (fromIntegral (int64 5))) `shouldReturn` 6
    nested 20 `shouldReturn` 20
  it "waits for its Capability though another thread has claimed it too late" $ do
    earlier <- givenUp
    result <- bracket (newBack (pure . (+ 1))) freeHaskellFunPtr $ \back ->
      foreign_back_claimed back 41 <* withdraw
    result `shouldBe` 43
    givenUp `shouldReturn` earlier
  when isThreaded threaded
  child <- runIO isChild
  if child then inChild else when isThreaded fromOutside

backFrom41 :: (CLong -> CLong) -> IO CLong
backFrom41 act = bracket (newBack (pure . act)) freeHaskellFunPtr (`foreign_back` 41)

-- | Calls within calls, each in the callback of the one before, some of them after a while.
nested :: CLong -> IO CLong
nested 0 = pure 0
nested depth = bracket (newBack inner) freeHaskellFunPtr (`foreign_back` depth)
  where
    inner level = when (level `mod` 5 == 0) (void (foreign_sleep 10000000)) >> nested (level - 1)

types :: Spec
types = do
  same "Int8" int8
  same "Int16" int16
  sameIO "Int32" int32
  same "Int64" int64
  same "Word8" word8
  same "Word16" word16
  same "Word32" word32
  sameIO "Word64" word64
  same "Int" int
  same "Word" word
  same "Float" float
  sameIO "Double" double
  same "Bool" bool
  same "Char" char
  it "passes and returns CBool" $ map cBool [0, 1] `shouldBe` [0, 1]
  it "passes and returns pointers" $ do
    pointer (nullPtr `plusPtr` 4711) `shouldBe` (nullPtr `plusPtr` 4711)
    functionPointer (castPtrToFunPtr (nullPtr `plusPtr` 4712)) `shouldBe` castPtrToFunPtr (nullPtr `plusPtr` 4712)
    bracket (newStablePtr "kept") freeStablePtr $ \stable ->
      (stablePointer stable >>= deRefStablePtr) `shouldReturn` "kept"
  it "reads no more of a result than its width" . property $ \value ->
    (rubbish value === value) .&&. (rubbishBool True === True) .&&. (rubbishBool False === False)
  it "returns nothing" $ do
    counted <- foreign_counted
    replicateM_ 10 foreign_count
    foreign_counted `shouldReturn` counted + 10
  it "passes six words" $ foreign_six 1 10 100 1000 10000 100000 `shouldBe` 1 + 20 + 300 + 4000 + 50000 + 600000
  it "passes floats among words" $ foreign_floats 0.5 1 0.25 2 4 `shouldBe` 0.5 + 2 + 0.75 + 8 + 20
  it "passes twenty arguments of many types" . property $
    \(a, b, c, d) (e, f, g, h) (i, j, k, l) (m, n, o, p) (r, s, t) ->
      ioProperty $ do
        ours <- foreign_mixed a b c d (long e) (long f) (long g) (long h) i j k l m n o p 0.5 (long r) (CDouble s) t
        theirs <- mixedUnsafe a b c d (long e) (long f) (long g) (long h) i j k l m n o p 0.5 (long r) (CDouble s) t
        pure (ours === theirs)
  where
    long = CLong

threaded :: Spec
threaded = do
  it "lets another thread of its Capability run while the function blocks" beside
  it "lets collections run while the function blocks" . forM_ [1, 2] $ \count ->
    withCapabilities count . withGate $ \gate -> do
      void . forkIO $ replicateM_ 5 performMajorGC >> poke gate 1
      awaitGate gate `shouldReturn` 1
  -- without threads nobody runs meanwhile who could throw one
  it "lets an exception wait until the function returns" $ do
    start <- getMonotonicTime
    -- long enough that the call has begun, also beside others
    timeout 20000 (foreign_fail 60000000) `shouldReturn` Nothing
    end <- getMonotonicTime
    (end - start) `shouldSatisfy` (>= 0.06)
  it "is interrupted where it is to be" $ do
    start <- getMonotonicTime
    codes <- newIORef []
    got <- timeout 20000 (interruptible' 60000000000 >>= \code -> modifyIORef codes (code :))
    end <- getMonotonicTime
    got `shouldBe` Nothing
    (end - start) `shouldSatisfy` (< 30)
    -- the exception comes before what would be done next
    readIORef codes `shouldReturn` []
  it "may be made by bound threads, on 1 to 8 Capabilities" . forM_ [1, 2, 4, 8] $ \count -> withCapabilities count $ do
    dones <- forM [1 .. 8 :: Int] $ \number -> do
      done <- newEmptyMVar
      let run = if even number then forkOS else forkIO
      _ <- run $ replicateM 100 (backFrom41 (+ 1)) >>= putMVar done
      pure done
    forM_ dones $ \done -> takeMVar done `shouldReturn` replicate 100 43
  it "keeps what a thread has allocated, in storms on 1, 2 and 4 Capabilities" $
    forM_ [1, 2, 4] (`withCapabilities` storm)

-- | A call blocks until another thread of its Capability has run.
beside :: Expectation
beside = withCapabilities 1 . withGate $ \gate -> do
  void . forkIO $ poke gate 1
  awaitGate gate `shouldReturn` 1

withGate :: (Ptr Int64 -> IO a) -> IO a
withGate act = alloca $ \gate -> poke gate 0 >> act gate

-- | Threads that build lists, with calls in between that last from nothing to longer than the monitor waits and with
-- callbacks, while one collects and one throws exceptions.
storm :: IO ()
storm = do
  seconds <- stressSeconds
  stop <- newIORef False
  builders <- forM [1 .. 6 :: Int] $ \seed -> do
    done <- newEmptyMVar
    thread <- mask $ \restore -> forkIO (try (build restore stop seed 1) >>= putMVar done)
    pure (thread, done)
  let interrupt = forM_ builders ((`throwTo` ErrorCall "again") . fst)
  others <- forM [performMajorGC >> threadDelay 700, interrupt >> threadDelay 5000] $
    \act -> do
      done <- newEmptyMVar
      _ <- forkIO $ untilStopped stop act >> putMVar done ()
      pure done
  threadDelay (round (seconds * 1e6))
  writeIORef stop True
  mapM_ takeMVar others
  forM_ builders $ \(_, done) -> takeMVar done >>= either (throwIO :: SomeException -> IO ()) pure
  where
    untilStopped stop act = do
      stopped <- readIORef stop
      unless stopped (act >> untilStopped stop act)

build :: (IO () -> IO ()) -> IORef Bool -> Int -> Int -> IO ()
build restore stop seed turn = do
  stopped <- readIORef stop
  unless stopped $ do
    restore buildOne `catch` \e -> when (e /= ErrorCall "again") (throwIO e)
    build restore stop seed (turn * 1103515245 + 12345)
  where
    buildOne = do
      let list = [seed .. seed + abs turn `mod` 50]
      parts <- forM list $ \element -> do
        let pair = (element, show element)
        void $ case (abs turn `div` 64 + element) `mod` 97 of
          0 -> foreign_sleep 9000000
          1 -> foreign_sleep 100000
          2 -> fromIntegral <$> backFrom41 (+ 1)
          _ -> foreign_sleep 0 <* foreign_count
        pure pair
      when (map fst parts /= list || map snd parts /= map show list) $ throwIO (AssertionFailed "a list was changed")

-- | What needs a process, or options of the runtime system, of its own.
fromOutside :: Spec
fromOutside = do
  forM_ [1, 2, 4 :: Int] $ \count -> forM_ [forkName, endName] $ \name ->
    it (name ++ " on -N" ++ show count) $ passes ["-N" ++ show count] name
  forM_ [noBarrierName, firstName] $ \name -> it name $ passes ["-N2"] name
  when nonMovingWorks . it (stormName ++ " with --nonmoving-gc") $ passes ["-N2", "-A256k", "--nonmoving-gc"] stormName

inChild :: Spec
inChild = do
  it stormName storm
  it noBarrierName $ do
    withoutBarrier `shouldReturn` 0
    beside
    backFrom41 (+ 1) `shouldReturn` 43
    nested 20 `shouldReturn` 20
    storm
    isPossible `shouldReturn` 0
  it firstName $ isPrepared `shouldReturn` 1
  it forkName $ do
    foreign_sleep 0 `shouldReturn` 0
    child <- forkProcess $ do
      codes <- replicateM 20 (foreign_sleep 1000000)
      back <- backFrom41 (+ 1)
      exitImmediately (if all (== 0) codes && back == 43 then ExitSuccess else ExitFailure 1)
    getProcessStatus True False child `shouldReturn` Just (Exited ExitSuccess)
    foreign_sleep 0 `shouldReturn` 0
  it endName $ do
    begun <- newEmptyMVar
    void . forkIO $ putMVar begun () >> void (foreign_sleep 60000000000)
    takeMVar begun
    threadDelay 1000

-- | The test of this name passes in a process of its own with these options.
passes :: [String] -> String -> Expectation
passes options name = do
  (code, said) <- runAgain options ("/Ferry.Foreign/" ++ name ++ "/")
  when (code /= ExitSuccess) (expectationFailure (show code ++ said))

stormName, noBarrierName, firstName, forkName, endName :: String
stormName = "survives a storm"
noBarrierName = "is a safe call where the system has no membarrier"
firstName = "does not wait for the system when it is the first one"
forkName = "forks after a call"
endName = "ends during a call"
