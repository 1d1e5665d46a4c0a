// record.c - pmon record: this machine into files
// SPDX-License-Identifier: MIT

#include "apps/apps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "apps/record/recorder.h"
#include "base/num.h"
#include "base/text.h"
#include "base/time.h"
#include "cli/args/verb.h"
#include "cli/input/live.h"
#include "cli/input/logs.h"
#include "cli/input/progress.h"
#include "cli/output/line.h"
#include "cli/output/say.h"
#include "format/format.h"
#include "os/term.h"

#define SYNC_100NS   (10 * PMON_TIME_PER_SEC)
#define NOTICE_100NS (10 * PMON_TIME_PER_SEC) // shortest time between messages about missed samples
#define STATUS_100NS (1 * PMON_TIME_PER_SEC)
#define MAX_OBJECTS  128

struct record {
	const struct args *args;
	struct args own; // with the patterns that "default" stands for
	size_t n_asked;  // patterns of the command line
	size_t n_default;
	size_t n_matched; // patterns of the user that have matched something
	char defaults[MAX_OBJECTS][128];
	struct logs logs;
	struct recorder recorder;
	int rotate_status; // of a rotation that SIGHUP asked for
	int64_t next_notice;
	int64_t next_status;
	int64_t begun;
};

// ---- Options ------------------------------------------------------------------------------------

static int
read_length(const char *option, const char *text, int64_t *out_100ns)
{
	if (text == NULL ||
	    (pmon_time_parse_span((struct pmon_span){text, strlen(text)}, out_100ns) &&
	     *out_100ns > 0))
		return EXIT_DONE;
	return say(EXIT_USAGE, "%s takes a duration such as 10s, 5m, 1h or 1d, not \"%s\"", option,
		   text);
}

static int
read_keep(const struct args *args, struct record_keep *keep)
{
	const char *n = args_text(args, "--keep");
	int status = EXIT_DONE;

	if (n != NULL &&
	    (!pmon_num_parse_u64((struct pmon_span){n, strlen(n)}, &keep->n) || keep->n == 0))
		status = say(
			EXIT_USAGE,
			"--keep takes a number of files (1 or more), not \"%s\"; --keep-age takes "
			"a duration, --keep-size a size",
			n);
	if (status == EXIT_DONE)
		status = read_length("--keep-age", args_text(args, "--keep-age"), &keep->age_100ns);
	if (status == EXIT_DONE)
		status = args_size("--keep-size", args_text(args, "--keep-size"), &keep->bytes);
	return status;
}

static bool
has_keep(const struct args *args)
{
	return args_text(args, "--keep") != NULL || args_text(args, "--keep-age") != NULL ||
	       args_text(args, "--keep-size") != NULL;
}

static int
read_limits(const struct args *args, struct record_plan *plan)
{
	int status = args_size("--max-size", args_text(args, "--max-size"), &plan->max_bytes);

	if (status == EXIT_DONE)
		status = read_keep(args, &plan->keep);
	if (status != EXIT_DONE || !args_flag(args, "--circular"))
		return status;
	if (plan->max_bytes == 0)
		return say(EXIT_USAGE, "--circular needs --max-size");
	if (args_flag(args, "--append"))
		return say(EXIT_USAGE,
			   "--circular starts a new file; it cannot be combined with --append");
	if (args_text(args, "--rotate") != NULL || has_keep(args) ||
	    args_text(args, "--names") != NULL)
		return say(EXIT_USAGE, "--circular writes one file; it cannot be combined with "
				       "--rotate, --keep or --names");
	return EXIT_DONE;
}

static bool
has_ending(const struct pmon_writer *writer, const char *path)
{
	const char *dot = strrchr(path, '.');

	for (size_t i = 0; dot != NULL && i < 3 && writer->endings[i] != NULL; i++)
		if (strcmp(dot + 1, writer->endings[i]) == 0)
			return true;
	return false;
}

