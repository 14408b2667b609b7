-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE DataKinds #-}
{-# OPTIONS_HADDOCK not-home #-}

-- | The same calls for each of many paths, in batches: one prepared program, whose parameters are the paths.
module Ferry.Internal.Files.Each
  ( -- * Limits
    batchFiles,
    batchWidths,

    -- * Batches of paths
    Each,
    prepareEach,
    runEach,
    foldEach,

    -- * Errors
    pathError,
  )
where

import Control.Monad (forM)
import Data.ByteString (ByteString)
import qualified Data.ByteString as ByteString
import Data.ByteString.Unsafe (unsafeUseAsCStringLen)
import Data.IORef (IORef, newIORef, readIORef, writeIORef)
import Data.Word (Word8)
import Ferry.Batch
import Ferry.Internal.Failure (callError)
import Ferry.Internal.Files.Kept (Kept, withKept)
import Ferry.Internal.Files.Overlap (batchFiles)
import Ferry.Internal.Prepare (forAnyThread)
import Foreign.C.Error (Errno, eFAULT, eINVAL)
import Foreign.C.Types (CChar)
import Foreign.ForeignPtr (ForeignPtr, mallocForeignPtrBytes, withForeignPtr)
import Foreign.Marshal.Utils (copyBytes)
import Foreign.Ptr (Ptr, castPtr, nullPtr, plusPtr)
import Foreign.Storable (Storable (..))

-- | How many paths programs are prepared for. A place that is left over costs 0.3 us, and there are at most three for
-- each path; preparing a program for just so many paths costs up to 5 us for each.
batchWidths :: [Int]
batchWidths = [1, 4, 16, batchFiles]

-- | A prepared program for up to so many paths at a time. For one thread at a time.
data Each a = Each
  { eachPrepared :: !(Prepared [a]),
    eachPaths :: [Parameter (Ptr CChar)],
    eachNames :: !(IORef Names)
  }

-- | Memory for the paths of one batch, and its bytes.
data Names = Names !(ForeignPtr Word8) !Int

-- | A program for so many paths, of the calls of each; these are given the path's place in the batch.
prepareEach :: Int -> (Int -> Value (Ptr CChar) -> Program 'SystemCalls (Output a)) -> IO (Each a)
prepareEach count calls = do
  names <- newNames 4096 >>= newIORef
  (paths, prepared) <- prepareWith loopExecutor $ do
    parts <- forM [0 .. count - 1] $ \index -> do
      path <- parameter
      (,) path <$> calls index (given path)
    pure (map fst parts, traverse snd parts)
  Each prepared paths names <$ forAnyThread prepared

newNames :: Int -> IO Names
newNames bytes = (`Names` bytes) <$> mallocForeignPtrBytes bytes

-- | Run for these paths, which are no more than it was prepared for: a result for each.
--
-- A path that is none, because it contains a NUL, is passed as a null pointer: a call with it fails with @EFAULT@, and
-- with another path none does. Where there are fewer paths than places the rest gets the empty path, which is found not
-- to exist in a tenth of the time that the kernel takes for a null pointer.
runEach :: Mode -> Each a -> [ByteString] -> IO [a]
runEach mode each paths = do
  memory <- namesFor each (1 + sum (map ByteString.length paths) + length paths)
  withForeignPtr memory $ \empty -> do
    poke empty 0
    setPaths (eachPrepared each) (castPtr empty) (eachPaths each) paths (empty `plusPtr` 1)
    zipWith const <$> runPrepared mode (eachPrepared each) <*> pure paths

-- | Memory for this many bytes of paths.
namesFor :: Each a -> Int -> IO (ForeignPtr Word8)
namesFor each bytes = do
  Names memory capacity <- readIORef (eachNames each)
  if bytes <= capacity
    then pure memory
    else do
      Names larger capacity' <- newNames (2 * bytes)
      writeIORef (eachNames each) (Names larger capacity')
      pure larger

-- | Copy the paths to memory and set the parameters to where they are; those left over, to the empty path.
setPaths :: Prepared [a] -> Ptr CChar -> [Parameter (Ptr CChar)] -> [ByteString] -> Ptr Word8 -> IO ()
setPaths prepared empty = go
  where
    go [] _ _ = pure ()
    go parameters [] _ = mapM_ (\path -> setParameter prepared path empty) parameters
    go (parameter' : parameters) (path : paths) at
      | ByteString.elem 0 path = do
        setParameter prepared parameter' nullPtr
        go parameters paths at
      | otherwise = do
        let bytes = ByteString.length path
        unsafeUseAsCStringLen path $ \(from, _) -> copyBytes at (castPtr from) bytes
        pokeByteOff at bytes (0 :: Word8)
        setParameter prepared parameter' (castPtr at)
        go parameters paths (at `plusPtr` (bytes + 1))

-- | Fold over the results for any number of paths, in their order, a batch at a time. What is kept is for these calls
-- only.
foldEach ::
  Kept (Each a) ->
  Mode ->
  (Value (Ptr CChar) -> Program 'SystemCalls (Output a)) ->
  (state -> ByteString -> a -> IO state) ->
  state ->
  [ByteString] ->
  IO state
foldEach kept mode calls step start paths
  | null paths = pure start
  | otherwise =
    withKept kept batchWidths (length (take batchFiles paths)) (\width -> prepareEach width (const calls)) $ \each ->
      let go state [] = pure state
          go state left = do
            let (batch, rest) = splitAt batchFiles left
            results <- runEach mode each batch
            state' <- foldResults state batch results
            go state' rest
       in go start paths
  where
    foldResults state (path : batch) (found : results) = do
      state' <- step state path found
      state' `seq` foldResults state' batch results
    foldResults state _ _ = pure state

-- | The error of a call on a path that was given to 'runEach'.
pathError :: String -> ByteString -> Errno -> IO IOError
pathError name path errno = callError name (Just path) (if errno == eFAULT then eINVAL else errno)
