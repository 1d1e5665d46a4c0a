// typeperf.c - pmon typeperf: this machine, by the command lines that people have for Windows'
// typeperf
// SPDX-License-Identifier: MIT
//
// The output follows a capture of Windows' typeperf (see docs/reference/cli.md).

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "apps/list/list.h"
#include "base/num.h"
#include "base/time.h"
#include "cli/args/help.h"
#include "cli/args/suggest.h"
#include "cli/args/verb.h"
#include "cli/compat/columns.h"
#include "cli/compat/words.h"
#include "cli/input/live.h"
#include "cli/input/logs.h"
#include "cli/input/progress.h"
#include "cli/output/ask.h"
#include "cli/output/line.h"
#include "cli/output/say.h"
#include "cli/process/signals.h"
#include "os/term.h"

// The options of typeperf, and ours beside them.
enum typeperf_opt {
	T_COUNTERS,
	T_COUNTER_FILE,
	T_FORMAT,
	T_INTERVAL,
	T_OUTPUT,
	T_QUERY,
	T_QUERY_INSTANCES,
	T_SAMPLES,
	T_CONFIG,
	T_COMPUTER,
	T_YES,
	T_HELP,
	T_TZ,
	T_DIGITS,
	T_POLICY,
	T_ROOT,
	T_REPLAY,
	T_PID_NAMES
};

static const struct words_option options[] = {
	{T_COUNTERS, "c", WORDS_MANY, false},
	{T_COUNTER_FILE, "cf", WORDS_ONE, false},
	{T_FORMAT, "f", WORDS_ONE, false},
	{T_INTERVAL, "si", WORDS_ONE, false},
	{T_OUTPUT, "o", WORDS_ONE, false},
	{T_QUERY, "q", WORDS_MAYBE, false},
	{T_QUERY_INSTANCES, "qx", WORDS_MAYBE, false},
	{T_SAMPLES, "sc", WORDS_ONE, false},
	{T_CONFIG, "config", WORDS_FILE, false},
	{T_COMPUTER, "s", WORDS_ONE, false},
	{T_YES, "y", WORDS_NONE, false},
	{T_HELP, "?", WORDS_NONE, false},
	{T_HELP, "h", WORDS_NONE, false},
	{T_HELP, "-help", WORDS_NONE, false},
	{T_TZ, "-tz", WORDS_ONE, false},
	{T_DIGITS, "-digits", WORDS_ONE, false},
	{T_POLICY, "-policy", WORDS_ONE, false},
	{T_ROOT, "-root", WORDS_ONE, false},
	{T_REPLAY, "-replay", WORDS_ONE, false},
	{T_PID_NAMES, "-pid-names", WORDS_NONE, false},
};

struct typeperf {
	struct args args; // what this machine is opened with
	struct live_plan plan;
	const struct pmon_writer *format;
	bool query;
	bool query_instances;
	const char *object; // of -q and -qx; NULL: all
	const char *computer;
	const char *output;
	struct words_reader *reader;
	int digits;
	bool yes;
	bool help;
};

static void set_flag(void *ctx, int opt);
static int set(void *ctx, int opt, const char *value);

static const struct words_rules rules = {
	"typeperf", options, sizeof(options) / sizeof(options[0]), set_flag, set,
};

// ---- The command line -----------------------------------------------------------------------

static void
set_flag(void *ctx, int opt)
{
	struct typeperf *t = ctx;

	t->query |= opt == T_QUERY;
	t->query_instances |= opt == T_QUERY_INSTANCES;
	t->yes |= opt == T_YES;
	t->help |= opt == T_HELP;
	t->args.pid_names |= opt == T_PID_NAMES;
}

// [[hh:]mm:]ss, and beside that a length as 500ms.
static bool
parse_interval(const char *text, int64_t *out_100ns)
{
	uint64_t seconds = 0;
	uint64_t part;

	if (strchr(text, ':') == NULL)
		return pmon_time_parse_span((struct pmon_span){text, strlen(text)}, out_100ns) &&
		       *out_100ns > 0;
	for (int parts = 0;; parts++) {
		size_t len = strcspn(text, ":");

		if (parts == 3 || !pmon_num_parse_u64((struct pmon_span){text, len}, &part) ||
		    part > 9999)
			return false;
		seconds = seconds * 60 + part;
		if (text[len] == '\0')
			break;
		text += len + 1;
	}
	*out_100ns = (int64_t)seconds * PMON_TIME_PER_SEC;
	return seconds > 0;
}

