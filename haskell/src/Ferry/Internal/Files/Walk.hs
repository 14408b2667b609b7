-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE DataKinds #-}
{-# OPTIONS_HADDOCK not-home #-}

-- | Walking trees: what is below a path, and what the file system says of it.
--
-- Directories wait on a stack. Up to 'batchDirectories' of them are opened and listed by one batch, then the names
-- found are looked at, 'batchFiles' at a time, and then the directories are closed. So there are never more open,
-- however deep the tree is and however many directories wait.
--
-- A directory is opened by its path from the root of the walk; one whose path is longer than the kernel takes, in
-- steps. Something on that path may have been replaced since, by a symbolic link say; so what was opened is compared
-- with what was seen when its parent was looked at, and nothing else is walked.
--
-- Invariants. Asynchronous exceptions are masked but for the caller's steps and between batches; what is open is in
-- @walkerOpen@, and closed when one comes.
module Ferry.Internal.Files.Walk
  ( Found (..),
    walkIn,

    -- * Limits
    batchDirectories,
  )
where

import Control.Exception (allowInterrupt, mask, onException)
import Control.Monad (foldM, replicateM, zipWithM, zipWithM_)
import Data.Bits ((.|.))
import Data.ByteString (ByteString)
import qualified Data.ByteString as ByteString
import qualified Data.ByteString.Char8 as Char8
import Data.IORef (IORef, modifyIORef', newIORef, readIORef, writeIORef)
import Data.Int (Int64)
import Data.Word (Word32, Word64, Word8)
import Ferry.Batch
import Ferry.Internal.Failure (callError, errnoOf)
import Ferry.Internal.Files.Dents (namesIn)
import Ferry.Internal.Files.Each
import Ferry.Internal.Files.Kept
import Ferry.Internal.Prepare (forAnyThread)
import Ferry.Internal.Program (pointerTo, wordIfRan)
import Foreign.C.Error (Errno, eMFILE, eNFILE, eSTALE)
import Foreign.C.Types (CChar, CInt)
import Foreign.Ptr (Ptr, nullPtr)
import System.IO.Unsafe (unsafePerformIO)

-- | Directories that are open at a time.
batchDirectories :: Int
batchDirectories = 16

-- | Bytes of names that one directory's first two listings get: the second proves that a small directory was whole.
listBytes, moreBytes :: Int
listBytes = 32768
moreBytes = 4096

-- | The longest path that the kernel takes.
pathBytesMax :: Int
pathBytesMax = 4095

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

-- | A directory to be listed.
data Waiting = Waiting !ByteString !Int !Statx

data Walker = Walker
  { walkerMode :: !Mode,
    walkerDescend :: Found -> Bool,
    walkerEnter :: !Enter,
    walkerLook :: !Look,
    walkerList :: !List,
    walkerClose :: !Close,
    -- | descriptors that are open
    walkerOpen :: !(IORef [CInt])
  }

-- | 'Ferry.Files.walkWhere', in this mode.
walkIn :: Mode -> (Found -> Bool) -> (state -> Found -> IO state) -> state -> [ByteString] -> IO state
walkIn _ _ _ start [] = pure start
walkIn mode descend step start roots = mask $ \restore -> do
  walker <- Walker mode descend <$> prepareEnter <*> prepareLook <*> prepareList <*> prepareClose <*> newIORef []
  let give (state, deeper) found = do
        state' <- restore (step state found)
        state' `seq` pure (state', waitingIn walker found ++ deeper)
      look state root looked = do
        status <- either (fmap Left . pathError "statx" root) (pure . Right) looked
        give state (Found root 0 status)
      go state [] = pure state
      go state waiting = do
        allowInterrupt
        let (group, rest) = splitAt batchDirectories waiting
        (state', deeper) <- walkGroup walker give (state, []) group
        go state' (reverse deeper ++ rest)
  (state, deeper) <- foldEach keptRoots mode lookedAtRoot look (start, []) roots
  go state (reverse deeper) `onException` closeAll walker
  where
    lookedAtRoot path = lookedAt (literal atFdcwd) path atSymlinkNofollow

keptRoots :: Kept (Each (Either Errno Statx))
keptRoots = unsafePerformIO newKept
{-# NOINLINE keptRoots #-}

-- | What is still to be listed of what was found.
waitingIn :: Walker -> Found -> [Waiting]
waitingIn walker found = case foundStatus found of
  Right status
    | fileType (stxMode status) == Directory && walkerDescend walker found ->
      [Waiting (foundPath found) (foundDepth found) status]
  _ -> []

-- ---- some directories -------------------------------------------------------------------------------------------

-- | What a batch found in a directory.
data Listed = Listed
  { listedFd :: !CInt,
    listedNames :: [Ptr CChar],
    listedEnd :: !End
  }

-- | How listing a directory went on.
data End
  = Ended
  | -- | there may be more names
    Further
  | -- | the call that failed
    Failed String Errno
  | -- | the process could open no more; to be tried again by itself
    Later

-- | Give what is in these directories, one after the other.
walkGroup :: Walker -> (state -> Found -> IO state) -> state -> [Waiting] -> IO state
walkGroup walker give start group = do
  listed <- enter walker group
  found <- lookAt walker [(waiting, listedFd one, name) | (waiting, one) <- zip group listed, name <- listedNames one]
  state <- deliver start (zip group listed) found
  closeAll walker
  let later = [waiting | (waiting, Listed _ _ Later) <- zip group listed]
  foldM (\so waiting -> walkGroup walker give so [waiting]) state later
  where
    deliver state [] _ = pure state
    deliver state ((waiting, one) : rest) found = do
      let (mine, others) = splitAt (length (listedNames one)) found
      state' <- foldM give state mine
      state'' <- atEnd state' waiting (listedFd one) (listedEnd one)
      deliver state'' rest others
    atEnd state waiting fd end = case end of
      Further -> do
        next <- listOn walker fd
        found <- lookAt walker [(waiting, fd, name) | name <- listedNames next]
        state' <- foldM give state found
        atEnd state' waiting fd (listedEnd next)
      Failed name errno -> giveFailure give state waiting name errno
      _ -> pure state

giveFailure :: (state -> Found -> IO state) -> state -> Waiting -> String -> Errno -> IO state
giveFailure give state (Waiting path depth _) name errno = do
  failure <- callError name (Just path) errno
  give state (Found path depth (Left failure))

-- ---- entering ---------------------------------------------------------------------------------------------------

-- | Enter some directories: where each is, and what its slots gave.
data Enter = Enter ![(Parameter CInt, Parameter (Ptr CChar))] !(Prepared [Entered])

data Entered = Entered
  { enteredFd :: !Int64,
    -- | the device and the inode that were opened
    enteredIdentity :: !(Word32, Word32, Word64),
    enteredFirst :: !Int64,
    enteredNames :: !(Ptr Word8),
    enteredSecond :: !Int64,
    enteredMore :: !(Ptr Word8)
  }

prepareEnter :: IO Enter
prepareEnter = do
  (places, prepared) <- prepareWith loopExecutor $ do
    parts <- replicateM batchDirectories $ do
      dirfd <- parameter
      path <- parameter
      (,) (dirfd, path) <$> enterOne (given dirfd) (given path)
    pure (map fst parts, traverse snd parts)
  Enter places prepared <$ forAnyThread prepared

-- | The slots of one directory.
enterOne :: Value CInt -> Value (Ptr CChar) -> Program 'SystemCalls (Output Entered)
enterOne dirfd path = do
  next <- newLabel
  names <- cells (listBytes + 1)
  more <- cells (moreBytes + 1)
  out <- cell
  empty <- constantBytes ByteString.empty
  fd <- openat dirfd path (literal (oRdonly .|. oDirectory .|. oNofollow .|. oNonblock .|. oCloexec)) (literal 0)
  jump fd OnFailure next
  _ <- statx fd empty (literal atEmptyPath) (literal statxIno) (address out)
  first <- getdents64 fd (address names) (literal (fromIntegral listBytes))
  jump first OnFailure next
  jump first OnZero next
  second <- getdents64 fd (address more) (literal (fromIntegral moreBytes))
  place next
  pure $
    Entered
      <$> wordIfRan fd
      <*> ((,,) <$> readCell (stxDevMajorAt out) <*> readCell (stxDevMinorAt out) <*> readCell (stxInoAt out))
      <*> wordIfRan first
      <*> pointerTo names
      <*> wordIfRan second
      <*> pointerTo more

-- | Open and list these directories, which are no more than 'batchDirectories'.
enter :: Walker -> [Waiting] -> IO [Listed]
enter walker group = do
  anchors <- mapM (\(Waiting path _ _) -> anchorOf walker atFdcwd path) group
  withPaths [path | Right (_, path) <- anchors] $ \pointers -> do
    zipWithM_ setPlace places (placesOf anchors pointers ++ repeat (atFdcwd, nullPtr))
    entered <- take (length group) <$> runPrepared (walkerMode walker) prepared
    modifyIORef' (walkerOpen walker) ([fromIntegral (enteredFd one) | one <- entered, enteredFd one >= 0] ++)
    sequence (zipWith3 listedFrom anchors group entered)
  where
    Enter places prepared = walkerEnter walker
    setPlace (dirfd, path) (dirfd', path') = setParameter prepared dirfd dirfd' >> setParameter prepared path path'
    placesOf (Right (dirfd, _) : anchors) (pointer : pointers) = (dirfd, pointer) : placesOf anchors pointers
    placesOf (Left _ : anchors) pointers = (atFdcwd, nullPtr) : placesOf anchors pointers
    placesOf _ _ = []
    listedFrom (Left errno) _ _ = pure (Listed (-1) [] (orLater group errno "openat"))
    listedFrom (Right _) waiting one = listedOf group waiting one

-- | A path and a descriptor to start from. Almost always the path itself; one that is too long is opened part by part.
anchorOf :: Walker -> CInt -> ByteString -> IO (Either Errno (CInt, ByteString))
anchorOf walker dirfd path
  | ByteString.length path <= pathBytesMax = pure (Right (dirfd, path))
  | otherwise = do
    opened <- run (walkerMode walker) $ do
      from <- constantBytes start
      attempt <$> openat (literal dirfd) from (literal (oPath .|. oDirectory .|. oNofollow .|. oCloexec)) (literal 0)
    case opened of
      Left errno -> pure (Left errno)
      Right fd -> modifyIORef' (walkerOpen walker) (fd :) >> anchorOf walker fd (Char8.dropWhile (== '/') rest)
  where
    start = Char8.dropWhileEnd (/= '/') (ByteString.take pathBytesMax path)
    rest = ByteString.drop (ByteString.length start) path

-- | What was found in a directory that was entered, and whether it is the one that was seen.
listedOf :: [Waiting] -> Waiting -> Entered -> IO Listed
listedOf group (Waiting _ _ seen) one
  | fd < 0 = pure (Listed (-1) [] (orLater group (errnoOf fd) "openat"))
  | enteredIdentity one /= (stxDevMajor seen, stxDevMinor seen, stxIno seen) =
    pure (Listed (-1) [] (Failed "openat" eSTALE))
  | otherwise = do
    names <- if first > 0 then namesIn (enteredNames one) (fromIntegral first) else pure []
    more <- if first > 0 && second > 0 then namesIn (enteredMore one) (fromIntegral second) else pure []
    pure (Listed (fromIntegral fd) (names ++ more) (endOf (if first > 0 then second else first)))
  where
    fd = enteredFd one
    first = enteredFirst one
    second = enteredSecond one

endOf :: Int64 -> End
endOf word
  | word < 0 = Failed "getdents64" (errnoOf word)
  | word == 0 = Ended
  | otherwise = Further

-- | A directory that could not be opened because too much is open is tried again by itself.
orLater :: [Waiting] -> Errno -> String -> End
orLater group errno name
  | errno `elem` [eMFILE, eNFILE] && length group > 1 = Later
  | otherwise = Failed name errno

withPaths :: [ByteString] -> ([Ptr CChar] -> IO a) -> IO a
withPaths paths use = foldr copied (use . reverse) paths []
  where
    copied path inner found = ByteString.useAsCString path (inner . (: found))

-- ---- listing on -------------------------------------------------------------------------------------------------

-- | List on in one directory.
data List = List !(Parameter CInt) !(Prepared (Int64, Ptr Word8))

prepareList :: IO List
prepareList = do
  (place', prepared) <- prepareWith loopExecutor program
  List place' prepared <$ forAnyThread prepared
  where
    program = do
      fd <- parameter
      names <- cells (2 * listBytes + 1)
      count <- getdents64 (given fd) (address names) (literal (fromIntegral (2 * listBytes)))
      pure (fd, (,) <$> wordIfRan count <*> pointerTo names)

listOn :: Walker -> CInt -> IO Listed
listOn walker fd = do
  setParameter prepared place' fd
  (count, names) <- runPrepared (walkerMode walker) prepared
  found <- if count > 0 then namesIn names (fromIntegral count) else pure []
  pure (Listed fd found (endOf count))
  where
    List place' prepared = walkerList walker

-- ---- looking ----------------------------------------------------------------------------------------------------

-- | Look at some names: the directory and the name of each.
data Look = Look ![(Parameter CInt, Parameter (Ptr CChar))] !(Prepared [Either Errno Statx])

prepareLook :: IO Look
prepareLook = do
  (places, prepared) <- prepareWith loopExecutor $ do
    parts <- replicateM batchFiles $ do
      dirfd <- parameter
      name <- parameter
      (,) (dirfd, name) <$> lookedAt (given dirfd) (given name) atSymlinkNofollow
    pure (map fst parts, traverse snd parts)
  Look places prepared <$ forAnyThread prepared

-- | What the file system says of these names.
lookAt :: Walker -> [(Waiting, CInt, Ptr CChar)] -> IO [Found]
lookAt _ [] = pure []
lookAt walker names = do
  zipWithM_ setPlace places (map snd' batch ++ repeat (atFdcwd, nullPtr))
  looked <- runPrepared (walkerMode walker) prepared
  found <- zipWithM foundOf batch looked
  (found ++) <$> lookAt walker rest
  where
    Look places prepared = walkerLook walker
    (batch, rest) = splitAt batchFiles names
    snd' (_, dirfd, name) = (dirfd, name)
    setPlace (dirfd, name) (dirfd', name') = setParameter prepared dirfd dirfd' >> setParameter prepared name name'

foundOf :: (Waiting, CInt, Ptr CChar) -> Either Errno Statx -> IO Found
foundOf (Waiting parent depth _, _, at) status = do
  name <- ByteString.packCString at
  let path = if Char8.isSuffixOf slash parent then parent <> name else ByteString.concat [parent, slash, name]
  Found path (depth + 1) <$> either (fmap Left . callError "statx" (Just path)) (pure . Right) status
  where
    slash = Char8.singleton '/'

-- ---- closing ----------------------------------------------------------------------------------------------------

-- | Close some descriptors.
data Close = Close ![Parameter CInt] !(Prepared ())

prepareClose :: IO Close
prepareClose = do
  (places, prepared) <- prepareWith loopExecutor program
  Close places prepared <$ forAnyThread prepared
  where
    program = do
      fds <- replicateM batchDirectories parameter
      mapM_ (close . given) fds
      pure (fds, pure ())

-- | Close all that is open. That a directory could not be closed would say nothing about what was found.
closeAll :: Walker -> IO ()
closeAll walker = do
  fds <- readIORef (walkerOpen walker)
  writeIORef (walkerOpen walker) []
  go fds
  where
    Close places prepared = walkerClose walker
    go [] = pure ()
    go fds = do
      zipWithM_ (setParameter prepared) places (take batchDirectories fds ++ repeat (-1))
      runPrepared_ (walkerMode walker) prepared
      go (drop batchDirectories fds)
