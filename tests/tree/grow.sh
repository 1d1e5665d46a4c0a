#!/usr/bin/env bash
# grow.sh - a verb and a format take one folder and one line each, an option a field and a line, a counter a line
# SPDX-License-Identifier: MIT
#
# Toys are added to a copy of the sources. What they change is compiled, and linked with the libraries of this
# build in place of what it replaces.
set -euo pipefail

here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
tree=$here/tree
mkdir "$tree"
cd "$PMON_SOURCE_DIR"
cp -r CMakeLists.txt README.md cmake packaging include src draw rules analyze shell verbs "$tree"
mkdir "$tree/web" "$tree/tools" "$tree/docs"
cp tools/gen-names.c tools/gen-zones.c "$tree/tools"
mkdir "$tree/share"
cp -r share/names share/meanings.tsv "$tree/share"
cp -r docs/man docs/agents.md docs/glossary.md docs/reference "$tree/docs"
cp -r web/*.[ch] web/page "$tree/web"
cp -r "$tree" "$here/before"
cd "$tree"

fail() {
	printf 'grow: %s\n' "$*" >&2
	exit 1
}

# A verb: one folder and one line. It prints the value of an option, which is a field and a line of its table.
mkdir verbs/toy
cat >verbs/toy/toy.c <<'TOY'
#include <stdio.h>

#include "shell/args/args.h"
#include "shell/args/groups.h"
#include "shell/args/verb.h"

struct toy_options {
	const char *shape;
};

static int
run(const struct args *args)
{
	puts(OWN_OPTIONS(toy, args)->shape);
	return 0;
}

static const struct option options[] = {
	GROUP(options_color),
	OPTION(TEXT, toy, shape, "--shape", NULL, "WORD", "shape of the toy"),
	OPTION_END,
};

const struct verb verb_toy = {
	.name = "toy",
	.operands = "",
	.summary = "a toy",
	.details = "",
	.options = options,
	.own_size = sizeof(struct toy_options),
	.run = run,
};
TOY
sed -i 's/^\tVERB(list).*\\$/&\n\tVERB(toy) \\/' verbs/verbs.c

# An option of a verb that exists: a field and a line.
sed -i 's/^\tbool types;/&\n\tbool toys;/' verbs/list/list.h
sed -i 's/^\tGROUP(options_read),/\tOPTION(FLAG, list, toys, "--toys", NULL, NULL, "toys too"),\n&/' verbs/list/verb.c

# A format: one folder and one line.
mkdir src/format/toy
cat >src/format/toy/toy.c <<'TOY'
#include <stdlib.h>
#include <string.h>

#include "format/format.h"
#include "model/sink.h"

extern const struct pmon_format pmon_format_toy;

static bool
probe(const uint8_t *head, size_t len)
{
	return len >= 4 && memcmp(head, "TOY\n", 4) == 0;
}

struct source {
	struct pmon_source source;
	struct pmon_report report;
	struct pmon_file *file;
};

static enum pmon_status
next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	(void)source, (void)err;
	*sample = NULL;
	return PMON_END;
}

static enum pmon_status
from_start(struct pmon_source *source, struct pmon_err *err)
{
	(void)source, (void)err;
	return PMON_OK;
}

static void
close_source(struct pmon_source *source)
{
	pmon_file_close(((struct source *)source)->file);
	pmon_schema_free(&source->schema);
	free(source);
}

static const struct pmon_source_ops source_ops = {next, from_start, close_source};

static enum pmon_status
open_toy(struct pmon_source *source, const struct pmon_log_files *files,
	 const struct pmon_log_options *options, struct pmon_err *err)
{
	struct source *toy = (struct source *)source;

	(void)err;
	toy->file = files->file;
	pmon_format_report(&toy->report, source, options);
	return PMON_OK;
}

struct sink {
	struct pmon_sink sink;
	struct pmon_outfile *file;
};

static enum pmon_status
begin(struct pmon_sink *sink, const struct pmon_schema *schema,
      const struct pmon_source_info *info, struct pmon_err *err)
{
	(void)schema, (void)info, (void)err;
	pmon_outfile_write(((struct sink *)sink)->file, "TOY\n", 4);
	return PMON_OK;
}

static enum pmon_status
add(struct pmon_sink *sink, const struct pmon_sample *sample, const struct pmon_value *values,
    struct pmon_err *err)
{
	(void)sink, (void)sample, (void)values, (void)err;
	return PMON_OK;
}

static enum pmon_status
finish(struct pmon_sink *sink, struct pmon_err *err)
{
	return pmon_outfile_commit(((struct sink *)sink)->file, err);
}

static void
close_sink(struct pmon_sink *sink)
{
	pmon_outfile_close(((struct sink *)sink)->file);
	free(sink);
}

static const struct pmon_sink_ops sink_ops = {
	.begin = begin, .add = add, .finish = finish, .close = close_sink};

static enum pmon_status
create(struct pmon_sink *sink, const struct pmon_writer *writer, const char *path,
       const struct pmon_create_options *options, struct pmon_err *err)
{
	(void)writer;
	return pmon_format_outfile(path, options, &((struct sink *)sink)->file, err);
}

static const struct pmon_writer writer = {
	.name = "toy", .endings = {"toy"}, .reads_as = "Toy", .open = create,
	.sink_bytes = sizeof(struct sink), .ops = &sink_ops, .raw = true, .record = true};

const struct pmon_format pmon_format_toy = {
	.name = "Toy", .probe = probe, .open = open_toy, .source_bytes = sizeof(struct source),
	.ops = &source_ops, .writers = &writer, .n_writers = 1};
TOY
sed -i 's/^\tFORMAT(winperf).*\\$/&\n\tFORMAT(toy) \\/' src/format/registry.c

# A counter of Linux: one line.
sed -i 's/^\t*LINE(ZSWAP,.*/\tLINE(TOY, "Toy Bytes", "Toy", 1024, "", "a toy"), \\\n&/' src/live/linux/memory.c

