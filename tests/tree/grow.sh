#!/usr/bin/env bash
# grow.sh - a verb takes one file and one line, an option one line, a format one folder and one line
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
cp -r CMakeLists.txt README.md cmake packaging include src draw rules text cli apps completions "$tree"
mkdir "$tree/web" "$tree/tools" "$tree/docs"
cp tools/gen-completions "$tree/tools"
mkdir "$tree/share"
cp -r share/names "$tree/share"
cp -r docs/man "$tree/docs"
cp -r web/*.[ch] web/page "$tree/web"
cp -r "$tree" "$here/before"
cd "$tree"

fail() {
	printf 'grow: %s\n' "$*" >&2
	exit 1
}

# A verb: one file and one line. It prints the value of an option, which is a line of its table.
cat >cli/verbs/toy.c <<'TOY'
#include <stdio.h>

#include "cli/args/groups.h"
#include "cli/args/verb.h"

static int
run(const struct args *args)
{
	puts(args_text(args, "--shape"));
	return 0;
}

static const struct option options[] = {
	GROUP(options_color),
	OPTION(TEXT, "--shape", NULL, "WORD", "shape of the toy"),
	OPTION_END,
};

const struct verb verb_toy = {
	.name = "toy",
	.operands = "",
	.summary = "a toy",
	.details = "",
	.options = options,
	.run = run,
};
TOY
sed -i 's/#include "cli\/args\/verb.h"/&\n#include "cli\/args\/args.h"/' cli/verbs/toy.c
sed -i 's/^\tVERB(list).*\\$/&\n\tVERB(toy) \\/' cli/verbs/verbs.c

# An option of a verb that exists: one line.
sed -i 's/^\tOPTION(FLAG, "-l", .*/&\n\tOPTION(FLAG, "--toys", NULL, NULL, "toys too"),/' cli/verbs/list.c

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

# That is all that changed: two files, and three lines.
changed=$({ diff -rq "$here/before" "$tree" || true; } | sed "s|$here/||g" | sort)
wanted='Files before/cli/verbs/list.c and tree/cli/verbs/list.c differ
Files before/cli/verbs/verbs.c and tree/cli/verbs/verbs.c differ
Files before/src/format/registry.c and tree/src/format/registry.c differ
Only in tree/cli/verbs: toy.c
Only in tree/src/format: toy'
[ "$changed" = "$wanted" ] || fail "other files changed: $changed"
for file in cli/verbs/list.c cli/verbs/verbs.c src/format/registry.c; do
	[ "$(diff "$here/before/$file" "$file" | grep -c '^[<>]')" -eq 1 ] || fail "$file: more than a line"
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
python3 "$here/compile.py" "$here/build" cli/verbs/toy.c cli/verbs/verbs.c cli/verbs/list.c \
	src/format/toy/toy.c src/format/registry.c || fail 'a toy does not compile'
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

# The completions and the manual are made from the tables.
PMON_BIN=$here/pmon "$tree/tools/gen-completions"
for file in completions/pmon.bash completions/_pmon completions/pmon.fish docs/man/pmon.1; do
	for word in shape toys; do
		grep -q "$word" "$tree/$file" || fail "$file lacks $word"
	done
done
grep -q "'words .*jsonl toy'" "$tree/completions/pmon.bash" || fail 'the format is not completed'
echo 'grow: a verb, an option and a format, each with one line'
