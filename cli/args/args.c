// args.c - the command line: one table of options for all verbs
// SPDX-License-Identifier: MIT

#include "cli/args/args.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "cli/args/names.h"
#include "cli/args/suggest.h"
#include "cli/args/verb.h"
#include "cli/output/say.h"

static const struct option_def options[] = {
	{OPT_COUNTER,
	 {"-c", "--counter"},
	 "PATTERN",
	 "only counters that match, as '\\Processor(*)\\*'; may be repeated"},
	{OPT_COUNTER_FILE,
	 {"-cf", "--counters-from"},
	 "FILE",
	 "read patterns from a file, one a line"},
	{OPT_FROM,
	 {"--from", NULL},
	 "TIME",
	 "begin here: 2026-11-21T10:30, 11/21/2026 10:30:00 AM, @10:30, -2h before the end, +5m "
	 "after the start"},
	{OPT_TO, {"--to", NULL}, "TIME", "end here, in the same forms"},
	{OPT_TZ,
	 {"--tz", NULL},
	 "ZONE",
	 "show and read times on this clock: log (default), utc, local, or an offset as +01:00"},
	{OPT_FORMAT, {"--format", NULL}, "text|csv|json", "form of the output; text by default"},
	{OPT_POLICY,
	 {"--policy", NULL},
	 "default|strict|clamp",
	 "what to do with counters that went back: strict never counts a 32-bit wrap through, "
	 "clamp "
	 "shows 0"},
	{OPT_CAP,
	 {"--cap", NULL},
	 NULL,
	 "cut percentages at 100, as PDH does unless told otherwise"},
	{OPT_SCALE, {"--scale", NULL}, NULL, "multiply by the counter's default scale"},
	{OPT_TIMES_1000, {"--times-1000", NULL}, NULL, "multiply by 1000"},
	{OPT_AT,
	 {"--at", NULL},
	 "TIME",
	 "explain the sample nearest to this time; the last by default"},
	{OPT_TYPE, {"-t", "--type"}, "TYPE", "counter type by name or word, as PERF_AVERAGE_TIMER"},
	{OPT_TIME_BASE, {"-F", "--time-base"}, "TICKS", "ticks of the counter's clock in a second"},
	{OPT_SIZE, {"--size", NULL}, "4|8", "bytes of the counter, where the type does not tell"},
	{OPT_Q, {"-q", NULL}, NULL, "counters without their instances"},
	{OPT_QX, {"-qx", NULL}, NULL, "counters with all their instances (the default)"},
	{OPT_LONG, {"-l", "--long"}, NULL, "type, unit and time base beside each counter"},
	{OPT_EXPLAIN,
	 {"--explain", NULL},
	 NULL,
	 "show the arithmetic of each value and the average"},
	{OPT_ENCODING,
	 {"--encoding", NULL},
	 "NAME",
	 "encoding of a text log, as CP1252 or SHIFT_JIS; found by its content by default"},
	{OPT_KNOWN_TYPES,
	 {"--known-types", NULL},
	 "FILE",
	 "types of counters in text logs: a CSV of object,counter,type word"},
	{OPT_DST_REPAIR,
	 {"--dst-repair", NULL},
	 NULL,
	 "change the offset of a text log where its clock changed for daylight saving"},
	{OPT_NAMES,
	 {"--names", NULL},
	 "FILE",
	 "names of counters that a log gives by number: the registry value \"Counter 009\""},
	{OPT_MAX_UNPACKED,
	 {"--max-unpacked", NULL},
	 "SIZE",
	 "what a compressed log may unpack to; 16 MB and 100 times its size by default"},
	{OPT_NO_CACHE,
	 {"--no-cache", NULL},
	 NULL,
	 "read the log even when what is in it is known from the last time, and keep nothing"},
	{OPT_INTERVAL,
	 {"-i", "--interval"},
	 "LENGTH",
	 "of this machine: time between samples, as 500ms, 5s or 1m; 1s by default"},
	{OPT_COUNT_SAMPLES, {"-n", "--count"}, "N", "of this machine: end after N samples"},
	{OPT_DURATION,
	 {"--duration", NULL},
	 "LENGTH",
	 "of this machine: end after this time, as 30s, 10m or 2h"},
	{OPT_ROOT,
	 {"--root", NULL},
	 "DIR",
	 "of this machine: where its /proc and /sys are mounted, as /host in a container"},
	{OPT_REPLAY,
	 {"--replay", NULL},
	 "DIR",
	 "recorded trees of /proc and /sys in place of this machine, a folder for each sample"},
	{OPT_PID_NAMES,
	 {"--pid-names", NULL},
	 NULL,
	 "of this machine: name processes name_pid in place of name#1"},
	{OPT_KIND, {"--kind", NULL}, "KIND", "line (default), area, stacked, bar or heatmap"},
	{OPT_PICTURE,
	 {"-o", "--output"},
	 "FILE",
	 "write a picture: .svg, .png or .pdf by its name, - is SVG on standard output; else "
	 "characters "
	 "are drawn"},
	{OPT_PICTURE_SIZE,
	 {"--size", NULL},
	 "WIDTHxHEIGHT",
	 "of the picture, 1200x600 by default; without -o in characters, those of the terminal by "
	 "default"},
	{OPT_THEME, {"--theme", NULL}, "light|dark", "colours of the picture"},
	{OPT_THRESHOLD,
	 {"--threshold", NULL},
	 "VALUE",
	 "a line at 20ms, 80%, 10MB/s ... on the panels of that unit, what is above it marked; may "
	 "be "
	 "repeated"},
	{OPT_REPORT,
	 {"-o", "--output"},
	 "FILE",
	 "the page; by default NAME.html in this folder, after the name of the log, - is standard "
	 "output"},
	{OPT_RULES,
	 {"--rules", NULL},
	 "FILE",
	 "thresholds to look for in place of those that pmon has; docs/reference/rules.md tells "
	 "how they are "
	 "written"},
	{OPT_TITLE,
	 {"--title", NULL},
	 "TEXT",
	 "title of the picture or the report; the machine by default"},
	{OPT_ASCII, {"--ascii", NULL}, NULL, "draw in the terminal with ASCII characters alone"},
	{OPT_BY,
	 {"--by", NULL},
	 "machine|instance|object|process",
	 "one row for all instances of a counter on a machine, for an instance on all machines, or "
	 "for both together; process: one for each counter of each process over its whole life"},
	{OPT_IDENTITY,
	 {"--identity", NULL},
	 "process|windows",
	 "process (default): no difference is taken across two processes of one name, and top and "
	 "report have a row for each process; windows: what Windows computes, by instance name"},
	{OPT_WHERE,
	 {"--where", NULL},
	 "CONDITION",
	 "only rows for which it holds, as 'average>50' or 'maximum>=20ms', on last, average, "
	 "minimum, maximum, samples or invalid; may be repeated"},
	{OPT_YES, {"-y", "--yes"}, NULL, "write over a file that is there"},
	{OPT_SYNC_FILE,
	 {"--sync", NULL},
	 NULL,
	 "wait until the file is on the disk, so that a power cut does not take it"},
	{OPT_OUTPUT_FILE,
	 {"-o", "--output"},
	 "FILE",
	 "the file; HOST_20261121-101500.blg in this folder by default"},
	{OPT_LOG_FORMAT,
	 {"--format", NULL},
	 "blg|csv|tsv|sqlite|jsonl",
	 "what to write; by the ending of FILE, else blg"},
	{OPT_MAX_SIZE,
	 {"--max-size", NULL},
	 "SIZE",
	 "end when the file has this size, as 500KB, 100MB or 1GB; begin the next one when files "
	 "are numbered or dated"},
	{OPT_ROTATE,
	 {"--rotate", NULL},
	 "LENGTH",
	 "begin a new file at round times of the local clock: 1d at midnight, 1h on the hour"},
	{OPT_FILE_NAMES,
	 {"--names", NULL},
	 "number|date",
	 "many files: FILE_000001.blg or FILE_20261121-101500.blg; date by default with --rotate"},
	{OPT_CIRCULAR,
	 {"--circular", NULL},
	 NULL,
	 "never more than --max-size: the newest samples take the place of the oldest"},
	{OPT_KEEP,
	 {"--keep", NULL},
	 "N",
	 "remove the oldest files, so that N are left; with --rotate the files of N periods"},
	{OPT_KEEP_AGE,
	 {"--keep-age", NULL},
	 "LENGTH",
	 "remove files that were last written longer ago than this, as 7d"},
	{OPT_KEEP_SIZE,
	 {"--keep-size", NULL},
	 "SIZE",
	 "remove the oldest files when all together have more than this, as 2G"},
	{OPT_APPEND,
	 {"--append", NULL},
	 NULL,
	 "go on in the newest file if it is of the current period, as after a restart"},
	{OPT_SYNC,
	 {"--sync", NULL},
	 "LENGTH",
	 "how often to wait for the disk: what a power cut may cost; 10s by default"},
	{OPT_QUIET, {"-q", "--quiet"}, NULL, "only words on what went wrong"},
	{OPT_HISTORY,
	 {"--history", NULL},
	 "LENGTH",
	 "of this machine: how much is kept to look back at, as 30m or 8h; 1h by default"},
	{OPT_COMPARE,
	 {"--compare", NULL},
	 "FILE",
	 "a log to lay over the first; may be repeated for several that are one"},
	{OPT_PORT, {"--port", NULL}, "N", "listen on this port; on any that is free by default"},
	{OPT_LISTEN,
	 {"--listen", NULL},
	 "ADDRESS",
	 "listen on this address; for other machines --insecure is needed too"},
	{OPT_INSECURE,
	 {"--insecure", NULL},
	 NULL,
	 "let tokens and passwords travel over plain http beyond this machine"},
	{OPT_NO_BROWSER, {"--no-browser", NULL}, NULL, "print the address, and open no browser"},
	{OPT_SEND_TO,
	 {"--to", NULL},
	 "URL",
	 "the engine: clickhouse+http://HOST:8123/DATABASE, prometheus+http://HOST:9090, "
	 "victoriametrics+http://HOST:8428, https likewise; postgresql://HOST/DATABASE"},
	{OPT_UNTIL, {"--until", NULL}, "TIME", "end here, in the same forms as --from"},
	{OPT_DRY_RUN, {"--dry-run", NULL}, NULL, "show what would be made there, and send nothing"},
	{OPT_USER, {"--user", NULL}, "NAME", "who is asking; PMON_USER by default"},
	{OPT_PASSWORD_FILE,
	 {"--password-file", NULL},
	 "FILE",
	 "the password is in this file; in PMON_PASSWORD by default"},
	{OPT_TOKEN_FILE,
	 {"--token-file", NULL},
	 "FILE",
	 "a bearer token is in this file; in PMON_TOKEN by default"},
	{OPT_CA_FILE,
	 {"--ca-file", NULL},
	 "FILE",
	 "certificates to trust, in place of those of the system"},
	{OPT_CLUSTER,
	 {"--cluster", NULL},
	 "NAME",
	 "of ClickHouse: tables spread over this cluster, whose nodes the URL names with commas"},
	{OPT_STATE_DIR,
	 {"--state-dir", NULL},
	 "FOLDER",
	 "remember here what was sent, for engines that do not do so themselves; in the user's "
	 "state folder by default"},
	{OPT_BATCH, {"--batch", NULL}, "N", "raw values that are sent at once"},
	{OPT_RETRY,
	 {"--retry", NULL},
	 "LENGTH",
	 "go on trying for so long when the engine cannot be reached; 5m by default"},
	{OPT_WINDOW, {"--window", NULL}, "LENGTH", "of the averages, as 1m or 1h; 5m by default"},
	{OPT_METRICS, {"--metrics", NULL}, NULL, "what Prometheus scrapes, at /metrics"},
	{OPT_SPEED,
	 {"--speed", NULL},
	 "N",
	 "of recorded logs: play back N times as fast as they were recorded; 1 by default"},
	{OPT_COLOR, {"--color", NULL}, "auto|always|never", "colour; on a terminal by default"},
	{OPT_RAW_NAMES,
	 {"--raw-names", NULL},
	 NULL,
	 "write names into CSV as they are; one that a spreadsheet would compute has a ' before it "
	 "by default"},
	{OPT_NO_SANDBOX,
	 {"--no-sandbox", NULL},
	 NULL,
	 "do not forbid what reads logs to open sockets, to run programs and to write elsewhere"},
	{OPT_HELP, {"-h", "--help"}, NULL, "this help"},
};

