-- SPDX-License-Identifier: BSD-3-Clause
{-# OPTIONS_GHC -fexpose-all-unfoldings -fspecialise-aggressively #-}
{-# OPTIONS_HADDOCK not-home #-}

-- | The functions of "System.Directory", by held calls, for every kind of path that has parts.
module Ferry.Internal.Directory.Functions
  ( -- * Directories
    createDirectory,
    createDirectoryIfMissing,
    removeDirectory,
    removeDirectoryRecursive,
    removePathForcibly,
    renameDirectory,
    listDirectory,
    getDirectoryContents,

    -- * The current directory
    setCurrentDirectory,
    withCurrentDirectory,

    -- * Files
    removeFile,
    renameFile,
    renamePath,
    copyFile,
    copyFileWithMetadata,
    getFileSize,

    -- * Paths
    getCurrentDirectory,
    canonicalizePath,
    makeAbsolute,
    makeRelativeToCurrentDirectory,

    -- * Existence
    doesPathExist,
    doesFileExist,
    doesDirectoryExist,

    -- * Searching
    findExecutable,
    findExecutables,
    findExecutablesInDirectories,
    findFile,
    findFiles,
    findFileWith,
    findFilesWith,

    -- * Symbolic links
    createFileLink,
    createDirectoryLink,
    removeDirectoryLink,
    pathIsSymbolicLink,
    getSymbolicLinkTarget,

    -- * Permissions
    getPermissions,
    setPermissions,
    copyPermissions,

    -- * Times
    getAccessTime,
    getModificationTime,
    setAccessTime,
    setModificationTime,
  )
where

import Control.Exception (bracket)
import Control.Monad (filterM, unless, when)
import Data.Bits (complement, (.&.), (.|.))
import Data.Time.Clock (UTCTime)
import Data.Time.Clock.POSIX (posixSecondsToUTCTime, utcTimeToPOSIXSeconds)
import Ferry.Internal.Directory.Paths
import Ferry.Internal.Posix.Contents
import qualified Ferry.Internal.Posix.Directory as Posix
import qualified Ferry.Internal.Posix.Files as Posix
import Ferry.Internal.Posix.Parts
import Ferry.Internal.Posix.Path
import GHC.IO.Exception (IOErrorType (InappropriateType))
import System.Directory
  ( Permissions,
    emptyPermissions,
    executable,
    readable,
    searchable,
    writable,
  )
import System.IO.Error
import System.Posix.Files
  ( FileStatus,
    accessTimeHiRes,
    directoryMode,
    fileGroup,
    fileMode,
    fileOwner,
    fileSize,
    fileTypeModes,
    intersectFileModes,
    isDirectory,
    modificationTimeHiRes,
    ownerExecuteMode,
    ownerReadMode,
    ownerWriteMode,
  )
import qualified System.Posix.Files as Status (isSymbolicLink)
import System.Posix.Types (FileMode)

-- ---- existence --------------------------------------------------------------------------------------------------

-- | Whether there is something of this name; a symbolic link that leads nowhere is nothing.
doesPathExist :: Parts path => path -> IO Bool
doesPathExist = leadsTo (const True)

-- | Whether there is a directory, or a symbolic link to one, of this name.
doesDirectoryExist :: Parts path => path -> IO Bool
doesDirectoryExist = leadsTo isDirectoryMode

-- | Whether there is something of this name that is not a directory.
doesFileExist :: Parts path => path -> IO Bool
doesFileExist = leadsTo (not . isDirectoryMode)

-- | Whether the path leads to something of such a mode. What cannot be looked at is not there.
leadsTo :: Parts path => (FileMode -> Bool) -> path -> IO Bool
leadsTo test path = (either (const False) test <$> Posix.modeOf path) `catchIOError` \_ -> pure False

isDirectoryMode :: FileMode -> Bool
isDirectoryMode mode = intersectFileModes fileTypeModes mode == directoryMode

pathIsDirectory :: Parts path => path -> IO Bool
pathIsDirectory path = located "pathIsDirectory" (isDirectory <$> Posix.getFileStatus path)

-- | The bytes of a file.
getFileSize :: Parts path => path -> IO Integer
getFileSize path = located "getFileSize" (fromIntegral . fileSize <$> Posix.getFileStatus path)

-- ---- directories ------------------------------------------------------------------------------------------------

-- | Make a directory; what it is in must be there.
createDirectory :: Parts path => path -> IO ()
createDirectory path = Posix.createDirectory path 0o777

-- | Make a directory unless it is there; if wanted, what it is in as well.
createDirectoryIfMissing :: Parts path => Bool -> path -> IO ()
createDirectoryIfMissing withParents path0 = go (if withParents then ancestry else take 1 ancestry)
  where
    -- the directory, what it is in, and so on
    ancestry = reverse (scanl1 (</>) (splitDirectories (simplify path0)))
    go [] = pure ()
    go (path : above) = tryIOError (createDirectory path) >>= either (failed path above) pure
    failed path above failure
      | isDoesNotExistError failure = if null above then ioError failure else go above >> make path
      | isAlreadyExistsError failure || isPermissionError failure = unlessDirectory path failure
      | otherwise = ioError failure
    make path = tryIOError (createDirectory path) >>= either (failed path []) pure
    unlessDirectory path failure = do
      isThere <- pathIsDirectory path `catchIOError` \_ -> pure (isAlreadyExistsError failure)
      unless isThere (ioError failure)

-- | Remove an empty directory.
removeDirectory :: Parts path => path -> IO ()
removeDirectory = Posix.removeDirectory

-- | Remove a directory and all that is in it. Symbolic links are removed, not what they lead to.
removeDirectoryRecursive :: Parts path => path -> IO ()
removeDirectoryRecursive path = located "removeDirectoryRecursive" $ do
  status <- Posix.getSymbolicLinkStatus path
  if isDirectory status
    then removeWithContents path
    else ioError (inappropriate "" path "not a directory")

removeWithContents :: Parts path => path -> IO ()
removeWithContents path = located "removeContentsRecursive" $ do
  names <- listDirectory path
  mapM_ (removeEither . (path </>)) names
  removeDirectory path
  where
    removeEither inner = located "removePathRecursive" $ do
      status <- Posix.getSymbolicLinkStatus inner
      if isDirectory status then removeWithContents inner else removeFile inner

-- | Remove whatever is there, with all that is in it, also where permissions have to be changed for it. What can be
-- removed is, though something else cannot: the first error is thrown at the end. Nothing there is no error.
removePathForcibly :: Parts path => path -> IO ()
removePathForcibly path = located "removePathForcibly" . unlessMissing $ do
  status <- Posix.getSymbolicLinkStatus path
  if isDirectory status
    then do
      unlock status `catchIOError` \_ -> pure ()
      names <- listDirectory path
      allOf (map (removePathForcibly . (path </>)) names ++ [removeDirectory path])
    else removeFile path
  where
    unlock status = Posix.setFileMode path (fileMode status .|. ownerMay)
    ownerMay = ownerReadMode .|. ownerWriteMode .|. ownerExecuteMode
    unlessMissing act = act `catchIOError` \failure -> unless (isDoesNotExistError failure) (ioError failure)

-- | Do all of these; then throw the first error.
allOf :: [IO ()] -> IO ()
allOf acts = mapM tryIOError acts >>= either ioError pure . sequence_

-- | Rename a directory; the new name is replaced if it is an empty directory.
renameDirectory :: Parts path => path -> path -> IO ()
renameDirectory old new = located "renameDirectory" $ do
  isOne <- pathIsDirectory old
  unless isOne (ioError (inappropriate "renameDirectory" old "not a directory"))
  renamePath old new

-- | The names in a directory, without @.@ and @..@.
listDirectory :: Parts path => path -> IO [path]
listDirectory path = filter (`notElem` map fromAscii [".", ".."]) <$> getDirectoryContents path

-- | The names in a directory.
getDirectoryContents :: Parts path => path -> IO [path]
getDirectoryContents path = named (pathName path) . located "getDirectoryContents" $ Posix.namesOf path

-- | Change the directory that relative paths begin in, for all threads.
setCurrentDirectory :: Parts path => path -> IO ()
setCurrentDirectory = Posix.changeWorkingDirectory

-- | Do something in another directory, for all threads.
withCurrentDirectory :: Parts path => path -> IO a -> IO a
withCurrentDirectory path act =
  bracket ((`asTypeOf` path) <$> getCurrentDirectory) setCurrentDirectory $ \_ -> setCurrentDirectory path >> act

-- ---- files ------------------------------------------------------------------------------------------------------

-- | Remove a file; not a directory.
removeFile :: Parts path => path -> IO ()
removeFile = Posix.removeLink

-- | Rename a file; the new name is replaced. Neither may be a directory's.
renameFile :: Parts path => path -> path -> IO ()
renameFile old new = located "renameFile" $ do
  refuseDirectory old
  renamePath old new `catchIOError` \failure -> refuseDirectory new >> ioError failure
  where
    refuseDirectory path = do
      found <- tryIOError (Posix.getSymbolicLinkStatus path)
      when (either (const False) isDirectory found) (ioError (inappropriate "" path "is a directory"))

-- | Rename a file or a directory.
renamePath :: Parts path => path -> path -> IO ()
renamePath old new = located "renamePath" (Posix.rename old new)

-- | Copy a file with its permissions: what it is copied to is replaced in one step. That the permissions could not be
-- copied is no error.
copyFile :: Parts path => path -> path -> IO ()
copyFile from to =
  located "copyFile" . located "atomicCopyFileContents" . located "withReplacementFile" $
    replacing
      to
      (".copyFile", ".tmp")
      Replacement
        { replacementMode = 0o600,
          replacementFill = \temporary fd -> located "copyFileToHandle" (copyInto from temporary fd),
          replacementFinish = \temporary -> copyPermissions from temporary `catchIOError` \_ -> pure (),
          replacementRename = renameFile
        }

-- | Copy a file with its permissions and times, and with its owner and group where that is allowed. What it is copied
-- to is written over; what is the same file is not.
copyFileWithMetadata :: Parts path => path -> path -> IO ()
copyFileWithMetadata from to = located "copyFileWithMetadata" $ do
  status <- Posix.getFileStatus from
  located "copyFileContents" (copyOver status from to)
  quietly (Posix.setOwnerAndGroup to (fileOwner status) (-1))
  quietly (Posix.setOwnerAndGroup to (-1) (fileGroup status))
  Posix.setFileMode to (fileMode status)
  setTimes to (Just (accessTimeOf status)) (Just (modificationTimeOf status))
  where
    quietly act = act `catchIOError` \_ -> pure ()

inappropriate :: Path path => String -> path -> String -> IOError
inappropriate place path = ioeSetErrorString (mkIOError InappropriateType place Nothing (Just (pathName path)))

-- ---- searching --------------------------------------------------------------------------------------------------

-- | The program of this name that a shell would start.
findExecutable :: Parts path => path -> IO (Maybe path)
findExecutable name = searchPath >>= \folders -> findFileWith isExecutable folders name

-- | All programs of this name in @PATH@.
findExecutables :: Parts path => path -> IO [path]
findExecutables name = searchPath >>= \folders -> findExecutablesInDirectories folders name

-- | All programs of this name in these directories.
findExecutablesInDirectories :: Parts path => [path] -> path -> IO [path]
findExecutablesInDirectories = findFilesWith isExecutable

isExecutable :: Parts path => path -> IO Bool
isExecutable path = executable <$> getPermissions path

-- | The first file of this name in these directories.
findFile :: Parts path => [path] -> path -> IO (Maybe path)
findFile = findFileWith (const (pure True))

-- | All files of this name in these directories.
findFiles :: Parts path => [path] -> path -> IO [path]
findFiles = findFilesWith (const (pure True))

-- | The first file of this name in these directories that passes the test.
findFileWith :: Parts path => (path -> IO Bool) -> [path] -> path -> IO (Maybe path)
findFileWith test folders name = firstThat (passes test) (candidates folders name)

-- | All files of this name in these directories that pass the test.
findFilesWith :: Parts path => (path -> IO Bool) -> [path] -> path -> IO [path]
findFilesWith test folders name = filterM (passes test) (candidates folders name)

passes :: Parts path => (path -> IO Bool) -> path -> IO Bool
passes test path = doesFileExist path >>= \isOne -> if isOne then test path else pure False

-- ---- symbolic links ---------------------------------------------------------------------------------------------

-- | Make a symbolic link to a file: what it leads to, and its name.
createFileLink :: Parts path => path -> path -> IO ()
createFileLink target link = located "createFileLink" (Posix.createSymbolicLink target link)

-- | Make a symbolic link to a directory: what it leads to, and its name.
createDirectoryLink :: Parts path => path -> path -> IO ()
createDirectoryLink target link = located "createDirectoryLink" (Posix.createSymbolicLink target link)

-- | Remove a symbolic link to a directory.
removeDirectoryLink :: Parts path => path -> IO ()
removeDirectoryLink path = located "removeDirectoryLink" (removeFile path)

-- | Whether it is a symbolic link.
pathIsSymbolicLink :: Parts path => path -> IO Bool
pathIsSymbolicLink path =
  named (pathName path) . located "pathIsSymbolicLink" $ Status.isSymbolicLink <$> Posix.getSymbolicLinkStatus path

-- | What a symbolic link leads to.
getSymbolicLinkTarget :: Parts path => path -> IO path
getSymbolicLinkTarget path = located "getSymbolicLinkTarget" (Posix.readSymbolicLink path)

-- ---- permissions ------------------------------------------------------------------------------------------------

-- | What this process may do with a file or a directory.
getPermissions :: Parts path => path -> IO Permissions
getPermissions path0 = located "getPermissions" $ do
  isOne <- isDirectory <$> Posix.getFileStatus path
  reads' <- Posix.fileAccess path True False False
  writes <- Posix.fileAccess path False True False
  executes <- Posix.fileAccess path False False True
  pure
    emptyPermissions
      { readable = reads',
        writable = writes,
        executable = executes && not isOne,
        searchable = executes && isOne
      }
  where
    path = orCurrent path0

-- | Set what the owner may do with a file or a directory.
setPermissions :: Parts path => path -> Permissions -> IO ()
setPermissions path0 given = located "setPermissions" $ do
  mode <- fileMode <$> Posix.getFileStatus path
  Posix.setFileMode path . set ownerReadMode (readable given) . set ownerWriteMode (writable given) $
    set ownerExecuteMode (executable given || searchable given) mode
  where
    path = orCurrent path0
    set bits on mode = if on then mode .|. bits else mode .&. complement bits

-- | Give the second file the permissions of the first.
copyPermissions :: Parts path => path -> path -> IO ()
copyPermissions from to = located "copyPermissions" $ do
  status <- Posix.getFileStatus from
  Posix.setFileMode to (fileMode status)

-- | The empty path is the current directory where permissions and times are concerned.
orCurrent :: Parts path => path -> path
orCurrent path = if isEmpty path then fromAscii "." else path

-- ---- times ------------------------------------------------------------------------------------------------------

-- | When a file was read last, as far as the file system notes it.
getAccessTime :: Parts path => path -> IO UTCTime
getAccessTime path = located "getAccessTime" (accessTimeOf <$> Posix.getFileStatus (orCurrent path))

-- | When a file was changed last.
getModificationTime :: Parts path => path -> IO UTCTime
getModificationTime path = located "getModificationTime" (modificationTimeOf <$> Posix.getFileStatus (orCurrent path))

-- | Set when a file was read last.
setAccessTime :: Parts path => path -> UTCTime -> IO ()
setAccessTime path time = located "setAccessTime" (setTimes path (Just time) Nothing)

-- | Set when a file was changed last.
setModificationTime :: Parts path => path -> UTCTime -> IO ()
setModificationTime path time = located "setModificationTime" (setTimes path Nothing (Just time))

setTimes :: Parts path => path -> Maybe UTCTime -> Maybe UTCTime -> IO ()
setTimes path accessed changed =
  named (pathName path) . located "setFileTimes" $
    Posix.setFileTimesOrKeep (orCurrent path) (seconds accessed) (seconds changed)
  where
    seconds = fmap utcTimeToPOSIXSeconds

accessTimeOf, modificationTimeOf :: FileStatus -> UTCTime
accessTimeOf = posixSecondsToUTCTime . accessTimeHiRes
modificationTimeOf = posixSecondsToUTCTime . modificationTimeHiRes
