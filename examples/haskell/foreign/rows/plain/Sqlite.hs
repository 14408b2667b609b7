-- SPDX-License-Identifier: BSD-3-Clause

-- | The same functions by GHC's own foreign imports. All are safe: each of them may wait for a lock, or run for as long
-- as its statement takes.
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
import Foreign.C.String (CString)
import Foreign.C.Types (CInt (..))
import Foreign.Ptr (Ptr)

data Database

data Statement

foreign import ccall safe sqlite3_open :: CString -> Ptr (Ptr Database) -> IO CInt

foreign import ccall safe sqlite3_close :: Ptr Database -> IO CInt

foreign import ccall safe sqlite3_errmsg :: Ptr Database -> IO CString

foreign import ccall safe
  sqlite3_prepare_v2 :: Ptr Database -> CString -> CInt -> Ptr (Ptr Statement) -> Ptr CString -> IO CInt

foreign import ccall safe sqlite3_bind_int64 :: Ptr Statement -> CInt -> Int64 -> IO CInt

foreign import ccall safe sqlite3_step :: Ptr Statement -> IO CInt

foreign import ccall safe sqlite3_reset :: Ptr Statement -> IO CInt

foreign import ccall safe sqlite3_column_int64 :: Ptr Statement -> CInt -> IO Int64

foreign import ccall safe sqlite3_finalize :: Ptr Statement -> IO CInt
