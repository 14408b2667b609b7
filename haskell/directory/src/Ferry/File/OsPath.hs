-- SPDX-License-Identifier: BSD-3-Clause
{-# LANGUAGE CPP #-}
{-# LANGUAGE Trustworthy #-}

#define OUR_MODULE Ferry.File.OsPath
#define PATH_MODULE System.OsPath
#define PATH_TYPE OsPath

-- | "Ferry.File" for paths as the system has them. With GHC 9.6 and newer.

#include "whole_files.hs"
