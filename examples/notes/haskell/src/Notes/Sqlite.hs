-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE OverloadedStrings #-}

-- | The few of SQLite's functions that the index needs. One thread at a time.
module Notes.Sqlite
  ( Database,
    SqliteError (..),
    Value (..),
    Row,
    open,
    close,
    script,
    run,
    rows,
    lastRow,
    whole,
    number,
    real,
    words_,
  )
where

import Control.Exception (Exception, bracket, catch, onException, throwIO)
import Control.Monad (unless, void, zipWithM_)
import Data.ByteString (ByteString)
import qualified Data.ByteString as Bytes
import Data.ByteString.Unsafe (unsafeUseAsCStringLen)
import Data.Int (Int64)
import Data.Text (Text)
import qualified Data.Text as Text
import Data.Text.Encoding (decodeUtf8With, encodeUtf8)
import Data.Text.Encoding.Error (lenientDecode)
import Foreign.C.String (CString)
import Foreign.C.Types (CInt (..))
import Foreign.Marshal.Alloc (alloca)
import Foreign.Ptr (Ptr, nullPtr, plusPtr)
import Foreign.Storable (peek)

-- | An open database.
newtype Database = Database (Ptr Database)

-- | A statement that stands at one of its rows.
newtype Row = Row (Ptr Row)

-- | What SQLite says went wrong.
newtype SqliteError = SqliteError Text

instance Show SqliteError where
  show (SqliteError why) = Text.unpack why

instance Exception SqliteError

-- | A parameter of a statement.
data Value
  = Number Int64
  | Words Text

-- These may wait for the disk, or take long; others run Haskell meanwhile.
foreign import ccall safe "sqlite3_open" cOpen :: CString -> Ptr (Ptr Database) -> IO CInt

foreign import ccall safe "sqlite3_close" cClose :: Ptr Database -> IO CInt

foreign import ccall safe "sqlite3_exec"
  cExec :: Ptr Database -> CString -> Ptr () -> Ptr () -> Ptr CString -> IO CInt

foreign import ccall safe "sqlite3_prepare_v2"
  cPrepare :: Ptr Database -> CString -> CInt -> Ptr (Ptr Row) -> Ptr CString -> IO CInt

foreign import ccall safe "sqlite3_step" cStep :: Ptr Row -> IO CInt

foreign import ccall safe "sqlite3_finalize" cFinalize :: Ptr Row -> IO CInt

-- These read or copy what is in memory.
foreign import ccall unsafe "sqlite3_errmsg" cMessage :: Ptr Database -> IO CString

foreign import ccall unsafe "sqlite3_last_insert_rowid" cLastRow :: Ptr Database -> IO Int64

foreign import ccall unsafe "sqlite3_bind_int64" cBindNumber :: Ptr Row -> CInt -> Int64 -> IO CInt

foreign import ccall unsafe "sqlite3_bind_text"
  cBindWords :: Ptr Row -> CInt -> CString -> CInt -> Ptr () -> IO CInt

foreign import ccall unsafe "sqlite3_column_int64" cNumber :: Ptr Row -> CInt -> IO Int64

foreign import ccall unsafe "sqlite3_column_double" cReal :: Ptr Row -> CInt -> IO Double

foreign import ccall unsafe "sqlite3_column_text" cWords :: Ptr Row -> CInt -> IO CString

foreign import ccall unsafe "sqlite3_column_bytes" cBytes :: Ptr Row -> CInt -> IO CInt

-- | Of @sqlite3.h@.
isOk, isRow, isDone :: CInt -> Bool
isOk = (== 0)
isRow = (== 100)
isDone = (== 101)

-- | Fail with the last message of a database.
refuse :: Ptr Database -> IO a
refuse database = cMessage database >>= Bytes.packCString >>= throwIO . SqliteError . textOf

textOf :: ByteString -> Text
textOf = decodeUtf8With lenientDecode

-- | Open a file, which is made where it is missing.
open :: ByteString -> IO Database
open file = alloca $ \made -> do
  status <- Bytes.useAsCString file (`cOpen` made)
  database <- peek made
  -- a database that could not be opened has to be closed too
  unless (isOk status) $ refuse database `onException` cClose database
  pure (Database database)

close :: Database -> IO ()
close (Database database) = void (cClose database)

-- | Run statements that have no parameters, for what they do.
script :: Database -> Text -> IO ()
script (Database database) text = do
  status <- Bytes.useAsCString (encodeUtf8 text) $ \start -> cExec database start nullPtr nullPtr nullPtr
  unless (isOk status) $ refuse database

-- | Run a statement for what it does.
run :: Database -> Text -> [Value] -> IO ()
run database text values = void (rows database text values (const (pure ())))

-- | Run a statement, and take its rows.
rows :: Database -> Text -> [Value] -> (Row -> IO a) -> IO [a]
rows (Database database) text values take_ = bracket prepare cFinalize $ \made -> do
  zipWithM_ (bind made) [1 ..] values
  let go = do
        status <- cStep made
        if isRow status
          then (:) <$> take_ (Row made) <*> go
          else [] <$ unless (isDone status) (refuse database)
  go
  where
    prepare = alloca $ \made -> do
      status <- withBytes (encodeUtf8 text) $ \start count -> cPrepare database start count made nullPtr
      unless (isOk status) $ refuse database
      peek made
    bind made place value = do
      status <- case value of
        Number bound -> cBindNumber made place bound
        Words bound -> withBytes (encodeUtf8 bound) $ \start count -> cBindWords made place start count copied
      unless (isOk status) $ refuse database
    -- SQLite copies the text at once
    copied = nullPtr `plusPtr` (-1)

withBytes :: ByteString -> (CString -> CInt -> IO a) -> IO a
withBytes bytes use = unsafeUseAsCStringLen bytes $ \(start, count) -> use start (fromIntegral count)

-- | The number of the row that was inserted last.
lastRow :: Database -> IO Int64
lastRow (Database database) = cLastRow database

-- | Do all of something or nothing.
whole :: Database -> IO a -> IO a
whole database action = do
  script database "BEGIN"
  (action <* script database "COMMIT") `onException` (script database "ROLLBACK" `catch` nothingToRollBack)
  where
    nothingToRollBack :: SqliteError -> IO ()
    nothingToRollBack _ = pure ()

-- | A column, from 0.
number :: Row -> CInt -> IO Int64
number (Row made) = cNumber made

real :: Row -> CInt -> IO Double
real (Row made) = cReal made

words_ :: Row -> CInt -> IO Text
words_ (Row made) column = do
  start <- cWords made column
  count <- cBytes made column
  if start == nullPtr then pure "" else textOf <$> Bytes.packCStringLen (start, fromIntegral count)
