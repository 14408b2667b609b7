# SPDX-License-Identifier: BSD-3-Clause
# The Haskell packages for Nix: nix-build haskell -A ferry-openmp
#
# A package's folder has links to other folders of the repository, so each is built of a copy of all that any needs.
# Tests and benchmarks are packages of their own, which are not built here.
{
  pkgs ? import <nixpkgs> { },
  # of a GHC that the .cabal files name in tested-with
  haskellPackages ? pkgs.haskell.packages.ghc96,
}:
let
  source = builtins.path {
    path = ../.;
    name = "ferry-source";
    filter =
      path: type:
      let
        name = pkgs.lib.removePrefix (toString ../. + "/") path;
        isIn = folder: name == folder || pkgs.lib.hasPrefix (folder + "/") name;
      in
      builtins.any isIn [ "LICENSES" "haskell" "include" "src" ];
  };
  common = {
    version = "0.2.0";
    src = source;
    license = pkgs.lib.licenses.bsd3;
    platforms = pkgs.lib.platforms.linux;
  };
  packages = haskellPackages.extend (self: _: {
    ferry = self.callPackage (
      { mkDerivation, base, bytestring, containers, primitive, template-haskell, vector }:
      mkDerivation (common // {
        pname = "ferry";
        postUnpack = "sourceRoot+=/haskell";
        libraryHaskellDepends = [ base bytestring containers primitive template-haskell vector ];
        librarySystemDepends = [ pkgs.liburing ];
        description = "Many C calls or system calls for the price of one crossing";
      })
    ) { };
    ferry-openmp = self.callPackage (
      { mkDerivation, base, ferry, primitive, vector }:
      mkDerivation (common // {
        pname = "ferry-openmp";
        postUnpack = "sourceRoot+=/haskell/openmp";
        libraryHaskellDepends = [ base ferry primitive vector ];
        description = "Parallel regions of C and Haskell on threads that share the processors";
      })
    ) { };
    ferry-directory = self.callPackage (
      { mkDerivation, base, bytestring, directory, ferry, filepath, os-string, time, unix }:
      mkDerivation (common // {
        pname = "ferry-directory";
        postUnpack = "sourceRoot+=/haskell/directory";
        libraryHaskellDepends = [ base bytestring directory ferry filepath os-string time unix ];
        description = "The file system without stalls of other Haskell threads";
      })
    ) { };
  });
in
{
  inherit (packages) ferry ferry-openmp ferry-directory;
}
