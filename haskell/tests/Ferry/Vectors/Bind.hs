-- SPDX-License-Identifier: BSD-3-Clause

-- | From a parsed vector to slots with addresses: memory and files are made, sums are added up.
--
-- Results are filled with a pattern that no call returns, and one more result than the batch has guards their end.
module Ferry.Vectors.Bind
  ( Bound (..),
    Names (..),
    withBound,
    sumValue,
    untouched,
    pageBytes,
    numberOf,
    readSlots,
  )
where

import Control.Exception (bracket)
import Control.Monad (foldM_, forM_)
import Data.Bits ((.&.), (.|.))
import Data.ByteString (ByteString, packCStringLen)
import qualified Data.ByteString.Char8 as Char8
import Data.Int (Int16, Int64)
import Data.Maybe (fromMaybe)
import Data.Word (Word8)
import Ferry.Internal.Spec
import Ferry.Model.Functions (doubleWord)
import Ferry.Vectors.Parse
import Foreign.C.String (CString, castCharToCChar, newCString, withCString)
import Foreign.C.Types
import Foreign.Marshal.Alloc (alloca, allocaBytesAligned, callocBytes, free)
import Foreign.Marshal.Array (pokeArray)
import Foreign.Marshal.Utils (copyBytes, fillBytes, toBool)
import Foreign.Ptr
import Foreign.Storable
import System.Directory (createDirectory, getTemporaryDirectory, removePathForcibly)
import System.Posix.Process (getProcessID)

-- All unsafe: they only look up names and map memory.

foreign import ccall unsafe "vector_call_number" cCallNumber :: Lookup

foreign import ccall unsafe "vector_function_number" cFunctionNumber :: Lookup

foreign import ccall unsafe "vector_reason" cReason :: Lookup

foreign import ccall unsafe "vector_constant" cConstant :: Lookup

foreign import ccall unsafe "vectors_page_bytes" cPageBytes :: CSize

foreign import ccall unsafe "vectors_page_map" cPageMap :: CInt -> IO (Ptr Word8)

foreign import ccall unsafe "vectors_page_unmap" cPageUnmap :: Ptr Word8 -> IO ()

type Lookup = CString -> Ptr CLong -> IO CBool

-- | What a name names.
data Names = CallNames | FunctionNames | ReasonNames | ConstantNames

-- | The number of a name; it must be known.
numberOf :: Names -> String -> IO Int64
numberOf names text = withCString text $ \at -> alloca $ \out -> do
  found <- find at out
  if toBool found then fromIntegral <$> peek out else fail ("nothing is named " ++ text)
  where
    find = case names of
      CallNames -> cCallNumber
      FunctionNames -> cFunctionNumber
      ReasonNames -> cReason
      ConstantNames -> cConstant

pageBytes :: Int
pageBytes = fromIntegral cPageBytes

-- | A vector in memory.
data Bound = Bound
  { boundSlots :: Ptr Word8,
    boundRets :: Ptr Int64,
    boundMemory :: [(String, Ptr Word8)]
  }

-- | What a result is until its slot runs.
untouched :: Int -> Int64
untouched index = 0x5a5ac0de00000000 .|. (fromIntegral index .&. 0xffffffff)

-- | The value of a sum, with this vector's addresses.
sumValue :: Bound -> Sum -> IO Int64
sumValue bound terms = sum <$> mapM value terms
  where
    value (negative, term) = (if negative then negated term else id) <$> termValue bound term
    negated (Real x) = const (doubleWord (negate x))
    negated _ = negate

termValue :: Bound -> Term -> IO Int64
termValue bound term = case term of
  Number word -> pure word
  Real x -> pure (doubleWord x)
  Constant "PAGE" -> pure (fromIntegral pageBytes)
  Constant text -> numberOf ConstantNames text
  MemoryAt text -> maybe (fail ("no memory is named " ++ text)) (pure . at) (lookup text (boundMemory bound))
  RetAt index -> pure (at (boundRets bound `plusPtr` (8 * index)))
  ArgAt index argument -> pure (at (slotAt bound index `plusPtr` (slotArgOffset + 8 * argument)))
  SlotAt index -> pure (at (slotAt bound index))
  where
    at :: Ptr a -> Int64
    at pointer = case ptrToIntPtr pointer of IntPtr word -> fromIntegral word

