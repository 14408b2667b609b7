-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE OverloadedStrings #-}
{-# LANGUAGE RankNTypes #-}

-- | The command: its options, its messages and its output. How files are found and read is given to it.
module Duplicates.Command
  ( Operations (..),
    Visit (..),
    command,
  )
where

import Control.Exception (try)
import Control.Monad (unless, when)
import Data.ByteString (ByteString)
import qualified Data.ByteString as ByteString
import Data.ByteString.Builder (Builder, byteString, char7, hPutBuilder)
import qualified Data.ByteString.Char8 as Char8
import Data.Char (isPrint)
import Data.IORef
import Duplicates.Groups
import qualified GHC.Foreign as Foreign
import GHC.IO.Encoding (getFileSystemEncoding)
import GHC.IO.Exception (IOException (..))
import Progress
import System.Console.GetOpt
import System.Environment (getArgs, getProgName)
import System.Exit
import System.IO

-- | How files are found and read.
data Operations = Operations
  { -- | the regular files below these paths, and what goes wrong
    findFiles :: forall state. (state -> Visit -> IO state) -> state -> [ByteString] -> IO state,
    -- | the contents of these files, in this order
    foldContents ::
      forall state.
      (state -> ByteString -> Either IOError ByteString -> IO state) ->
      state ->
      [ByteString] ->
      IO state
  }

-- | What a walk comes to.
data Visit = Regular File | Trouble ByteString IOError

data Options = Options
  { optionNull :: Bool,
    optionNoEmpty :: Bool,
    optionHardLinks :: Bool,
    optionHelp :: Bool,
    optionVersion :: Bool
  }

options :: [OptDescr (Options -> Options)]
options =
  [ Option "0" ["null"] (NoArg (\given -> given {optionNull = True})) "end each line with a NUL instead of a newline",
    Option "H" ["hard-links"] (NoArg (\given -> given {optionHardLinks = True})) "print hard links of a file too",
    Option "n" ["no-empty"] (NoArg (\given -> given {optionNoEmpty = True})) "leave out empty files",
    Option "h" ["help"] (NoArg (\given -> given {optionHelp = True})) "print this help and exit",
    Option "V" ["version"] (NoArg (\given -> given {optionVersion = True})) "print the version and exit"
  ]

-- | Read the command line, and do what it says.
command :: Operations -> IO ()
command operations = do
  name <- getProgName
  (chosen, paths, errors) <- getOpt Permute options <$> getArgs
  let given = foldl (flip id) (Options False False False False False) chosen
  unless (null errors) $ do
    hPutStr stderr (concatMap ((name ++ ": ") ++) errors ++ "Try '" ++ name ++ " --help'.\n")
    exitWith (ExitFailure 2)
  if optionHelp given
    then putStr (usage name)
    else
      if optionVersion given
        then putStrLn (name ++ " (Ferry) 0.2.0")
        else mapM encode (if null paths then ["."] else paths) >>= duplicates operations given name

usage :: String -> String
usage name =
  usageInfo
    ( "Usage: " ++ name ++ " [OPTION]... [PATH]...\n"
        ++ "Print groups of files below each PATH, by default the working directory, whose contents are the same:\n"
        ++ "a path in each line, and an empty line between groups. Symbolic links are not followed.\n"
    )
    options
    ++ "\nExit status: 0 when all was read, 1 when something could not be, 2 when the command line is wrong.\n"

-- | A path from the command line as the kernel gave it.
encode :: FilePath -> IO ByteString
encode path = getFileSystemEncoding >>= \encoding -> Foreign.withCStringLen encoding path ByteString.packCStringLen

duplicates :: Operations -> Options -> String -> [ByteString] -> IO ()
duplicates operations given name paths = do
  failed <- newIORef False
  progress <- newProgress name
  let trouble path failure = do
        eraseProgress progress
        let reason = Char8.pack (ioe_description failure)
        ByteString.hPut stderr (ByteString.intercalate ": " [Char8.pack name, quoted path, reason] <> "\n")
        writeIORef failed True
      visit found (Regular file) = (file : found) <$ stepProgress progress
      visit found (Trouble path failure) = found <$ trouble path failure
      reading add state path contents = do
        stepProgress progress
        either (\failure -> state <$ trouble path failure) (\bytes -> pure $! add path bytes state) contents
  files <- findFiles operations visit [] paths
  let once = if optionHardLinks given then oncePerPath else oncePerIdentity
      wanted = filter (\file -> not (optionNoEmpty given) || fileSize file > 0) (once files)
      candidates = concatMap (map filePath) (sameSize wanted)
  hashes <- foldContents operations (reading addHash) noHashes candidates
  groups <- compareGroups operations (reading addContents) (sameHash hashes)
  eraseProgress progress
  printGroups name (if optionNull given then '\0' else '\n') (inOrder groups)
  readIORef failed >>= \wrong -> when wrong (exitWith (ExitFailure 1))

-- | Compare the contents of each group: one pass over all of them, so that there are as many files to read at once as
-- can be. What is kept of a group is gone when the next one begins.
compareGroups ::
  Operations ->
  (Classes -> ByteString -> Either IOError ByteString -> IO Classes) ->
  [[ByteString]] ->
  IO [[ByteString]]
compareGroups operations add groups = do
  (done, _, known) <- foldContents operations step ([], map length groups, noClasses) (concat groups)
  pure (classes known ++ done)
  where
    step (done, left, known) path contents = case left of
      0 : others -> step (classes known ++ done, others, noClasses) path contents
      count : others -> (,,) done (count - 1 : others) <$> add known path contents
      [] -> pure (done, left, known)

printGroups :: String -> Char -> [[ByteString]] -> IO ()
printGroups name end groups = do
  hSetBinaryMode stdout True
  hSetBuffering stdout (BlockBuffering (Just 65536))
  written <- try (hPutBuilder stdout (rendered end groups) >> hFlush stdout)
  case written of
    Right () -> pure ()
    Left failure -> do
      hPutStrLn stderr (name ++ ": write error: " ++ ioe_description failure)
      exitWith (ExitFailure 1)

rendered :: Char -> [[ByteString]] -> Builder
rendered end groups = mconcat (separated (map (foldMap line) groups))
  where
    line path = byteString path <> char7 end
    separated (one : others@(_ : _)) = one : char7 end : separated others
    separated few = few

-- | A path for a message: as it is, or, if a terminal would not show it so, as a shell would read it.
quoted :: ByteString -> ByteString
quoted path
  | Char8.all (\char -> isPrint char && char < '\x7f' || char >= '\x80') path = path
  | otherwise = "$'" <> Char8.concatMap escaped path <> "'"
  where
    escaped char = case char of
      '\n' -> "\\n"
      '\t' -> "\\t"
      '\'' -> "\\'"
      '\\' -> "\\\\"
      _
        | char < ' ' || char == '\x7f' -> Char8.pack ('\\' : octal (fromEnum char))
        | otherwise -> Char8.singleton char
    octal code = map (toEnum . (+ 48)) [code `div` 64, code `div` 8 `mod` 8, code `mod` 8]
