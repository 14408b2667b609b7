-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE CPP #-}
{-# LANGUAGE ExistentialQuantification #-}

-- | Two functions do the same: each is run in a folder that is made anew, with the same names of every kind, and what
-- it gives or throws, and what is in the folder afterwards, is compared.
module Ferry.Agree
  ( -- * Folders
    withFolder,
    inNewTree,
    openBelow,

    -- * Functions
    One (..),
    Two (..),
    onEachOf,
    onEachTwoPlaces,
    places,
    encodable,
    copyable,
    outcome,
    copying,
  )
where

import Control.Exception (bracket, bracket_, evaluate, try)
import Control.Monad (forM, forM_)
import Data.Char (isDigit)
import Data.List (isInfixOf, isPrefixOf, sort)
import GHC.IO.Exception (IOException (..))
import System.Directory hiding (isSymbolicLink)
import System.FilePath ((</>))
#if MIN_VERSION_directory(1,3,8)
import System.IO.Error (catchIOError, modifyIOError)
#else
import System.IO.Error (catchIOError)
#endif
import System.Posix.Files
import System.Posix.Temp (mkdtemp)
import Test.Hspec

-- | An empty folder that is gone afterwards: in memory where that is possible.
withFolder :: (FilePath -> IO a) -> IO a
withFolder = bracket make removePathForcibly
  where
    make = do
      inMemory <- fileAccess "/dev/shm" False True True `catchIOError` \_ -> pure False
      mkdtemp ((if inMemory then "/dev/shm" else "/tmp") </> "ferry-directory-")

-- | Run in a folder that has something of every kind, which is made below this one; and give what is in it afterwards.
inNewTree :: FilePath -> IO a -> IO (a, [String])
inNewTree above act =
  bracket_ (createDirectory top) (setCurrentDirectory "/" >> removePathForcibly top) $ do
    createDirectory (top </> "tree")
    setCurrentDirectory (top </> "tree")
    makeTree
    result <- act
    found <- snapshot top
    pure (result, found)
  where
    top = above </> "top"

makeTree :: IO ()
makeTree = do
  forM_ ["file", "other", "unreadable", "bad\xdcff"] $ \name -> writeFile name ("in " ++ show name)
  setFileMode "other" 0o600
  setFileMode "unreadable" 0
  forM_ ["folder", "empty", "closed", "readonly"] createDirectory
  forM_ ["folder", "closed", "readonly"] $ \name -> writeFile (name </> "inner") name
  setFileMode "closed" 0
  setFileMode "readonly" 0o555
  createSymbolicLink "file" "link"
  createSymbolicLink "folder" "folderlink"
  createSymbolicLink "nowhere" "dangling"
  createSymbolicLink "loop" "loop"
  createNamedPipe "fifo" 0o644
  forM_ ["file", "folder", "other"] $ \name -> setFileTimes name 1000000000 1000000001

-- | Names of every kind in the tree, and names that are none.
places :: [FilePath]
places =
  ["file", "other", "unreadable", "bad\xdcff", "folder", "empty", "closed", "readonly", "link", "folderlink"]
    ++ ["dangling", "loop", "fifo", "missing", "missing/x", "file/x", "file/", "folder/", "folder/inner", "link/"]
    ++ ["folderlink/", "folderlink/inner", "closed/inner", "closed/new", "readonly/inner", "readonly/new", "loop/x"]
    ++ ["", ".", "..", "./folder/../file", replicate 300 'n', concat (replicate 900 "long/")]
    ++ ["gone\xdcff\228", "\xd800"]

-- | The names that "Ferry.Directory" is tried with: from 1.3.8 on directory's functions say nothing of where they could
-- not encode a name.
encodable :: [FilePath]
#if MIN_VERSION_directory(1,3,8)
encodable = filter (/= "\xd800") places
#else
encodable = places
#endif

-- | The names that something is copied from. From 1.3.8 on directory's copies wait for a program that writes to a FIFO,
-- for ever where there is none: they open it without waiting, and then wait until it can be read.
copyable :: [FilePath]
#if MIN_VERSION_directory(1,3,8)
copyable = filter (/= "fifo") encodable
#else
copyable = encodable
#endif

-- | Those that a second name is tried of, so that there are not too many pairs.
secondPlaces :: [FilePath]
secondPlaces = ["other", "folder", "empty", "link", "missing", "missing/x", "readonly/new"]

-- | What is below a folder: the name of each, its kind and permissions, and what is in it.
snapshot :: FilePath -> IO [String]
snapshot top = go ""
  where
    go relative = do
      names <- sort <$> (listDirectory (top </> relative) `catchIOError` \_ -> pure [])
      concat <$> forM names (\name -> one (relative </> name))
    one name = do
      found <- (Just <$> getSymbolicLinkStatus (top </> name)) `catchIOError` \_ -> pure Nothing
      maybe (pure [name]) (described name) found
    described name status = do
      inside <- contents status (top </> name)
      below <- if isDirectory status then go name else pure []
      pure (unwords [withoutNumbers name, show (fileMode status), show (fileSizeOf status), inside] : below)
    contents status path
      | isSymbolicLink status = readSymbolicLink path
      | isRegularFile status = readWhole path `catchIOError` \_ -> pure "?"
      | otherwise = pure ""
    readWhole path = readFile path >>= \text -> length text `seq` pure text
    fileSizeOf status = if isDirectory status then 0 else fileSize status

-- | What an action gives, or all that an error says.
outcome :: IO a -> IO (Either [String] a)
outcome act = either (Left . said) Right <$> try act

-- | Copy. From 1.3.8 on directory's errors of copies name other steps of it, and not always the path.
copying :: (path -> path -> IO a) -> path -> path -> IO a
#if MIN_VERSION_directory(1,3,8)
copying copy from to = modifyIOError (\failure -> failure {ioe_location = "", ioe_filename = Nothing}) (copy from to)
#else
copying = id
#endif

said :: IOException -> [String]
said failure =
  [ show (ioe_type failure),
    map replaced (ioe_location failure),
    ioe_description failure,
    show (ioe_errno failure),
    show (map replaced . withoutNumbers <$> ioe_filename failure)
  ]
  where
    -- names that are no UTF-8 are decoded so that nothing is lost; directory from 1.3.8 on replaces what is none
    replaced char = if '\xdc80' <= char && char <= '\xdcff' then '\xfffd' else char

-- | Files that are made for a moment have numbers in their names.
withoutNumbers :: FilePath -> FilePath
withoutNumbers path = if ".copyFile" `isInfixOf` path then filter (not . isDigit) path else path

-- | How many descriptors of the process are open below a folder.
openBelow :: FilePath -> IO Int
openBelow folder = do
  fds <- listDirectory "/proc/self/fd"
  targets <- forM fds $ \fd -> readSymbolicLink ("/proc/self/fd" </> fd) `catchIOError` \_ -> pure ""
  evaluate (length (filter (folder `isPrefixOf`) targets))

-- ---- functions --------------------------------------------------------------------------------------------------

-- | The same function of theirs and of ours, of one path.
data One = forall a. (Eq a, Show a) => One String (FilePath -> IO a) (FilePath -> IO a)

-- | The same, of two paths.
data Two = forall a. (Eq a, Show a) => Two String (FilePath -> FilePath -> IO a) (FilePath -> FilePath -> IO a)

onEachOf :: [FilePath] -> [One] -> Spec
onEachOf some functions = forM_ functions $ \(One name theirs ours) ->
  it (name ++ " agrees at each place") . withFolder $ \folder -> forM_ some $ \place -> do
    expected <- inNewTree folder (outcome (theirs place))
    got <- inNewTree folder (outcome (ours place))
    (place, got) `shouldBe` (place, expected)

onEachTwoPlaces :: [FilePath] -> [Two] -> Spec
onEachTwoPlaces some functions = forM_ functions $ \(Two name theirs ours) ->
  it (name ++ " agrees at each two places") . withFolder $ \folder ->
    forM_ [(first, second) | first <- some, second <- secondPlaces] $ \(first, second) -> do
      expected <- inNewTree folder (outcome (theirs first second))
      got <- inNewTree folder (outcome (ours first second))
      (first, second, got) `shouldBe` (first, second, expected)
