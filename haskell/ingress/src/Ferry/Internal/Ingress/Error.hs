-- SPDX-License-Identifier: BSD-3-Clause

-- | Why bytes are no value, or a value cannot be sent: a reason, and the path to the bad field (spec/interface.md, W8).
module Ferry.Internal.Ingress.Error
  ( Reason (..),
    Key (..),
    keyName,
    Path (..),
    WireError (..),
    wireErrorText,
  )
where

import Control.Exception (Exception (..))
import Data.Word (Word8)
import Foreign.Ptr (Ptr, plusPtr)
import Foreign.Storable (peekByteOff)
import System.IO.Unsafe (unsafePerformIO)

-- | What is wrong.
data Reason
  = EndsEarly
  | WrongType
  | OutOfRange
  | InvalidUtf8
  | UnknownEnumValue
  | UnknownCase
  | Missing
  | GivenTwice
  | LeftOver
  | TooDeep
  | Malformed
  | WrongOffset
  | PaddingNotZero
  | NotABool
  | OutOfOrder
  | NoMemory
  deriving (Eq, Show)

-- | A field's name as it travels in format @cbor@: a head of one byte or two, and the name. It is a literal of the
-- program's, which lives as long as that.
data Key = Key {keyBytes :: !(Ptr Word8), keyLength :: !Int}

-- | The name of a field, by its key.
keyName :: Key -> String
keyName (Key bytes count) = unsafePerformIO $ do
  first <- peekByteOff bytes 0 :: IO Word8
  let skipped = if first == 0x78 then 2 else 1
  mapM (fmap byte . peekByteOff (bytes `plusPtr` skipped)) [0 .. count - skipped - 1]
  where
    byte :: Word8 -> Char
    byte = toEnum . fromIntegral

-- | The way to a value, from the inside out.
data Path
  = Whole
  | InField !Key Path
  | InIndex !Int Path
  | InPair String Path

-- | Why bytes are no value.
data WireError = WireError !Reason Path

instance Show WireError where
  show = wireErrorText

instance Exception WireError

-- | As hosts are told: @notes[3].title: invalid UTF-8@.
wireErrorText :: WireError -> String
wireErrorText (WireError reason path) = case steps path "" of
  "" -> reasonText reason
  ('.' : way) -> way ++ ": " ++ reasonText reason
  way -> way ++ ": " ++ reasonText reason

steps :: Path -> String -> String
steps Whole rest = rest
steps (InField key path) rest = steps path ('.' : keyName key ++ rest)
steps (InPair part path) rest = steps path ('.' : part ++ rest)
steps (InIndex index path) rest = steps path ('[' : show index ++ ']' : rest)

reasonText :: Reason -> String
reasonText reason = case reason of
  EndsEarly -> "ends early"
  WrongType -> "wrong type"
  OutOfRange -> "out of range"
  InvalidUtf8 -> "invalid UTF-8"
  UnknownEnumValue -> "unknown enum value"
  UnknownCase -> "unknown case"
  Missing -> "missing"
  GivenTwice -> "given twice"
  LeftOver -> "bytes left over"
  TooDeep -> "nested too deep"
  Malformed -> "malformed"
  WrongOffset -> "wrong offset"
  PaddingNotZero -> "padding not zero"
  NotABool -> "neither 0 nor 1"
  OutOfOrder -> "keys out of order"
  NoMemory -> "no memory"