// The format by its name, or by the ending of the file.
static const struct pmon_writer *
format_of(const struct args *args)
{
	const char *name = args_text(args, "--format");
	const struct pmon_writer *writer;

	for (size_t i = 0; (writer = pmon_writer_at(i)) != NULL; i++)
		if (writer->record &&
		    (name != NULL ? strcmp(name, writer->name) == 0
				  : args->output != NULL && has_ending(writer, args->output)))
			return writer;
	return pmon_writer_find("blg");
}

static int
read_names(const struct args *args, const struct record_plan *plan, enum record_names *names)
{
	const char *word = args_text(args, "--names");

	*names = NAMES_FIXED;
	if (word != NULL && strcmp(word, "number") != 0 && strcmp(word, "date") != 0)
		return say(EXIT_USAGE, "--names takes number or date, not \"%s\"", word);
	if (word != NULL)
		*names = word[0] == 'n' ? NAMES_NUMBER : NAMES_DATE;
	else if (args_text(args, "--rotate") != NULL)
		*names = NAMES_DATE;
	else if (has_keep(args) || (plan->circular && plan->segments))
		*names = NAMES_NUMBER;
	if (*names != NAMES_FIXED && args->output != NULL && strcmp(args->output, "-") == 0)
		return say(EXIT_USAGE, "standard output cannot be split into several files");
	return EXIT_DONE;
}

static int
read_plan(const struct args *args, struct record_plan *plan, enum record_names *names)
{
	const struct pmon_writer *writer = format_of(args);
	int status;

	plan->format = writer->name;
	plan->sync_100ns = SYNC_100NS;
	plan->circular = args_flag(args, "--circular");
	plan->overwrite = args->yes;
	plan->quiet = args_flag(args, "--quiet");
	plan->append = args_flag(args, "--append");
	plan->segments = !writer->ring;
	status = read_limits(args, plan);
	if (status == EXIT_DONE)
		status = read_length("--rotate", args_text(args, "--rotate"), &plan->rotate_100ns);
	if (status == EXIT_DONE)
		status = read_length("--sync", args_text(args, "--sync"), &plan->sync_100ns);
	if (status == EXIT_DONE)
		status = read_names(args, plan, names);
	plan->keep.period_100ns = plan->rotate_100ns;
	plan->many = *names != NAMES_FIXED;
	return status;
}

// ---- What is recorded ---------------------------------------------------------------------------

// Without a word all objects but those that have an instance for each process: they are what most of a
// log would be.
static bool
is_default(const struct pmon_live_counter *counter)
{
	return !counter->on_request && strcmp(counter->object, "Process") != 0;
}

static int
add_defaults(struct record *rec)
{
	struct pmon_live_counter counter;
	const char *object = "";

	for (size_t i = 0; pmon_live_counter_at(i, &counter); i++) {
		if (strcmp(counter.object, object) == 0)
			continue;
		object = counter.object;
		if (!is_default(&counter) || rec->n_default == MAX_OBJECTS)
			continue;
		(void)snprintf(rec->defaults[rec->n_default], sizeof(rec->defaults[0]),
			       counter.instances ? "\\%s(*)\\*" : "\\%s\\*", object);
		if (!words_add(&rec->own.patterns, rec->defaults[rec->n_default++]))
			return say(EXIT_FAILED, "not enough memory");
	}
	return EXIT_DONE;
}

// The patterns of the command line, those that "default" stands for after them.
static int
read_patterns(struct record *rec)
{
	const struct words *words = &rec->args->patterns;
	bool defaults = words->n == 0 && rec->args->pattern_files.n == 0;

	rec->own = *rec->args;
	rec->own.patterns = (struct words){.list = NULL};
	for (size_t i = 0; i < words->n; i++) {
		if (strcmp(words->list[i], "default") == 0)
			defaults = true;
		else if (!words_add(&rec->own.patterns, words->list[i]))
			return say(EXIT_FAILED, "not enough memory");
	}
	rec->n_asked = rec->own.patterns.n;
	return defaults ? add_defaults(rec) : EXIT_DONE;
}

// After the first sample. Where nothing matches yet, but may, wait until something does.
static int
check_patterns(struct record *rec)
{
	rec->logs.patience = LIVE_AWAIT;
	rec->logs.own_first = rec->n_asked;
	rec->logs.own_end = rec->n_asked + rec->n_default;
	if (logs_check_patterns(&rec->logs) != EXIT_DONE)
		return say(EXIT_FAILED, "there is nothing to record");
	return rec->logs.waiting ? live_await(rec->logs.input) : EXIT_DONE;
}

