-- SPDX-License-Identifier: BSD-3-Clause

-- | The structures that system calls fill in or take, as Haskell records with the fields' C names in Haskell's
-- spelling: @stx_size@ is 'stxSize'. Their sizes and the places of their fields are the C headers' own. A
-- 'Ferry.Program.cell' of one is memory for a call to fill in, 'Ferry.Program.readCell' reads it after the run, and
-- 'Ferry.Program.constant' passes one:
--
-- > out <- cell
-- > looked <- statx (literal atFdcwd) path (literal 0) (literal statxBasicStats) (address out)
-- > pure (result looked *> (stxSize <$> readCell out))
--
-- A field of a cell that a later call takes as an argument is named by its place: @contents (stSizeAt out)@.
module Ferry.Struct
  ( -- * Statx
    Statx (..),
    stxSizeAt,
    stxInoAt,
    stxDevMajorAt,
    stxDevMinorAt,

    -- * Stat
    Stat (..),
    stSizeAt,
    stInoAt,

    -- * File types
    FileType (..),
    fileType,
    permissions,

    -- * Times
    Timespec (..),

    -- * Vectors
    Iovec (..),
  )
where

import Data.Bits ((.&.))
import Data.Int (Int64)
import Data.Word (Word16, Word32, Word64, Word8)
import Ferry.Internal.Program (Cell, cellAt)
import Foreign.C.Types (CSize)
import Foreign.Marshal.Utils (fillBytes)
import Foreign.Ptr (Ptr, castPtr, plusPtr)
import Foreign.Storable (Storable (..))
import System.Posix.Types (CMode)

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>

-- | @struct statx@: what a file system says of a file. Which fields it filled in is in 'stxMask'.
data Statx = Statx
  { stxMask :: !Word32,
    -- | bytes that are best read or written at once
    stxBlksize :: !Word32,
    stxAttributes :: !Word64,
    -- | names the file has
    stxNlink :: !Word32,
    stxUid :: !Word32,
    stxGid :: !Word32,
    -- | file type and permissions; 'fileType' and 'permissions' take it apart
    stxMode :: !CMode,
    stxIno :: !Word64,
    -- | bytes
    stxSize :: !Word64,
    -- | blocks of 512 bytes
    stxBlocks :: !Word64,
    -- | last read
    stxAtime :: !Timespec,
    -- | made; 'stxMask' says whether the file system knows
    stxBtime :: !Timespec,
    -- | metadata last changed
    stxCtime :: !Timespec,
    -- | contents last changed
    stxMtime :: !Timespec,
    -- | of a device: which
    stxRdevMajor :: !Word32,
    stxRdevMinor :: !Word32,
    -- | the device the file is on
    stxDevMajor :: !Word32,
    stxDevMinor :: !Word32
  }
  deriving (Eq, Ord, Show)

