// cmd_relog.c - pmon relog: logs into logs, by the command lines that people have for Windows' relog
// SPDX-License-Identifier: MIT

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/num.h"
#include "base/time.h"
#include "cli.h"

// The options of relog take as many words as follow them, so they are read here and not by args.c.
enum relog_opt {
	R_APPEND,
	R_COUNTERS,
	R_COUNTER_FILE,
	R_FORMAT,
	R_EVERY,
	R_OUTPUT,
	R_BEGIN,
	R_END,
	R_CONFIG,
	R_QUERY,
	R_YES,
	R_HELP,
	R_STEP,
	R_FROM,
	R_TO,
	R_TZ,
	R_MERGE,
	R_DRY_RUN,
	R_DIGITS,
	R_POLICY,
	R_ENCODING,
	R_KNOWN_TYPES,
	R_DST_REPAIR,
	R_NAMES,
	R_INPUT,
	R_NONE
};

static const struct {
	enum relog_opt opt;
	const char *name;
	int words; // 0, 1, or -1 for as many as follow
} options[] = {
	{R_APPEND, "a", 0},
	{R_COUNTERS, "c", -1},
	{R_COUNTER_FILE, "cf", 1},
	{R_FORMAT, "f", 1},
	{R_EVERY, "t", 1},
	{R_OUTPUT, "o", 1},
	{R_BEGIN, "b", -1},
	{R_END, "e", -1},
	{R_CONFIG, "config", 1},
	{R_QUERY, "q", 0},
	{R_YES, "y", 0},
	{R_HELP, "?", 0},
	{R_HELP, "h", 0},
	{R_HELP, "-help", 0},
	{R_STEP, "-step", 1},
	{R_FROM, "-from", 1},
	{R_TO, "-to", 1},
	{R_TZ, "-tz", 1},
	{R_MERGE, "-merge", 0},
	{R_DRY_RUN, "-dry-run", 0},
	{R_DIGITS, "-digits", 1},
	{R_POLICY, "-policy", 1},
	{R_ENCODING, "-encoding", 1},
	{R_KNOWN_TYPES, "-known-types", 1},
	{R_DST_REPAIR, "-dst-repair", 0},
	{R_NAMES, "-names", 1},
	{R_INPUT, "i", -1}, // [i] of a settings file
};

// The names that -f takes, and the writers that they mean.
static const struct {
	const char *name;
	const char *writer;
	const char *suffix;
	bool raw;          // holds raw values
	const char *reads; // the format's name when it is read
} formats[] = {
	{"bin", "blg", "blg", true, "BLG"},
	{"blg", "blg", "blg", true, "BLG"},
	{"csv", "csv", "csv", false, "PDH-CSV"},
	{"tsv", "tsv", "tsv", false, "PDH-TSV"},
	{"sql", "sqlite", "db", true, "SQLite"},
	{"sqlite", "sqlite", "db", true, "SQLite"},
	{"jsonl", "jsonl", "jsonl", true, "JSON lines"},
	{"jsonl-values", "jsonl-values", "jsonl", false, "JSON lines"},
	{"openmetrics", "openmetrics", "om", true, ""},
	{"prometheus", "prometheus", "prom", true, ""},
};

#define N_FORMATS (sizeof(formats) / sizeof(formats[0]))

struct relog {
	struct args args; // what the logs are opened with
	size_t format;
	bool has_format;
	bool append;
	bool query;
	bool yes;
	bool merge;
	bool dry_run;
	bool help;
	uint64_t every;
	int64_t step_100ns;
	int digits;
	const char *output;
	char *texts[256]; // words that were put together or read from a settings file
	size_t n_texts;
};

// ---- The command line -----------------------------------------------------------------------

static char *
keep_text(struct relog *r, char *text)
{
	if (text == NULL || r->n_texts == sizeof(r->texts) / sizeof(r->texts[0])) {
		free(text);
		return NULL;
	}
	r->texts[r->n_texts++] = text;
	return text;
}

