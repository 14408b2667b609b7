-- SPDX-License-Identifier: BSD-3-Clause
{-# OPTIONS_HADDOCK not-home #-}

-- | A failed system call as an 'IOError' that names the call and the path.
module Ferry.Internal.Failure
  ( callError,
    errnoOf,
    isErrno,
  )
where

import Data.ByteString (ByteString)
import Data.ByteString.Unsafe (unsafeUseAsCStringLen)
import Foreign.C.Error (Errno (..), errnoToIOError)
import qualified GHC.Foreign as Foreign
import GHC.IO.Encoding (getFileSystemEncoding)
import System.IO.Error (ioeSetFileName)

-- | The error of the call with this name, on this path. The path is decoded as GHC decodes file names, which loses
-- nothing: encoded again it is the same bytes.
callError :: String -> Maybe ByteString -> Errno -> IO IOError
callError name path errno = do
  let failure = errnoToIOError name errno Nothing Nothing
  case path of
    Nothing -> pure failure
    Just bytes -> do
      encoding <- getFileSystemEncoding
      decoded <- unsafeUseAsCStringLen bytes (Foreign.peekCStringLen encoding)
      pure (ioeSetFileName failure decoded)

-- | The error number of a result below 0.
errnoOf :: Integral word => word -> Errno
errnoOf word = Errno (fromIntegral (negate word))

-- | Whether a result is this error.
isErrno :: Integral word => Errno -> word -> Bool
isErrno (Errno number) word = fromIntegral number == negate word