static int
set_interval(struct typeperf *t, const char *value)
{
	if (parse_interval(value, &t->plan.interval_100ns))
		return EXIT_DONE;
	return say(EXIT_USAGE,
		   "typeperf: -si takes [[hh:]mm:]ss, or a duration such as 500ms, not \"%s\"",
		   value);
}

static int
set(void *ctx, int opt, const char *value)
{
	struct typeperf *t = ctx;
	uint64_t number = 0;
	int status = EXIT_DONE;

	switch (opt) {
	case T_COUNTER_FILE:
		return words_take(&t->args.pattern_files, value);
	case T_FORMAT:
		t->format = words_format(&rules, value);
		return t->format != NULL ? EXIT_DONE : EXIT_USAGE;
	case T_INTERVAL:
		return set_interval(t, value);
	case T_OUTPUT:
		t->output = value;
		break;
	case T_QUERY:
	case T_QUERY_INSTANCES:
		set_flag(t, opt);
		t->object = value + (value[0] == '\\');
		break;
	case T_SAMPLES:
		return words_number(&rules, "-sc", value, 1, UINT32_MAX, &t->plan.count);
	case T_COMPUTER:
		t->computer = value;
		break;
	case T_TZ:
		t->args.tz = value;
		break;
	case T_DIGITS:
		status = words_number(&rules, "--digits", value, 1, 21, &number);
		t->digits = (int)number;
		break;
	case T_POLICY:
		return words_policy(&rules, value, &t->args.calc.policy);
	case T_ROOT:
		t->args.root = value;
		break;
	case T_REPLAY:
		t->args.replay = value;
		break;
	default: // a counter
		return words_take(&t->args.patterns, value);
	}
	return status;
}

// ---- Lists ----------------------------------------------------------------------------------

// The object of this build that is most like a name.
static const char *
nearest_object(const char *name)
{
	struct pmon_live_counter counter;
	const char *best = NULL;
	size_t best_distance = 4;

	for (size_t i = 0; pmon_live_counter_at(i, &counter); i++) {
		size_t distance = suggest_distance(
			(struct pmon_span){name, strlen(name)},
			(struct pmon_span){counter.object, strlen(counter.object)});

		if (distance < best_distance) {
			best = counter.object;
			best_distance = distance;
		}
	}
	return best;
}

static int
say_no_object(const char *name)
{
	const char *near = nearest_object(name);

	if (near != NULL && strcasecmp(near, name) != 0)
		return say(EXIT_FAILED, "typeperf: there is no object %s; did you mean %s?", name,
			   near);
	return say(EXIT_FAILED, "typeperf: there is no object %s here; typeperf -q lists all",
		   name);
}

static int
list_into(struct typeperf *t, struct logs *logs, FILE *stream)
{
	size_t n;
	int status = list_paths(logs, stream, t->object, !t->query_instances, &n);

	if (status == EXIT_DONE && n == 0)
		return say_no_object(t->object != NULL ? t->object : "at all");
	return status;
}

static int
list_to_file(struct typeperf *t, struct logs *logs)
{
	struct pmon_outfile_options how = {.overwrite = t->yes};
	struct words_listing listing;
	int status = ask_overwrite(t->output, &how.overwrite);

	if (status == EXIT_DONE)
		status = words_list_open(&listing);
	if (status != EXIT_DONE)
		return status;
	status = list_into(t, logs, listing.stream);
	return words_list_close(&listing, t->output, &how, status);
}

static int
query(struct typeperf *t)
{
	struct live_plan plan = {.count = 1,
				 .first_shown = true,
				 .everything = true,
				 .interval_100ns = PMON_TIME_PER_SEC};
	struct logs logs;
	int status;

	t->args.patterns.n = t->args.pattern_files.n = 0; // they are not asked about
	status = logs_open_machine(&logs, &t->args, &plan);
	if (status == EXIT_DONE)
		status = t->output != NULL ? list_to_file(t, &logs) : list_into(t, &logs, stdout);
	return logs_close(&logs, status);
}

// ---- Rows on standard output ----------------------------------------------------------------

// A separator, then a path or a time.
static void
put_text(char separator, struct pmon_span text)
{
	size_t len;

	if (separator != '\0')
		putchar(separator);
	putchar('"');
	for (size_t at = 0; at < text.len; at += len) {
		const char *other = NULL; // in place of a character

		for (len = 0; at + len < text.len && other == NULL; len++) {
			if (text.ptr[at + len] == '"')
				other = "\"\"";
			else if (text.ptr[at + len] == '\n' || text.ptr[at + len] == '\r')
				other = " ";
		}
		out_exact(stdout, (struct pmon_span){text.ptr + at, len - (other != NULL)});
		fputs(other != NULL ? other : "", stdout);
	}
	putchar('"');
}