// The option that a word is: -f, -F, /f, --step; or R_NONE.
static enum relog_opt
option_of(const char *word, int *words)
{
	if ((word[0] != '-' && word[0] != '/') || word[1] == '\0')
		return R_NONE;
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		if (options[i].opt != R_INPUT && strcasecmp(word + 1, options[i].name) == 0) {
			*words = options[i].words;
			return options[i].opt;
		}
	}
	return R_NONE;
}

static int
set_format(struct relog *r, const char *value)
{
	for (size_t i = 0; i < N_FORMATS; i++) {
		if (strcasecmp(value, formats[i].name) == 0) {
			r->format = i;
			r->has_format = true;
			return EXIT_DONE;
		}
	}
	return say(EXIT_USAGE,
		   "relog: -f takes CSV, TSV, BIN, SQL, JSONL, JSONL-VALUES, OPENMETRICS or "
		   "PROMETHEUS, not \"%s\"",
		   value);
}

static int
set_number(const char *option, const char *value, uint64_t low, uint64_t high, uint64_t *out)
{
	if (pmon_num_parse_u64((struct pmon_span){value, strlen(value)}, out) && *out >= low &&
	    *out <= high)
		return EXIT_DONE;
	return say(EXIT_USAGE, "relog: %s takes a whole number from %llu to %llu, not \"%s\"",
		   option, (unsigned long long)low, (unsigned long long)high, value);
}

static int
set_policy(struct relog *r, const char *value)
{
	for (int i = 0; i <= PMON_POLICY_CLAMP; i++) {
		if (strcmp(value, pmon_policy_name((enum pmon_policy)i)) == 0) {
			r->args.calc.policy = (enum pmon_policy)i;
			return EXIT_DONE;
		}
	}
	return say(EXIT_USAGE, "relog: --policy takes default, strict or clamp, not \"%s\"", value);
}

static int
set_one(struct relog *r, enum relog_opt opt, const char *value)
{
	uint64_t number = 0;
	int status = EXIT_DONE;

	switch (opt) {
	case R_COUNTER_FILE:
		return words_add(&r->args.pattern_files, value) ? EXIT_DONE : EXIT_FAILED;
	case R_FORMAT:
		return set_format(r, value);
	case R_EVERY:
		return set_number("-t", value, 1, UINT32_MAX, &r->every);
	case R_OUTPUT:
		r->output = value;
		break;
	case R_STEP:
		if (!pmon_time_parse_span((struct pmon_span){value, strlen(value)},
					  &r->step_100ns) ||
		    r->step_100ns <= 0)
			return say(EXIT_USAGE,
				   "relog: --step takes a length of time as 5m, not \"%s\"", value);
		break;
	case R_FROM:
		r->args.from = value;
		break;
	case R_TO:
		r->args.to = value;
		break;
	case R_TZ:
		r->args.tz = value;
		break;
	case R_ENCODING:
		r->args.encoding = value;
		break;
	case R_KNOWN_TYPES:
		r->args.known_types = value;
		break;
	case R_NAMES:
		r->args.names = value;
		break;
	case R_DIGITS:
		status = set_number("--digits", value, 1, 21, &number);
		r->digits = (int)number;
		break;
	case R_POLICY:
		return set_policy(r, value);
	default:
		break;
	}
	return status;
}

static void
set_flag(struct relog *r, enum relog_opt opt)
{
	r->append |= opt == R_APPEND;
	r->query |= opt == R_QUERY;
	r->yes |= opt == R_YES;
	r->merge |= opt == R_MERGE;
	r->dry_run |= opt == R_DRY_RUN;
	r->help |= opt == R_HELP;
	r->args.dst_repair |= opt == R_DST_REPAIR;
}

// "11/26/2016", "1:46:40", "PM" as one text.
static const char *
joined(struct relog *r, int n, char *const *words)
{
	size_t size = 1;
	char *text;

	for (int i = 0; i < n; i++)
		size += strlen(words[i]) + 1;
	text = keep_text(r, calloc(1, size));
	for (int i = 0; text != NULL && i < n; i++) {
		if (i > 0)
			strcat(text, " ");
		strcat(text, words[i]);
	}
	return text;
}