const struct option_def *
option_at(size_t i)
{
	return i < sizeof(options) / sizeof(options[0]) ? &options[i] : NULL;
}

void
args_free(struct args *args)
{
	free(args->operands.list);
	free(args->patterns.list);
	free(args->pattern_files.list);
	free(args->thresholds.list);
	free(args->compare.list);
	free(args->wheres.list);
	names_free(&args->texts);
}

static bool
is_option(const struct option_def *def, const char *word, size_t len)
{
	for (size_t i = 0; i < 2 && def->names[i] != NULL; i++)
		if (strlen(def->names[i]) == len && strncmp(def->names[i], word, len) == 0)
			return true;
	return false;
}

// The option of this name that the verb takes; *other tells that another verb has it.
static const struct option_def *
find_option(const struct verb *verb, const char *word, size_t len, bool *other)
{
	*other = false;
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		if (!is_option(&options[i], word, len))
			continue;
		if (verb->options & OPT_BIT(options[i].opt) || options[i].opt == OPT_HELP)
			return &options[i];
		*other = true;
	}
	return NULL;
}

static const char *
nearest_option(const struct verb *verb, const char *word)
{
	const char *best = NULL;
	size_t best_distance = 3;

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		for (size_t j = 0; j < 2 && options[i].names[j] != NULL; j++) {
			struct pmon_span name = {options[i].names[j], strlen(options[i].names[j])};
			size_t distance =
				suggest_distance(name, (struct pmon_span){word, strlen(word)});

			if ((verb->options & OPT_BIT(options[i].opt)) && distance < best_distance) {
				best = options[i].names[j];
				best_distance = distance;
			}
		}
	}
	return best;
}