-- The kernel's timestamps have a 64-bit second and a 32-bit nanosecond.
instance Storable Statx where
  sizeOf _ = #{size struct statx}
  alignment _ = #{alignment struct statx}
  peek at = do
    mask <- #{peek struct statx, stx_mask} at
    blockBytes <- #{peek struct statx, stx_blksize} at
    attributes <- #{peek struct statx, stx_attributes} at
    links <- #{peek struct statx, stx_nlink} at
    user <- #{peek struct statx, stx_uid} at
    group <- #{peek struct statx, stx_gid} at
    mode <- #{peek struct statx, stx_mode} at :: IO Word16
    inode <- #{peek struct statx, stx_ino} at
    size <- #{peek struct statx, stx_size} at
    blocks <- #{peek struct statx, stx_blocks} at
    accessed <- peekTimestamp (#{ptr struct statx, stx_atime} at)
    born <- peekTimestamp (#{ptr struct statx, stx_btime} at)
    changed <- peekTimestamp (#{ptr struct statx, stx_ctime} at)
    modified <- peekTimestamp (#{ptr struct statx, stx_mtime} at)
    deviceMajor <- #{peek struct statx, stx_rdev_major} at
    deviceMinor <- #{peek struct statx, stx_rdev_minor} at
    onMajor <- #{peek struct statx, stx_dev_major} at
    onMinor <- #{peek struct statx, stx_dev_minor} at
    pure
      Statx
        { stxMask = mask,
          stxBlksize = blockBytes,
          stxAttributes = attributes,
          stxNlink = links,
          stxUid = user,
          stxGid = group,
          stxMode = fromIntegral mode,
          stxIno = inode,
          stxSize = size,
          stxBlocks = blocks,
          stxAtime = accessed,
          stxBtime = born,
          stxCtime = changed,
          stxMtime = modified,
          stxRdevMajor = deviceMajor,
          stxRdevMinor = deviceMinor,
          stxDevMajor = onMajor,
          stxDevMinor = onMinor
        }
  poke at statx = do
    fillBytes at 0 #{size struct statx}
    #{poke struct statx, stx_mask} at (stxMask statx)
    #{poke struct statx, stx_blksize} at (stxBlksize statx)
    #{poke struct statx, stx_attributes} at (stxAttributes statx)
    #{poke struct statx, stx_nlink} at (stxNlink statx)
    #{poke struct statx, stx_uid} at (stxUid statx)
    #{poke struct statx, stx_gid} at (stxGid statx)
    #{poke struct statx, stx_mode} at (fromIntegral (stxMode statx) :: Word16)
    #{poke struct statx, stx_ino} at (stxIno statx)
    #{poke struct statx, stx_size} at (stxSize statx)
    #{poke struct statx, stx_blocks} at (stxBlocks statx)
    pokeTimestamp (#{ptr struct statx, stx_atime} at) (stxAtime statx)
    pokeTimestamp (#{ptr struct statx, stx_btime} at) (stxBtime statx)
    pokeTimestamp (#{ptr struct statx, stx_ctime} at) (stxCtime statx)
    pokeTimestamp (#{ptr struct statx, stx_mtime} at) (stxMtime statx)
    #{poke struct statx, stx_rdev_major} at (stxRdevMajor statx)
    #{poke struct statx, stx_rdev_minor} at (stxRdevMinor statx)
    #{poke struct statx, stx_dev_major} at (stxDevMajor statx)
    #{poke struct statx, stx_dev_minor} at (stxDevMinor statx)

peekTimestamp :: Ptr a -> IO Timespec
peekTimestamp at = do
  seconds <- #{peek struct statx_timestamp, tv_sec} at
  nanoseconds <- #{peek struct statx_timestamp, tv_nsec} at :: IO Word32
  pure (Timespec seconds (fromIntegral nanoseconds))

pokeTimestamp :: Ptr a -> Timespec -> IO ()
pokeTimestamp at time = do
  #{poke struct statx_timestamp, tv_sec} at (tvSec time)
  #{poke struct statx_timestamp, tv_nsec} at (fromIntegral (tvNsec time) :: Word32)

-- | Where the size in bytes is.
stxSizeAt :: Cell Statx -> Cell Word64
stxSizeAt = cellAt #{offset struct statx, stx_size}

-- | Where the inode's number is.
stxInoAt :: Cell Statx -> Cell Word64
stxInoAt = cellAt #{offset struct statx, stx_ino}

-- | Where the number of the device is that the file is on.
stxDevMajorAt, stxDevMinorAt :: Cell Statx -> Cell Word32
stxDevMajorAt = cellAt #{offset struct statx, stx_dev_major}
stxDevMinorAt = cellAt #{offset struct statx, stx_dev_minor}

-- | @struct stat@, as @fstat@ and @newfstatat@ fill it in.
data Stat = Stat
  { -- | the device the file is on
    stDev :: !Word64,
    stIno :: !Word64,
    -- | names the file has
    stNlink :: !Word64,
    -- | file type and permissions; 'fileType' and 'permissions' take it apart
    stMode :: !CMode,
    stUid :: !Word32,
    stGid :: !Word32,
    -- | of a device: which
    stRdev :: !Word64,
    -- | bytes
    stSize :: !Int64,
    -- | bytes that are best read or written at once
    stBlksize :: !Int64,
    -- | blocks of 512 bytes
    stBlocks :: !Int64,
    -- | last read
    stAtim :: !Timespec,
    -- | contents last changed
    stMtim :: !Timespec,
    -- | metadata last changed
    stCtim :: !Timespec
  }
  deriving (Eq, Ord, Show)

instance Storable Stat where
  sizeOf _ = #{size struct stat}
  alignment _ = #{alignment struct stat}
  peek at =
    Stat
      <$> #{peek struct stat, st_dev} at
      <*> #{peek struct stat, st_ino} at
      <*> (fromLinks <$> #{peek struct stat, st_nlink} at)
      <*> #{peek struct stat, st_mode} at
      <*> #{peek struct stat, st_uid} at
      <*> #{peek struct stat, st_gid} at
      <*> #{peek struct stat, st_rdev} at
      <*> #{peek struct stat, st_size} at
      <*> (fromBlockBytes <$> #{peek struct stat, st_blksize} at)
      <*> #{peek struct stat, st_blocks} at
      <*> peek (#{ptr struct stat, st_atim} at)
      <*> peek (#{ptr struct stat, st_mtim} at)
      <*> peek (#{ptr struct stat, st_ctim} at)
    where
      fromLinks = fromIntegral :: #{type nlink_t} -> Word64
      fromBlockBytes = fromIntegral :: #{type blksize_t} -> Int64
  poke at stat = do
    fillBytes at 0 #{size struct stat}
    #{poke struct stat, st_dev} at (stDev stat)
    #{poke struct stat, st_ino} at (stIno stat)
    #{poke struct stat, st_nlink} at (fromIntegral (stNlink stat) :: #{type nlink_t})
    #{poke struct stat, st_mode} at (stMode stat)
    #{poke struct stat, st_uid} at (stUid stat)
    #{poke struct stat, st_gid} at (stGid stat)
    #{poke struct stat, st_rdev} at (stRdev stat)
    #{poke struct stat, st_size} at (stSize stat)
    #{poke struct stat, st_blksize} at (fromIntegral (stBlksize stat) :: #{type blksize_t})
    #{poke struct stat, st_blocks} at (stBlocks stat)
    poke (#{ptr struct stat, st_atim} at) (stAtim stat)
    poke (#{ptr struct stat, st_mtim} at) (stMtim stat)
    poke (#{ptr struct stat, st_ctim} at) (stCtim stat)

-- | Where the size in bytes is.
stSizeAt :: Cell Stat -> Cell Int64
stSizeAt = cellAt #{offset struct stat, st_size}

-- | Where the inode's number is.
stInoAt :: Cell Stat -> Cell Word64
stInoAt = cellAt #{offset struct stat, st_ino}

-- | What a file is.
data FileType
  = RegularFile
  | Directory
  | SymbolicLink
  | Fifo
  | Socket
  | CharacterDevice
  | BlockDevice
  | -- | a type that this library does not know
    UnknownType
  deriving (Eq, Ord, Show, Enum, Bounded)

-- | The type that a mode says.
fileType :: CMode -> FileType
fileType mode = case mode .&. #{const S_IFMT} of
  #{const S_IFREG} -> RegularFile
  #{const S_IFDIR} -> Directory
  #{const S_IFLNK} -> SymbolicLink
  #{const S_IFIFO} -> Fifo
  #{const S_IFSOCK} -> Socket
  #{const S_IFCHR} -> CharacterDevice
  #{const S_IFBLK} -> BlockDevice
  _ -> UnknownType

-- | The permissions of a mode, with the set-user-ID, set-group-ID and sticky bits.
permissions :: CMode -> CMode
permissions mode = mode .&. 0o7777

-- | @struct timespec@: a time since 1970, or how long something takes.
data Timespec = Timespec
  { tvSec :: !Int64,
    tvNsec :: !Int64
  }
  deriving (Eq, Ord, Show)

instance Storable Timespec where
  sizeOf _ = #{size struct timespec}
  alignment _ = #{alignment struct timespec}
  peek at = Timespec <$> #{peek struct timespec, tv_sec} at <*> #{peek struct timespec, tv_nsec} at
  poke at time = do
    #{poke struct timespec, tv_sec} at (tvSec time)
    #{poke struct timespec, tv_nsec} at (tvNsec time)

-- | @struct iovec@: a piece of memory.
data Iovec = Iovec
  { iovBase :: !(Ptr Word8),
    iovLen :: !CSize
  }
  deriving (Eq, Ord, Show)

instance Storable Iovec where
  sizeOf _ = #{size struct iovec}
  alignment _ = #{alignment struct iovec}
  peek at = Iovec . castPtr <$> base <*> #{peek struct iovec, iov_len} at
    where
      base = #{peek struct iovec, iov_base} at :: IO (Ptr ())
  poke at vector = do
    #{poke struct iovec, iov_base} at (iovBase vector)
    #{poke struct iovec, iov_len} at (iovLen vector)