static int
set_many(struct relog *r, enum relog_opt opt, int n, char *const *words)
{
	struct words *list = opt == R_INPUT ? &r->args.operands : &r->args.patterns;

	if (opt == R_BEGIN)
		r->args.from = joined(r, n, words);
	else if (opt == R_END)
		r->args.to = joined(r, n, words);
	else
		for (int i = 0; i < n; i++)
			if (!words_add(list, words[i]))
				return say(EXIT_FAILED, "not enough memory");
	return EXIT_DONE;
}

// How many words from here on belong to an option that takes any number of them. A time is of three
// words at the most; the files may stand behind it.
static int
count_words(enum relog_opt opt, int n, char *const *words)
{
	int most = opt == R_BEGIN || opt == R_END ? 3 : n;
	int count = 0;
	int ignored;

	while (count < n && count < most && option_of(words[count], &ignored) == R_NONE) {
		if (most == 3 && count > 0 && strpbrk(words[count], ":") == NULL &&
		    strcasecmp(words[count], "AM") != 0 && strcasecmp(words[count], "PM") != 0)
			break;
		count++;
	}
	return count;
}

static int read_config(struct relog *r, const char *name);

static int
take_option(struct relog *r, enum relog_opt opt, int wants, int n, char *const *words, int *i)
{
	int have = wants == 0 ? 0 : count_words(opt, n - *i - 1, words + *i + 1);
	const char *name = words[*i];

	if (wants == 0) {
		set_flag(r, opt);
		return EXIT_DONE;
	}
	if (have == 0 && wants == 1 && *i + 1 < n)
		have = 1; // a value that looks like an option, as -o /o
	if (have == 0)
		return say(EXIT_USAGE, "relog: %s needs a value; see pmon relog -?", name);
	if (wants == 1)
		have = 1;
	*i += have;
	if (opt == R_CONFIG)
		return read_config(r, words[*i]);
	if (wants == 1)
		return set_one(r, opt, words[*i]);
	return set_many(r, opt, have, words + *i - have + 1);
}

static int
parse(struct relog *r, int n, char *const *words)
{
	int status = EXIT_DONE;

	for (int i = 0; i < n && status == EXIT_DONE; i++) {
		int wants = 0;
		enum relog_opt opt = option_of(words[i], &wants);

		if (opt != R_NONE)
			status = take_option(r, opt, wants, n, words, &i);
		else if (words[i][0] == '-' && words[i][1] != '\0')
			status = say(EXIT_USAGE, "relog: there is no option %s; see pmon relog -?",
				     words[i]);
		else if (!words_add(&r->args.operands, words[i]))
			status = say(EXIT_FAILED, "not enough memory");
	}
	return status;
}

// ---- Settings files -------------------------------------------------------------------------

static enum relog_opt
section_of(const char *line, int *words)
{
	size_t len = strlen(line);

	if (len < 3 || line[0] != '[' || line[len - 1] != ']')
		return R_NONE;
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		if (strlen(options[i].name) == len - 2 &&
		    strncasecmp(line + 1, options[i].name, len - 2) == 0) {
			*words = options[i].words;
			return options[i].opt;
		}
	}
	return R_NONE;
}

static void
trim(char *line)
{
	size_t len = strlen(line);

	while (len > 0 && strchr(" \t\r\n\"", line[len - 1]) != NULL)
		line[--len] = '\0';
	if (line[0] == '"')
		memmove(line, line + 1, len);
}

// A settings file: [option] on a line, its values on the lines below.
static int
read_config(struct relog *r, const char *name)
{
	FILE *file = fopen(name, "r");
	enum relog_opt opt = R_NONE;
	char line[4096];
	int words = 0;
	int status = EXIT_DONE;

	if (file == NULL)
		return say(EXIT_FAILED, "%s: %s", name, strerror(errno));
	while (status == EXIT_DONE && fgets(line, sizeof(line), file) != NULL) {
		char *value;

		trim(line);
		if (line[0] == '\0' || line[0] == ';')
			continue;
		if (line[0] == '[') {
			opt = section_of(line, &words);
			if (opt == R_NONE)
				status = say(EXIT_USAGE, "%s: there is no setting %s", name, line);
			else if (words == 0)
				set_flag(r, opt);
			continue;
		}
		value = keep_text(r, strdup(line));
		if (value == NULL)
			status = say(EXIT_FAILED, "%s: too many settings", name);
		else if (opt == R_NONE || words == 0)
			status = say(EXIT_USAGE, "%s: \"%s\" belongs to no setting", name, line);
		else
			status = words == 1 ? set_one(r, opt, value) : set_many(r, opt, 1, &value);
	}
	fclose(file);
	return status;
}

