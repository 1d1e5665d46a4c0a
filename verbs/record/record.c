// record.c - pmon record: record this machine into files
// SPDX-License-Identifier: MIT

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "base/time.h"
#include "os/clock.h"
#include "shell/args/args.h"
#include "shell/args/groups.h"
#include "shell/args/log_format.h"
#include "shell/args/verb.h"
#include "shell/input/defaults.h"
#include "shell/input/live.h"
#include "shell/input/logs.h"
#include "shell/input/progress.h"
#include "shell/output/line.h"
#include "shell/output/say.h"
#include "verbs/record/command.h"
#include "verbs/record/recorder.h"

// Options of pmon record only.
struct record_options {
	const char *format;
	const char *max_size;
	const char *rotate;
	const char *names;
	bool circular;
	const char *keep;
	const char *keep_age;
	const char *keep_size;
	bool append;
	const char *sync;
	bool quiet;
	const char *from_command;
};

#define SYNC_100NS   (10 * PMON_TIME_PER_SEC)
#define NOTICE_100NS (10 * PMON_TIME_PER_SEC) // shortest time between messages about missed samples
#define STATUS_100NS (1 * PMON_TIME_PER_SEC)

struct record {
	const struct args *args;
	struct request request; // with "default" replaced by its patterns
	size_t n_matched;       // the user's patterns that have matched something
	struct defaults defaults;
	struct logs logs;
	struct recorder recorder;
	int rotate_status; // of a rotation requested by SIGHUP
	int64_t next_notice;
	int64_t next_status;
	int64_t begun;
	struct command *command; // instead of this machine; NULL: none
};

// ---- Options ------------------------------------------------------------------------------------

static int
read_length(const char *option, const char *text, int64_t *out_100ns)
{
	if (text == NULL ||
	    (pmon_time_parse_span((struct pmon_span){text, strlen(text)}, out_100ns) &&
	     *out_100ns > 0))
		return EXIT_DONE;
	return say(EXIT_USAGE, "%s must be a duration such as 10s, 5m, 1h or 1d, not \"%s\"",
		   option, text);
}

static int
read_keep(const struct args *args, struct record_keep *keep)
{
	const char *n = OWN_OPTIONS(record, args)->keep;
	int status = EXIT_DONE;

	if (n != NULL &&
	    (!pmon_num_parse_u64((struct pmon_span){n, strlen(n)}, &keep->n) || keep->n == 0))
		status = say(EXIT_USAGE,
			     "--keep must be a number of files (1 or more), not \"%s\"; use "
			     "--keep-age for a duration, --keep-size for a size",
			     n);
	if (status == EXIT_DONE)
		status = read_length("--keep-age", OWN_OPTIONS(record, args)->keep_age,
				     &keep->age_100ns);
	if (status == EXIT_DONE)
		status = args_size("--keep-size", OWN_OPTIONS(record, args)->keep_size,
				   &keep->bytes);
	return status;
}

static bool
has_keep(const struct args *args)
{
	return OWN_OPTIONS(record, args)->keep != NULL ||
	       OWN_OPTIONS(record, args)->keep_age != NULL ||
	       OWN_OPTIONS(record, args)->keep_size != NULL;
}

static int
read_limits(const struct args *args, struct record_plan *plan)
{
	int status = args_size("--max-size", OWN_OPTIONS(record, args)->max_size, &plan->max_bytes);

	if (status == EXIT_DONE)
		status = read_keep(args, &plan->keep);
	if (status != EXIT_DONE || !OWN_OPTIONS(record, args)->circular)
		return status;
	if (plan->max_bytes == 0)
		return say(EXIT_USAGE, "--circular requires --max-size");
	if (OWN_OPTIONS(record, args)->append)
		return say(EXIT_USAGE,
			   "--circular starts a new file; it cannot be combined with --append");
	if (OWN_OPTIONS(record, args)->rotate != NULL || has_keep(args) ||
	    OWN_OPTIONS(record, args)->names != NULL)
		return say(EXIT_USAGE, "--circular writes one file; it cannot be combined with "
				       "--rotate, --keep or --names");
	return EXIT_DONE;
}

