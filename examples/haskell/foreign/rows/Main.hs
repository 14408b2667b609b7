-- SPDX-License-Identifier: BSD-3-Clause

-- | rows COUNT: a table of COUNT numbers, which SQLite fills row by row and sums up. Most calls take less than a
-- microsecond, and one takes long; the caller need not know which one.
module Main (main) where

import Control.Exception (bracket)
import Control.Monad (forM_, unless, void)
import Foreign.C.String (peekCString, withCString)
import Foreign.C.Types (CInt)
import Foreign.Marshal.Alloc (alloca)
import Foreign.Ptr (Ptr, nullPtr)
import Foreign.Storable (peek)
import Lateness
import Sqlite
import System.Environment (getArgs)
import System.Exit (die)
import Text.Read (readMaybe)

main :: IO ()
main = do
  arguments <- getArgs
  count <- case map readMaybe arguments of
    [] -> pure 200000
    [Just count] | count >= 0 -> pure count
    _ -> die "rows: give it the number of rows, from 0, or nothing"
  total <- withLateness . withDatabase $ \database -> do
    execute database "create table numbers (number integer)"
    execute database "begin"
    withStatement database "insert into numbers values (?)" $ \insert ->
      forM_ [1 .. count] $ \number -> do
        sqlite3_bind_int64 insert 1 number >>= right database
        void (sqlite3_step insert)
        sqlite3_reset insert >>= right database
    execute database "commit"
    withStatement database "select coalesce(sum(number % 7), 0) from numbers" $ \select -> do
      void (sqlite3_step select)
      sqlite3_column_int64 select 0
  print total

withDatabase :: (Ptr Database -> IO a) -> IO a
withDatabase = bracket open (void . sqlite3_close)
  where
    open = withCString ":memory:" $ \name -> alloca $ \at -> do
      code <- sqlite3_open name at
      unless (code == 0) (die "rows: SQLite opens no database in memory")
      peek at

withStatement :: Ptr Database -> String -> (Ptr Statement -> IO a) -> IO a
withStatement database text = bracket prepare (void . sqlite3_finalize)
  where
    prepare = withCString text $ \sql -> alloca $ \at -> do
      sqlite3_prepare_v2 database sql (-1) at nullPtr >>= right database
      peek at

execute :: Ptr Database -> String -> IO ()
execute database text = withStatement database text (void . sqlite3_step)

-- | End the program if a call has failed.
right :: Ptr Database -> CInt -> IO ()
right database code = unless (code == 0) $ sqlite3_errmsg database >>= peekCString >>= die . ("rows: " ++)
