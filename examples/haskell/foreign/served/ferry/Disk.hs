-- SPDX-License-Identifier: BSD-3-Clause

-- | What the server asks of the disk, by ferry-directory.
module Disk (doesDirectoryExist, listDirectory, readFile) where

import Ferry.Directory (doesDirectoryExist, listDirectory)
import Ferry.File (readFile)
import Prelude ()
