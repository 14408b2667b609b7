-- SPDX-License-Identifier: BSD-3-Clause

-- | What the server asks of the disk, by the packages that everybody has.
module Disk (doesDirectoryExist, listDirectory, readFile) where

import Data.ByteString (readFile)
import System.Directory (doesDirectoryExist, listDirectory)
import Prelude ()
