-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE BangPatterns #-}
{-# OPTIONS_GHC -fexpose-all-unfoldings -fspecialise-aggressively #-}
{-# OPTIONS_HADDOCK not-home #-}

-- | What "System.Posix.Directory" has of directories, by held calls, for every kind of path; and their names, a buffer
-- of them for each call.
module Ferry.Internal.Posix.Directory
  ( createDirectory,
    removeDirectory,
    changeWorkingDirectory,
    getWorkingDirectory,
    namesOf,
    realPath,

    -- * Limits
    listBytes,
  )
where

import Control.Exception (bracket)
import Data.Word (Word16, Word8)
import qualified Ferry.Internal.Posix.C as C
import Ferry.Internal.Posix.Path
import Foreign.C.Error (eINTR, eNOENT, eRANGE, getErrno, throwErrno)
import Foreign.C.Types (CInt)
import Foreign.Marshal.Alloc (allocaBytes)
import Foreign.Ptr (Ptr, castPtr, nullPtr, plusPtr)
import Foreign.Storable (peekByteOff)
import System.Posix.Types (FileMode)

createDirectory :: Path path => path -> FileMode -> IO ()
createDirectory path mode = withPath path $ \at -> retried_ "createDirectory" path (C.mkdir at mode)

removeDirectory :: Path path => path -> IO ()
removeDirectory path = named (pathName path) . withPath path $ \at -> retried_ "removeDirectory" path (C.rmdir at)

changeWorkingDirectory :: Path path => path -> IO ()
changeWorkingDirectory path = named (pathName path) . withPath path $ \at ->
  retried_ "changeWorkingDirectory" path (C.chdir at)

getWorkingDirectory :: Path path => IO path
getWorkingDirectory = go C.pathBytesMax
  where
    go bytes = allocaBytes bytes (attempt bytes) >>= maybe (go (2 * bytes)) pure
    attempt bytes to = do
      found <- C.getcwd to (fromIntegral bytes)
      if found /= nullPtr
        then lengthOf bytes (castPtr to) >>= \count -> Just <$> pathFrom (to, count)
        else do
          errno <- getErrno
          if errno == eRANGE then pure Nothing else throwErrno "getWorkingDirectory"

-- | The path without symbolic links, or nothing where it does not lead to something.
realPath :: Path path => path -> IO (Maybe path)
realPath path = allocaBytes (C.pathBytesMax + 1) $ \to -> withPath path $ \at -> do
  found <- C.realpath at to
  if found == nullPtr
    then pure Nothing
    else lengthOf (C.pathBytesMax + 1) (castPtr to) >>= \count -> Just <$> pathFrom (to, count)

-- | Bytes before the first NUL, which is within so many bytes.
lengthOf :: Int -> Ptr Word8 -> IO Int
lengthOf bytes at = go 0
  where
    go !index
      | index >= bytes = pure index
      | otherwise = do
        byte <- peekByteOff at index :: IO Word8
        if byte == 0 then pure index else go (index + 1)

-- ---- names ------------------------------------------------------------------------------------------------------

-- | Bytes of names that one call gives.
listBytes :: Int
listBytes = 32768

-- | All names in a directory, @.@ and @..@ among them, in the order that the file system gives them.
namesOf :: Path path => path -> IO [path]
namesOf path = bracket opened C.close $ \fd -> allocaBytes listBytes (list fd [])
  where
    opened = withPath path $ \at -> retried "openDirStream" path (C.open at C.listFlags 0)
    list fd found buffer = do
      count <- filled fd buffer
      if count == 0
        then pure (concat (reverse found))
        else records buffer count >>= \names -> list fd (names : found) buffer

-- | Fill the buffer: so many bytes. A directory that has been removed meanwhile has no more names.
filled :: CInt -> Ptr Word8 -> IO Int
filled fd buffer = do
  count <- C.getdents64 fd buffer (fromIntegral listBytes)
  if count >= 0
    then pure (fromIntegral count)
    else do
      errno <- getErrno
      if errno == eINTR
        then filled fd buffer
        else if errno == eNOENT then pure 0 else throwErrno "readDirStream"

-- | The names of the records in so many bytes. File systems in user space choose what is in a record, so one is
-- believed only as far as it lies inside the buffer.
records :: Path path => Ptr Word8 -> Int -> IO [path]
records buffer bytes = go 0
  where
    go at
      | bytes - at < nameAt + 2 = pure []
      | otherwise = do
        recordBytes <- fromIntegral <$> (peekByteOff buffer (at + lengthAt) :: IO Word16)
        if recordBytes < nameAt + 2 || recordBytes > bytes - at
          then pure []
          else do
            let name = buffer `plusPtr` (at + nameAt)
            count <- lengthOf (recordBytes - nameAt) name
            one <- pathFrom (castPtr name, count)
            (one :) <$> go (at + recordBytes)
    -- the kernel's struct linux_dirent64: inode and offset of 8 bytes each, the length of 2, the type of 1, the name
    lengthAt = 16
    nameAt = 19