static int
unknown_option(const struct verb *verb, const char *word, bool other)
{
	const char *near = nearest_option(verb, word);

	if (other)
		return say(EXIT_USAGE, "%s: the option %s is not for this verb; see pmon %s --help",
			   verb->name, word, verb->name);
	if (near != NULL)
		return say(EXIT_USAGE, "%s: there is no option %s; did you mean %s?", verb->name,
			   word, near);
	return say(EXIT_USAGE, "%s: there is no option %s; see pmon %s --help", verb->name, word,
		   verb->name);
}

// One of a few words for an option; its place in the list, or -1 after saying so.
static int
choose(const struct args *args, const char *option, const char *value, const char *const *choices,
       size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(value, choices[i]) == 0)
			return (int)i;
	if (n == 2)
		say(0, "%s: %s takes %s or %s, not \"%s\"", args->verb->name, option, choices[0],
		    choices[1], value);
	else
		say(0, "%s: %s takes %s, %s or %s, not \"%s\"", args->verb->name, option,
		    choices[0], choices[1], choices[2], value);
	return -1;
}

static int
set_choice(struct args *args, enum opt opt, const char *value)
{
	static const char *const formats[] = {"text", "csv", "json"};
	static const char *const policies[] = {"default", "strict", "clamp"};
	static const char *const colors[] = {"auto", "always", "never"};
	static const char *const identities[] = {"process", "windows"};
	int i;

	if (opt == OPT_FORMAT) {
		i = choose(args, "--format", value, formats, 3);
		args->format = i >= 0 ? (enum out_format)i : OUT_TEXT;
	} else if (opt == OPT_POLICY) {
		i = choose(args, "--policy", value, policies, 3);
		args->calc.policy = i >= 0 ? (enum pmon_policy)i : PMON_POLICY_DEFAULT;
	} else if (opt == OPT_IDENTITY) {
		i = choose(args, "--identity", value, identities, 2);
		args->identity = i == 1 ? IDENTITY_WINDOWS : IDENTITY_PROCESS;
	} else {
		i = choose(args, "--color", value, colors, 3);
		args->color = i == 1 ? COLOR_ALWAYS : i == 2 ? COLOR_NEVER : COLOR_AUTO;
	}
	return i >= 0 ? EXIT_DONE : EXIT_USAGE;
}

