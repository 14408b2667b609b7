-- SPDX-License-Identifier: BSD-3-Clause
{-# OPTIONS_HADDOCK not-home #-}

-- | Walking trees: what is below a path, and what the file system says of it.
--
-- Directories wait on a stack. Up to 'batchDirectories' of them at a time are given to a function of C
-- (@cbits/files/tree.c@), which opens, lists and closes one after the other, and looks at the names. It is a held call,
-- and returns whenever its buffer is full or 10 ms are over, to be called again: that is a step, and what it has found
-- is given to the caller before the next. So one directory is open at a time, however deep the tree is and however many
-- directories wait, and asynchronous exceptions are let in between steps.
--
-- A directory is opened by its path from the root of the walk, and is listed only if it is the one that was seen when
-- its parent was.
--
-- Invariant. What is open is in the memory that C has, and is closed by 'endWalk', or when that memory is collected.
module Ferry.Internal.Files.Walk
  ( -- * Walks
    Walk,
    beginWalk,
    beginNames,
    nextFound,
    endWalk,
    foldWalk,

    -- * What they come to
    Found (..),
    Named (..),

    -- * Limits
    batchDirectories,
  )
where

import Control.Exception (allowInterrupt, bracket, mask_)
import Control.Monad (foldM, forM_, when, unless, zipWithM_)
import Data.Bits (unsafeShiftL)
import Data.ByteString (ByteString)
import qualified Data.ByteString as ByteString
import qualified Data.ByteString.Char8 as Char8
import Data.ByteString.Internal (create)
import Data.ByteString.Unsafe (unsafeUseAsCStringLen)
import Data.IORef
import Data.Int (Int32)
import Data.Word (Word16, Word32, Word64, Word8)
import Ferry.Foreign (foreignCallInterruptible)
import Ferry.Internal.Failure (callError)
import Ferry.Internal.Files.Look (lookAtLinks)
import Ferry.Struct
import Foreign.C.Error (Errno (..))
import Foreign.C.Types (CLong (..))
import Foreign.ForeignPtr
import Foreign.ForeignPtr.Unsafe (unsafeForeignPtrToPtr)
import Foreign.Marshal.Utils (copyBytes)
import Foreign.Ptr
import Foreign.Storable

#include <dirent.h>
#include <sys/stat.h>
#include "files/tree.h"

-- | Directories that are listed by one call of C, one after the other.
batchDirectories :: Int
batchDirectories = #{const FERRY_TREE_DIRECTORIES}

-- | Something that a walk came to.
data Found = Found
  { -- | the root of the walk as it was given, and the names from there
    foundPath :: !ByteString,
    -- | 0 for the root
    foundDepth :: !Int,
    -- | what the file system says of it; or why it cannot be looked at, or, after that went well, not be listed
    foundStatus :: !(Either IOError Statx)
  }
  deriving (Eq, Show)

-- | Something that a walk came to, which looked only at directories.
data Named = Named
  { -- | the root of the walk as it was given, and the names from there
    namedPath :: !ByteString,
    -- | 0 for the root
    namedDepth :: !Int,
    -- | what it is; or why it cannot be looked at, or, after that went well, not be listed
    namedType :: !(Either IOError FileType)
  }
  deriving (Eq, Show)

-- | A directory to be listed: its path, its depth, and which it is.
data Waiting = Waiting !ByteString !Int !Identity

-- | The device and the inode.
data Identity = Identity !Word32 !Word32 !Word64

-- | A walk that is taken step by step. By one thread at a time.
data Walk found = Walk
  { walkKind :: !(Kind found),
    walkDescend :: found -> Bool,
    -- | roots that have not been looked at
    walkRoots :: !(IORef [ByteString]),
    -- | directories that C has, from the one that it deals with
    walkGroup :: !(IORef Group),
    -- | directories that were found in these, the last one first
    walkDeeper :: !(IORef [Waiting]),
    walkWaiting :: !(IORef [Waiting]),
    walkTree :: !(ForeignPtr Tree),
    walkEntries :: !(ForeignPtr Word8),
    walkListing :: !(ForeignPtr Word8),
    walkPaths :: !(IORef (ForeignPtr Word8))
  }

-- | Directories, and the number that C has for the first of them.
data Group = Group !Int [Waiting]

-- | A @struct ferry_tree@.
data Tree

-- | A @struct ferry_tree_entry@.
data Entry

-- | What a walk gives for what it comes to.
data Kind found = Kind
  { -- | whether every name is looked at
    kindWantsStatus :: !Bool,
    kindOfRoot :: !(ByteString -> Either IOError Statx -> found),
    kindOfEntry :: !(ByteString -> Int -> Ptr Entry -> IO found),
    kindOfFailure :: !(ByteString -> Int -> IOError -> found)
  }

foreign import ccall "&ferry_tree_step" stepAt :: FunPtr (Ptr Tree -> IO CLong)

foreign import ccall "&ferry_tree_end" endAt :: FinalizerPtr Tree

-- safe: a disk may be slow to close too
foreign import ccall safe "ferry_tree_end" endSafe :: Ptr Tree -> IO ()

-- ---- beginning and ending ---------------------------------------------------------------------------------------

-- | Begin to walk the trees below these paths; of the directories found, those that pass the test are listed.
beginWalk :: (Found -> Bool) -> [ByteString] -> IO (Walk Found)
beginWalk =
  begin
    Kind
      { kindWantsStatus = True,
        kindOfRoot = \path -> Found path 0,
        kindOfEntry = \path depth entry -> do
          status <- peek (statusOf entry)
          pure $! Found path depth (Right status),
        kindOfFailure = \path depth -> Found path depth . Left
      }

-- | As 'beginWalk', without a look at what is no directory.
beginNames :: (Named -> Bool) -> [ByteString] -> IO (Walk Named)
beginNames =
  begin
    Kind
      { kindWantsStatus = False,
        kindOfRoot = \path -> Named path 0 . fmap (fileType . stxMode),
        kindOfEntry = \path depth entry -> do
          kind <- #{peek struct ferry_tree_entry, type} entry
          pure $! Named path depth $! Right $! typeOf kind,
        kindOfFailure = \path depth -> Named path depth . Left
      }
  where
    -- as the kernel makes a type of a mode
    typeOf kind = fileType (fromIntegral (kind :: Word8) `unsafeShiftL` 12)

begin :: Kind found -> (found -> Bool) -> [ByteString] -> IO (Walk found)
begin kind descend roots = do
  tree <- mallocForeignPtrBytes #{size struct ferry_tree}
  entries <- mallocForeignPtrBytes #{const FERRY_TREE_ENTRIES}
  listing <- mallocForeignPtrBytes (#{const FERRY_TREE_LISTING} + 1)
  withForeignPtr tree $ \at -> do
    -- 'goOn' keeps them alive while C uses them
    #{poke struct ferry_tree, entries} at (unsafeForeignPtrToPtr entries)
    #{poke struct ferry_tree, listing} at (unsafeForeignPtrToPtr listing)
    #{poke struct ferry_tree, count} at (0 :: Int32)
    #{poke struct ferry_tree, next} at (0 :: Int32)
    #{poke struct ferry_tree, fd} at (-1 :: Int32)
    #{poke struct ferry_tree, wants_status} at (if kindWantsStatus kind then 1 else 0 :: Int32)
  addForeignPtrFinalizer endAt tree
  paths <- mallocForeignPtrBytes 0
  Walk kind descend
    <$> newIORef roots
    <*> newIORef (Group 0 [])
    <*> newIORef []
    <*> newIORef []
    <*> pure tree
    <*> pure entries
    <*> pure listing
    <*> newIORef paths

-- | Close what is open. A walk that has come to its end has nothing open. After this it gives nothing more.
endWalk :: Walk found -> IO ()
endWalk walk = mask_ $ do
  writeIORef (walkRoots walk) []
  writeIORef (walkGroup walk) (Group 0 [])
  writeIORef (walkWaiting walk) []
  withForeignPtr (walkTree walk) endSafe

-- | A whole walk. The step is run as it would be outside.
foldWalk :: IO (Walk found) -> (state -> found -> IO state) -> state -> IO state
foldWalk beginning step start = bracket beginning endWalk $ \walk ->
  let go state = do
        found <- nextFound walk
        if null found then pure state else foldM strictly state found >>= go
   in go start
  where
    strictly state one = do
      state' <- step state one
      state' `seq` pure state'

-- ---- steps ------------------------------------------------------------------------------------------------------

-- | What the walk comes to next: some of it, or nothing at its end. Asynchronous exceptions are let in before a step.
-- If they are masked, the walk can go on after one; if not, what the step has found may be lost.
nextFound :: Walk found -> IO [found]
nextFound walk = mask_ $ do
  roots <- readIORef (walkRoots walk)
  if null roots then below walk else atRoots walk roots

-- | Look at some roots.
atRoots :: Walk found -> [ByteString] -> IO [found]
atRoots walk roots = do
  looked <- lookAtLinks some
  let found = zipWith (kindOfRoot (walkKind walk)) some looked
      deeper =
        [ Waiting path 0 (identityOf status)
          | (path, Right status, one) <- zip3 some looked found,
            fileType (stxMode status) == Directory && walkDescend walk one
        ]
  modifyIORef' (walkDeeper walk) (reverse deeper ++)
  writeIORef (walkRoots walk) rest
  when (null rest) (goDeeper walk)
  pure found
  where
    (some, rest) = splitAt rootsMax roots
    rootsMax = 64
    identityOf status = Identity (stxDevMajor status) (stxDevMinor status) (stxIno status)

-- | What is below the roots.
below :: Walk found -> IO [found]
below walk = do
  allowInterrupt
  Group number group <- readIORef (walkGroup walk)
  if null group
    then do
      (next, rest) <- splitAt batchDirectories <$> readIORef (walkWaiting walk)
      if null next
        then pure []
        else do
          give walk next
          writeIORef (walkWaiting walk) rest
          writeIORef (walkGroup walk) (Group 0 next)
          below walk
    else do
      isMore <- goOn walk
      found <- collect walk number group
      unless isMore (goDeeper walk)
      if null found then below walk else pure found

-- | The directories that C has are dealt with: what was found in them comes before those that wait.
goDeeper :: Walk found -> IO ()
goDeeper walk = do
  deeper <- readIORef (walkDeeper walk)
  modifyIORef' (walkWaiting walk) (reverse deeper ++)
  writeIORef (walkDeeper walk) []
  writeIORef (walkGroup walk) (Group 0 [])

-- | Give directories to C, which are no more than 'batchDirectories'.
give :: Walk found -> [Waiting] -> IO ()
give walk group = do
  paths <- mallocForeignPtrBytes (last starts)
  writeIORef (walkPaths walk) paths
  withForeignPtr paths $ \to -> withForeignPtr (walkTree walk) $ \tree -> do
    #{poke struct ferry_tree, paths} tree to
    #{poke struct ferry_tree, count} tree (fromIntegral (length group) :: Int32)
    #{poke struct ferry_tree, next} tree (0 :: Int32)
    zipWithM_ (put to) starts group
    forM_ (zip3 [0 ..] starts group) $ \(number, start, Waiting _ _ (Identity major minor inode)) -> do
      let at = #{ptr struct ferry_tree, directories} tree `plusPtr` (number * #{size struct ferry_tree_directory})
      #{poke struct ferry_tree_directory, ino} at inode
      #{poke struct ferry_tree_directory, dev_major} at major
      #{poke struct ferry_tree_directory, dev_minor} at minor
      #{poke struct ferry_tree_directory, path} at (fromIntegral start :: Word32)
  where
    starts = scanl (+) 0 [ByteString.length path + 1 | Waiting path _ _ <- group]
    put to start (Waiting path _ _) = unsafeUseAsCStringLen path $ \(from, bytes) -> do
      copyBytes (to `plusPtr` start) from bytes
      pokeByteOff to (start + bytes) (0 :: Word8)

-- | A step. Whether there is more to do with the directories that C has.
goOn :: Walk found -> IO Bool
goOn walk = do
  paths <- readIORef (walkPaths walk)
  withForeignPtr (walkTree walk) $ \tree ->
    withForeignPtr (walkEntries walk) $ \_ ->
      withForeignPtr (walkListing walk) $ \_ ->
        withForeignPtr paths $ \_ -> (/= 0) <$> stepHeld tree

stepHeld :: Ptr Tree -> IO CLong
stepHeld = foreignCallInterruptible stepAt

-- ---- what a step has found --------------------------------------------------------------------------------------

-- | What the last step has found. The directories are those that C had before it, from this number on.
collect :: Walk found -> Int -> [Waiting] -> IO [found]
collect walk number0 group0 = do
  bytes <- withForeignPtr (walkTree walk) #{peek struct ferry_tree, entries_bytes} :: IO Word32
  deeper0 <- readIORef (walkDeeper walk)
  withForeignPtr (walkEntries walk) $ \entries -> do
    let start = castPtr entries
        end = start `plusPtr` fromIntegral bytes
        go found deeper number group at
          | at >= end = do
            writeIORef (walkDeeper walk) deeper
            writeIORef (walkGroup walk) (Group number group)
            pure (reverse found)
          | otherwise = do
            number' <- fromIntegral <$> (#{peek struct ferry_tree_entry, directory} at :: IO Word16)
            record <- fromIntegral <$> (#{peek struct ferry_tree_entry, bytes} at :: IO Word32)
            case drop (number' - number) group of
              [] -> error "ferry: a record of a directory that was not given to ferry_tree_step"
              group'@(directory : _) -> do
                (one, more) <- entryIn walk directory at
                go (one : found) (maybe deeper (: deeper) more) number' group' (at `plusPtr` record)
    go [] deeper0 number0 group0 start

-- | What a record says; and a directory that is to be listed, if it is one's.
entryIn :: Walk found -> Waiting -> Ptr Entry -> IO (found, Maybe Waiting)
entryIn walk (Waiting parent depth _) entry = do
  nameBytes <- fromIntegral <$> (#{peek struct ferry_tree_entry, name_bytes} entry :: IO Word16)
  errno <- #{peek struct ferry_tree_entry, error} entry :: IO Int32
  hasStatus <- #{peek struct ferry_tree_entry, has_status} entry :: IO Word8
  kind' <- #{peek struct ferry_tree_entry, type} entry :: IO Word8
  path <-
    pathOf parent nameBytes $
      entry `plusPtr` (#{size struct ferry_tree_entry} + (if hasStatus /= 0 then #{size struct statx} else 0))
  if errno /= 0
    then do
      call <- #{peek struct ferry_tree_entry, failed_call} entry :: IO Word8
      failed (callOf call) path (if nameBytes == 0 then depth else depth + 1) errno
    else do
      one <- kindOfEntry kind path (depth + 1) entry
      if kind' == #{const DT_DIR} && walkDescend walk one
        then (\identity -> (one, Just (Waiting path (depth + 1) identity))) <$> identityAt (statusOf entry)
        else pure (one, Nothing)
  where
    kind = walkKind walk
    failed call path depth' errno = do
      failure <- callError call (Just path) (Errno (fromIntegral errno))
      pure (kindOfFailure kind path depth' failure, Nothing)
    identityAt at =
      Identity
        <$> #{peek struct statx, stx_dev_major} at
        <*> #{peek struct statx, stx_dev_minor} at
        <*> #{peek struct statx, stx_ino} at

callOf :: Word8 -> String
callOf call = case call of
  #{const FERRY_TREE_OPENAT} -> "openat"
  #{const FERRY_TREE_GETDENTS} -> "getdents64"
  _ -> "statx"

statusOf :: Ptr Entry -> Ptr Statx
statusOf entry = entry `plusPtr` #{size struct ferry_tree_entry}

-- | The path of a name in a directory; of the directory itself, where there is no name.
pathOf :: ByteString -> Int -> Ptr Word8 -> IO ByteString
pathOf parent nameBytes name
  | nameBytes == 0 = pure parent
  | otherwise = create (parentBytes + slash + nameBytes) $ \to -> do
    unsafeUseAsCStringLen parent $ \(from, bytes) -> copyBytes to (castPtr from) bytes
    pokeByteOff to parentBytes (47 :: Word8)
    copyBytes (to `plusPtr` (parentBytes + slash)) name nameBytes
  where
    parentBytes = ByteString.length parent
    slash = if Char8.isSuffixOf (Char8.singleton '/') parent then 0 else 1