static int
read_names(const struct args *args, const struct record_plan *plan, enum record_names *names)
{
	const char *word = OWN_OPTIONS(record, args)->names;

	*names = NAMES_FIXED;
	if (word != NULL && strcmp(word, "number") != 0 && strcmp(word, "date") != 0)
		return say(EXIT_USAGE, "--names must be number or date, not \"%s\"", word);
	if (word != NULL)
		*names = word[0] == 'n' ? NAMES_NUMBER : NAMES_DATE;
	else if (OWN_OPTIONS(record, args)->rotate != NULL)
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
	const struct log_format format = {"--format", OWN_OPTIONS(record, args)->format, "blg",
					  .record = true};
	const struct pmon_writer *writer;
	int status = log_format_find(args, &format, args->output, &writer);

	if (status != EXIT_DONE)
		return status;
	plan->format = writer->name;
	plan->sync_100ns = SYNC_100NS;
	plan->circular = OWN_OPTIONS(record, args)->circular;
	plan->overwrite = args->yes;
	plan->quiet = OWN_OPTIONS(record, args)->quiet;
	plan->append = OWN_OPTIONS(record, args)->append;
	plan->segments = !writer->ring;
	status = read_limits(args, plan);
	if (status == EXIT_DONE)
		status = read_length("--rotate", OWN_OPTIONS(record, args)->rotate,
				     &plan->rotate_100ns);
	if (status == EXIT_DONE)
		status = read_length("--sync", OWN_OPTIONS(record, args)->sync, &plan->sync_100ns);
	if (status == EXIT_DONE)
		status = read_names(args, plan, names);
	plan->keep.period_100ns = plan->rotate_100ns;
	plan->many = *names != NAMES_FIXED;
	return status;
}

// ---- What is recorded ---------------------------------------------------------------------------

static bool
matches_defaults(const struct logs *logs)
{
	for (size_t i = logs->patterns.n_asked; i < pmon_select_count(logs->patterns.select); i++)
		if (pmon_select_hits(logs->patterns.select, i) > 0)
			return true;
	return false;
}

// After the first sample. If nothing matches yet, but may later, wait until something does.
static int
check_patterns(struct record *rec)
{
	bool any;

	rec->logs.patterns.patience = LIVE_AWAIT;
	any = logs_check_patterns(&rec->logs) == EXIT_DONE && rec->logs.patterns.n_asked > 0;
	if (!any && !matches_defaults(&rec->logs))
		return say(EXIT_FAILED, "there are no counters to record");
	return rec->logs.patterns.is_waiting ? live_await(rec->logs.input) : EXIT_DONE;
}

