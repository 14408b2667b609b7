-- SPDX-License-Identifier: BSD-3-Clause

-- | The same program as Main.hs on the packages @directory@, @unix@ and @bytestring@.
module Main (main) where

import Control.Exception (try)
import Control.Monad (foldM)
import Data.ByteString (ByteString)
import qualified Data.ByteString as ByteString
import Duplicates.Command
import Duplicates.Groups
import qualified GHC.Foreign as Foreign
import GHC.IO.Encoding (getFileSystemEncoding)
import System.Directory (listDirectory)
import System.Posix.Files

main :: IO ()
main = command (Operations findRegular foldWhole)

findRegular :: (state -> Visit -> IO state) -> state -> [ByteString] -> IO state
findRegular step = foldM (\state path -> decode path >>= go state)
  where
    go state path = try (getSymbolicLinkStatus path) >>= either (trouble state path) (seen state path)
    seen state path status
      | isRegularFile status = encode path >>= \bytes -> step state (Regular (fileFrom bytes status))
      | isDirectory status = try (listDirectory path) >>= either (trouble state path) (inside state path)
      | otherwise = pure state
    inside state path = foldM go state . map (below path)
    trouble state path failure = encode path >>= \bytes -> step state (Trouble bytes failure)
    below path name = if last path == '/' then path ++ name else path ++ "/" ++ name

fileFrom :: ByteString -> FileStatus -> File
fileFrom path status =
  File path (fromIntegral (fileSize' status)) (fromIntegral (deviceID status), fromIntegral (fileID status))
  where
    fileSize' = System.Posix.Files.fileSize

foldWhole :: (state -> ByteString -> Either IOError ByteString -> IO state) -> state -> [ByteString] -> IO state
foldWhole step = foldM $ \state path -> do
  name <- decode path
  contents <- try (ByteString.readFile name)
  state' <- step state path contents
  state' `seq` pure state'

decode :: ByteString -> IO FilePath
decode path = getFileSystemEncoding >>= \encoding -> ByteString.useAsCStringLen path (Foreign.peekCStringLen encoding)

encode :: FilePath -> IO ByteString
encode path = getFileSystemEncoding >>= \encoding -> Foreign.withCStringLen encoding path ByteString.packCStringLen
