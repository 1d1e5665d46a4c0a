#!/usr/bin/env bash
# build.sh - build the fuzz targets for OSS-Fuzz, with their seeds, into $OUT
# SPDX-License-Identifier: MIT
#
# OSS-Fuzz sets CC, CFLAGS, LIB_FUZZING_ENGINE, SRC and OUT. The libraries that a target needs go with it:
# the image that runs it has none of them.
set -euo pipefail

source=${PMON_SOURCE:-$SRC/pmon}
build=${PMON_BUILD:-$SRC/build}
targets=()
for file in "$source"/tests/fuzz/*/fuzz.c; do
	targets+=("$(basename "$(dirname "$file")")")
done

without=()
for library in CURL PROTOBUF SNAPPY POSTGRES CAIRO NCURSES WEB; do
	without+=("-DPMON_WITH_$library=OFF")
done
cmake -S "$source" -B "$build" -DCMAKE_BUILD_TYPE=None -DPMON_FUZZ=ON \
	"-DPMON_FUZZ_ENGINE=$LIB_FUZZING_ENGINE" -DPMON_BUILD_TESTS=OFF -DPMON_HARDENING=OFF \
	"${without[@]}"
cmake --build "$build" -j "$(nproc)" --target "${targets[@]/#/fuzz_}"

logs=()
for format in "$source"/src/format/*/; do
	for seed in "$source/tests/fuzz/$(basename "$format")"/corpus/*; do
		[ ! -e "$seed" ] || logs+=("$seed")
	done
done

mkdir -p "$OUT/lib"
for target in "${targets[@]}"; do
	cp "$build/fuzz/fuzz_$target" "$OUT/"
	ldd "$OUT/fuzz_$target" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' |
		grep -vE '/(libc|libm|libpthread|libdl|librt|libgcc_s|libstdc\+\+|libc\+\+[^/]*)\.so' |
		xargs -r cp -n -t "$OUT/lib"
	# shellcheck disable=SC2016 # of the loader
	patchelf --set-rpath '$ORIGIN/lib' "$OUT/fuzz_$target"
	seeds=("$source/tests/fuzz/$target"/corpus/*)
	# Verbs and the page take logs of any format.
	[ -e "${seeds[0]}" ] || seeds=("${logs[@]}")
	python3 -m zipfile -c "$OUT/fuzz_${target}_seed_corpus.zip" "${seeds[@]}"
done