// The message of a recording that has no samples.
static int
tell_nothing(struct record *rec)
{
	say(0, "nothing was recorded: no counter had a value");
	if (rec->command != NULL)
		return EXIT_FAILED;
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

// "server.blg: 123 samples in 0:02:03, 1.2 MB", and other facts.
static void
describe(const struct record *rec, char *buf, size_t size)
{
	const struct recorder *r = &rec->recorder;
	uint64_t missed = rec->command == NULL ? live_missed(rec->logs.input) : 0;
	struct pmon_text text = pmon_text_init(buf, size);
	char length[SIZE_TEXT];
	char bytes[SIZE_TEXT];

	pmon_text_str(&text, r->files.path);
	pmon_text_str(&text, ": ");
	pmon_text_u64(&text, r->samples);
	pmon_text_str(&text, pmon_text_word(r->samples, " sample in ", " samples in "));
	pmon_text_str(&text, length_text(pmon_os_monotonic_100ns() - rec->begun, length));
	pmon_text_str(&text, ", ");
	pmon_text_str(&text, size_text(r->bytes + (r->sink != NULL ? r->file.bytes : 0), bytes));
	if (r->n_files > 1) {
		pmon_text_str(&text, " in ");
		pmon_text_u64(&text, r->n_files);
		pmon_text_str(&text, " files");
	}
	if (r->lost > 0) {
		pmon_text_str(&text, ", ");
		pmon_text_u64(&text, r->lost);
		pmon_text_str(&text, " lost");
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
	if (rec->recorder.plan.quiet || rec->recorder.samples + rec->recorder.lost == 0)
		return;
	describe(rec, line, sizeof(line));
	say(0, "%s", line);
}

// A machine that is too slow for the interval misses samples all the time, so limit the messages.
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
	int status = live_plan(&rec->args->sampling, &plan);

	plan.first_shown = true;
	plan.rotate = rotate;
	plan.notice = print_notice;
	plan.ctx = rec;
	rec->request.tells_processes = true;
	// A log of raw values includes the counters that identify processes, for its readers.
	rec->request.delivers_identity = !is_text;
	rec->logs.request = rec->request;
	if (status == EXIT_DONE)
		status = patterns_open(&rec->logs.patterns, &rec->request);
	if (status == EXIT_DONE)
		status = live_open(&rec->request, &plan, patterns_read(&rec->logs.patterns),
				   &rec->logs.source);
	if (status == EXIT_DONE)
		status = logs_identify(&rec->logs);
	if (status == EXIT_DONE)
		status = check_patterns(rec);
	return status;
}

// The command decides when there is a sample, and what counters it has.
static int
open_command(struct record *rec, bool is_text)
{
	const struct sampling *sampling = &rec->args->sampling;
	struct command_options options = {.text = OWN_OPTIONS(record, rec->args)->from_command,
					  .patterns = &rec->logs.patterns,
					  .notice = print_notice,
					  .ctx = rec};
	int status = live_length("--duration", sampling->duration, &options.duration_100ns);

	if (sampling->interval != NULL || sampling->root != NULL || sampling->replay != NULL ||
	    sampling->pid_names)
		return say(EXIT_USAGE,
			   "record: --interval, --root, --replay and --pid-names are of "
			   "this machine; with --from-command, the command takes the "
			   "samples");
	rec->request.tells_processes = true;
	rec->request.delivers_identity = !is_text;
	rec->logs.request = rec->request;
	if (status == EXIT_DONE)
		status = patterns_open(&rec->logs.patterns, &rec->request);
	if (status == EXIT_DONE)
		status = command_open(&rec->command, &options, &rec->logs.source);
	if (status == EXIT_DONE)
		status = logs_identify(&rec->logs);
	return status;
}

// The columns of text are those of its first sample: when a pattern matches for the first time,
// begin the next file.
static int
widen(struct record *rec)
{
	size_t n = 0;

	patterns_count_hits(&rec->logs.patterns, rec->logs.input);
	for (size_t i = 0; i < rec->logs.patterns.n_asked; i++)
		n += pmon_select_hits(rec->logs.patterns.select, i) > 0;
	if (n == rec->n_matched)
		return EXIT_DONE;
	rec->n_matched = n;
	return recorder_widen(&rec->recorder);
}

static bool
has_all(const struct record *rec)
{
	uint64_t count = rec->command != NULL ? rec->args->sampling.count : 0;

	return rec->recorder.full || (count > 0 && rec->recorder.samples >= count);
}

static int
record_all(struct record *rec)
{
	const struct pmon_sample *sample;
	int status = EXIT_DONE;

	while (status == EXIT_DONE && !has_all(rec) && logs_next(&rec->logs, &sample, &status)) {
		if (rec->command != NULL && command_asks_rotation(rec->command))
			rotate(rec);
		status = rec->rotate_status;
		if (status == EXIT_DONE)
			status = widen(rec);
		if (status == EXIT_DONE)
			status = recorder_add(&rec->recorder, sample);
		show_status(rec);
	}
	if (recorder_finish(&rec->recorder) != EXIT_DONE)
		status = EXIT_FAILED;
	if (status == EXIT_DONE && rec->recorder.lost > 0)
		status = EXIT_FAILED;
	if (status == EXIT_DONE && rec->recorder.samples == 0)
		status = tell_nothing(rec);
	return status != EXIT_DONE ? status : rec->rotate_status;
}

// Choose the names of the files: --output, or the name of the machine in the current folder.
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
		return say(EXIT_USAGE, "the file name is too long");
	return EXIT_DONE;
}

static int
run_recording(struct record *rec, const struct record_plan *plan, enum record_names names)
{
	int status;

	progress_never(); // record has its own progress line
	status = OWN_OPTIONS(record, rec->args)->from_command != NULL
			 ? open_command(rec, record_plan_is_text(plan))
			 : open_source(rec, record_plan_is_text(plan));
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
	if (status == EXIT_DONE && rec->command != NULL)
		status = logs_check_patterns(&rec->logs);
	status = logs_close(&rec->logs, status);
	if (command_close(rec->command) != EXIT_DONE && status == EXIT_DONE)
		status = EXIT_FAILED;
	return status;
}