static void
print_head(const struct pmon_schema *schema, char separator)
{
	putchar('\n');
	put_text('\0', separator == ',' ? PMON_SPAN("(PDH-CSV 4.0)") : PMON_SPAN("(PDH-TSV 4.0)"));
	for (size_t i = 0; i < pmon_schema_count(schema); i++)
		put_text(separator, pmon_schema_at(schema, i)->name);
	putchar('\n');
}

// Rows under way: the values of the newest sample by column, NULL where it has none.
struct rows {
	struct logs *logs;
	const struct pmon_value **row;
	size_t n;
	char separator;
};

static void
print_row(struct rows *r, const struct pmon_sample *sample, const struct pmon_value *values)
{
	const struct clock *clock = &r->logs->clock;
	char time[PMON_TIME_SIZE];

	memset(r->row, 0, r->n * sizeof(*r->row));
	for (size_t i = 0; i < sample->n; i++)
		if (pmon_vstat_has_value(values[i].status))
			r->row[sample->series[i]] = &values[i];
	pmon_time_pdh(sample->time, clock_offset(clock, sample->time), time);
	put_text('\0', (struct pmon_span){time, strlen(time)});
	for (size_t i = 0; i < r->n; i++) {
		if (r->row[i] != NULL)
			printf("%c\"%.6f\"", r->separator, r->row[i]->value);
		else
			printf("%c\" \"", r->separator);
	}
	putchar('\n');
}

static int
print_all(struct rows *r, struct pmon_statistics *statistics)
{
	const struct pmon_sample *sample;
	const struct pmon_value *values;
	struct pmon_err err;
	int status = EXIT_DONE;

	while (logs_next(r->logs, &sample, &status)) {
		if (pmon_statistics_add(statistics, sample, &values, &err) != PMON_OK)
			return say(EXIT_FAILED, "%s", err.msg);
		if (!sample->lead_in)
			print_row(r, sample, values);
	}
	return status;
}

static int
print_rows(struct typeperf *t, struct logs *logs)
{
	const struct pmon_schema *schema = pmon_source_schema(logs->source);
	struct rows r = {.logs = logs,
			 .n = pmon_schema_count(schema),
			 .separator = strcmp(t->format->name, "tsv") == 0 ? '\t' : ','};
	struct pmon_statistics *statistics = NULL;
	struct pmon_err err;
	int status;

	if (pmon_term_is_tty(true))
		progress_never();
	r.row = calloc(r.n + 1, sizeof(*r.row));
	if (r.row == NULL ||
	    pmon_statistics_new(schema, &t->args.calc, NULL, &statistics, &err) != PMON_OK) {
		status = say(EXIT_FAILED, "not enough memory");
	} else {
		print_head(schema, r.separator);
		status = print_all(&r, statistics);
	}
	pmon_statistics_free(statistics);
	free(r.row);
	return status;
}

// ---- Logs -----------------------------------------------------------------------------------

static int
write_log(struct typeperf *t, struct logs *logs)
{
	const struct pmon_source_info *info = pmon_source_info(logs->source);
	struct pmon_create_options create = {.overwrite = t->yes,
					     .live = true,
					     .temporary = signals_temporary,
					     .digits = t->digits,
					     .fixed_clock = logs->clock.mode != CLOCK_LOG,
					     .offset_min =
						     clock_offset(&logs->clock, info->log_start)};
	struct pmon_copy_options copy = {.calc = t->args.calc};
	struct pmon_sink *sink;
	struct pmon_err err = {.status = PMON_OK};
	enum pmon_status status;

	if (strcmp(t->output, "-") == 0 && pmon_term_is_tty(true))
		progress_never();
	status = pmon_log_create(t->output, t->format->name, &create, &sink, &err);

	if (status == PMON_OK)
		status = pmon_copy(logs->source, sink, &copy, &err);
	pmon_sink_close(sink);
	line_erase();
	return status == PMON_OK ? EXIT_DONE : say_write_err(t->output, &err);
}

// ---- typeperf -------------------------------------------------------------------------------

