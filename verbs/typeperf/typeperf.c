// typeperf.c - pmon typeperf: sample this machine, with the command lines of Windows' typeperf
// SPDX-License-Identifier: MIT
//
// The output follows a capture of Windows' typeperf (see docs/reference/cli.md).

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "verbs/list/list.h"
#include "base/num.h"
#include "base/time.h"
#include "shell/args/groups.h"
#include "shell/args/help.h"
#include "shell/args/log_format.h"
#include "shell/args/suggest.h"
#include "shell/args/verb.h"
#include "shell/compat/columns.h"
#include "shell/compat/words.h"
#include "shell/input/live.h"
#include "shell/input/logs.h"
#include "shell/input/progress.h"
#include "shell/output/ask.h"
#include "shell/output/line.h"
#include "shell/output/say.h"
#include "shell/process/signals.h"
#include "os/term.h"

// Options of pmon typeperf only.
struct typeperf_options {
	const char *format;
	const char *interval;
	const char *list;
	const char *list_instances;
	const char *count;
	const char *computer;
	const char *digits;
};

static const struct option options[] = {
	OPTION(TEXT, typeperf, format, "-f", NULL, "FORMAT",
	       "CSV, TSV, BIN, SQL (an SQLite database), JSONL ...; by default according to the "
	       "extension of -o, else CSV"),
	GROUP(options_select),
	OPTION(TEXT, typeperf, interval, "-si", NULL, "[[hh:]mm:]ss",
	       "time between samples, in seconds or as 500ms; one second by default"),
	OPTION_INTO(TEXT, output, ANY, "-o", NULL, "FILE",
		    "write a log file instead of rows on standard output"),
	OPTION(MAYBE, typeperf, list, "-q", NULL, "[OBJECT]",
	       "list the counters without instances; with -o, write the list to that file"),
	OPTION(MAYBE, typeperf, list_instances, "-qx", NULL, "[OBJECT]",
	       "list the counters with all instances"),
	OPTION(TEXT, typeperf, count, "-sc", NULL, "N",
	       "stop after N samples; by default, continue until interrupted"),
	OPTION_SETTINGS_FILE("-config", NULL, "FILE",
			     "read settings from this file: [si], [o], [c] ... on a line of their "
			     "own, followed by their values"),
	OPTION(TEXT, typeperf, computer, "-s", NULL, "COMPUTER",
	       "name of this machine; pmon cannot sample others"),
	OPTION_INTO(FLAG, yes, ANY, "-y", NULL, NULL, "overwrite existing files without asking"),
	OPTION_INTO(FLAG, help, ANY, "-?", "--help", NULL, "this help"),
	OPTION_INTO(TEXT, tz, ANY, "--tz", NULL, "ZONE", "time zone of output; local by default"),
	OPTION(TEXT, typeperf, digits, "--digits", NULL, "N",
	       "significant digits in text logs; 17 by default"),
	GROUP(options_policy),
	GROUP(options_host),
	OPTION_END,
};

struct typeperf {
	const struct args *args;
	const char *output; // with the ending of the format
	bool overwrite;
	struct live_plan plan;
	const struct pmon_writer *format;
	bool lists;          // -q and -qx
	bool with_instances; // in the lists
	const char *object;  // for -q and -qx; NULL: all
	struct words_reader *reader;
	uint64_t digits;
};

// ---- The command line -----------------------------------------------------------------------

static int
take_counter(struct args *args, const char *word)
{
	return words_take(&args->patterns, word);
}

// Parse [[hh:]mm:]ss, or a duration such as 500ms.
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
set_interval(struct typeperf *t)
{
	const char *value = OWN_OPTIONS(typeperf, t->args)->interval;

	if (value == NULL || parse_interval(value, &t->plan.interval_100ns))
		return EXIT_DONE;
	return say(EXIT_USAGE,
		   "typeperf: -si must be [[hh:]mm:]ss, or a duration such as 500ms, not \"%s\"",
		   value);
}

