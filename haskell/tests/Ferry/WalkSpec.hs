-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE DataKinds #-}
{-# LANGUAGE OverloadedStrings #-}

module Ferry.WalkSpec (spec) where

import Control.Concurrent (forkIOWithUnmask, killThread, myThreadId, threadDelay)
import Control.Exception
import Control.Monad
import Data.ByteString (ByteString)
import qualified Data.ByteString as ByteString
import qualified Data.ByteString.Char8 as Char8
import Data.Either (isRight)
import Data.List (sort)
import qualified Data.Set as Set
import Ferry.Batch
import Ferry.Files
import Ferry.Tree
import Foreign.C.Error (Errno (..), eSTALE)
import GHC.IO.Exception (IOException (..))
import System.Directory
import System.Mem (performMajorGC)
import System.Posix.Files (createSymbolicLink, fileID, getSymbolicLinkStatus)
import Test.Hspec hiding (Arg)
import Test.QuickCheck hiding (labels)

-- | A tree: files, links to a directory above, and folders.
data Tree = File | Up | Folder [Tree]
  deriving (Show)

instance Arbitrary Tree where
  arbitrary = sized $ \size ->
    frequency [(4, pure File), (1, pure Up), (if size > 0 then 4 else 0, Folder <$> folder size)]
    where
      folder size = choose (0, 8) >>= \count -> vectorOf count (resize (size `div` 4) arbitrary)
  shrink (Folder trees) = File : map Folder (shrink trees)
  shrink _ = []

spec :: Spec
spec = do
  it "comes to what a plain walk comes to" . withMaxSuccess 30 $ comesTo
  it "comes to the same by names, with the type of each" . withMaxSuccess 30 $ comesToNames
  it "lists directories of any size" . withFolder $ \folder -> do
    forM_ [1 .. 3 :: Int] $ \number -> do
      createDirectory (folder ++ "/" ++ show number)
      let long = folder ++ "/" ++ show number ++ "/" ++ replicate 40 'n'
      forM_ [1 .. 3000 :: Int] $ \name -> ByteString.writeFile (long ++ show name) ""
    found <- keepsNothingOpen folder (paths folder)
    length found `shouldBe` 1 + 3 + 9000
    names <- keepsNothingOpen folder (walkNames (\names one -> pure (namedPath one : names)) [] [Char8.pack folder])
    sort names `shouldBe` sort found
  it "goes to any depth" . withFolder $ \folder -> do
    makeDeep folder 300
    found <- keepsNothingOpen folder (paths folder)
    (length found, maximum (map ByteString.length found)) `shouldBe` (301, length folder + 300 * 201)
  it "needs no more descriptors than there are" . withFolder $ \folder -> do
    make folder (Folder (replicate 40 (Folder (replicate 3 (Folder [File])))))
    found <- withFewDescriptors 5 (paths folder)
    length found `shouldBe` 1 + 40 + 3 * 40 + 3 * 40
  it "lists only what is asked for" . withFolder $ \folder -> do
    make folder (Folder [Folder [File], File])
    found <- walkWhere ((< 1) . foundDepth) (\found one -> pure (foundPath one : found)) [] [Char8.pack folder]
    length found `shouldBe` 3
  it "takes any number of roots, and gives the error of each that is none" $ do
    found <- walk (\found one -> pure (one : found)) [] (replicate 100 "/dev/null" ++ ["/no such file"])
    map (either (Left . ioe_location) (Right . fileType . stxMode) . foundStatus) (reverse found)
      `shouldBe` replicate 100 (Right CharacterDevice) ++ [Left "statx"]
  steps
  changing

comesTo :: [Tree] -> Property
comesTo trees = ioProperty . withFolder $ \folder -> do
  make folder (Folder trees)
  expected <- plainWalk folder
  got <- keepsNothingOpen folder $ walk collected [] [Char8.pack folder]
  pure (sort (map summary got) === sort expected .&&. parentsFirst (reverse (map foundPath got)))

comesToNames :: [Tree] -> Property
comesToNames trees = ioProperty . withFolder $ \folder -> do
  make folder (Folder trees)
  expected <- walk collected [] [Char8.pack folder]
  got <- keepsNothingOpen folder $ walkNames collected [] [Char8.pack folder]
  pure (got === map named expected)
  where
    named (Found path depth status) = Named path depth (fileType . stxMode <$> status)

collected :: [a] -> a -> IO [a]
collected found one = pure (one : found)

-- | Walks that are taken step by step.
steps :: Spec
steps = do
  it "closes what is open when it is ended early, and gives nothing more" . withFolder $ \folder -> do
    makeMany folder
    walked <- beginWalk (const True) [Char8.pack folder]
    replicateM_ 2 (nextFound walked >>= (`shouldSatisfy` not . null))
    openIn folder `shouldReturn` 1
    endWalk walked
    openIn folder `shouldReturn` 0
    nextFound walked `shouldReturn` []
    endWalk walked
  it "closes what is open when it is forgotten" . withFolder $ \folder -> do
    makeMany folder
    walked <- beginWalk (const True) [Char8.pack folder]
    replicateM_ 2 (nextFound walked)
    _ <- evaluate (isForgotten walked)
    soon (performMajorGC >> (== 0) <$> openIn folder)
  it "goes on after an exception where it stood, if it was masked" . withFolder $ \folder -> do
    makeMany folder
    expected <- paths folder
    walked <- beginWalk (const True) [Char8.pack folder]
    let go found = try (nextFound walked) >>= either (interrupted found) (further found)
        interrupted :: [Found] -> AsyncException -> IO [Found]
        interrupted found _ = go found
        further found [] = pure found
        further found some = go (reverse some ++ found)
    self <- myThreadId
    found <- mask_ $ do
      tormentor <- forkIOWithUnmask $ \unmask -> unmask (forever (threadDelay 100 >> throwTo self UserInterrupt))
      go [] `finally` uninterruptibleMask_ (killThread tormentor)
    (map foundPath found == expected, length found) `shouldBe` (True, length expected)
  where
    -- more than one step gives
    makeMany folder = forM_ [1 .. 1000 :: Int] $ \number ->
      ByteString.writeFile (folder ++ "/" ++ replicate 200 'n' ++ show number) ""
    isForgotten walked = walked `seq` ()
    soon condition = do
      holds <- condition
      unless holds (threadDelay 1000 >> soon condition)

-- | Trees that change while they are walked.
changing :: Spec
changing = do
  it "gives an error for a directory that is gone" . withFolder $ \folder -> do
    make folder (Folder [Folder [File]])
    let remove one = when (foundDepth one == 1) (removePathForcibly (folder ++ "/0"))
    found <- walk (\found one -> (one : found) <$ remove one) [] [Char8.pack folder]
    map (either (Just . ioe_location) (const Nothing) . foundStatus) found `shouldBe` [Just "openat", Nothing, Nothing]
  it "does not go where a directory's parent was replaced by a link" . withFolder $ \folder -> do
    make folder (Folder [Folder [Folder [File]], Folder [Folder [File, File]]])
    let replace one = when (foundDepth one == 1 && isRight (foundStatus one)) $ do
          renameDirectory (folder ++ "/0") (folder ++ "/old")
          createSymbolicLink "1" (folder ++ "/0")
    found <- walk (\found one -> (one : found) <$ replace one) [] [inside folder "0"]
    map (either (Just . ioe_errno) (const Nothing) . foundStatus) found
      `shouldBe` [Just (Just (number eSTALE)), Nothing, Nothing]
  it "leaves nothing open when a step throws" . withFolder $ \folder -> do
    make folder (Folder (replicate 40 (Folder [File])))
    let step count _ = if count == (60 :: Int) then throwIO (userError "enough") else pure (count + 1)
    keepsNothingOpen folder $ walk step 0 [Char8.pack folder] `shouldThrow` (== userError "enough")
  where
    number (Errno code) = code

paths :: FilePath -> IO [ByteString]
paths folder = walk step [] [Char8.pack folder]
  where
    step found one = (foundPath one : found) <$ either throwIO pure (foundStatus one)

-- | Each path comes after the path of what it is in.
parentsFirst :: [ByteString] -> Property
parentsFirst found = conjoin (zipWith follows (drop 1 found) (drop 1 (scanl (flip Set.insert) Set.empty found)))
  where
    follows path earlier = counterexample (show path) (parent path `Set.member` earlier)
    parent = ByteString.init . Char8.dropWhileEnd (/= '/')

summary :: Found -> (ByteString, Int, Either String Integer)
summary found = (foundPath found, foundDepth found, inode)
  where
    inode = either (Left . show) (Right . fromIntegral . stxIno) (foundStatus found)

-- | The same, by recursion.
plainWalk :: FilePath -> IO [(ByteString, Int, Either String Integer)]
plainWalk = go 0
  where
    go depth path = do
      inode <- fromIntegral . fileID <$> getSymbolicLinkStatus path
      isFolder <- doesDirectoryExist path
      isLink <- pathIsSymbolicLink path
      names <- if isFolder && not isLink then listDirectory path else pure []
      below <- concat <$> mapM (\name -> go (depth + 1) (path ++ "/" ++ name)) names
      pure ((Char8.pack path, depth, Right inode) : below)

-- | Make a tree in a folder that is there; its names are numbers.
make :: FilePath -> Tree -> IO ()
make _ File = pure ()
make _ Up = pure ()
make folder (Folder trees) = forM_ (zip [0 :: Int ..] trees) $ \(number, tree) -> do
  let path = folder ++ "/" ++ show number
  case tree of
    File -> ByteString.writeFile path "contents"
    Up -> createSymbolicLink ".." path
    Folder _ -> createDirectory path >> make path tree

-- | Directories in each other whose paths together are longer than the kernel takes.
makeDeep :: FilePath -> Int -> IO ()
makeDeep folder depth = do
  start <- run Adaptive (constantBytes (Char8.pack folder) >>= \path -> result <$> open path oDirectory 0)
  end <- foldM deeper start [1 .. depth]
  run Adaptive (result <$> close (literal end)) >>= (`shouldBe` 0)
  where
    deeper parent _ = run Adaptive $ do
      name <- constantBytes (Char8.replicate 200 'd')
      made <- mkdirat (literal parent) name (literal 0o700)
      opened <- openat (literal parent) name (literal oDirectory) (literal 0)
      closed <- close (literal parent)
      pure (result made *> result closed *> result opened)
