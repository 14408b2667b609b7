-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE OverloadedStrings #-}

-- | Folders of files for tests, and what the process has open in them.
module Ferry.Tree
  ( withFolder,
    inside,
    openIn,
    keepsNothingOpen,
    withFewDescriptors,
  )
where

import Control.Concurrent (threadDelay)
import Control.Exception (bracket, bracket_)
import Control.Monad (filterM, when)
import Data.ByteString (ByteString)
import qualified Data.ByteString.Char8 as Char8
import Data.List (isPrefixOf)
import System.Directory (listDirectory)
import System.IO.Error (catchIOError)
import System.Posix.Files (fileAccess, readSymbolicLink)
import System.Posix.Resource
import System.Posix.Temp (mkdtemp)
import System.Process (callProcess)
import Test.Hspec (shouldReturn)

-- | An empty folder that is gone afterwards. @rm@ removes it, because what tests make may be too deep for others.
-- Thousands of files are made and removed: in memory where that is possible.
withFolder :: (FilePath -> IO a) -> IO a
withFolder action = do
  inMemory <- fileAccess "/dev/shm" False True True `catchIOError` \_ -> pure False
  let parent = if inMemory then "/dev/shm" else "/tmp"
  bracket (mkdtemp (parent ++ "/ferry-test-")) (\folder -> callProcess "rm" ["-rf", folder]) action

-- | A path below a folder, as bytes.
inside :: FilePath -> ByteString -> ByteString
inside folder name = Char8.pack folder <> "/" <> name

-- | How many descriptors of the process are open below a folder.
openIn :: FilePath -> IO Int
openIn folder = do
  fds <- listDirectory "/proc/self/fd"
  length <$> filterM (\fd -> (folder `isPrefixOf`) <$> target fd) fds
  where
    target fd = readSymbolicLink ("/proc/self/fd/" ++ fd) `catchIOError` \_ -> pure ""

-- | Run an action that must not leave anything open below the folder. What a slow disk answers after the action was
-- interrupted is closed only then, and beside other programs any disk may be slow.
keepsNothingOpen :: FilePath -> IO a -> IO a
keepsNothingOpen folder action = action <* closedBy (1000 :: Int)
  where
    closedBy 0 = openIn folder `shouldReturn` 0
    closedBy looks = do
      open <- openIn folder
      when (open > 0) (threadDelay 10000 >> closedBy (looks - 1))

-- | With room for only so many more descriptors.
withFewDescriptors :: Int -> IO a -> IO a
withFewDescriptors more action = do
  limits <- getResourceLimit ResourceOpenFiles
  highest <- maximum . map read <$> listDirectory "/proc/self/fd"
  let low = limits {softLimit = ResourceLimit (fromIntegral (highest + more :: Int))}
  bracket_ (setResourceLimit ResourceOpenFiles low) (setResourceLimit ResourceOpenFiles limits) action