static int
take_options(struct typeperf *t)
{
	const struct log_format format = {
		.option = "-f", .named = OWN_OPTIONS(typeperf, t->args)->format, .usual = "csv"};
	const struct typeperf_options *own = t->args->own;
	const char *object = own->list_instances != NULL ? own->list_instances : own->list;
	int status = words_number("typeperf: -sc", own->count, 1, UINT32_MAX, &t->plan.count);

	t->lists = object != NULL;
	t->object = t->lists && object[0] != '\0' ? object + (object[0] == '\\') : NULL;
	t->with_instances = own->list_instances != NULL;
	if (status == EXIT_DONE)
		status = words_number("typeperf: --digits", own->digits, 1, 21, &t->digits);
	if (status == EXIT_DONE)
		status = set_interval(t);
	if (status == EXIT_DONE && t->lists)
		status = log_format_check_list(t->args, t->args->output);
	if (status != EXIT_DONE)
		return status;
	return log_format_find(t->args, &format, t->lists ? NULL : t->args->output, &t->format);
}

// ---- Lists ----------------------------------------------------------------------------------

// The object of this build whose name is most similar.
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
	return say(EXIT_FAILED,
		   "typeperf: there is no object %s here; typeperf -q lists all objects", name);
}

static int
list_into(struct typeperf *t, struct logs *logs, FILE *stream)
{
	size_t n;
	int status = list_paths(logs, stream, t->object, !t->with_instances, &n);

	if (status == EXIT_DONE && n == 0)
		return say_no_object(t->object != NULL ? t->object : "at all");
	return status;
}

static int
list_to_file(struct typeperf *t, struct logs *logs)
{
	struct pmon_outfile_options how = {.overwrite = t->args->yes};
	struct words_listing listing;
	int status = ask_overwrite(t->args->output, &how.overwrite);

	if (status == EXIT_DONE)
		status = words_list_open(&listing);
	if (status != EXIT_DONE)
		return status;
	status = list_into(t, logs, listing.stream);
	return words_list_close(&listing, t->args->output, &how, status);
}

static int
query(struct typeperf *t)
{
	struct live_plan plan = {.count = 1,
				 .first_shown = true,
				 .everything = true,
				 .interval_100ns = PMON_TIME_PER_SEC};
	struct request request = request_from(t->args);
	struct logs logs;
	int status;

	request.patterns.n = request.pattern_files.n = 0; // patterns are not used
	status = logs_open_machine(&logs, &request, &plan);
	if (status == EXIT_DONE)
		status = t->args->output != NULL ? list_to_file(t, &logs)
						 : list_into(t, &logs, stdout);
	return logs_close(&logs, status);
}

// ---- Rows on standard output ----------------------------------------------------------------