// Where the value of an option goes in struct args.
struct place {
	enum {
		PLACE_CHOICE, // one of a few words
		PLACE_TEXT,   // const char *
		PLACE_FLAG,   // bool
		PLACE_SIZE,   // uint64_t, of bytes
		PLACE_WORDS,  // struct words
	} kind;
	size_t offset;
};

static const struct place places[OPT_COUNT] = {
	[OPT_COUNTER] = {PLACE_WORDS, offsetof(struct args, patterns)},
	[OPT_COUNTER_FILE] = {PLACE_WORDS, offsetof(struct args, pattern_files)},
	[OPT_FROM] = {PLACE_TEXT, offsetof(struct args, from)},
	[OPT_TO] = {PLACE_TEXT, offsetof(struct args, to)},
	[OPT_TZ] = {PLACE_TEXT, offsetof(struct args, tz)},
	[OPT_AT] = {PLACE_TEXT, offsetof(struct args, at)},
	[OPT_TYPE] = {PLACE_TEXT, offsetof(struct args, type)},
	[OPT_TIME_BASE] = {PLACE_TEXT, offsetof(struct args, time_base)},
	[OPT_SIZE] = {PLACE_TEXT, offsetof(struct args, size)},
	[OPT_ENCODING] = {PLACE_TEXT, offsetof(struct args, encoding)},
	[OPT_KNOWN_TYPES] = {PLACE_TEXT, offsetof(struct args, known_types)},
	[OPT_NAMES] = {PLACE_TEXT, offsetof(struct args, names)},
	[OPT_MAX_UNPACKED] = {PLACE_SIZE, offsetof(struct args, max_unpacked)},
	[OPT_RAW_NAMES] = {PLACE_FLAG, offsetof(struct args, raw_names)},
	[OPT_NO_SANDBOX] = {PLACE_FLAG, offsetof(struct args, no_sandbox)},
	[OPT_NO_CACHE] = {PLACE_FLAG, offsetof(struct args, no_cache)},
	[OPT_INTERVAL] = {PLACE_TEXT, offsetof(struct args, interval)},
	[OPT_COUNT_SAMPLES] = {PLACE_TEXT, offsetof(struct args, count)},
	[OPT_DURATION] = {PLACE_TEXT, offsetof(struct args, duration)},
	[OPT_ROOT] = {PLACE_TEXT, offsetof(struct args, root)},
	[OPT_REPLAY] = {PLACE_TEXT, offsetof(struct args, replay)},
	[OPT_PID_NAMES] = {PLACE_FLAG, offsetof(struct args, pid_names)},
	[OPT_KIND] = {PLACE_TEXT, offsetof(struct args, kind)},
	[OPT_RULES] = {PLACE_TEXT, offsetof(struct args, rules)},
	[OPT_REPORT] = {PLACE_TEXT, offsetof(struct args, output)},
	[OPT_PICTURE] = {PLACE_TEXT, offsetof(struct args, output)},
	[OPT_OUTPUT_FILE] = {PLACE_TEXT, offsetof(struct args, output)},
	[OPT_PICTURE_SIZE] = {PLACE_TEXT, offsetof(struct args, picture_size)},
	[OPT_THEME] = {PLACE_TEXT, offsetof(struct args, theme)},
	[OPT_THRESHOLD] = {PLACE_WORDS, offsetof(struct args, thresholds)},
	[OPT_TITLE] = {PLACE_TEXT, offsetof(struct args, title)},
	[OPT_ASCII] = {PLACE_FLAG, offsetof(struct args, ascii)},
	[OPT_YES] = {PLACE_FLAG, offsetof(struct args, yes)},
	[OPT_SYNC_FILE] = {PLACE_FLAG, offsetof(struct args, sync)},
	[OPT_LOG_FORMAT] = {PLACE_TEXT, offsetof(struct args, record.format)},
	[OPT_MAX_SIZE] = {PLACE_TEXT, offsetof(struct args, record.max_size)},
	[OPT_ROTATE] = {PLACE_TEXT, offsetof(struct args, record.rotate)},
	[OPT_FILE_NAMES] = {PLACE_TEXT, offsetof(struct args, record.names)},
	[OPT_CIRCULAR] = {PLACE_FLAG, offsetof(struct args, record.circular)},
	[OPT_KEEP] = {PLACE_TEXT, offsetof(struct args, record.keep)},
	[OPT_KEEP_AGE] = {PLACE_TEXT, offsetof(struct args, record.keep_age)},
	[OPT_KEEP_SIZE] = {PLACE_TEXT, offsetof(struct args, record.keep_size)},
	[OPT_APPEND] = {PLACE_FLAG, offsetof(struct args, record.append)},
	[OPT_SYNC] = {PLACE_TEXT, offsetof(struct args, record.sync)},
	[OPT_QUIET] = {PLACE_FLAG, offsetof(struct args, record.quiet)},
	[OPT_SEND_TO] = {PLACE_TEXT, offsetof(struct args, push.to)},
	[OPT_UNTIL] = {PLACE_TEXT, offsetof(struct args, to)},
	[OPT_DRY_RUN] = {PLACE_FLAG, offsetof(struct args, push.dry_run)},
	[OPT_USER] = {PLACE_TEXT, offsetof(struct args, push.user)},
	[OPT_PASSWORD_FILE] = {PLACE_TEXT, offsetof(struct args, push.password_file)},
	[OPT_TOKEN_FILE] = {PLACE_TEXT, offsetof(struct args, push.token_file)},
	[OPT_CA_FILE] = {PLACE_TEXT, offsetof(struct args, push.ca_file)},
	[OPT_CLUSTER] = {PLACE_TEXT, offsetof(struct args, push.cluster)},
	[OPT_STATE_DIR] = {PLACE_TEXT, offsetof(struct args, push.state_dir)},
	[OPT_BATCH] = {PLACE_TEXT, offsetof(struct args, push.batch)},
	[OPT_RETRY] = {PLACE_TEXT, offsetof(struct args, push.retry)},
	[OPT_HISTORY] = {PLACE_TEXT, offsetof(struct args, history)},
	[OPT_COMPARE] = {PLACE_WORDS, offsetof(struct args, compare)},
	[OPT_BY] = {PLACE_TEXT, offsetof(struct args, by)},
	[OPT_WHERE] = {PLACE_WORDS, offsetof(struct args, wheres)},
	[OPT_PORT] = {PLACE_TEXT, offsetof(struct args, port)},
	[OPT_LISTEN] = {PLACE_TEXT, offsetof(struct args, listen)},
	[OPT_INSECURE] = {PLACE_FLAG, offsetof(struct args, insecure)},
	[OPT_NO_BROWSER] = {PLACE_FLAG, offsetof(struct args, no_browser)},
	[OPT_WINDOW] = {PLACE_TEXT, offsetof(struct args, window)},
	[OPT_METRICS] = {PLACE_FLAG, offsetof(struct args, metrics)},
	[OPT_SPEED] = {PLACE_TEXT, offsetof(struct args, speed)},
	[OPT_DST_REPAIR] = {PLACE_FLAG, offsetof(struct args, dst_repair)},
	[OPT_CAP] = {PLACE_FLAG, offsetof(struct args, calc.cap_100)},
	[OPT_SCALE] = {PLACE_FLAG, offsetof(struct args, calc.default_scale)},
	[OPT_TIMES_1000] = {PLACE_FLAG, offsetof(struct args, calc.times_1000)},
	[OPT_Q] = {PLACE_FLAG, offsetof(struct args, q)},
	[OPT_QX] = {PLACE_FLAG, offsetof(struct args, qx)},
	[OPT_LONG] = {PLACE_FLAG, offsetof(struct args, long_list)},
	[OPT_EXPLAIN] = {PLACE_FLAG, offsetof(struct args, explain)},
	[OPT_HELP] = {PLACE_FLAG, offsetof(struct args, help)},
};

