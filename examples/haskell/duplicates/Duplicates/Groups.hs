-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE BangPatterns #-}

-- | Which files are the same: the pure part, which knows nothing of where files come from.
--
-- Files are told apart by the cheapest thing that can: first their sizes, then a hash of their contents, and then,
-- since a hash proves nothing, the contents.
module Duplicates.Groups
  ( -- * Files
    File (..),
    Identity,
    oncePerIdentity,
    oncePerPath,

    -- * Groups
    sameSize,
    Hashes,
    noHashes,
    addHash,
    sameHash,
    Classes,
    noClasses,
    addContents,
    classes,
    inOrder,

    -- * Hashing
    hash,
  )
where

import Data.Bits (rotateL, shiftR, unsafeShiftL, xor, (.|.))
import Data.ByteString (ByteString)
import qualified Data.ByteString as ByteString
import qualified Data.ByteString.Unsafe as ByteString
import Data.List (sort, sortOn)
import qualified Data.Map.Strict as Map
import Data.Word (Word64)

-- | A regular file.
data File = File
  { filePath :: !ByteString,
    fileSize :: !Word64,
    fileIdentity :: !Identity
  }
  deriving (Eq, Show)

-- | The device and the inode: what all hard links of a file share.
type Identity = (Word64, Word64)

-- | Of the names of one file only the first.
oncePerIdentity :: [File] -> [File]
oncePerIdentity files = Map.elems (Map.fromListWith first [(fileIdentity file, file) | file <- files])
  where
    first one other = if filePath one <= filePath other then one else other

-- | Each path once, however often the walk came to it.
oncePerPath :: [File] -> [File]
oncePerPath files = Map.elems (Map.fromList [(filePath file, file) | file <- files])

-- | Groups of two files or more that have the same size.
sameSize :: [File] -> [[File]]
sameSize files = several (Map.fromListWith (++) [(fileSize file, [file]) | file <- files])

several :: Map.Map key [file] -> [[file]]
several groups = [group | group@(_ : _ : _) <- Map.elems groups]

-- | Files by the size and the hash of their contents.
newtype Hashes = Hashes (Map.Map (Int, Word64) [ByteString])

noHashes :: Hashes
noHashes = Hashes Map.empty

-- | Add a file with its contents, which are not kept.
addHash :: ByteString -> ByteString -> Hashes -> Hashes
addHash path contents (Hashes hashes) =
  let !key = (ByteString.length contents, hash contents)
   in Hashes (Map.insertWith (++) key [path] hashes)

-- | Groups of two paths or more whose contents have the same size and hash.
sameHash :: Hashes -> [[ByteString]]
sameHash (Hashes hashes) = several hashes

-- | Paths by their contents, of which there is one copy for each class.
newtype Classes = Classes [(ByteString, [ByteString])]

noClasses :: Classes
noClasses = Classes []

addContents :: ByteString -> ByteString -> Classes -> Classes
addContents path contents (Classes known) = Classes (go known)
  where
    go [] = [(contents, [path])]
    go ((contents', paths) : others)
      | contents == contents' = (contents', path : paths) : others
      | otherwise = (contents', paths) : go others

-- | Classes of two paths or more.
classes :: Classes -> [[ByteString]]
classes (Classes known) = [paths | (_, paths@(_ : _ : _)) <- known]

-- | Paths in order, and groups in the order of their first paths.
inOrder :: [[ByteString]] -> [[ByteString]]
inOrder = sortOn (take 1) . map sort

-- | A hash of 64 bits; not one that withstands who wants two files to have the same.
hash :: ByteString -> Word64
hash bytes = finish (tailFrom (wholeWords * 8) (eights 0 (fromIntegral size)))
  where
    size = ByteString.length bytes
    wholeWords = size `div` 8
    eights !index !state
      | index == wholeWords = state
      | otherwise = eights (index + 1) (mix state (wordAt (index * 8)))
    tailFrom !at !state
      | at == size = state
      | otherwise = tailFrom (at + 1) (mix state (byteAt at))
    wordAt at = foldr (\offset word -> unsafeShiftL word 8 .|. byteAt (at + offset)) 0 [0 .. 7]
    byteAt = fromIntegral . ByteString.unsafeIndex bytes
    mix state word = (rotateL state 5 `xor` word) * 0x517cc1b727220a95
    finish state = (state `xor` shiftR state 29) * 0xbf58476d1ce4e5b9
