-- SPDX-License-Identifier: BSD-3-Clause

-- | tree-conduit [--names] PATH: how many names there are below a path, and how many bytes. By a conduit.
module Main (main) where

import Command
import Conduit
import Trees

main :: IO ()
main =
  command
    "tree-conduit"
    (\path -> runConduitRes (sourceTree [path] .| foldMC (\total -> liftIO . plusFound total) none))
    (\path -> runConduitRes (sourceNames [path] .| foldMC (\total -> liftIO . plusNamed total) none))
