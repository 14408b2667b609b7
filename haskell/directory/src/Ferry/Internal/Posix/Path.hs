-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE BangPatterns #-}
{-# LANGUAGE CPP #-}
{-# LANGUAGE FlexibleInstances #-}
-- filepath 1.4 has the types of os-string in a module that it calls deprecated
{-# OPTIONS_GHC -Wno-deprecations #-}
{-# OPTIONS_HADDOCK not-home #-}

-- | Paths as C takes them, and the errors of calls that were given one.
module Ferry.Internal.Posix.Path
  ( Path (..),

    -- * Errors
    checked,
    checked_,
    retried,
    retried_,
    throwPath,
    located,
    named,
  )
where

import Control.Exception (allowInterrupt)
import Control.Monad (void, when)
import Data.ByteString (ByteString)
import qualified Data.ByteString as ByteString
import qualified Data.ByteString.Char8 as Char8
import Data.Char (chr, ord)
import Data.List (isPrefixOf)
import Data.Word (Word8)
import Foreign.C.Error (eINTR, errnoToIOError, getErrno)
import Foreign.C.String (CString, CStringLen)
import Foreign.Marshal.Alloc (allocaBytes)
import Foreign.Storable (peekByteOff, pokeByteOff)
import GHC.IO.Encoding (getFileSystemEncoding)
import GHC.IO.Encoding.Types (TextEncoding (textEncodingName))
import GHC.IO.Exception (IOErrorType (InvalidArgument), IOException (..))
import System.IO.Error (ioeGetLocation, ioeSetFileName, ioeSetLocation, modifyIOError)
import System.Posix.Internals (peekFilePathLen, withFilePath)
#if MIN_VERSION_filepath(1,4,100)
import qualified Data.ByteString.Short as Short
import Data.Either (fromRight)
import GHC.IO.Encoding.Failure (CodingFailureMode (RoundtripFailure))
import GHC.IO.Encoding.UTF8 (mkUTF8)
import System.OsPath.Posix (decodeWith)
import System.OsString.Internal.Types (OsString (..), PosixString (..))
#endif

-- | What names a file.
class Path path where
  -- | As a string of C. One that contains a NUL is an error: C would take what is before it for the path.
  withPath :: path -> (CString -> IO a) -> IO a

  -- | From what the kernel gave.
  pathFrom :: CStringLen -> IO path

  -- | As errors have it.
  pathName :: path -> FilePath

-- | In the encoding of file names. Most names are ASCII and most encodings UTF-8; then a name need not go through GHC's
-- encoder, which takes longer than a call.
instance Path [Char] where
  withPath path use = case lookedThrough path of
    Nul -> ioError (interiorNul path)
    Other -> withFilePath path use
    Ascii count -> do
      plain <- isPlain
      if plain then allocaBytes (count + 1) $ \at -> copied at path >> use at else withFilePath path use
  pathFrom (at, count) = do
    plain <- isPlain
    if plain then go [] (count - 1) else decoded
    where
      decoded = peekFilePathLen (at, count)
      go found !index
        | index < 0 = pure found
        | otherwise = do
          byte <- peekByteOff at index :: IO Word8
          if byte < 0x80 then go (chr (fromIntegral byte) : found) (index - 1) else decoded
  pathName = id

-- | Copy characters of ASCII, and a NUL.
copied :: CString -> FilePath -> IO ()
copied at = go 0
  where
    go :: Int -> FilePath -> IO ()
    go !index [] = pokeByteOff at index (0 :: Word8)
    go !index (char : rest) = do
      pokeByteOff at index (fromIntegral (ord char) :: Word8)
      go (index + 1) rest

data Look = Ascii !Int | Other | Nul

lookedThrough :: FilePath -> Look
lookedThrough = go 0 True
  where
    go :: Int -> Bool -> FilePath -> Look
    go !count !ascii [] = if ascii then Ascii count else Other
    go !count !ascii (char : rest)
      | char == '\0' = Nul
      | otherwise = go (count + 1) (ascii && char < '\x80') rest

-- | Whether the encoding of file names leaves ASCII as it is, as far as this package knows it.
isPlain :: IO Bool
isPlain = ("UTF-8" `isPrefixOf`) . textEncodingName <$> getFileSystemEncoding

-- | The bytes themselves. Errors have them as those of the package @unix@: as characters, or from 2.8 on decoded.
instance Path ByteString where
  withPath path use
    | ByteString.elem 0 path = ioError (interiorNul (Char8.unpack path))
    | otherwise = ByteString.useAsCString path use
  {-# INLINE withPath #-}
  pathFrom = ByteString.packCStringLen
#if MIN_VERSION_filepath(1,4,100)
  pathName = pathName . PosixString . Short.toShort
#else
  pathName = Char8.unpack
#endif

#if MIN_VERSION_filepath(1,4,100)
-- | The bytes themselves, too. Errors have them as those of the package @unix@: decoded, and nothing is lost by that.
instance Path PosixString where
  withPath path@(PosixString bytes) use
    | Short.elem 0 bytes = ioError (interiorNul (pathName path))
    | otherwise = Short.useAsCString bytes use
  {-# INLINE withPath #-}
  pathFrom found = PosixString <$> Short.packCStringLen found
  pathName path@(PosixString bytes) = fromRight characters (decodeWith (mkUTF8 RoundtripFailure) path)
    where
      characters = map (chr . fromIntegral) (Short.unpack bytes)

instance Path OsString where
  withPath = withPath . getOsString
  {-# INLINE withPath #-}
  pathFrom found = OsString <$> pathFrom found
  pathName = pathName . getOsString
#endif

-- | The error of newer versions of @base@, whose older ones cut the path off.
interiorNul :: FilePath -> IOError
interiorNul path =
  IOError
    { ioe_handle = Nothing,
      ioe_type = InvalidArgument,
      ioe_location = "checkForInteriorNULs",
      ioe_description = "FilePaths must not contain internal NUL code units.",
      ioe_errno = Nothing,
      ioe_filename = Just path
    }

-- ---- errors -----------------------------------------------------------------------------------------------------

-- | The error of the call that has just failed.
throwPath :: Path path => String -> path -> IO a
throwPath call path = do
  errno <- getErrno
  ioError (errnoToIOError call errno Nothing (Just (pathName path)))

-- | A call that fails with -1.
checked :: (Path path, Eq result, Num result) => String -> path -> IO result -> IO result
checked call path act = do
  result <- act
  when (result == -1) (throwPath call path)
  pure result
{-# INLINE checked #-}

-- | 'checked', for a call that returns nothing else.
checked_ :: (Path path, Eq result, Num result) => String -> path -> IO result -> IO ()
checked_ call path act = void (checked call path act)
{-# INLINE checked_ #-}

-- | 'checked', but a call that a signal ended is made again; before, an asynchronous exception that waits is raised.
retried :: (Path path, Eq result, Num result) => String -> path -> IO result -> IO result
retried call path act = go
  where
    go = do
      result <- act
      if result /= -1
        then pure result
        else do
          errno <- getErrno
          if errno == eINTR
            then allowInterrupt >> go
            else ioError (errnoToIOError call errno Nothing (Just (pathName path)))
{-# INLINE retried #-}

-- | 'retried', for a call that returns nothing else.
retried_ :: (Path path, Eq result, Num result) => String -> path -> IO result -> IO ()
retried_ call path act = void (retried call path act)
{-# INLINE retried_ #-}

-- | Errors say first where they happened, as those of the package @directory@.
located :: String -> IO a -> IO a
located place = modifyIOError $ \failure ->
  let inner = ioeGetLocation failure
   in ioeSetLocation failure (if null inner then place else place ++ ":" ++ inner)

-- | Errors have this path.
named :: FilePath -> IO a -> IO a
named path = modifyIOError (`ioeSetFileName` path)
