-- SPDX-License-Identifier: BSD-3-Clause

-- | What the code that @ferry bindgen --provider haskell@ writes stands on. It is no interface for others: the code is
-- written anew for each version.
module Ferry.Ingress.Provider
  ( -- * Serving
    Native,
    Served,
    Serve,
    Call,
    begin,
    method,
    static,
    constructor,
    raisingConstructor,
    destructor,
    held,
    Held (..),
    Context,
    Reply,
    NoError,
    NoParams (..),

    -- * Events and handles
    emit,
    hears,
    openHandle,
    handleObject,
    closeHandle,

    -- * Wire formats
    Codec (..),
    getEnum,
    getFlatEnum,
    Key (..),
    slot,
    into,
    taken,
    object,
    field,
    flatField,
    readObject,
    caseOf,
    putCase,
    getCase,
    putFlatCase,
    getFlatCase,
    deeper,
    nested,
    zeros,
    isPresent_,
    encode,
    decode,
    Wire,
    wireErrorText,

    -- * What these are about
    Writer,
    Buffer,
    Reader,
    MapKey (..),
    Slot,
    Field,
    Case,
    WireError,

    -- * Types
    Bool (..),
    ByteString,
    Double,
    Either,
    Eq,
    Float,
    IO,
    Int,
    Int16,
    Int32,
    Int64,
    Int8,
    Map,
    Maybe (..),
    Ord,
    Ptr (..),
    Show,
    StablePtr,
    String,
    Text,
    Type,
    Word16,
    Word32,
    Word64,
    Word8,

    -- * Functions
    Applicative (..),
    Monad (..),
    fromString,
    negate,
    nan,
    infinity,
    plusPtr,
    (+),
    (<$>),
  )
where

import Data.ByteString (ByteString)
import Data.Int (Int16, Int32, Int64, Int8)
import Data.Kind (Type)
import Data.Map.Strict (Map)
import Data.Text (Text)
import qualified Data.Text as Text
import Data.Word (Word16, Word32, Word64, Word8)
import Ferry.Internal.Ingress.C (Native)
import Ferry.Internal.Ingress.Cbor (Field)
import Ferry.Internal.Ingress.Codec
import Ferry.Internal.Ingress.Compound
import Ferry.Internal.Ingress.Context
import Ferry.Internal.Ingress.Entry
import Ferry.Internal.Ingress.Error (Key (..), WireError, wireErrorText)
import Ferry.Internal.Ingress.Flat (zeros)
import Ferry.Internal.Ingress.Reader (Reader, deeper)
import Ferry.Internal.Ingress.Reply (Call, Reply)
import Ferry.Internal.Ingress.Writer (Buffer, Writer, nested)
import Foreign.Ptr (plusPtr)
import Foreign.StablePtr (StablePtr)
import GHC.Ptr (Ptr (..))

-- | 1 for a field that travels in format @cbor@, else 0.
isPresent_ :: Codec a => a -> Int
isPresent_ value = if isPresent value then 1 else 0
{-# INLINE isPresent_ #-}

-- | A text, as it stands in a program.
fromString :: String -> Text
fromString = Text.pack

-- | Not a number.
nan :: Fractional a => a
nan = 0 / 0

-- | More than any number.
infinity :: Fractional a => a
infinity = 1 / 0
