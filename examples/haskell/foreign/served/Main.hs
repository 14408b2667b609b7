-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE OverloadedStrings #-}

-- | served FOLDER PORT: the folder's files by HTTP, and the names in each of its folders, for this machine only. Each
-- request has a Haskell thread of its own; one for a file on a slow disk should hold up no other.
module Main (main) where

import Control.Exception (IOException, handle, throwIO)
import Control.Monad (forM_, void)
import qualified Data.ByteString.Builder as Builder
import Data.List (sort)
import Data.Text (Text)
import qualified Data.Text as Text
import qualified Disk
import Lateness
import Network.HTTP.Types (Status, methodNotAllowed405, notFound404, ok200)
import Network.Wai
import Network.Wai.Handler.Warp
import System.Environment (getArgs)
import System.Exit (die)
import System.IO (hFlush, stdout)
import System.IO.Error (isDoesNotExistError, isPermissionError)
import System.Posix.Signals (Handler (CatchOnce), installHandler, sigINT, sigTERM)
import Text.Read (readMaybe)

main :: IO ()
main = do
  arguments <- getArgs
  case arguments of
    [folder, port] | Just number <- readMaybe port, number > 0, number < 65536 -> serve folder number
    _ -> die "usage: served FOLDER PORT"

-- | Until the program is told to end, by an interrupt or SIGTERM.
serve :: FilePath -> Int -> IO ()
serve folder port = withLateness (runSettings settings (answer folder))
  where
    settings = foldr ($) defaultSettings choices
    choices = [setHost "127.0.0.1", setPort port, setBeforeMainLoop ready, setInstallShutdownHandler stop]
    ready = putStrLn ("http://127.0.0.1:" ++ show port ++ "/") >> hFlush stdout
    stop close = forM_ [sigINT, sigTERM] $ \signal -> void (installHandler signal (CatchOnce close) Nothing)

answer :: FilePath -> Application
answer folder request respond
  | requestMethod request /= "GET" = respond (text methodNotAllowed405 "only GET\n")
  | otherwise = case traverse inside (filter (not . Text.null) (pathInfo request)) of
    Just parts -> content (foldl (\path part -> path ++ "/" ++ part) folder parts) >>= respond
    Nothing -> respond missing

-- | A name of the folder itself, and no way out of it.
inside :: Text -> Maybe FilePath
inside part
  | part `elem` [".", ".."] || Text.any (`elem` ['/', '\0']) part = Nothing
  | otherwise = Just (Text.unpack part)

content :: FilePath -> IO Response
content path = handle failed $ do
  isFolder <- Disk.doesDirectoryExist path
  if isFolder
    then text ok200 . unlines . sort <$> Disk.listDirectory path
    else responseBuilder ok200 [] . Builder.byteString <$> Disk.readFile path

failed :: IOException -> IO Response
failed failure
  | isDoesNotExistError failure || isPermissionError failure = pure missing
  | otherwise = throwIO failure

missing :: Response
missing = text notFound404 "not found\n"

text :: Status -> String -> Response
text status = responseBuilder status [("Content-Type", "text/plain; charset=utf-8")] . Builder.stringUtf8
