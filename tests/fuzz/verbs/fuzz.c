// fuzz.c - libFuzzer target: run a verb of the command on a log, with options
// SPDX-License-Identifier: MIT
//
// The command runs in this process, from its command line to the last byte of output. Besides not
// crashing or hanging, it must do what its exit status says, its JSON must be valid, and it must be
// able to read what it wrote.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shell/input/notices.h"
#include "shell/output/say.h"
#include "fuzz_input.h"

#define MAX_WORDS 48
#define PATH_SIZE 256

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

int pmon_main(int argc, char **argv); // verbs/main.c

static const char *const verbs[] = {"info",  "list",   "stats", "values", "raw",     "explain",
				    "chart", "report", "rules", "relog",  "relog",   "relog",
				    "find",  "health", "trend", "watch",  "changes", "diff"};
static const char *const formats[] = {"text", "csv", "json"};
static const char *const patterns[] = {
	NULL,
	"\\*(*)\\*",
	"\\*\\*",
	"\\Process(*)\\*",
	"\\*(*)\\% *",
	"\\*(_Total)\\*",
	"\\*(*/*#*)\\*",
	"\\Thread(*)\\*",
	"\\\\*\\Processor(*)\\*",
	"\\O(*)\\C",
};
static const char *const conditions[] = {
	"\\*(*)\\* > 0",
	"\\*\\* <= 5 for 2 samples",
	"\\*(*)\\* >= 1 while \\*(*)\\* < 1e6",
	"\\Process(*)\\* > 10% for 1s",
	"\\*(*)\\C > 1 while \\*\\* > 0",
};
static const char *const times[] = {
	NULL,
	"@00:00",
	"-2h",
	"+5m",
	"-1s",
	"+1ms",
	"2016-02-15T08:53:20",
	"1601-01-01",
	"9999-12-31T23:59:59",
	"11/26/2016 1:46:40 PM",
	"2019-12-31",
	"-100000d",
};
static const char *const zones[] = {NULL, "log", "utc", "local", "+14:00", "-12:00"};
static const char *const policies[] = {NULL, "default", "strict", "clamp"};
static const char *const bys[] = {NULL, NULL, "machine", "instance", "object", "process"};
static const char *const keys[] = {NULL, "total", "p95", "average", "name"};
static const char *const wheres[] = {NULL, NULL, "average>0", "maximum>=20ms", "samples<3"};
static const char *const identities[] = {NULL, "process", "windows"};
static const char *const kinds[] = {NULL, "line", "area", "stacked", "bar", "heatmap"};
static const char *const sizes[] = {NULL, "200x100", "1200x600", "80x24", "10000x10"};
static const char *const thresholds[] = {NULL, "20ms", "80%", "10MB", "1e300"};
static const char *const pictures[] = {NULL,          NULL,          "-",
				       "picture.svg", "picture.png", "picture.pdf"};
static const char *const encodings[] = {NULL, NULL, NULL, "CP1252", "SHIFT_JIS", "UTF-16LE"};
// The names and extensions of relog's output formats.
static const char *const outputs[][2] = {{"BIN", "blg"},     {"CSV", "csv"},
					 {"TSV", "tsv"},     {"SQL", "sqlite"},
					 {"JSONL", "jsonl"}, {"OPENMETRICS", "om"}};
static const char *const steps[] = {NULL, NULL, "1s", "5m", "1d", "1ms", "100d"};
static const char *const everys[] = {NULL, NULL, "1", "2", "7", "4294967295"};

struct command {
	char *words[MAX_WORDS];
	int n;
};

static void
add(struct command *command, const char *word)
{
	FUZZ_REQUIRE(command->n < MAX_WORDS - 1);
	command->words[command->n] = strdup(word);
	FUZZ_REQUIRE(command->words[command->n++] != NULL);
}

// An option and its value, unless that is NULL.
static void
add_option(struct command *command, const char *name, const char *value)
{
	if (value == NULL)
		return;
	add(command, name);
	add(command, value);
}

