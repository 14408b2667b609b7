-- SPDX-License-Identifier: BSD-3-Clause

-- | What the programs have in common: their command line, and what they print.
module Command
  ( command,
    Total (..),
    none,
    plusFound,
    plusNamed,
  )
where

import Data.ByteString (ByteString)
import Data.ByteString.Unsafe (unsafePackMallocCStringLen)
import Data.Word (Word64)
import Ferry.Files
import GHC.Foreign (newCStringLen)
import GHC.IO.Encoding (getFileSystemEncoding)
import System.Environment (getArgs)
import System.Exit (die)
import System.IO (hPrint, stderr)

-- | Names, and the bytes of what has them, where that was asked for.
data Total = Total !Word64 !Word64

none :: Total
none = Total 0 0

-- | Run one of two ways to add a tree up: with a look at each file, or by names alone.
command :: String -> (ByteString -> IO Total) -> (ByteString -> IO Total) -> IO ()
command program byStatus byName = do
  arguments <- getArgs
  case arguments of
    [path] -> do
      Total names bytes <- encoded path >>= byStatus
      putStrLn (show names ++ " names, " ++ show bytes ++ " bytes")
    ["--names", path] -> do
      Total names _ <- encoded path >>= byName
      putStrLn (show names ++ " names")
    _ -> die ("usage: " ++ program ++ " [--names] PATH")

-- | The bytes that the path was given with.
encoded :: FilePath -> IO ByteString
encoded path = do
  encoding <- getFileSystemEncoding
  newCStringLen encoding path >>= unsafePackMallocCStringLen

plusFound :: Total -> Found -> IO Total
plusFound total@(Total names bytes) found = case foundStatus found of
  Left failure -> total <$ hPrint stderr failure
  Right status -> pure (Total (names + 1) (bytes + stxSize status))

plusNamed :: Total -> Named -> IO Total
plusNamed total@(Total names bytes) found = case namedType found of
  Left failure -> total <$ hPrint stderr failure
  Right _ -> pure (Total (names + 1) bytes)