// ---- What is read and written ---------------------------------------------------------------

struct range {
	pmon_time first;
	pmon_time last;
	uint64_t samples;
};

static void
print_range(const struct logs *logs, const struct range *range)
{
	char buf[PMON_TIME_SIZE];

	if (range->samples > 0) {
		pmon_time_pdh(range->first, clock_offset(&logs->clock, range->first), buf);
		printf("Begin:    %.19s\n", buf);
		pmon_time_pdh(range->last, clock_offset(&logs->clock, range->last), buf);
		printf("End:      %.19s\n", buf);
	}
	printf("Samples:  %llu\n", (unsigned long long)range->samples);
}

static void
print_input(const struct logs *logs, const struct range *range)
{
	printf("\nInput\n----------------\nFile(s):\n");
	if (logs->args->operands.n == 1)
		printf("     %s (%s)\n", logs->args->operands.list[0],
		       pmon_source_info(logs->source)->format);
	for (size_t i = 0; logs->args->operands.n > 1 && i < logs->args->operands.n; i++)
		printf("     %s\n", logs->args->operands.list[i]);
	putchar('\n');
	print_range(logs, range);
}

static int
survey(struct logs *logs, struct range *range)
{
	const struct pmon_sample *sample;
	int status = EXIT_DONE;

	*range = (struct range){.samples = 0};
	while (logs_next(logs, &sample, &status)) {
		if (sample->lead_in)
			continue;
		if (range->samples++ == 0)
			range->first = sample->time;
		range->last = sample->time;
	}
	return status;
}

static void
print_paths(FILE *out, const struct pmon_series *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		out_clean(out, list[i]->name);
		putc('\n', out);
	}
}

// -q -o: the paths alone, one a line, as -cf takes them.
static int
write_paths(const struct relog *r, const struct pmon_series *const *list, size_t n)
{
	FILE *out = fopen(r->output, r->yes ? "w" : "wx");
	bool failed;

	if (out == NULL && errno == EEXIST)
		return say(EXIT_FAILED, "%s exists already; -y writes over it", r->output);
	if (out == NULL)
		return say(EXIT_FAILED, "%s: %s", r->output, strerror(errno));
	print_paths(out, list, n);
	failed = ferror(out) != 0;
	if (fclose(out) != 0 || failed)
		return say(EXIT_FAILED, "%s: %s", r->output, strerror(errno));
	return EXIT_DONE;
}

static int
print_query(const struct relog *r, struct logs *logs)
{
	struct range range;
	size_t n;
	const struct pmon_series **list;
	int status = survey(logs, &range);

	if (status == EXIT_DONE)
		status = logs_check_patterns(logs);
	list = status == EXIT_DONE ? logs_series(logs, &n) : NULL;
	if (list == NULL)
		return status == EXIT_DONE ? EXIT_FAILED : status;
	print_input(logs, &range);
	if (r->output != NULL) {
		status = write_paths(r, list, n);
	} else {
		putchar('\n');
		print_paths(stdout, list, n);
	}
	free(list);
	return status;
}

// How many counters have an average that displayed values cannot give.
static size_t
count_averaged(const struct logs *logs)
{
	const struct pmon_schema *schema = pmon_source_schema(logs->source);
	size_t n = 0;

	for (size_t i = 0; i < pmon_schema_count(schema); i++) {
		const struct pmon_series *series = pmon_schema_at(schema, i);
		struct pmon_calc calc;

		pmon_calc_init(&calc, &series->counter, NULL);
		n += !series->formatted && pmon_calc_needs_two(&calc);
	}
	return n;
}

// How many counters the logs hold as displayed values.
static size_t
count_formatted(const struct pmon_source *source)
{
	const struct pmon_schema *schema = pmon_source_schema(source);
	size_t n = 0;

	for (size_t i = 0; i < pmon_schema_count(schema); i++)
		n += pmon_schema_at(schema, i)->formatted;
	return n;
}

