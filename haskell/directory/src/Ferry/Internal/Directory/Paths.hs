-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE CPP #-}
{-# OPTIONS_GHC -fexpose-all-unfoldings -fspecialise-aggressively #-}
{-# OPTIONS_HADDOCK not-home #-}

-- | Paths of "Ferry.Directory": where they really lead, and where files of a name would be.
module Ferry.Internal.Directory.Paths
  ( getCurrentDirectory,
    canonicalizePath,
    makeAbsolute,
    makeRelativeToCurrentDirectory,
    simplify,

    -- * Searching
    searchPath,
    candidates,
    firstThat,
  )
where

import Control.Exception (throwIO)
import Data.Maybe (fromMaybe)
import Ferry.Internal.Posix.Directory (getWorkingDirectory, realPath)
import Ferry.Internal.Posix.Files (readSymbolicLink)
import Ferry.Internal.Posix.Parts
import Ferry.Internal.Posix.Path
#if MIN_VERSION_directory(1,3,8)
import System.Environment (lookupEnv)
#else
import System.Environment (getEnv)
#endif
import System.FilePath (splitSearchPath)
import System.IO.Error

-- | The directory that relative paths begin in: one for the process.
getCurrentDirectory :: Parts path => IO path
getCurrentDirectory =
  located "getCurrentDirectory" $
    getWorkingDirectory `catchIOError` \failure ->
      throwIO (if isDoesNotExistError failure then ioeSetErrorString failure gone else failure)
  where
    gone = "Current working directory no longer exists"

-- | The path without symbolic links and dots, absolute. Of what does not exist, as far as it does.
canonicalizePath :: Parts path => path -> IO path
canonicalizePath path =
  named (pathName path) . located "canonicalizePath" $
    dropTrailingPathSeparator . simplify <$> (fromCurrentDirectory path >>= resolved linksMax Nothing)
  where
    linksMax = 64 :: Int

-- | Replace the longest part that exists by where it really is. If a link that leads nowhere comes next, go on where it
-- would lead; after so many of them, the first such path is as good as any.
resolved :: Parts path => Int -> Maybe path -> path -> IO path
resolved left first path = case first of
  Just known | left <= 0 -> pure known
  _ -> longest (reverse (zip (scanl1 (</>) segments) (drop 1 (scanr (</>) (fromAscii "") segments))))
  where
    segments = splitDirectories path
    longest [] = pure path
    longest ((start, rest) : shorter) = do
      found <- realPath start `catchIOError` \_ -> pure Nothing
      maybe (longest shorter) (further rest) found
    further rest start = case splitDirectories rest of
      [] -> pure (start </> rest)
      next : others -> do
        found <- tryIOError (readSymbolicLink (start </> next))
        let unresolved = start </> rest
        case found of
          Left _ -> pure unresolved
          Right target ->
            resolved (left - 1) (Just (fromMaybe unresolved first)) (start </> target </> joinPath others)

-- | The path from the root: nothing is looked at but the current directory.
makeAbsolute :: Parts path => path -> IO path
makeAbsolute path =
  named (pathName path) . located "makeAbsolute" $ ending . simplify <$> fromCurrentDirectory path
  where
    ending = if hasTrailingPathSeparator path then addTrailingPathSeparator else dropTrailingPathSeparator

-- | The path from the current directory, where it is below that.
makeRelativeToCurrentDirectory :: Parts path => path -> IO path
makeRelativeToCurrentDirectory path = (`makeRelative` path) <$> getCurrentDirectory

fromCurrentDirectory :: Parts path => path -> IO path
fromCurrentDirectory path
  | isRelative path = named (pathName path) . located "prependCurrentDirectory" $ (</> path) <$> getWorkingDirectory
  | otherwise = pure path

-- | Nothing stays nothing; @normalise@ makes a dot of it.
simplify :: Parts path => path -> path
simplify path = if isEmpty path then path else normalise path

-- ---- searching --------------------------------------------------------------------------------------------------

-- | The directories that a shell finds programs in.
searchPath :: Parts path => IO [path]
searchPath = getPath >>= mapM fromEnvironment . splitSearchPath
  where
#if MIN_VERSION_directory(1,3,8)
    getPath = lookupEnv "PATH" >>= maybe (throwIO notSet) pure
    notSet = mkIOError doesNotExistErrorType "env var \"PATH\" not found" Nothing Nothing
#else
    getPath = getEnv "PATH"
#endif

-- | Where a file of this name would be.
candidates :: Parts path => [path] -> path -> [path]
candidates folders name = map (</> name) (if isRelative name then folders else [fromAscii ""])

-- | The first that passes the test; those after it are not looked at.
firstThat :: (a -> IO Bool) -> [a] -> IO (Maybe a)
firstThat _ [] = pure Nothing
firstThat test (one : others) = test one >>= \found -> if found then pure (Just one) else firstThat test others
