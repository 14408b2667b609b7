-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE Trustworthy #-}

-- | What takes the place of "System.Directory" where the tests of the package @directory@ are compiled
-- (scripts/test/directory_conformance.sh).
module System.Directory (module Ferry.Directory) where

import Ferry.Directory
