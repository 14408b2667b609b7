-- SPDX-License-Identifier: BSD-3-Clause

-- | tree-pipes [--names] PATH: how many names there are below a path, and how many bytes. By a pipe.
module Main (main) where

import Command
import qualified Pipes.Prelude as Pipes
import Trees

main :: IO ()
main =
  command
    "tree-pipes"
    (\path -> withTree [path] (Pipes.foldM plusFound (pure none) pure))
    (\path -> withNames [path] (Pipes.foldM plusNamed (pure none) pure))