// At the end of a recording that has no sample.
static int
tell_nothing(struct record *rec)
{
	say(0, "nothing was recorded: no counter had a value");
	return live_was_interrupted(rec->logs.input) ? EXIT_DONE : EXIT_FAILED;
}

// ---- Words --------------------------------------------------------------------------------------

#define SIZE_TEXT (2 * DRAW_NUMBER)

static const char *
size_text(uint64_t bytes, char buf[SIZE_TEXT])
{
	const struct draw_unit unit = {.quantity = DRAW_BYTES, .factor = 1};

	(void)draw_amount((double)bytes, &unit, buf, SIZE_TEXT);
	return buf;
}

static const char *
length_text(int64_t length_100ns, char buf[SIZE_TEXT])
{
	long long s = (long long)((length_100ns + PMON_TIME_PER_SEC / 2) / PMON_TIME_PER_SEC);

	(void)snprintf(buf, SIZE_TEXT, "%lld:%02lld:%02lld", s / 3600, s / 60 % 60, s % 60);
	return buf;
}

// "server.blg: 123 samples in 0:02:03, 1.2 MB", and what else there is to say.
static void
describe(const struct record *rec, char *buf, size_t size)
{
	const struct recorder *r = &rec->recorder;
	uint64_t missed = live_missed(rec->logs.input);
	struct pmon_text text = pmon_text_init(buf, size);
	char length[SIZE_TEXT];
	char bytes[SIZE_TEXT];

	pmon_text_str(&text, r->files.path);
	pmon_text_str(&text, ": ");
	pmon_text_u64(&text, r->samples);
	pmon_text_str(&text, r->samples == 1 ? " sample in " : " samples in ");
	pmon_text_str(&text, length_text(pmon_os_monotonic_100ns() - rec->begun, length));
	pmon_text_str(&text, ", ");
	pmon_text_str(&text, size_text(r->bytes + (r->sink != NULL ? r->file.bytes : 0), bytes));
	if (r->n_files > 1) {
		pmon_text_str(&text, " in ");
		pmon_text_u64(&text, r->n_files);
		pmon_text_str(&text, " files");
	}
	if (missed > 0) {
		pmon_text_str(&text, ", ");
		pmon_text_u64(&text, missed);
		pmon_text_str(&text, " missed");
	}
}

static void
show_status(struct record *rec)
{
	int64_t now = pmon_os_monotonic_100ns();
	char line[RECORD_PATH_SIZE + 256];

	if (rec->recorder.plan.quiet || now < rec->next_status)
		return;
	rec->next_status = now + STATUS_100NS;
	describe(rec, line, sizeof(line));
	line_show(line);
}

static void
tell_end(const struct record *rec)
{
	char line[RECORD_PATH_SIZE + 256];

	line_erase();
	if (rec->recorder.plan.quiet || rec->recorder.samples == 0)
		return;
	describe(rec, line, sizeof(line));
	say(0, "%s", line);
}

// A machine that is too slow for the interval misses samples all the time.
static void
print_notice(void *ctx, const struct pmon_notice *notice)
{
	struct record *rec = ctx;
	int64_t now = pmon_os_monotonic_100ns();

	if (now < rec->next_notice)
		return;
	rec->next_notice = now + NOTICE_100NS;
	say(0, "note: %s", notice->text);
}

// ---- Recording ----------------------------------------------------------------------------------

static void
rotate(void *ctx)
{
	struct record *rec = ctx;

	if (rec->rotate_status == EXIT_DONE)
		rec->rotate_status = recorder_rotate(&rec->recorder);
}

