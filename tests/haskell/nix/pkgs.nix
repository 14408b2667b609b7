# SPDX-License-Identifier: BSD-3-Clause
# What haskell/default.nix uses of nixpkgs, for a machine without it: a package is the attributes that it was made with,
# and a package of GHC its name. This finds names that are wrong or missing:
#
#   nix-instantiate --eval --strict -E 'with builtins;
#     mapAttrs (_: p: removeAttrs p [ "src" ]) (import haskell/default.nix { pkgs = import tests/haskell/nix/pkgs.nix; })'
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
  of_ghc = {
    mkDerivation = attributes: attributes;
    base = "base";
    bytestring = "bytestring";
    containers = "containers";
    directory = "directory";
    filepath = "filepath";
    primitive = "primitive";
    template-haskell = "template-haskell";
    time = "time";
    unix = "unix";
    vector = "vector";
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
  liburing = "liburing";
  haskell.packages.ghc96.extend =
    change:
    let
      self = of_ghc // { callPackage = call self; } // change self of_ghc;
    in
    self;
}