static int
sample(struct typeperf *t, struct logs *logs)
{
	struct pmon_source *inner = logs->source;
	bool is_log = t->output != NULL && strcmp(t->output, "-") == 0;
	struct pmon_err err;
	int status;

	logs->source = NULL;
	if (columns_open(inner, logs->select, &logs->source, &err) != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	if (t->output != NULL)
		status = write_log(t, logs);
	else
		status = print_rows(t, logs);
	if (status == EXIT_DONE)
		status = logs_check_patterns(logs);
	// As Windows' own, blanks included; not into a log on standard output.
	if (status == EXIT_DONE && !is_log)
		printf("Exiting, please wait...                         \n"
		       "The command completed successfully.\n");
	return status;
}

static int
record(struct typeperf *t)
{
	struct logs logs = {.args = &t->args};
	int status = EXIT_DONE;

	if (t->args.patterns.n == 0 && t->args.pattern_files.n == 0)
		return say(EXIT_USAGE, "typeperf: name counters, or a file of them with -cf; "
				       "typeperf -q lists the counters");
	if (t->output == NULL && strcmp(t->format->name, "csv") != 0 &&
	    strcmp(t->format->name, "tsv") != 0)
		return say(EXIT_USAGE, "typeperf: -f %s needs an output file; name it with -o",
			   t->format->alias != NULL ? t->format->alias : t->format->name);
	if (t->output != NULL)
		status = words_check_output(&rules, t->output);
	if (status == EXIT_DONE && t->output != NULL) {
		t->output = words_output(t->reader, t->format, t->output);
		status = t->output != NULL ? EXIT_DONE : EXIT_FAILED;
	}
	if (status == EXIT_DONE && t->output != NULL)
		status = ask_overwrite(t->output, &t->yes);
	if (status != EXIT_DONE)
		return status;
	// Displayed values need a sample before the first; a log of raw values holds it.
	t->plan.first_shown = t->format->raw;
	t->args.tells_processes = true;
	// With -sc it fails at once, as Windows' own does.
	t->plan.patience = t->plan.count > 0 ? LIVE_NOW : LIVE_AWAIT_COLUMNS;
	status = logs_open_machine(&logs, &t->args, &t->plan);
	if (status == EXIT_DONE)
		status = sample(t, &logs);
	return logs_close(&logs, status);
}

static int
run(struct typeperf *t)
{
	int status = EXIT_DONE;

	if (t->computer != NULL)
		status = live_check_machine(&t->args, t->computer);
	if (status != EXIT_DONE)
		return status;
	return t->query || t->query_instances ? query(t) : record(t);
}

static int
run_words(const struct verb *verb, int n, char *const *words)
{
	struct typeperf t = {.args.verb = verb,
			     .plan.interval_100ns = PMON_TIME_PER_SEC,
			     .format = pmon_writer_find("csv")};
	struct words_reader reader = {.rules = &rules, .ctx = &t};
	int status;

	t.reader = &reader;
	status = words_read(&reader, n, words);

	if (status == EXIT_DONE && t.help)
		status = help_print(verb);
	else if (status == EXIT_DONE)
		status = run(&t);
	words_free(&reader);
	args_free(&t.args);
	return status;
}

const struct verb verb_typeperf = {
	.name = "typeperf",
	.operands = "COUNTER... [options]",
	.summary = "this machine, by the command lines of Windows' typeperf",
	.details =
		"Options, as Windows' typeperf has them (-f or /f, in any case):\n"
		"  -f FORMAT           CSV (default), TSV, BIN, SQL (an SQLite database); JSONL "
		"...\n"
		"  -cf FILE            counters, one a line\n"
		"  -si [[hh:]mm:]ss    time between samples; a second by default\n"
		"  -o FILE             a log in place of rows on standard output\n"
		"  -q [OBJECT]         list the counters, without instances; with -o into that "
		"file\n"
		"  -qx [OBJECT]        list the counters, with all instances\n"
		"  -sc N               end after N samples, else when interrupted\n"
		"  -config FILE        settings: [si], [o], [c] ... on a line, their values below\n"
		"  -s COMPUTER         this machine; others are sampled by the pmon there\n"
		"  -y                  write over a file that is there, without asking\n"
		"  -?                  this help\n\n"
		"And beside them:\n"
		"  -c COUNTER...       the same as COUNTER...\n"
		"  --tz ZONE           times on this clock: local by default\n"
		"  --digits N          significant digits in logs of text; 17\n"
		"  --policy POLICY     default, strict or clamp, for displayed values\n"
		"  --root, --replay, --pid-names   of this machine, as in pmon stats\n\n"
		"Examples:\n"
		"  pmon typeperf '\\System\\Context Switches/sec' '\\Processor(*)\\*'\n"
		"  pmon typeperf '\\Memory\\Available MBytes' -si 5 -sc 12 -f CSV -o memory.csv\n"
		"  pmon typeperf -qx PhysicalDisk\n",
	.run_words = run_words,
	.live = LIVE_ENDLESS,
};