static int
record_run(const struct args *args)
{
	struct record *rec = calloc(1, sizeof(*rec));
	struct record_plan plan = {.format = NULL};
	enum record_names names = NAMES_FIXED;
	bool is_machine = OWN_OPTIONS(record, args)->from_command == NULL;
	int status = EXIT_DONE;

	if (rec == NULL)
		return say(EXIT_FAILED, "not enough memory");
	rec->args = args;
	rec->request = request_from(args);
	if (is_machine)
		status = defaults_read(&rec->defaults, args, &rec->request);
	if (status == EXIT_DONE && args->operands.n > 0)
		status = say(EXIT_USAGE,
			     "record: unexpected argument %s; use -c to choose counters and -o to "
			     "name the file",
			     args->operands.list[0]);
	if (status == EXIT_DONE)
		status = read_plan(args, &plan, &names);
	if (status == EXIT_DONE)
		status = run_recording(rec, &plan, names);
	if (is_machine) { // defaults_read() made these
		free(rec->request.patterns.list);
		free(rec->request.added.list);
	}
	free(rec);
	return status;
}

// ---- The verb -----------------------------------------------------------------------------------

static const struct option options[] = {
	GROUP(options_select),
	GROUP(options_live),
	GROUP(options_machine),
	GROUP(options_yes),
	OPTION_INTO(TEXT, output, ANY, "-o", "--output", "FILE",
		    "output file; HOST_20261121-101500.blg in the current folder by default"),
	OPTION(FORMAT, record, format, "--format", NULL, "FORMAT",
	       "file format; by default according to its name, else blg"),
	OPTION(TEXT, record, max_size, "--max-size", NULL, "SIZE",
	       "stop when the file reaches this size, such as 500KB, 100MB or 1GB; with numbered "
	       "or dated files, start the next one"),
	OPTION(TEXT, record, rotate, "--rotate", NULL, "LENGTH",
	       "start a new file at round local times: 1d at midnight, 1h on the hour"),
	OPTION(TEXT, record, names, "--names", NULL, "number|date",
	       "number or date several files, as FILE_000001.blg or FILE_20261121-101500.blg; with "
	       "--rotate, date by default"),
	OPTION(FLAG, record, circular, "--circular", NULL, NULL,
	       "keep the file within --max-size: new samples replace the oldest"),
	OPTION(TEXT, record, keep, "--keep", NULL, "N",
	       "keep only the newest N files; with --rotate, the files of N periods"),
	OPTION(TEXT, record, keep_age, "--keep-age", NULL, "LENGTH",
	       "remove files last written longer ago than this, such as 7d"),
	OPTION(TEXT, record, keep_size, "--keep-size", NULL, "SIZE",
	       "remove the oldest files when their total size exceeds this, such as 2G"),
	OPTION(FLAG, record, append, "--append", NULL, NULL,
	       "append to the newest file if it belongs to the current period, for example after a "
	       "restart"),
	OPTION(TEXT, record, sync, "--sync", NULL, "LENGTH",
	       "flush to disk this often, which is the most that a power failure can lose; 10s by "
	       "default"),
	OPTION(TEXT, record, from_command, "--from-command", NULL, "CMD",
	       "record the JSON lines that this shell command prints, instead of this machine"),
	OPTION(FLAG, record, quiet, "-q", "--quiet", NULL, "print only warnings and errors"),
	OPTION_END,
};

const struct verb verb_record = {
	.name = "record",
	.operands = "",
	.summary = "record this machine: BLG, CSV, TSV, SQLite or JSON lines",
	.details =
		"Records all objects except Process and Thread, which have most of the "
		"instances\non a machine; to record those too, use -c default together with other "
		"patterns.\nSIGINT and SIGTERM finish the file, SIGHUP starts the next one. Each "
		"sample is\nwritten before the next one is taken. pmon waits for processes that "
		"are not\nrunning yet.\n\nExamples:\n  pmon record                                "
		"one file here, until Ctrl-C\n  pmon record -c default -c '\\Process(*)\\*' -i 15s "
		"-o server.blg\n  pmon record -o /var/log/pmon/server.blg --rotate 1d --keep 7\n  "
		"pmon record -o server.blg --circular --max-size 1GB\n  "
		"pmon record --from-command ./order-queue -o orders.blg\n",
	.options = options,
	.own_size = sizeof(struct record_options),
	.run = record_run,
	.live = LIVE_ENDLESS,
};
