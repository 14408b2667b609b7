-- SPDX-License-Identifier: BSD-3-Clause

-- | tree [--names] PATH: how many names there are below a path, and how many bytes. By the folds of "Ferry.Files".
module Main (main) where

import Command
import Ferry.Files

main :: IO ()
main = command "tree" (\path -> walk plusFound none [path]) (\path -> walkNames plusNamed none [path])