slotAt :: Bound -> Int -> Ptr Word8
slotAt bound index = boundSlots bound `plusPtr` (slotBytes * index)

-- | Make everything the vector needs, and remove it in the end.
withBound :: Vector -> (Bound -> IO a) -> IO a
withBound vector use =
  allocaBytesAligned ((count + 1) * slotBytes) 64 $ \slots ->
    allocaBytesAligned ((count + 1) * 8) 8 $ \rets ->
      withFolder $ \folder ->
        bracket (mapM (makeMemory folder) (vectorMemory vector)) (mapM_ unmakeMemory) $ \memory -> do
          let bound = Bound slots rets [(text, at) | (text, _, at) <- memory]
          fillBytes slots 0 ((count + 1) * slotBytes)
          pokeArray rets (map untouched [0 .. count])
          foldM_ (fillLine (vectorFunctions vector) bound) 0 (vectorLines vector)
          use bound
  where
    count = slotCountOf vector
    withFolder = if or [True | (_, content) <- vectorMemory vector, isPath content] then withTemporaryFolder else ($ "")

isPath :: Memory -> Bool
isPath content = case content of
  File _ -> True
  Missing -> True
  _ -> False

withTemporaryFolder :: (FilePath -> IO a) -> IO a
withTemporaryFolder = bracket make removePathForcibly
  where
    make = do
      parent <- getTemporaryDirectory
      process <- getProcessID
      let folder = parent ++ "/ferry-vector-" ++ show process
      removePathForcibly folder
      createDirectory folder
      pure folder

makeMemory :: FilePath -> (String, Memory) -> IO (String, Memory, Ptr Word8)
makeMemory folder (text, content) =
  (,,) text content <$> case content of
    Zeros bytes -> callocBytes (bytes + 8)
    Bytes characters -> do
      at <- callocBytes (length characters + 1 + 8)
      at <$ pokeArray (castPtr at) (map castCharToCChar characters)
    Page protection -> cPageMap (fromMaybe 0 (lookup protection [("none", 0), ("read", 1), ("write", 2)]))
    File characters -> castPtr <$> (Char8.writeFile path (Char8.pack characters) >> newCString path)
    Missing -> castPtr <$> newCString path
  where
    path = folder ++ "/" ++ text

unmakeMemory :: (String, Memory, Ptr Word8) -> IO ()
unmakeMemory (_, content, at) = case content of
  Page _ -> cPageUnmap at
  _ -> free at

-- | Fill the slots of a line from this one on. The slot behind them.
fillLine :: Bool -> Bound -> Int -> (Int, Slot) -> IO Int
fillLine functions bound index (times, slot) = do
  fillSlot functions bound index slot
  forM_ [index + 1 .. index + times - 1] $ \other -> copyBytes (slotAt bound other) (slotAt bound index) slotBytes
  pure (index + times)

fillSlot :: Bool -> Bound -> Int -> Slot -> IO ()
fillSlot functions bound index slot = do
  nr <- either (numberOf (if functions then FunctionNames else CallNames)) (pure . fromIntegral) (slotCall slot)
  arguments <- mapM (sumValue bound) (slotArguments slot)
  pokeByteOff at slotNrOffset (fromIntegral nr :: Int16)
  pokeByteOff at slotJumpFailOffset (setting "fail" 0 :: Int16)
  pokeByteOff at slotJumpZeroOffset (setting "zero" 0 :: Int16)
  pokeByteOff at slotJumpPositiveOffset (setting "positive" 0 :: Int16)
  pokeByteOff at slotArgcOffset (setting "argc" (length arguments) :: Word8)
  forM_ [slotArgcOffset + 1 .. slotArgOffset - 1] $ \offset -> pokeByteOff at offset (setting "reserved" 0 :: Word8)
  pokeByteOff at slotFlagsOffset (setting "slot_flags" 0 :: Word8)
  pokeArray (at `plusPtr` slotArgOffset) arguments
  where
    at = slotAt bound index
    setting text fallback = fromIntegral (fromMaybe fallback (lookup text (slotSettings slot)))

-- | Every byte of the slots.
readSlots :: Bound -> Int -> IO ByteString
readSlots bound count = packCStringLen (castPtr (boundSlots bound), count * slotBytes)