static bool
is(const char *verb, const char *one)
{
	return strcmp(verb, one) == 0;
}

// Options that a verb does not take end with a usage error, so each gets its own.
static void
add_calculation(struct command *c, const struct fuzz_input *in)
{
	add_option(c, "--policy", FUZZ_PICK(in, 6, policies));
	if (in->choices[6] & 0x40)
		add(c, "--cap");
	if (in->choices[6] & 0x80)
		add(c, "--scale");
}

static void
add_window(struct command *c, const struct fuzz_input *in)
{
	add_option(c, "--from", FUZZ_PICK(in, 3, times));
	add_option(c, "--to", FUZZ_PICK(in, 4, times));
	add_option(c, "--tz", FUZZ_PICK(in, 5, zones));
}

static void
add_picture(struct command *c, const struct fuzz_input *in)
{
	const char *picture = FUZZ_PICK(in, 9, pictures);
	char path[PATH_SIZE];

	add_option(c, "--kind", FUZZ_PICK(in, 10, kinds));
	add_option(c, "--size", FUZZ_PICK(in, 11, sizes));
	add_option(c, "--threshold", FUZZ_PICK(in, 12, thresholds));
	if (picture == NULL)
		return;
	(void)snprintf(path, sizeof(path), "%s%s%s", picture[0] == '-' ? "" : fuzz_folder(),
		       picture[0] == '-' ? "" : "/", picture);
	add_option(c, "-o", path);
	add(c, "-y");
}

static void
output_path(const struct fuzz_input *in, char path[PATH_SIZE])
{
	(void)snprintf(path, PATH_SIZE, "%s/output.%s", fuzz_folder(),
		       FUZZ_PICK(in, 9, outputs)[1]);
}

static void
add_relog(struct command *c, const struct fuzz_input *in)
{
	char path[PATH_SIZE];

	add_option(c, "-c", FUZZ_PICK(in, 2, patterns));
	add_window(c, in);
	add_option(c, "-f", FUZZ_PICK(in, 9, outputs)[0]);
	add_option(c, "--step", FUZZ_PICK(in, 10, steps));
	add_option(c, "-t", FUZZ_PICK(in, 11, everys));
	output_path(in, path);
	add_option(c, "-o", path);
	add(c, "-y");
}

static void
add_options(struct command *c, const struct fuzz_input *in, const char *verb)
{
	bool is_table = is(verb, "stats") || is(verb, "values");

	if (is(verb, "info")) {
		add_option(c, "--format", FUZZ_PICK(in, 1, formats));
		return;
	}
	if (is(verb, "explain"))
		add_option(c, "--at", FUZZ_PICK(in, 10, times));
	if (is(verb, "explain") && FUZZ_PICK(in, 2, patterns) == NULL)
		add_option(c, "-c", "\\*(*)\\*");
	if (!is(verb, "find") && !is(verb, "health") && !is(verb, "watch"))
		add_option(c, "-c", FUZZ_PICK(in, 2, patterns));
	if (!is(verb, "list") && !is(verb, "rules"))
		add_window(c, in);
	if (is_table || is(verb, "explain") || is(verb, "find") || is(verb, "watch"))
		add_calculation(c, in);
	if (is_table || is(verb, "list") || is(verb, "raw") || is(verb, "find") ||
	    is(verb, "health") || is(verb, "trend") || is(verb, "watch") || is(verb, "changes") ||
	    is(verb, "diff"))
		add_option(c, "--format", FUZZ_PICK(in, 1, formats));
	if (is_table)
		add_option(c, "--by",
			   is(verb, "stats")        ? FUZZ_PICK(in, 7, bys)
			   : in->choices[7] % 2 > 0 ? "process"
						    : NULL);
	if (is(verb, "stats")) {
		add_option(c, "--where", FUZZ_PICK(in, 10, wheres));
		add_option(c, "--sort", FUZZ_PICK(in, 6, keys));
		add_option(c, "--percentile", in->choices[6] % 3 == 0 ? "50,99.9" : NULL);
	}
	if (is_table || is(verb, "explain") || is(verb, "chart") || is(verb, "report") ||
	    is(verb, "find") || is(verb, "trend") || is(verb, "watch") || is(verb, "changes") ||
	    is(verb, "diff"))
		add_option(c, "--identity", FUZZ_PICK(in, 8, identities));
	if (is(verb, "chart"))
		add_picture(c, in);
	if (is(verb, "report"))
		add_option(c, "-o", "-");
}