// "500KB", "100MB", "1.5GB": a unit of 1024 bytes, or its powers.
static bool
parse_size(const char *text, uint64_t *out)
{
	static const char units[] = "KMGT";
	size_t digits = strspn(text, "0123456789.");
	const char *unit = text[digits] != '\0' ? strchr(units, text[digits] & ~0x20) : NULL;
	const char *rest = text + digits + 1;
	double number;

	*out = 0;
	if (unit == NULL || !pmon_num_parse_double((struct pmon_span){text, digits}, &number) ||
	    (*rest != '\0' && strcmp(rest, "B") != 0 && strcmp(rest, "iB") != 0))
		return false;
	for (const char *u = units; u <= unit; u++)
		number *= 1024;
	if (!(number >= 1 && number < 1e18))
		return false;
	*out = (uint64_t)number;
	return true;
}

int
args_size(const char *option, const char *text, uint64_t *out)
{
	if (text == NULL || parse_size(text, out))
		return EXIT_DONE;
	return say(EXIT_USAGE, "%s takes a size as 500KB, 100MB or 2G, not \"%s\"", option, text);
}

static int
set_option(struct args *args, enum opt opt, const char *value)
{
	char *place = (char *)args + places[opt].offset;
	bool yes = true;

	switch (places[opt].kind) {
	case PLACE_CHOICE:
		return set_choice(args, opt, value);
	case PLACE_WORDS:
		return words_take((struct words *)(void *)place, value);
	case PLACE_TEXT:
		memcpy(place, &value, sizeof(const char *));
		break;
	case PLACE_FLAG:
		memcpy(place, &yes, sizeof(yes));
		break;
	case PLACE_SIZE:
		return args_size("--max-unpacked", value, (uint64_t *)(void *)place);
	}
	return EXIT_DONE;
}