static void
say_what_is_lost(const struct relog *r, const struct logs *logs)
{
	size_t n = count_averaged(logs);

	if (!formats[r->format].raw && n > 0)
		say(0,
		    "%s holds displayed values only: true averages of %zu counters cannot be had "
		    "from "
		    "it any more",
		    formats[r->format].name, n);
	if (strcmp(formats[r->format].reads, "BLG") == 0 && count_formatted(logs->source) > 0)
		say(0,
		    "%zu counters are displayed values already: BLG keeps them without their "
		    "types",
		    count_formatted(logs->source));
}

static bool
is_directory(const char *path)
{
	struct stat st;

	return path[strlen(path) - 1] == '/' || (stat(path, &st) == 0 && S_ISDIR(st.st_mode));
}

static int
thin_out(struct relog *r, struct logs *logs)
{
	struct pmon_source *inner = logs->source;
	struct pmon_err err;

	if (r->every <= 1)
		return EXIT_DONE;
	logs->source = NULL;
	if (pmon_every_open(inner, r->every, NULL, &logs->source, &err) != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	return EXIT_DONE;
}

static int
write_log(struct relog *r, struct logs *logs, const char *path, struct range *range)
{
	struct pmon_create_options create = {.overwrite = r->yes || r->append,
					     .digits = r->digits,
					     .fixed_clock = logs->clock.mode != CLOCK_LOG,
					     .offset_min =
						     clock_offset(&logs->clock, range->first)};
	struct pmon_copy_options copy = {
		.calc = r->args.calc, .step_100ns = r->step_100ns, .progress = progress_tell};
	struct pmon_sink *sink;
	struct pmon_err err = {.status = PMON_OK};
	int status = EXIT_DONE;

	if (pmon_log_create(path, formats[r->format].writer, &create, &sink, &err) != PMON_OK)
		return say_write_err(path, &err);
	if (pmon_copy(logs->source, sink, &copy, &err) != PMON_OK)
		status = say_write_err(path, &err);
	pmon_sink_close(sink);
	progress_erase();
	*range = (struct range){copy.first, copy.last, copy.samples};
	return status;
}

// Can what is chosen be added to this log? Only to one of the format that is written, and to one of
// displayed values only such.
static int
check_old_output(const struct relog *r, const struct logs *logs, const struct pmon_source *old,
		 const char *path)
{
	const char *format = pmon_source_info(old)->format;

	if (strcmp(format, formats[r->format].reads) != 0)
		return say(EXIT_FAILED,
			   "%s is a %s log; -a adds to logs of the format that is written", path,
			   format);
	if (!formats[r->format].raw &&
	    count_formatted(logs->source) < pmon_schema_count(pmon_source_schema(logs->source)))
		return say(
			EXIT_FAILED,
			"%s holds displayed values, to which -a cannot add raw ones; write a new "
			"log and add that",
			path);
	return EXIT_DONE;
}

// -a: what the output holds already, all of it, goes before what is chosen of the inputs, and both are
// written anew. The old file stays until the new one is whole.
static int
add_old_output(struct relog *r, struct logs *logs, const char *path)
{
	struct pmon_source *both[2] = {NULL, logs->source};
	struct pmon_err err;
	struct stat st;
	int status;

	if (!r->append || stat(path, &st) != 0)
		return EXIT_DONE;
	if (pmon_log_open(path, NULL, &both[0], &err) != PMON_OK)
		return say_err(path, &err);
	status = check_old_output(r, logs, both[0], path);
	if (status != EXIT_DONE) {
		pmon_source_close(both[0]);
		return status;
	}
	logs->source = NULL;
	if (pmon_merge_open(both, 2, NULL, &logs->source, &err) != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	return EXIT_DONE;
}

static int
convert(struct relog *r, const char *path)
{
	bool quiet = strcmp(path, "-") == 0; // standard output is the log
	struct range range;
	struct logs logs = {.source = NULL};
	int status = logs_open(&logs, &r->args);

	if (status == EXIT_DONE)
		status = survey(&logs, &range);
	if (status == EXIT_DONE)
		status = logs_check_patterns(&logs);
	if (status == EXIT_DONE)
		status = logs_rewind(&logs);
	if (status == EXIT_DONE) {
		if (!quiet)
			print_input(&logs, &range);
		say_what_is_lost(r, &logs);
		status = thin_out(r, &logs);
	}
	if (status == EXIT_DONE)
		status = add_old_output(r, &logs, path);
	if (status == EXIT_DONE && r->dry_run) {
		printf("\nWould write %zu counters to %s (%s)\n",
		       pmon_schema_count(pmon_source_schema(logs.source)), path,
		       formats[r->format].writer);
	} else if (status == EXIT_DONE) {
		status = write_log(r, &logs, path, &range);
		if (status == EXIT_DONE && !quiet) {
			printf("\nOutput\n----------------\nFile:     %s\n\n", path);
			print_range(&logs, &range);
		}
	}
	return logs_close(&logs, status);
}

// ---- One output, or one for each input ------------------------------------------------------

static const char *
base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

// DIR/NAME.SUFFIX for an input, whose own suffix goes.
static char *
output_in(const struct relog *r, const char *name)
{
	const char *base = base_name(name);
	const char *dot = strrchr(base, '.');
	size_t stem = dot != NULL && dot != base ? (size_t)(dot - base) : strlen(base);
	size_t size = strlen(r->output) + stem + 32;
	char *path = malloc(size);

	if (path != NULL)
		(void)snprintf(path, size, "%s%s%.*s.%s", r->output,
			       r->output[strlen(r->output) - 1] == '/' ? "" : "/", (int)stem, base,
			       formats[r->format].suffix);
	return path;
}

static int
convert_to(struct relog *r, const char *name)
{
	char *path = output_in(r, name);
	int status = path != NULL ? convert(r, path) : say(EXIT_FAILED, "not enough memory");

	free(path);
	return status;
}

static int
convert_each(struct relog *r)
{
	struct words inputs = r->args.operands;
	int worst = EXIT_DONE;

	for (size_t i = 0; i < inputs.n; i++) {
		int status;

		r->args.operands = (struct words){&inputs.list[i], 1, 1};
		status = convert_to(r, inputs.list[i]);
		if (worst == EXIT_DONE || (status != EXIT_DONE && status < worst))
			worst = status;
	}
	r->args.operands = inputs;
	return worst;
}

static int
run_query(struct relog *r)
{
	struct logs logs;
	int status = logs_open(&logs, &r->args);

	if (status == EXIT_DONE)
		status = print_query(r, &logs);
	return logs_close(&logs, status);
}

static int
run(struct relog *r)
{
	if (r->args.operands.n == 0)
		return say(EXIT_USAGE, "relog: name a log file; see pmon relog -?");
	if (r->query)
		return run_query(r);
	if (r->output == NULL)
		return say(EXIT_USAGE,
			   "relog: name the output with -o, or list the counters with -q");
	if (strncasecmp(r->output, "SQL:", 4) == 0)
		return say(
			EXIT_USAGE,
			"relog: ODBC data sources (%s) are Windows'; -f SQL -o FILE.db writes the "
			"same tables into an SQLite database",
			r->output);
	if (r->append && r->step_100ns != 0)
		return say(EXIT_USAGE, "relog: -a and --step do not go together: the old samples "
				       "would be resampled too");
	if (is_directory(r->output) && r->append)
		return say(EXIT_USAGE, "relog: -a needs one output file, and %s is a directory",
			   r->output);
	if (!is_directory(r->output))
		return convert(r, r->output);
	if (r->merge)
		return convert_to(r, "merged");
	return convert_each(r);
}

int
cmd_relog(const struct verb *verb, int n, char *const *words)
{
	struct relog *r = calloc(1, sizeof(*r));
	int status;

	if (r == NULL)
		return say(EXIT_FAILED, "not enough memory");
	r->args.verb = verb;
	status = parse(r, n, words);
	if (status == EXIT_DONE && r->help)
		status = verb_help(verb);
	else if (status == EXIT_DONE)
		status = run(r);
	for (size_t i = 0; i < r->n_texts; i++)
		free(r->texts[i]);
	args_free(&r->args);
	free(r);
	return status;
}
