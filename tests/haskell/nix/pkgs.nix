# SPDX-License-Identifier: BSD-3-Clause
# What haskell/default.nix uses of nixpkgs, for a machine without it: a package is built by the machine's own GHC, as
# nixpkgs builds one, by Setup.hs in a copy of the source that the expression names. So a name that is wrong or missing
# is an error, and so is a file that a package needs and the expression leaves out. scripts/release/nix_test.sh uses this file.
let
  removePrefix =
    prefix: text:
    let
      length = builtins.stringLength prefix;
    in
    if builtins.substring 0 length text == prefix then
      builtins.substring length (builtins.stringLength text) text
    else
      text;
  # packages that come with GHC, or with the system, are their names here
  of_system = name: { inherit name; };
  mkDerivation =
    attributes:
    let
      needed = builtins.filter (one: one ? type) attributes.libraryHaskellDepends;
    in
    derivation {
      name = attributes.pname + "-" + attributes.version;
      system = builtins.currentSystem;
      builder = "/bin/bash";
      args = [
        "-euc"
        ''
          export PATH=/usr/bin:/bin HOME=$PWD LC_ALL=C.UTF-8
          sourceRoot=source
          cp -R "$src" "$sourceRoot"
          chmod -R u+w "$sourceRoot"
          eval "$postUnpack"
          cd "$sourceRoot"
          echo 'import Distribution.Simple; main = defaultMain' >Setup.hs
          ghc -v0 -outputdir "$HOME" Setup.hs -o Setup
          databases=()
          for one in $needed; do databases+=("--package-db=$one/packages"); done
          ./Setup configure --prefix="$out" --package-db=clear --package-db=global "''${databases[@]}" \
            --disable-shared --disable-executable-dynamic
          ./Setup build
          ./Setup copy
          ./Setup register --gen-pkg-config="$HOME/configuration"
          ghc-pkg init "$out/packages"
          ghc-pkg --package-db="$out/packages" register --force "$HOME/configuration"
        ''
      ];
      inherit needed;
      inherit (attributes) src postUnpack;
    }
    // {
      inherit (attributes) pname;
    };
  of_ghc = {
    inherit mkDerivation;
    base = of_system "base";
    bytestring = of_system "bytestring";
    containers = of_system "containers";
    directory = of_system "directory";
    filepath = of_system "filepath";
    os-string = of_system "os-string";
    primitive = of_system "primitive";
    template-haskell = of_system "template-haskell";
    time = of_system "time";
    unix = of_system "unix";
    vector = of_system "vector";
  };
  call =
    scope: function: overrides:
    function (builtins.intersectAttrs (builtins.functionArgs function) scope // overrides);
in
{
  lib = {
    inherit removePrefix;
    hasPrefix = prefix: text: builtins.substring 0 (builtins.stringLength prefix) text == prefix;
    licenses.bsd3 = "BSD-3-Clause";
    platforms.linux = [ "x86_64-linux" ];
  };
  liburing = of_system "liburing";
  haskell.packages.ghc96.extend =
    change:
    let
      self = of_ghc // { callPackage = call self; } // change self of_ghc;
    in
    self;
}