// Is the word an operand though it begins with '-'? "-" is standard input, "-5:0" a raw value.
static bool
looks_like_operand(const struct verb *verb, const char *word)
{
	if (word[0] != '-' || word[1] == '\0')
		return true;
	return (verb->options & OPT_BIT(OPT_TYPE)) && word[1] >= '0' && word[1] <= '9';
}

// One word and, where the option takes it, the next. Returns an exit status; *i moves on.
static int
take_word(struct args *args, int n, char *const *words, int *i)
{
	const char *word = words[*i];
	const char *equals = strncmp(word, "--", 2) == 0 ? strchr(word, '=') : NULL;
	size_t len = equals != NULL ? (size_t)(equals - word) : strlen(word);
	const struct option_def *def;
	bool other;

	if (looks_like_operand(args->verb, word))
		return names_take(&args->operands, &args->texts, word);
	def = find_option(args->verb, word, len, &other);
	if (def == NULL)
		return unknown_option(args->verb, word, other);
	if (def->arg == NULL)
		return equals == NULL ? set_option(args, def->opt, NULL)
				      : say(EXIT_USAGE, "%s: %.*s takes no value", args->verb->name,
					    (int)len, word);
	if (equals != NULL)
		return set_option(args, def->opt, equals + 1);
	if (*i + 1 >= n)
		return say(EXIT_USAGE, "%s: %s needs %s", args->verb->name, word, def->arg);
	(*i)++;
	return set_option(args, def->opt, words[*i]);
}

int
args_parse(struct args *args, const struct verb *verb, int n, char *const *words)
{
	int status = EXIT_DONE;
	bool operands_only = false;

	*args = (struct args){.verb = verb};
	for (int i = 0; i < n && status == EXIT_DONE; i++) {
		if (operands_only)
			status = words_take(&args->operands, words[i]);
		else if (strcmp(words[i], "--") == 0)
			operands_only = true;
		else
			status = take_word(args, n, words, &i);
	}
	return status;
}
