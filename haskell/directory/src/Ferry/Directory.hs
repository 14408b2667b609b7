-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE Trustworthy #-}

-- | "System.Directory" of the package @directory@, but no call stops other Haskell threads, however slow the disk is.
--
-- Change the import, and nothing else:
--
-- > import Ferry.Directory
-- >
-- > main :: IO ()
-- > main = do
-- >   createDirectoryIfMissing True "some/where"
-- >   listDirectory "some" >>= print
--
-- The names, the types and the exceptions are those of @directory@, and so are the types themselves. Each system call
-- keeps its Capability while it is short, and loses it to other Haskell threads when it is not ("Ferry.Foreign").
--
-- Three differences. A path that contains a NUL is an error (the functions that answer 'False' to errors still do so):
-- older versions cut such a path off, and would remove @"a"@ when told to remove @"a\0b"@. 'removePathForcibly'
-- changes no permissions but those of directories, as in @directory@ from 1.3.8 on. And 'copyFileWithMetadata' fails
-- before it has emptied a file that it is told to copy over itself, not after.
module Ferry.Directory
  ( -- * Directories
    createDirectory,
    createDirectoryIfMissing,
    removeDirectory,
    removeDirectoryRecursive,
    removePathForcibly,
    renameDirectory,
    listDirectory,
    getDirectoryContents,

    -- ** The current directory
    getCurrentDirectory,
    setCurrentDirectory,
    withCurrentDirectory,

    -- ** Directories for a purpose
    getHomeDirectory,
    XdgDirectory (..),
    getXdgDirectory,
    XdgDirectoryList (..),
    getXdgDirectoryList,
    getAppUserDataDirectory,
    getUserDocumentsDirectory,
    getTemporaryDirectory,

    -- * Files
    removeFile,
    renameFile,
    renamePath,
    copyFile,
    copyFileWithMetadata,
    getFileSize,

    -- ** Paths
    canonicalizePath,
    makeAbsolute,
    makeRelativeToCurrentDirectory,

    -- ** Existence
    doesPathExist,
    doesFileExist,
    doesDirectoryExist,

    -- ** Searching
    findExecutable,
    findExecutables,
    findExecutablesInDirectories,
    findFile,
    findFiles,
    findFileWith,
    findFilesWith,
    exeExtension,

    -- * Symbolic links
    createFileLink,
    createDirectoryLink,
    removeDirectoryLink,
    pathIsSymbolicLink,
    getSymbolicLinkTarget,

    -- * Permissions
    Permissions,
    emptyPermissions,
    readable,
    writable,
    executable,
    searchable,
    setOwnerReadable,
    setOwnerWritable,
    setOwnerExecutable,
    setOwnerSearchable,
    getPermissions,
    setPermissions,
    copyPermissions,

    -- * Times
    getAccessTime,
    getModificationTime,
    setAccessTime,
    setModificationTime,

    -- * Deprecated
    isSymbolicLink,
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
import Ferry.Internal.Posix.Path
import GHC.IO.Exception (IOErrorType (InappropriateType))
import System.Directory
  ( Permissions,
    XdgDirectory (..),
    XdgDirectoryList (..),
    emptyPermissions,
    exeExtension,
    executable,
    getAppUserDataDirectory,
    getHomeDirectory,
    getTemporaryDirectory,
    getUserDocumentsDirectory,
    getXdgDirectory,
    getXdgDirectoryList,
    readable,
    searchable,
    setOwnerExecutable,
    setOwnerReadable,
    setOwnerSearchable,
    setOwnerWritable,
    writable,
  )
import System.FilePath (splitDirectories, (<.>), (</>))
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
doesPathExist :: FilePath -> IO Bool
doesPathExist = leadsTo (const True)

-- | Whether there is a directory, or a symbolic link to one, of this name.
doesDirectoryExist :: FilePath -> IO Bool
doesDirectoryExist = leadsTo isDirectoryMode

-- | Whether there is something of this name that is not a directory.
doesFileExist :: FilePath -> IO Bool
doesFileExist = leadsTo (not . isDirectoryMode)

-- | Whether the path leads to something of such a mode. What cannot be looked at is not there.
leadsTo :: (FileMode -> Bool) -> FilePath -> IO Bool
leadsTo test path = (either (const False) test <$> Posix.modeOf path) `catchIOError` \_ -> pure False

isDirectoryMode :: FileMode -> Bool
isDirectoryMode mode = intersectFileModes fileTypeModes mode == directoryMode

pathIsDirectory :: FilePath -> IO Bool
pathIsDirectory path = located "pathIsDirectory" (isDirectory <$> Posix.getFileStatus path)

-- | The bytes of a file.
getFileSize :: FilePath -> IO Integer
getFileSize path = located "getFileSize" (fromIntegral . fileSize <$> Posix.getFileStatus path)

-- ---- directories ------------------------------------------------------------------------------------------------

-- | Make a directory; what it is in must be there.
createDirectory :: FilePath -> IO ()
createDirectory path = Posix.createDirectory path 0o777

-- | Make a directory unless it is there; if wanted, what it is in as well.
createDirectoryIfMissing :: Bool -> FilePath -> IO ()
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
removeDirectory :: FilePath -> IO ()
removeDirectory = Posix.removeDirectory

-- | Remove a directory and all that is in it. Symbolic links are removed, not what they lead to.
removeDirectoryRecursive :: FilePath -> IO ()
removeDirectoryRecursive path = located "removeDirectoryRecursive" $ do
  status <- Posix.getSymbolicLinkStatus path
  if isDirectory status
    then removeWithContents path
    else ioError (inappropriate "" path "not a directory")

removeWithContents :: FilePath -> IO ()
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
removePathForcibly :: FilePath -> IO ()
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
renameDirectory :: FilePath -> FilePath -> IO ()
renameDirectory old new = located "renameDirectory" $ do
  isOne <- pathIsDirectory old
  unless isOne (ioError (inappropriate "renameDirectory" old "not a directory"))
  renamePath old new

-- | The names in a directory, without @.@ and @..@.
listDirectory :: FilePath -> IO [FilePath]
listDirectory path = filter (`notElem` [".", ".."]) <$> getDirectoryContents path

-- | The names in a directory.
getDirectoryContents :: FilePath -> IO [FilePath]
getDirectoryContents path = named path . located "getDirectoryContents" $ Posix.namesOf path

-- | Change the directory that relative paths begin in, for all threads.
setCurrentDirectory :: FilePath -> IO ()
setCurrentDirectory = Posix.changeWorkingDirectory

-- | Do something in another directory, for all threads.
withCurrentDirectory :: FilePath -> IO a -> IO a
withCurrentDirectory path act =
  bracket getCurrentDirectory setCurrentDirectory $ \_ -> setCurrentDirectory path >> act

-- ---- files ------------------------------------------------------------------------------------------------------

-- | Remove a file; not a directory.
removeFile :: FilePath -> IO ()
removeFile = Posix.removeLink

-- | Rename a file; the new name is replaced. Neither may be a directory's.
renameFile :: FilePath -> FilePath -> IO ()
renameFile old new = located "renameFile" $ do
  refuseDirectory old
  renamePath old new `catchIOError` \failure -> refuseDirectory new >> ioError failure
  where
    refuseDirectory path = do
      found <- tryIOError (Posix.getSymbolicLinkStatus path)
      when (either (const False) isDirectory found) (ioError (inappropriate "" path "is a directory"))

-- | Rename a file or a directory.
renamePath :: FilePath -> FilePath -> IO ()
renamePath old new = located "renamePath" (Posix.rename old new)

-- | Copy a file with its permissions: what it is copied to is replaced in one step. That the permissions could not be
-- copied is no error.
copyFile :: FilePath -> FilePath -> IO ()
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
copyFileWithMetadata :: FilePath -> FilePath -> IO ()
copyFileWithMetadata from to = located "copyFileWithMetadata" $ do
  status <- Posix.getFileStatus from
  located "copyFileContents" (copyOver status from to)
  quietly (Posix.setOwnerAndGroup to (fileOwner status) (-1))
  quietly (Posix.setOwnerAndGroup to (-1) (fileGroup status))
  Posix.setFileMode to (fileMode status)
  setTimes to (Just (accessTimeOf status)) (Just (modificationTimeOf status))
  where
    quietly act = act `catchIOError` \_ -> pure ()

inappropriate :: String -> FilePath -> String -> IOError
inappropriate place path = ioeSetErrorString (mkIOError InappropriateType place Nothing (Just path))

-- ---- searching --------------------------------------------------------------------------------------------------

-- | The program of this name that a shell would start.
findExecutable :: String -> IO (Maybe FilePath)
findExecutable name = searchPath >>= \folders -> findFileWith isExecutable folders (name <.> exeExtension)

-- | All programs of this name in @PATH@.
findExecutables :: String -> IO [FilePath]
findExecutables name = searchPath >>= \folders -> findExecutablesInDirectories folders name

-- | All programs of this name in these directories.
findExecutablesInDirectories :: [FilePath] -> String -> IO [FilePath]
findExecutablesInDirectories folders name = findFilesWith isExecutable folders (name <.> exeExtension)

isExecutable :: FilePath -> IO Bool
isExecutable path = executable <$> getPermissions path

-- | The first file of this name in these directories.
findFile :: [FilePath] -> String -> IO (Maybe FilePath)
findFile = findFileWith (const (pure True))

-- | All files of this name in these directories.
findFiles :: [FilePath] -> String -> IO [FilePath]
findFiles = findFilesWith (const (pure True))

-- | The first file of this name in these directories that passes the test.
findFileWith :: (FilePath -> IO Bool) -> [FilePath] -> String -> IO (Maybe FilePath)
findFileWith test folders name = firstThat (passes test) (candidates folders name)

-- | All files of this name in these directories that pass the test.
findFilesWith :: (FilePath -> IO Bool) -> [FilePath] -> String -> IO [FilePath]
findFilesWith test folders name = filterM (passes test) (candidates folders name)

passes :: (FilePath -> IO Bool) -> FilePath -> IO Bool
passes test path = doesFileExist path >>= \isOne -> if isOne then test path else pure False

-- ---- symbolic links ---------------------------------------------------------------------------------------------

-- | Make a symbolic link to a file: what it leads to, and its name.
createFileLink :: FilePath -> FilePath -> IO ()
createFileLink target link = located "createFileLink" (Posix.createSymbolicLink target link)

-- | Make a symbolic link to a directory: what it leads to, and its name.
createDirectoryLink :: FilePath -> FilePath -> IO ()
createDirectoryLink target link = located "createDirectoryLink" (Posix.createSymbolicLink target link)

-- | Remove a symbolic link to a directory.
removeDirectoryLink :: FilePath -> IO ()
removeDirectoryLink path = located "removeDirectoryLink" (removeFile path)

-- | Whether it is a symbolic link.
pathIsSymbolicLink :: FilePath -> IO Bool
pathIsSymbolicLink path =
  named path . located "pathIsSymbolicLink" $ Status.isSymbolicLink <$> Posix.getSymbolicLinkStatus path

-- | 'pathIsSymbolicLink'.
isSymbolicLink :: FilePath -> IO Bool
isSymbolicLink = pathIsSymbolicLink
{-# DEPRECATED isSymbolicLink "Use 'pathIsSymbolicLink' instead" #-}

-- | What a symbolic link leads to.
getSymbolicLinkTarget :: FilePath -> IO FilePath
getSymbolicLinkTarget path = located "getSymbolicLinkTarget" (Posix.readSymbolicLink path)

-- ---- permissions ------------------------------------------------------------------------------------------------

-- | What this process may do with a file or a directory.
getPermissions :: FilePath -> IO Permissions
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
setPermissions :: FilePath -> Permissions -> IO ()
setPermissions path0 given = located "setPermissions" $ do
  mode <- fileMode <$> Posix.getFileStatus path
  Posix.setFileMode path . set ownerReadMode (readable given) . set ownerWriteMode (writable given) $
    set ownerExecuteMode (executable given || searchable given) mode
  where
    path = orCurrent path0
    set bits on mode = if on then mode .|. bits else mode .&. complement bits

-- | Give the second file the permissions of the first.
copyPermissions :: FilePath -> FilePath -> IO ()
copyPermissions from to = located "copyPermissions" $ do
  status <- Posix.getFileStatus from
  Posix.setFileMode to (fileMode status)

-- | The empty path is the current directory where permissions and times are concerned.
orCurrent :: FilePath -> FilePath
orCurrent path = if null path then "." else path

-- ---- times ------------------------------------------------------------------------------------------------------

-- | When a file was read last, as far as the file system notes it.
getAccessTime :: FilePath -> IO UTCTime
getAccessTime path = located "getAccessTime" (accessTimeOf <$> Posix.getFileStatus (orCurrent path))

-- | When a file was changed last.
getModificationTime :: FilePath -> IO UTCTime
getModificationTime path = located "getModificationTime" (modificationTimeOf <$> Posix.getFileStatus (orCurrent path))

-- | Set when a file was read last.
setAccessTime :: FilePath -> UTCTime -> IO ()
setAccessTime path time = located "setAccessTime" (setTimes path (Just time) Nothing)

-- | Set when a file was changed last.
setModificationTime :: FilePath -> UTCTime -> IO ()
setModificationTime path time = located "setModificationTime" (setTimes path Nothing (Just time))

setTimes :: FilePath -> Maybe UTCTime -> Maybe UTCTime -> IO ()
setTimes path accessed changed =
  named path . located "setFileTimes" $
    Posix.setFileTimesOrKeep (orCurrent path) (seconds accessed) (seconds changed)
  where
    seconds = fmap utcTimeToPOSIXSeconds

accessTimeOf, modificationTimeOf :: FileStatus -> UTCTime
accessTimeOf = posixSecondsToUTCTime . accessTimeHiRes
modificationTimeOf = posixSecondsToUTCTime . modificationTimeHiRes
