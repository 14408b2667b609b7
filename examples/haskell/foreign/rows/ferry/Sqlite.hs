-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE TemplateHaskell #-}

-- | The functions of SQLite that the program calls, imported by "Ferry.Foreign".
module Sqlite
  ( Database,
    Statement,
    sqlite3_open,
    sqlite3_close,
    sqlite3_errmsg,
    sqlite3_prepare_v2,
    sqlite3_bind_int64,
    sqlite3_step,
    sqlite3_reset,
    sqlite3_column_int64,
    sqlite3_finalize,
  )
where

import Data.Int (Int64)
import Ferry.Foreign
import Foreign.C.String (CString)
import Foreign.C.Types (CInt)
import Foreign.Ptr (Ptr)

data Database

data Statement

foreignImport "sqlite3_open" [t|CString -> Ptr (Ptr Database) -> IO CInt|]

foreignImport "sqlite3_close" [t|Ptr Database -> IO CInt|]

foreignImport "sqlite3_errmsg" [t|Ptr Database -> IO CString|]

foreignImport "sqlite3_prepare_v2" [t|Ptr Database -> CString -> CInt -> Ptr (Ptr Statement) -> Ptr CString -> IO CInt|]

foreignImport "sqlite3_bind_int64" [t|Ptr Statement -> CInt -> Int64 -> IO CInt|]

foreignImport "sqlite3_step" [t|Ptr Statement -> IO CInt|]

foreignImport "sqlite3_reset" [t|Ptr Statement -> IO CInt|]

foreignImport "sqlite3_column_int64" [t|Ptr Statement -> CInt -> IO Int64|]

foreignImport "sqlite3_finalize" [t|Ptr Statement -> IO CInt|]
