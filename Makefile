# The door. Each target is one script or preset; CONTRIBUTING.md tells more.
#
#	make            the library and build/pmon
#	make demo       the same, then show what it does (LOG=file: with that log)
#	make test       build with all tests, run the fast ones: a minute on two idle processors
#	make check      build with all tests, run all of them, the fast ones first
#	make sanitize   the tests of C code under ASan and UBSan; make valgrind: those in C under valgrind
#	make coverage   how much of each folder the tests execute
#	make fuzz       each fuzz target for FUZZ_SECONDS (60)
#	make faults     fail each call for memory and to the system, one after the other, under each verb
#	make mutate     change the sources of core and path at random: do the unit tests notice?
#	make acceptance plant 55 kinds of trouble in made-up logs: how many does pmon name? An hour or two
#	make cross      for other processors, with Debian's compilers; the tests run under qemu
#	make platforms  every platform: is it built, do its tests pass, are its bytes equal? tools/platforms NAME does one
#	make packages   Debian's, RPM's and a static build, tried in a clean Debian; tools/packages STEP does one step
#	make static     one program for any Linux, with musl and its libraries in it, and an image of it for containers
#	make windows    pmon.exe and a zip of it, with Debian's MinGW-w64; make windows-check: test it under Wine
#	make wasm       pmon.wasm, the npm package of it, and pmon.html; make wasm-check: test them under node and in Chromium
#	make bench      pmon compared with other programs, on logs of SIZE (300M); tools/bench has more
#	make format     lay out the sources; make clean: remove all build folders
#	make install    into PREFIX (/usr/local), under DESTDIR; make uninstall: take it back

PREFIX ?= /usr/local
export DESTDIR FUZZ_SECONDS INFO_SIZE JOBS LOG SIZE

all:
	@tools/build release

demo: all
	@tools/demo

test:
	@tools/check check -L fast

check:
	@tools/check check

sanitize:
	@tools/check sanitize

valgrind:
	@tools/valgrind

coverage:
	@tools/coverage

fuzz:
	@tools/fuzz

faults:
	@tools/build check
	@PMON_TEST_FAULTS=all ctest --preset check -R '^fault/faults' --verbose --timeout 36000

mutate:
	@tools/build check
	@tools/mutate

acceptance: all
	@PMON_BIN=build/pmon tests/incidents/score.py

cross:
	@tools/cross

platforms:
	@tools/platforms

packages:
	@tools/packages

static:
	@tools/setup packages
	@tools/static

windows:
	@tools/windows

windows-check:
	@tools/windows check

wasm:
	@tools/wasm

wasm-check:
	@tools/wasm check

bench:
	@tools/bench

format:
	@tools/format

install: all
	cmake --install build --prefix "$(PREFIX)"

uninstall:
	cmake -P build/uninstall.cmake

clean:
	rm -rf build build-*

.PHONY: all demo test check sanitize valgrind coverage fuzz faults mutate acceptance cross platforms static windows windows-check wasm wasm-check packages bench format install uninstall clean