# That is all that changed: two folders, and five lines.
changed=$({ diff -rq "$here/before" "$tree" || true; } | sed "s|$here/||g" | sort)
wanted='Files before/src/format/registry.c and tree/src/format/registry.c differ
Files before/src/live/linux/memory.c and tree/src/live/linux/memory.c differ
Files before/verbs/list/list.h and tree/verbs/list/list.h differ
Files before/verbs/list/verb.c and tree/verbs/list/verb.c differ
Files before/verbs/verbs.c and tree/verbs/verbs.c differ
Only in tree/src/format: toy
Only in tree/verbs: toy'
[ "$changed" = "$wanted" ] || fail "other files changed: $changed"
for file in verbs/list/list.h verbs/list/verb.c verbs/verbs.c src/format/registry.c src/live/linux/memory.c; do
	[ "$(diff "$here/before/$file" "$file" | grep -c '^[<>]')" -eq 1 ] || fail "$file: more than a line"
done

# A misspelled name, and a value of another type than its option has, do not compile.
compiler=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$PMON_BUILD_DIR/CMakeCache.txt")
for edit in 's/a/a/' 's/, args)->shape/, args)->shap/' 's/toy, shape, /toy, shap, /' \
	's/OPTION(TEXT, toy/OPTION(FLAG, toy/'; do
	sed "$edit" verbs/toy/toy.c >"$here/edited.c"
	if why=$("$compiler" -std=c11 -fsyntax-only -I. -Iinclude -Isrc "$here/edited.c" 2>&1); then
		[ "$edit" = s/a/a/ ] || fail "an option compiles after $edit"
	else
		grep -qi 'shap\|generic' <<<"$why" && [ "$edit" != s/a/a/ ] || fail "$edit: $why"
	fi
done

# CMake finds the new files by itself.
mapfile -t settings < <(grep -E '^(PMON_(WITH_[A-Z]+|SANITIZE|COVERAGE|HARDENING)|CMAKE_C_COMPILER|CMAKE_BUILD_TYPE):' \
	"$PMON_BUILD_DIR/CMakeCache.txt" | sed 's/^/-D/')
cmake -S "$tree" -B "$here/build" -DPMON_BUILD_TESTS=OFF -DCMAKE_EXPORT_COMPILE_COMMANDS=ON \
	"${settings[@]}" >"$here/cmake.log" 2>&1 || {
	tail -5 "$here/cmake.log" >&2
	fail 'CMake failed'
}
cat >"$here/compile.py" <<'PYTHON'
import json, os, shlex, subprocess, sys
build, names = sys.argv[1], sys.argv[2:]
commands = {os.path.relpath(each["file"], os.path.join(build, "../tree")): each["command"]
            for each in json.load(open(os.path.join(build, "compile_commands.json")))}
for name in names:
    if name not in commands:
        sys.exit(f"grow: CMake does not know {name}")
    words = shlex.split(commands[name])
    words[words.index("-o") + 1] = os.path.join(build, name.replace("/", "_") + ".o")
    subprocess.run(words, check=True, cwd=build)
PYTHON
# The folder of another system is left out of the build.
linux=()
[ "$(uname -s)" != Linux ] || linux=(src/live/linux/memory.c)
python3 "$here/compile.py" "$here/build" verbs/toy/toy.c verbs/verbs.c verbs/list/verb.c \
	src/format/toy/toy.c src/format/registry.c "${linux[@]}" || fail 'a toy does not compile'
link=$(cat "$PMON_BUILD_DIR/CMakeFiles/pmon.dir/link.txt")
(cd "$PMON_BUILD_DIR" && eval "${link/ -o pmon / $here/build/*.o -o $here/pmon }") || fail 'linking failed'

# has PATTERN WORD...: pmon with these words prints it
has() {
	local wanted=$1 output

	shift
	output=$("$here/pmon" "$@" 2>&1) || true
	grep -q -e "$wanted" <<<"$output" || fail "pmon $* does not print \"$wanted\": $output"
}

cd "$here"
printf '"(PDH-CSV 4.0) (UTC)(0)","\\\\A\\B\\C"\n"11/26/2016 10:00:00.000","1"\n' >log.csv
has '^  toy  *a toy$' help
has '^round$' toy --shape round
has '--shape WORD  *shape of the toy' toy --help
has 'did you mean toy?' toyy
has '--toys  *toys too' list --help
has 'did you mean --toys?' list --toy
has 'jsonl|toy' record --help
has 'PROMETHEUS' relog log.csv -f nothing -o out
has 'TOY' relog log.csv -f nothing -o out
has 'out.toy' relog log.csv -f toy -o out
has 'Toy' info out.toy

if [ ${#linux[@]} -gt 0 ]; then
	mkdir -p machine/proc
	echo 'cpu  1 0 0 1 0 0 0 0 0 0' >machine/proc/stat
	echo 'Toy: 5 kB' >machine/proc/meminfo
	has ',"5120"$' values --root machine -n 1 --format csv -c '\Memory\Toy Bytes'
fi

# The completions know them.
has '^toy	a toy$' __complete ''
has '^--shape	shape of the toy$' __complete toy -
has '^--toys	toys too$' __complete list -
has '^toy$' __complete record --format ''
echo 'grow: a verb, an option, a format and a counter, each with a line or two'