static int
open_source(struct record *rec, bool is_text)
{
	struct live_plan plan;
	int status = live_plan(&rec->own, &plan);

	plan.first_shown = true;
	plan.rotate = rotate;
	plan.notice = print_notice;
	plan.ctx = rec;
	rec->own.tells_processes = true;
	if (status == EXIT_DONE)
		status = logs_select(&rec->logs, &rec->own);
	// A log of raw values keeps what tells processes apart, for whoever reads it.
	rec->logs.shows_tellers = !is_text;
	if (status == EXIT_DONE)
		status = live_open(&rec->own, &plan,
				   rec->logs.reading != NULL ? rec->logs.reading : rec->logs.select,
				   &rec->logs.source);
	if (status == EXIT_DONE)
		status = logs_identify(&rec->logs);
	if (status == EXIT_DONE)
		status = check_patterns(rec);
	return status;
}

// Columns of text are those of its first sample: when a pattern matches for the first time, the next
// file begins.
static int
widen(struct record *rec)
{
	const struct pmon_select *select = rec->logs.select;
	size_t n = 0;

	logs_count_hits(&rec->logs);
	for (size_t i = 0; i < pmon_select_count(select); i++)
		if (i < rec->logs.own_first || i >= rec->logs.own_end)
			n += pmon_select_hits(select, i) > 0;
	if (n == rec->n_matched)
		return EXIT_DONE;
	rec->n_matched = n;
	return recorder_widen(&rec->recorder);
}

static int
record_all(struct record *rec)
{
	const struct pmon_sample *sample;
	int status = EXIT_DONE;

	while (status == EXIT_DONE && !rec->recorder.full &&
	       logs_next(&rec->logs, &sample, &status)) {
		status = rec->rotate_status;
		if (status == EXIT_DONE)
			status = widen(rec);
		if (status == EXIT_DONE)
			status = recorder_add(&rec->recorder, sample);
		show_status(rec);
	}
	if (recorder_finish(&rec->recorder) != EXIT_DONE)
		status = EXIT_FAILED;
	if (status == EXIT_DONE && rec->recorder.samples == 0)
		status = tell_nothing(rec);
	return status != EXIT_DONE ? status : rec->rotate_status;
}

// Where the files go: --output, or the name of the machine in this folder.
static int
set_files(struct record *rec, enum record_names names)
{
	const char *machine = pmon_source_info(rec->logs.source)->machine;
	struct record_files *files = &rec->recorder.files;
	const char *path = rec->args->output;
	char name[300];

	if (path == NULL) {
		(void)snprintf(name, sizeof(name), "%.250s.%s",
			       machine[0] != '\0' && machine[0] != '.' ? machine : "pmon",
			       rec->recorder.plan.format);
		for (char *c = name; *c != '\0'; c++)
			*c = *c == '/' ? '_' : *c;
		path = name;
		if (names == NAMES_FIXED)
			names = NAMES_DATE;
	}
	if (!record_files_init(files, names, path))
		return say(EXIT_USAGE, "the name of the file is too long");
	return EXIT_DONE;
}

static int
run(struct record *rec, const struct record_plan *plan, enum record_names names)
{
	int status;

	progress_never(); // there is a line of its own
	status = open_source(rec, record_plan_is_text(plan));

	if (status == EXIT_DONE)
		status = recorder_init(&rec->recorder, plan, rec->logs.source);
	if (status == EXIT_DONE)
		status = set_files(rec, names);
	rec->begun = pmon_os_monotonic_100ns();
	if (status == EXIT_DONE) {
		status = record_all(rec);
		tell_end(rec);
	}
	recorder_free(&rec->recorder);
	return logs_close(&rec->logs, status);
}

int
record_run(const struct args *args)
{
	struct record *rec = calloc(1, sizeof(*rec));
	struct record_plan plan = {.format = NULL};
	enum record_names names = NAMES_FIXED;
	int status;

	if (rec == NULL)
		return say(EXIT_FAILED, "not enough memory");
	rec->args = args;
	rec->logs.args = args;
	status = args->operands.n == 0 ? read_plan(args, &plan, &names)
				       : say(EXIT_USAGE,
					     "record: unexpected argument %s: use -c to choose "
					     "counters and -o to name the file",
					     args->operands.list[0]);
	if (status == EXIT_DONE)
		status = read_patterns(rec);
	if (status == EXIT_DONE)
		status = run(rec, &plan, names);
	free(rec->own.patterns.list);
	free(rec);
	return status;
}