static void
build(struct command *c, const struct fuzz_input *in, const char *verb, const char *log)
{
	*c = (struct command){.n = 0};
	add(c, "pmon");
	add(c, verb);
	if (is(verb, "find") || (is(verb, "watch") && in->choices[12] % 2 == 1))
		add(c, FUZZ_PICK(in, 2, conditions));
	add(c, log);
	if (in->choices[13] % 8 == 1 || is(verb, "diff")) // twice
		add(c, log);
	if (is(verb, "relog"))
		add_relog(c, in);
	else
		add_options(c, in, verb);
	add_option(c, "--encoding", FUZZ_PICK(in, 14, encodings));
	if (in->choices[15] % 4 == 1)
		add(c, "--dst-repair");
	c->words[c->n] = NULL;
}

static void
release(struct command *command)
{
	for (int i = 0; i < command->n; i++)
		free(command->words[i]);
}

// ---- What it printed ------------------------------------------------------------------------

static bool
asked_for_json(const struct command *command)
{
	for (int i = 0; i + 1 < command->n; i++)
		if (strcmp(command->words[i], "--format") == 0)
			return strcmp(command->words[i + 1], "json") == 0;
	return false;
}

// The command must read what it wrote from a whole log without complaint. JSON lines without
// samples are an empty file, which is not a log.
static void
check_written(const struct fuzz_input *in)
{
	char path[PATH_SIZE];
	char *words[] = {"pmon", "info", path, NULL};
	struct stat st;
	int status;

	output_path(in, path);
	if (stat(path, &st) == 0 && st.st_size == 0)
		return;
	status = pmon_main(3, words);
	(void)fuzz_captured();
	(void)fuzz_captured();
	FUZZ_REQUIRE(status == EXIT_DONE);
}

static void
check(const struct fuzz_input *in, const struct command *command, int status)
{
	struct fuzz_output output = fuzz_captured();

	FUZZ_REQUIRE(status >= EXIT_DONE && status <= EXIT_DAMAGED);
	FUZZ_REQUIRE(status == EXIT_DONE || output.has_words);
	if (status != EXIT_DONE && status != EXIT_DAMAGED)
		return;
	if (asked_for_json(command))
		fuzz_check_json(output.text, output.len);
	if (status == EXIT_DONE && is(command->words[1], "relog") &&
	    !is(FUZZ_PICK(in, 9, outputs)[1], "om"))
		check_written(in);
}

// PMON_FUZZ_SHOW=1: print the command line, to investigate an input that failed.
static void
show(const struct command *command)
{
	if (getenv("PMON_FUZZ_SHOW") == NULL)
		return;
	for (int i = 0; i < command->n; i++)
		dprintf(STDERR_FILENO, "%s ", command->words[i]);
	dprintf(STDERR_FILENO, "\n");
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	setenv("TZ", "UTC0", 1);
	fuzz_capture();
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input input;
	struct command command;
	char log[PATH_SIZE];

	fuzz_input_open(&input, data, size);
	notices_unmute(); // a process has one verb
	fuzz_file("log", input.log, input.log_size, log);
	build(&command, &input, FUZZ_PICK(&input, 0, verbs), log);
	show(&command);
	check(&input, &command, pmon_main(command.n, command.words));
	release(&command);
	return 0;
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	return fuzz_input_mutate(data, size, max_size, seed);
}
