-- SPDX-License-Identifier: BSD-3-Clause

-- | "Ferry.Posix.Files" gives, throws and leaves what "System.Posix.Files" does, for both kinds of path.
module Ferry.Posix.FilesSpec (spec) where

import Control.Exception (bracket)
import Control.Monad (forM)
import Data.ByteString (ByteString)
import qualified Data.ByteString.Char8 as Char8
import Ferry.Agree (One (..), Two (..), onEachOf, onEachTwoPlaces, places)
import qualified Ferry.Agree as Agree
import qualified Ferry.Posix.Files as Ours
import qualified Ferry.Posix.Files.ByteString as OursBytes
import System.IO (IOMode (ReadMode), openFile)
import System.Posix.ByteString.FilePath (RawFilePath)
import qualified System.Posix.Files as Theirs
import qualified System.Posix.Files.ByteString as TheirsBytes
import System.Posix.IO (closeFd, handleToFd)
import System.Posix.Internals (withFilePath)
import System.Posix.Types (Fd)
import Test.Hspec

spec :: Spec
spec = do
  onEachOf places (looking ++ changing ++ open ++ bytes)
  onEachTwoPlaces places twos

looking :: [One]
looking =
  [ One "getFileStatus" (fmap fields . Theirs.getFileStatus) (fmap fields . Ours.getFileStatus),
    One "getSymbolicLinkStatus" (fmap fields . Theirs.getSymbolicLinkStatus) (fmap fields . Ours.getSymbolicLinkStatus),
    One "fileExist" Theirs.fileExist Ours.fileExist,
    One "fileAccess" (eachAccess Theirs.fileAccess) (eachAccess Ours.fileAccess),
    One "readSymbolicLink" Theirs.readSymbolicLink Ours.readSymbolicLink,
    One "getPathVar" (eachVariable Theirs.getPathVar) (eachVariable Ours.getPathVar)
  ]
  where
    eachAccess access path = Agree.outcome (sequence [access path r w x | r <- both, w <- both, x <- both])
    both = [False, True]
    eachVariable get path = forM variables (Agree.outcome . get path)

variables :: [Theirs.PathVar]
variables =
  [ Theirs.LinkLimit,
    Theirs.InputLineLimit,
    Theirs.InputQueueLimit,
    Theirs.FileNameLimit,
    Theirs.PathNameLimit,
    Theirs.PipeBufferLimit,
    Theirs.SetOwnerAndGroupIsRestricted,
    Theirs.FileNamesAreNotTruncated,
    Theirs.VDisableChar,
    Theirs.AsyncIOAvailable,
    Theirs.PrioIOAvailable,
    Theirs.SyncIOAvailable
  ]

-- | What a status says, but for the inode and for times of what has just been made.
fields :: Theirs.FileStatus -> ([Integer], [Bool])
fields status =
  ( [ fromIntegral (Theirs.deviceID status),
      fromIntegral (Theirs.fileMode status),
      fromIntegral (Theirs.linkCount status),
      fromIntegral (Theirs.fileOwner status),
      fromIntegral (Theirs.fileGroup status),
      fromIntegral (Theirs.specialDeviceID status),
      fromIntegral (Theirs.fileSize status)
    ]
      ++ [old (truncate (toRational (Theirs.modificationTime status)))]
      ++ [old (truncate (1000000000 * Theirs.modificationTimeHiRes status) `div` 1000000000)],
    [ Theirs.isBlockDevice status,
      Theirs.isCharacterDevice status,
      Theirs.isNamedPipe status,
      Theirs.isRegularFile status,
      Theirs.isDirectory status,
      Theirs.isSymbolicLink status,
      Theirs.isSocket status
    ]
  )
  where
    old time = if time < (1100000000 :: Integer) then time else 0

