#!/usr/bin/env bash
# manifests.sh - what other systems' packagers are given has the checksums of the release, and nothing is left to fill in
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2154 # of PKGBUILD
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
need python3

echo source >pmon-1.2.3.tar.gz
gen() { "$PMON_SOURCE_DIR/tools/gen-manifests" 1.2.3 2026-11-29 . >made || bad "$(cat made)"; }
ran="gen-manifests"
gen
same "winget without a zip" "$(find manifests -path '*winget*')" ''
echo zip >pmon-1.2.3-windows.zip
gen
same "one of each" "$(cd manifests && find . -type f | LC_ALL=C sort)" "$(cd "$PMON_SOURCE_DIR/packaging/manifests" && find . -type f | LC_ALL=C sort)"
same "placeholders that are left" "$(grep -rlE '@[A-Z0-9_]+@' manifests)" ''
downloads=$(cat "$PMON_SOURCE_DIR/packaging/address")/releases/1.2.3

# Each as its own system reads it, as far as a shell can.
ran=PKGBUILD
(
	. manifests/aur/PKGBUILD
	same source "${source[*]}" "$downloads/pmon-1.2.3.tar.gz"
	sha256sum --status -c <<<"${sha256sums[0]}  pmon-1.2.3.tar.gz" && ok || bad "${sha256sums[*]}"
	{
		printf 'pkgbase = %s\n' "$pkgname"
		printf '\t%s\n' "pkgdesc = $pkgdesc" "pkgver = $pkgver" "pkgrel = $pkgrel" "url = $url"
		for field in arch license makedepends depends optdepends source sha256sums; do
			declare -n list=$field
			printf "\t$field = %s\n" "${list[@]}"
		done
		printf '\npkgname = %s\n' "$pkgname"
	} >srcinfo
	cmp srcinfo manifests/aur/.SRCINFO && ok || bad ".SRCINFO is not that of PKGBUILD"
	declare -F build package >/dev/null && ok || bad "no functions"
	exit $((failures != 0))
) || failures=$((failures + 1))
ran=APKBUILD
(
	. manifests/alpine/APKBUILD
	same version "$pkgver" 1.2.3
	same source "$source" "$downloads/pmon-1.2.3.tar.gz"
	sha512sum --status -c <<<"${sha512sums//$'\n'/}" && ok || bad "$sha512sums"
	exit $((failures != 0))
) || failures=$((failures + 1))
sh -n manifests/alpine/APKBUILD || bad "not for sh"
ran=pmon.rb
grep -Fqx "  url \"$downloads/pmon-1.2.3.tar.gz\"" manifests/homebrew/pmon.rb && ok || bad "no address"
grep -Fqx "  sha256 \"$(sha256sum pmon-1.2.3.tar.gz | cut -d ' ' -f 1)\"" manifests/homebrew/pmon.rb && ok || bad "checksum"
! ruby --version >/dev/null 2>&1 || ruby -c manifests/homebrew/pmon.rb >/dev/null || bad "not Ruby"
ran=package.nix
python3 - <<'PYTHON' && ok || bad "checksum"
import base64, hashlib, re
with open("manifests/nix/package.nix") as file:
    found = re.search(r'hash = "sha256-([^"]*)";', file.read())[1]
with open("pmon-1.2.3.tar.gz", "rb") as file:
    assert base64.b64decode(found) == hashlib.sha256(file.read()).digest()
PYTHON
! nix-instantiate --version >/dev/null 2>&1 || nix-instantiate --parse manifests/nix/package.nix >/dev/null || bad "not Nix"
ran=winget
grep -Fqx "  InstallerUrl: $downloads/pmon-1.2.3-windows.zip" manifests/winget/pmon.pmon.installer.yaml && ok || bad "no address"
grep -Fqix "  InstallerSha256: $(sha256sum pmon-1.2.3-windows.zip | cut -d ' ' -f 1)" manifests/winget/pmon.pmon.installer.yaml &&
	ok || bad "checksum"
! python3 -c 'import yaml' 2>/dev/null || python3 - manifests/winget/*.yaml <<'PYTHON' || bad "not YAML of one version"
import sys, yaml
found = [yaml.safe_load(open(name)) for name in sys.argv[1:]]
assert {one["ManifestType"] for one in found} == {"version", "installer", "defaultLocale"}
assert {(one["PackageIdentifier"], str(one["PackageVersion"])) for one in found} == {("pmon.pmon", "1.2.3")}
PYTHON
finish
