-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE DataKinds #-}
{-# LANGUAGE OverloadedStrings #-}

module Ferry.BatchSpec (spec) where

import Control.Arrow ((***))
import Control.Exception (try)
import Control.Monad
import Data.Bifunctor (bimap)
import Data.Bits ((.|.))
import qualified Data.ByteString as ByteString
import qualified Data.ByteString.Char8 as Char8
import Data.Int (Int64)
import Data.Maybe (isJust, isNothing)
import Data.Word (Word16, Word8)
import Ferry.Batch
import Ferry.Error (NotRun (..), ProgramError (..))
import Ferry.Internal.Prepare (Prepared (..), touchPrepared)
import Ferry.Internal.Spec (batchSlotMayBlock, slotBytes, slotFlagsOffset)
import Ferry.Tree
import Foreign.C.Error (Errno (..), eBADF, eEXIST, eNOENT)
import Foreign.C.Types (CInt)
import Foreign.Marshal.Alloc (alloca)
import Foreign.Ptr (Ptr, castPtr)
import Foreign.Storable (Storable (..))
import GHC.IO.Exception (IOException (..))
import System.Posix.Process (getProcessID)
import Test.Hspec
import Test.QuickCheck
import Prelude hiding (read)

spec :: Spec
spec = do
  forM_ [minBound .. maxBound] $ \mode -> describe (show mode) (inMode mode)
  describe "errors" failing
  describe "calls that may block" marks
  describe "executors" executors
  describe "structures" structures

-- | Write a file, look at it, and read as many bytes as it has.
inMode :: Mode -> Spec
inMode mode = do
  it "feeds a descriptor and a field of a structure into later calls" . withFolder $ \folder -> do
    (written, contents') <- run mode $ do
      path <- constantBytes (inside folder "file")
      fd <- open path (oRdwr .|. oCreat .|. oExcl .|. oCloexec) 0o600
      stopOnFailure fd
      text <- constantBytes "many calls, one crossing"
      written <- write fd text (literal 24)
      looked <- cell
      _ <- fstat fd (address looked)
      buffer <- cells 100
      count <- pread fd (address buffer) (retype (contents (stSizeAt looked))) (literal 0)
      _ <- close fd
      pure ((,) <$> result written <*> readBytes (fromIntegral <$> result count) buffer)
    (written, contents') `shouldBe` (24, "many calls, one crossing")
  it "sets parameters between runs" . withFolder $ \folder -> do
    ByteString.writeFile (folder ++ "/file") "0123456789"
    (offset, prepared) <- prepareWith loopExecutor $ do
      offset <- parameter
      path <- constantBytes (inside folder "file")
      fd <- open path oRdonly 0
      byte <- cells 1
      count <- pread fd (address byte) (literal 1) (given offset)
      _ <- close fd
      pure (offset, readBytes (fromIntegral <$> result count) byte)
    forM_ [3, 9, 0, 10] $ \at -> do
      setParameter prepared offset at
      runPrepared mode prepared `shouldReturn` ByteString.take 1 (ByteString.drop (fromIntegral at) "0123456789")

  it "jumps where results of 8 bytes are equal" . property $ \(NonNegative a) (NonNegative b) ->
    forAll (elements [a, b, a + 4294967296, a + 1]) $ \other ->
      ioProperty $ (=== wayAt a b other) <$> run mode (jumping a b other)
  it "jumps where results of 4 bytes, parameters and cells are equal" $ do
    pid <- fromIntegral <$> getProcessID
    (wanted, prepared) <- prepareWith loopExecutor $ do
      wanted <- parameter
      next <- constant (pid + 1 :: CInt)
      kept <- cell
      fd <- constantBytes "equal" >>= (`memfd_create` 0)
      _ <- write fd next 4
      _ <- pread fd (address kept) 4 0
      _ <- close fd
      own <- getpid
      byResult <- ifEqual own (given wanted) getppid
      byCell <- ifEqual (given wanted) (contents kept) getppid
      pure (wanted, (,) <$> outputIfRan byResult <*> outputIfRan byCell)
    forM_ [(pid, (True, False)), (pid + 1, (False, True)), (0, (False, False))] $ \(given', ways) -> do
      setParameter prepared wanted given'
      (isJust *** isJust) <$> runPrepared mode prepared `shouldReturn` ways

-- | A way through a program: which of its four calls ran.
wayAt :: Int64 -> Int64 -> Int64 -> [Bool]
wayAt a b other = [a == b, a /= b, a /= other, a /= other && b /= other]

-- | Two positions in a file, compared with each other and with a number in each way there is.
jumping :: Int64 -> Int64 -> Int64 -> Program 'SystemCalls (Output [Bool])
jumping a b other = do
  name <- constantBytes "equal"
  fd <- memfd_create name 0
  first <- lseek fd (literal (fromIntegral a)) (literal seekSet)
  second <- lseek fd (literal (fromIntegral b)) (literal seekSet)
  _ <- close fd
  same <- ifEqual first second getppid
  different <- unlessEqual first second getppid
  behind <- newLabel
  jumpIfEqual (literal (fromIntegral other)) first behind
  passed <- getppid
  finishIfEqual second (literal (fromIntegral other))
  last' <- getppid
  place behind
  pure (traverse (fmap isJust . outputIfRan) [same, different, passed, last'])

failing :: Spec
failing = do
  it "name the call and the path that was constant" $ do
    Left failure <- try (run Adaptive (constantBytes "/no/such \xc3\xa4" >>= \path -> result <$> open path oRdonly 0))
    (ioe_location failure, ioe_filename failure, ioe_errno failure)
      `shouldBe` ("openat", Just "/no/such \228", Just (number eNOENT))
  it "say what is not compared" $ do
    let refuses program said = do
          Left (ProgramError _ why) <- try (prepare (result <$> (program >> getpid)))
          why `shouldContain` said
    refuses (finishIfEqual (literal (1 :: CInt)) 2) "one of two compared values is a call's result"
    refuses (parameter >>= \offset -> lseek 0 0 0 >>= finishIfEqual (given offset)) "nor a parameter of 8 bytes"
    refuses (cell >>= \byte -> finishIfEqual (contents byte) (7 :: Value Word8)) "numbers of 4 and of 8 bytes"
  it "name no path where the call has none" $ do
    Left failure <- try . run Adaptive $ do
      text <- constantBytes "text"
      result <$> write (literal (-1)) text (literal 4)
    (ioe_location failure, ioe_filename failure, ioe_errno failure) `shouldBe` ("write", Nothing, Just (number eBADF))
  it "name the new path of a call with two" . withFolder $ \folder -> do
    Left failure <- try . run Adaptive $ do
      old <- constantBytes (inside folder "old")
      new <- constantBytes (inside folder "new")
      result <$> renameat2 (literal atFdcwd) old (literal atFdcwd) new (literal 0)
    ioe_filename failure `shouldBe` Just (folder ++ "/old")
  it "can be had as values" . withFolder $ \folder -> do
    got <- run Adaptive $ do
      path <- constantBytes (Char8.pack folder)
      made <- mkdirat (literal atFdcwd) path (literal 0o700)
      removed <- unlessFailed made (unlinkat (literal atFdcwd) path (literal atRemovedir))
      pure ((,) <$> attempt made <*> attemptIfRan removed)
    bimap (either number (const 0)) isNothing got `shouldBe` (number eEXIST :: Int, True)
  it "say what did not run" $ do
    got <- try . run Adaptive $ do
      path <- constantBytes "/no such file"
      opened <- open path oRdonly 0
      stopOnFailure opened
      result <$> fsync opened
    got `shouldBe` Left (NotRun "fsync" Nothing)

number :: Num a => Errno -> a
number (Errno code) = fromIntegral code

-- | What the slots of a program are marked as.
marked :: Program 'SystemCalls a -> IO [Bool]
marked program = do
  prepared <- prepare (pure () <$ program)
  slots <- peekByteOff (preparedProgram prepared) 8 :: IO (Ptr Word8)
  calls <- peekByteOff (preparedProgram prepared) 24 :: IO Int
  flags <- forM [0 .. calls - 1] $ \slot -> peekByteOff slots (slotBytes * slot + slotFlagsOffset) :: IO Word8
  touchPrepared prepared
  pure (map (== fromIntegral batchSlotMayBlock) flags)

marks :: Spec
marks = do
  it "are marked by their nature" $
    marked (prompt' >> waiting) `shouldReturn` [False, True]
  it "are marked as the program says" $
    marked (mayBlock (prompt' >> doesNotBlock (waiting >> prompt') >> waiting) >> doesNotBlock waiting >> waiting)
      `shouldReturn` [True, False, False, True, False, True]
  where
    waiting = close (literal (-1))
    prompt' = getpid

executors :: Spec
executors = do
  it "null makes no call" $
    runOn nullExecutor Adaptive (result <$> getpid) `shouldReturn` 0
  it "loop makes it" $ do
    process <- getProcessID
    runOn loopExecutor Adaptive (fmap fromIntegral . result <$> getpid) `shouldReturn` process
  it "auto gives what loop gives, and does so when it is closed" . withFolder $ \folder -> do
    let square file = Char8.pack (show (file * file :: Int))
    forM_ [0 .. 39] $ \file -> ByteString.writeFile (folder ++ "/" ++ show file) (square file)
    let program = sequenceA <$> mapM (readOne folder) [0 .. 41]
        expected = map (Right . square) [0 .. 39] ++ replicate 2 (Left (number eNOENT))
    prepared <- withAutoExecutor $ \auto -> do
      prepared <- prepareOn auto program
      prepared <$ replicateM_ 3 (runPrepared Adaptive prepared `shouldReturn` expected)
    runPrepared Adaptive prepared `shouldReturn` expected
    openIn folder `shouldReturn` 0
  where
    readOne :: FilePath -> Int -> Program 'SystemCalls (Output (Either Int ByteString.ByteString))
    readOne folder file = do
      path <- constantBytes (inside folder (Char8.pack (show file)))
      next <- newLabel
      fd <- open path oRdonly 0
      jump fd OnFailure next
      buffer <- cells 64
      count <- read fd (address buffer) (literal 64)
      _ <- close fd
      place next
      let contents' = readBytes (maybe 0 fromIntegral <$> resultIfRan count) buffer
      pure ((<$) <$> contents' <*> (either (Left . number) Right <$> attempt fd))

-- | What @utimensat@ takes: when a file was last read and written.
data Times = Times Timespec Timespec

instance Storable Times where
  sizeOf _ = 2 * sizeOf (Timespec 0 0)
  alignment _ = alignment (Timespec 0 0)
  peek at = Times <$> peekElemOff (castPtr at) 0 <*> peekElemOff (castPtr at) 1
  poke at (Times accessed modified) = pokeElemOff (castPtr at) 0 accessed >> pokeElemOff (castPtr at) 1 modified

structures :: Spec
structures = do
  it "are passed by address" . withFolder $ \folder -> do
    ByteString.writeFile (folder ++ "/file") ""
    got <- run Adaptive $ do
      path <- constantBytes (inside folder "file")
      times <- constant (Times (Timespec 1 2) (Timespec 3 4))
      changed <- utimensat (literal atFdcwd) path (retype times) (literal 0)
      out <- cell
      looked <- statx (literal atFdcwd) path (literal 0) (literal statxBasicStats) (address out)
      pure (result changed *> result looked *> readCell out)
    (stxAtime got, stxMtime got) `shouldBe` (Timespec 1 2, Timespec 3 4)
  it "are read as they were written" . property $ \size seconds inode mode ->
    ioProperty . alloca $ \at -> do
      let statx' = statxOf size seconds inode (fromIntegral (mode :: Word16))
      poke at statx'
      (=== statx') <$> peek at
  where
    statxOf size seconds inode mode =
      Statx 1 2 3 4 5 6 mode inode size 9 (time 1) (time 2) (time 3) (time 4) 10 11 12 13
      where
        time = Timespec seconds