changing :: [One]
changing =
  [ One "setFileMode" (`Theirs.setFileMode` 0o604) (`Ours.setFileMode` 0o604),
    One "createNamedPipe" (`Theirs.createNamedPipe` 0o640) (`Ours.createNamedPipe` 0o640),
    One
      "createDevice"
      (\path -> Theirs.createDevice path (Theirs.characterSpecialMode + 0o600) 259)
      (\path -> Ours.createDevice path (Theirs.characterSpecialMode + 0o600) 259),
    One "removeLink" Theirs.removeLink Ours.removeLink,
    One "setOwnerAndGroup" (own Theirs.setOwnerAndGroup) (own Ours.setOwnerAndGroup),
    One "setOwnerAndGroup to root" (root Theirs.setOwnerAndGroup) (root Ours.setOwnerAndGroup),
    One
      "setSymbolicLinkOwnerAndGroup"
      (root Theirs.setSymbolicLinkOwnerAndGroup)
      (root Ours.setSymbolicLinkOwnerAndGroup),
    One "setFileTimes" (thenTimes (\p -> Theirs.setFileTimes p 5 6)) (thenTimes (\p -> Ours.setFileTimes p 5 6)),
    One
      "setFileTimesHiRes"
      (thenTimes (\path -> Theirs.setFileTimesHiRes path 1.25 (-1.000000001)))
      (thenTimes (\path -> Ours.setFileTimesHiRes path 1.25 (-1.000000001))),
    One
      "setSymbolicLinkTimesHiRes"
      (thenTimes (\path -> Theirs.setSymbolicLinkTimesHiRes path 0.999999999 (-7)))
      (thenTimes (\path -> Ours.setSymbolicLinkTimesHiRes path 0.999999999 (-7))),
    One "touchFile" (thenTouched Theirs.touchFile) (thenTouched Ours.touchFile),
    One "touchSymbolicLink" (thenTouched Theirs.touchSymbolicLink) (thenTouched Ours.touchSymbolicLink),
    One "setFileSize" (`Theirs.setFileSize` 3) (`Ours.setFileSize` 3),
    One "setFileSize below 0" (`Theirs.setFileSize` (-1)) (`Ours.setFileSize` (-1))
  ]
  where
    own set path = set path (-1) (-1)
    root set path = set path 0 0
    thenTimes set path =
      set path >> Theirs.getSymbolicLinkStatus path >>= \status ->
        pure (Theirs.modificationTimeHiRes status < 1000, isSet (Theirs.modificationTimeHiRes status))
    isSet time = if time < 1000 then Just time else Nothing
    thenTouched touch path =
      touch path >> Theirs.getSymbolicLinkStatus path >>= \status ->
        pure (Theirs.modificationTime status > 1100000000)

-- | Open files.
open :: [One]
open =
  [ One "getFdStatus" (withOpen (fmap fields . Theirs.getFdStatus)) (withOpen (fmap fields . Ours.getFdStatus)),
    One "setFdMode" (withOpen (`Theirs.setFdMode` 0o611)) (withOpen (`Ours.setFdMode` 0o611)),
    One
      "setFdOwnerAndGroup"
      (withOpen (\fd -> Theirs.setFdOwnerAndGroup fd 0 0))
      (withOpen (\fd -> Ours.setFdOwnerAndGroup fd 0 0)),
    One
      "setFdTimesHiRes"
      (withOpen (\fd -> Theirs.setFdTimesHiRes fd 3 4.5 >> Theirs.modificationTimeHiRes <$> Theirs.getFdStatus fd))
      (withOpen (\fd -> Ours.setFdTimesHiRes fd 3 4.5 >> Theirs.modificationTimeHiRes <$> Theirs.getFdStatus fd)),
    One "touchFd" (withOpen Theirs.touchFd) (withOpen Ours.touchFd),
    One "setFdSize" (withOpen (`Theirs.setFdSize` 1)) (withOpen (`Ours.setFdSize` 1)),
    One
      "getFdPathVar"
      (withOpen (\fd -> forM variables (Agree.outcome . Theirs.getFdPathVar fd)))
      (withOpen (\fd -> forM variables (Agree.outcome . Ours.getFdPathVar fd))),
    One "a closed descriptor" (\_ -> fields <$> Theirs.getFdStatus (-1)) (\_ -> fields <$> Ours.getFdStatus (-1)),
    One "a closed descriptor, touched," (\_ -> Theirs.touchFd (-1)) (\_ -> Ours.touchFd (-1))
  ]

withOpen :: (Fd -> IO a) -> FilePath -> IO a
withOpen use path = bracket (openFile path ReadMode >>= handleToFd) closeFd use

bytes :: [One]
bytes =
  [ One
      "ByteString.getFileStatus"
      (raw (fmap fields . TheirsBytes.getFileStatus))
      (raw (fmap fields . OursBytes.getFileStatus)),
    One "ByteString.readSymbolicLink" (raw TheirsBytes.readSymbolicLink) (raw OursBytes.readSymbolicLink),
    One "ByteString.fileExist" (raw TheirsBytes.fileExist) (raw OursBytes.fileExist),
    One "ByteString.removeLink" (raw TheirsBytes.removeLink) (raw OursBytes.removeLink)
  ]

-- | The bytes of a path; of one that has none, some others.
raw :: (RawFilePath -> IO a) -> FilePath -> IO a
raw use path = encoded path >>= use

encoded :: FilePath -> IO ByteString
encoded path = Agree.outcome (withFilePath path Char8.packCString) >>= either (const (pure (Char8.pack "\xff"))) pure

twos :: [Two]
twos =
  [ Two "createLink" Theirs.createLink Ours.createLink,
    Two "createSymbolicLink" Theirs.createSymbolicLink Ours.createSymbolicLink,
    Two "rename" Theirs.rename Ours.rename
  ]
