-- SPDX-License-Identifier: BSD-3-Clause
{-# OPTIONS_HADDOCK not-home #-}

-- | The records @getdents64@ fills a buffer with. The kernel builds them, but file systems in user space choose what is
-- in them, so a record is believed only as far as it lies inside the buffer.
module Ferry.Internal.Files.Dents (namesIn) where

import Data.Word (Word16, Word8)
import Foreign.C.Types (CChar)
import Foreign.Ptr (Ptr, castPtr, plusPtr)
import Foreign.Storable (peekByteOff, pokeByteOff)

#include <dirent.h>

-- | Where the names are in a buffer of which so many bytes are filled, without @.@ and @..@; each ends with a NUL.
-- There must be one more byte: a name that does not end in its record ends there.
namesIn :: Ptr Word8 -> Int -> IO [Ptr CChar]
namesIn buffer bytes = pokeByteOff buffer bytes (0 :: Word8) >> go 0
  where
    nameAt = #{offset struct dirent64, d_name}
    go at
      | bytes - at < nameAt + 2 = pure []
      | otherwise = do
          record <- fromIntegral <$> (#{peek struct dirent64, d_reclen} (buffer `plusPtr` at :: Ptr Word8) :: IO Word16)
          let name = buffer `plusPtr` (at + nameAt)
          dots <- isDots name
          if record < nameAt + 2 || record > bytes - at
            then pure []
            else (if dots then id else (castPtr name :)) <$> go (at + record)

-- | Whether it is the directory itself or its parent.
isDots :: Ptr Word8 -> IO Bool
isDots name = do
  first <- peekByteOff name 0 :: IO Word8
  second <- peekByteOff name 1 :: IO Word8
  if first /= dot then pure False else if second == 0 then pure True else (second == dot &&) <$> ends
  where
    dot = 46
    ends = (== (0 :: Word8)) <$> peekByteOff name 2