// Print a separator, then a path or a time.
static void
put_text(char separator, struct pmon_span text)
{
	size_t len;

	if (separator != '\0')
		putchar(separator);
	putchar('"');
	for (size_t at = 0; at < text.len; at += len) {
		const char *other = NULL; // replaces a character

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

// The current rows: the values of the newest sample by column, NULL if missing.
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
		if (!sample->preceding)
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
	    pmon_statistics_new(schema, &t->args->calc, NULL, &statistics, &err) != PMON_OK) {
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
	struct pmon_create_options create = {.size = sizeof(create),
					     .overwrite = t->overwrite,
					     .live = true,
					     .temporary = signals_temporary,
					     .digits = (int)t->digits,
					     .fixed_clock = logs->clock.mode != CLOCK_LOG,
					     .offset_min =
						     clock_offset(&logs->clock, info->log_start)};
	struct pmon_copy_options copy = {.size = sizeof(copy), .calc = &t->args->calc};
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
	bool is_log = t->args->output != NULL && strcmp(t->args->output, "-") == 0;
	struct pmon_err err;
	int status;

	logs->source = NULL;
	if (columns_open(inner, logs->patterns.select, &logs->source, &err) != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	if (t->args->output != NULL)
		status = write_log(t, logs);
	else
		status = print_rows(t, logs);
	if (status == EXIT_DONE)
		status = logs_check_patterns(logs);
	// Like Windows' own, including the blanks; not if the log goes to standard output.
	if (status == EXIT_DONE && !is_log)
		printf("Exiting, please wait...                         \n"
		       "The command completed successfully.\n");
	return status;
}

// Choose the output's name, and ask before overwriting.
static int
take_output(struct typeperf *t)
{
	int status = words_check_output(t->args);

	t->overwrite = t->args->yes;
	if (status == EXIT_DONE) {
		t->output = words_output(t->reader, t->format, t->args->output);
		status = t->output != NULL ? EXIT_DONE : EXIT_FAILED;
	}
	return status == EXIT_DONE ? ask_overwrite(t->output, &t->overwrite) : status;
}

// Like Windows' typeperf, this takes only paths, quoted or not. If it searched by words, a mistyped path would sample
// whatever the search found, until Ctrl-C.
static int
check_paths(const struct words *counters)
{
	for (size_t i = 0; i < counters->n; i++)
		if (counters->list[i][0] != '\\' && counters->list[i][0] != '"')
			return say(EXIT_USAGE,
				   "%s is not a counter path such as \\System\\Threads; "
				   "pmon list -c %s finds counters by words",
				   counters->list[i], counters->list[i]);
	return EXIT_DONE;
}

static int
record(struct typeperf *t)
{
	struct request request = request_from(t->args);
	struct logs logs;
	int status = check_paths(&t->args->patterns);

	if (status != EXIT_DONE)
		return status;
	if (!request_has_patterns(&request))
		return say(EXIT_USAGE, "typeperf: no counters given; name them, or a file that "
				       "lists them with -cf (typeperf -q shows the counters)");
	if (t->args->output == NULL && strcmp(t->format->name, "csv") != 0 &&
	    strcmp(t->format->name, "tsv") != 0)
		return say(EXIT_USAGE, "typeperf: -f %s requires an output file; use -o FILE",
			   t->format->alias != NULL ? t->format->alias : t->format->name);
	status = t->args->output != NULL ? take_output(t) : EXIT_DONE;
	if (status != EXIT_DONE)
		return status;
	// Displayed values need a preceding sample; a log of raw values includes it.
	t->plan.first_shown = t->format->raw;
	request.tells_processes = true;
	// With -sc fail at once, as Windows' own does.
	t->plan.patience = t->plan.count > 0 ? LIVE_NOW : LIVE_AWAIT_COLUMNS;
	status = logs_open_machine(&logs, &request, &t->plan);
	if (status == EXIT_DONE)
		status = sample(t, &logs);
	return logs_close(&logs, status);
}

static int
run_typeperf(struct typeperf *t)
{
	const char *computer = OWN_OPTIONS(typeperf, t->args)->computer;
	struct request request = request_from(t->args);
	int status = take_options(t);

	if (status == EXIT_DONE && computer != NULL)
		status = live_check_machine(&request, computer);
	if (status != EXIT_DONE)
		return status;
	return t->lists ? query(t) : record(t);
}

static int
run_words(const struct verb *verb, int n, char *const *words)
{
	struct args args;
	struct typeperf t = {.args = &args, .plan.interval_100ns = PMON_TIME_PER_SEC};
	struct words_reader reader = {.args = &args, .operand = take_counter};
	int status = args_begin(&args, verb);

	t.reader = &reader;
	if (status == EXIT_DONE)
		status = words_read(&reader, n, words);
	if (status == EXIT_DONE && args.help)
		status = help_print(verb);
	else if (status == EXIT_DONE)
		status = run_typeperf(&t);
	words_free(&reader);
	args_free(&args);
	return status;
}

const struct verb verb_typeperf = {
	.name = "typeperf",
	.operands = "COUNTER...",
	.summary = "sample this machine with the command line of Windows' typeperf",
	.details = "As in Windows' typeperf, options ignore case and may begin with /. -c "
		   "accepts\nseveral patterns; patterns without -c are also "
		   "accepted.\n\nExamples:\n  pmon typeperf '\\System\\Context Switches/sec' "
		   "'\\Processor(*)\\*'\n  pmon typeperf '\\Memory\\Available MBytes' -si 5 -sc 12 "
		   "-f CSV -o memory.csv\n  pmon typeperf -qx PhysicalDisk\n",
	.options = options,
	.own_size = sizeof(struct typeperf_options),
	.run_words = run_words,
	.live = LIVE_ENDLESS,
};
