# nix-build -E 'with import <nixpkgs> {}; callPackage ./package.nix {}'
{
  lib,
  stdenv,
  fetchurl,
  cmake,
  pkg-config,
  cairo,
  curl,
  expat,
  gnutls,
  jansson,
  libarchive,
  libmicrohttpd,
  libpq,
  makeWrapper,
  ncurses,
  protobufc,
  snappy,
  sqlite,
  systemd,
  tzdata,
  xxHash,
  zlib,
  zstd,
}:

let
  # The verbs that need these load them by name.
  loaded = [
    cairo
    curl
    expat
    gnutls
    libarchive
    libmicrohttpd
    libpq
    ncurses
    snappy
    systemd
  ];
in
stdenv.mkDerivation {
  pname = "pmon";
  version = "@VERSION@";

  src = fetchurl {
    url = "@DOWNLOADS@/pmon-@VERSION@.tar.gz";
    hash = "@SOURCE_SRI@";
  };

  nativeBuildInputs = [
    cmake
    makeWrapper
    pkg-config
    tzdata
  ];
  buildInputs = loaded ++ [
    jansson
    protobufc
    sqlite
    xxHash
    zlib
    zstd
  ];

  cmakeFlags = [ "-DPMON_BUILD_TESTS=OFF" ];

  postFixup = ''
    wrapProgram $out/bin/pmon --prefix LD_LIBRARY_PATH : ${lib.makeLibraryPath loaded}
  '';

  meta = {
    description = "Read Windows performance logs, and record the same counters on Linux";
    homepage = "@ADDRESS@";
    changelog = "@DOWNLOADS@/pmon-@VERSION@.changes.md";
    license = lib.licenses.mit;
    mainProgram = "pmon";
    platforms = lib.platforms.linux;
  };
}
