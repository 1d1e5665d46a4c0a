// main.c - the table of verbs, and the way to them
// SPDX-License-Identifier: MIT

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/process/memory.h"
#include "cli/process/sandbox.h"
#include "cli/process/signals.h"
#include "os/limit.h"
#include "os/term.h"

#define VERSION PMON_VERSION_TEXT

#define OPTS_LOG (OPTS_SELECT | OPTS_TABLE | OPTS_SAFE)

static const struct verb verbs[] = {
	{"info", "FILE...", "what a log is: writer, machine, times, counters, gaps, damage",
	 "Examples:\n"
	 "  pmon info server.blg\n"
	 "  pmon info --format json *.blg\n",
	 OPTS_TABLE | OPTS_SAFE | OPT_BIT(OPT_TZ) | OPT_BIT(OPT_NO_CACHE), cmd_info, NULL,
	 LIVE_NONE},
	{"list", "[FILE...]", "the counters in a log, or of this machine",
	 "Examples:\n"
	 "  pmon list server.blg\n"
	 "  pmon list -q server.blg                    objects and counters, no instances\n"
	 "  pmon list -l -c '\\PhysicalDisk(*)\\*' server.blg\n",
	 OPTS_LOG | OPTS_HOST | OPT_BIT(OPT_Q) | OPT_BIT(OPT_QX) | OPT_BIT(OPT_LONG), cmd_list,
	 NULL, LIVE_ONE},
	{"stats", "[FILE...]", "last, average, minimum and maximum of each counter",
	 "The average is the counter type's own, from raw end points. Text logs hold displayed\n"
	 "values: ~ marks a mean of these that is not the type's average, ? one of a counter\n"
	 "whose type is not known. \"-\" is a value that cannot be computed, Invalid counts the\n"
	 "raw values that gave none though they were not the first; pmon explain says why. A\n"
	 "terminal below 120 columns gets no times of the extremes, one below 100 no counts.\n\n"
	 "Examples:\n"
	 "  pmon stats server.blg\n"
	 "  pmon stats -c '\\PhysicalDisk(*)\\Avg. Disk sec/*' --from 10:30 server.blg\n"
	 "  pmon stats --format json monday.blg tuesday.blg\n"
	 "  pmon stats --by machine --where 'average>50' @logs.txt\n"
	 "  pmon stats -c '\\Processor(*)\\*' -n 60              this machine, for a minute\n",
	 OPTS_LOG | OPTS_LIVE | OPTS_WINDOW | OPTS_CALC | OPT_BIT(OPT_BY) | OPT_BIT(OPT_IDENTITY) |
		 OPT_BIT(OPT_WHERE),
	 cmd_stats, NULL, LIVE_SOME},
	{"values", "[FILE...]", "the displayed values over time",
	 "CSV is the form that relog and perfmon write (PDH-CSV 4.0), JSON is one object a "
	 "line.\n\n"
	 "Examples:\n"
	 "  pmon values -c '\\Processor(_Total)\\% Processor Time' server.blg\n"
	 "  pmon values --format csv server.blg > server.csv\n",
	 OPTS_LOG | OPTS_LIVE | OPTS_WINDOW | OPTS_CALC | OPT_BIT(OPT_IDENTITY) | OPT_BIT(OPT_BY),
	 cmd_values, NULL, LIVE_ENDLESS},
	{"raw", "[FILE...]", "the raw values over time",
	 "Examples:\n"
	 "  pmon raw --format json server.blg | head\n"
	 "  pmon raw -c '\\System\\System Up Time' server.blg\n",
	 OPTS_LOG | OPTS_LIVE | OPTS_WINDOW, cmd_raw, NULL, LIVE_ENDLESS},
	{"explain", "[FILE...] -c PATH | -t TYPE FIRST:SECOND[:MULTI]...",
	 "why a value and an average are what they are",
	 "Examples:\n"
	 "  pmon explain server.blg -c '\\PhysicalDisk(_Total)\\Avg. Disk sec/Read'\n"
	 "  pmon explain server.blg -c '\\Memory\\Pages/sec' --at 10:32:15\n"
	 "  pmon explain -t PERF_AVERAGE_TIMER -F 14318180 0:0 2147727:1 2147727:1\n",
	 OPTS_SELECT | OPTS_OUTPUT | OPTS_SAFE | OPTS_LIVE | OPTS_WINDOW | OPTS_CALC |
		 OPT_BIT(OPT_IDENTITY) | OPT_BIT(OPT_AT) | OPT_BIT(OPT_TYPE) |
		 OPT_BIT(OPT_TIME_BASE) | OPT_BIT(OPT_SIZE),
	 cmd_explain, NULL, LIVE_SOME},
	{"chart", "[FILE...]", "draw counters over time: SVG, PNG, PDF, or in the terminal",
	 "Each unit has a panel of its own, and below them stand last, average, minimum and "
	 "maximum\n"
	 "of each counter, as in pmon stats. Every extreme is seen, however many samples there "
	 "are.\n"
	 "Without -c a first choice of processors, memory, disks and network is drawn.\n\n"
	 "Examples:\n"
	 "  pmon chart server.blg\n"
	 "  pmon chart -c '\\PhysicalDisk(*)\\Avg. Disk sec/*' --threshold 20ms -o disks.svg "
	 "server.blg\n"
	 "  pmon chart -c '\\Process(*)\\% Processor Time' --kind heatmap -o processes.png "
	 "server.blg\n"
	 "  pmon chart --duration 1m                   this machine, for a minute\n",
	 OPTS_SELECT | OPTS_SAFE | OPTS_LIVE | OPTS_WINDOW | OPTS_PICTURE | OPT_BIT(OPT_IDENTITY) |
		 OPT_BIT(OPT_POLICY) | OPT_BIT(OPT_CAP) | OPT_BIT(OPT_COLOR),
	 cmd_chart, NULL, LIVE_MINUTE},
	{"report", "[FILE...]", "a page on logs: facts, thresholds crossed, charts, tables",
	 "One HTML file that needs nothing else, to read, to print and to send: what the log is, "
	 "which\n"
	 "thresholds were crossed and for how long, charts and values of each object, gaps and "
	 "damage.\n\n"
	 "Examples:\n"
	 "  pmon report server.blg                     writes server.html\n"
	 "  pmon report --from 10:30 --rules ours.rules -o morning.html server.blg\n"
	 "  pmon report --duration 5m -o now.html      this machine, for five minutes\n",
	 OPTS_SELECT | OPTS_SAFE | OPTS_LIVE | OPTS_WINDOW | OPT_BIT(OPT_IDENTITY) |
		 OPT_BIT(OPT_REPORT) | OPT_BIT(OPT_RULES) | OPT_BIT(OPT_TITLE) | OPTS_FILE |
		 OPT_BIT(OPT_POLICY) | OPT_BIT(OPT_CAP) | OPT_BIT(OPT_COLOR),
	 cmd_report, NULL, LIVE_MINUTE},
	{"top", "[FILE...]", "counters on a full screen, live or over a log",
	 "Without a pattern this machine shows what tells most of it, and its busiest processes.\n"
	 "h shows the keys. Of a log everything is shown, and Left and Right go through its "
	 "time.\n\n"
	 "Examples:\n"
	 "  pmon top\n"
	 "  pmon top -i 5s -c '\\PhysicalDisk(*)\\*'\n"
	 "  pmon top --from 10:30 server.blg\n",
	 OPTS_SELECT | OPTS_SAFE | OPTS_LIVE | OPTS_WINDOW | OPTS_CALC | OPT_BIT(OPT_IDENTITY) |
		 OPT_BIT(OPT_COLOR),
	 cmd_top, NULL, LIVE_PACED},
	{"view", "[FILE...]", "logs, or this machine, on a page in the browser",
	 "A server on this machine alone, for as long as it runs; docs/reference/api.md has what "
	 "it "
	 "answers.\n\n"
	 "Examples:\n"
	 "  pmon view server.blg\n"
	 "  pmon view monday.blg --compare tuesday.blg\n"
	 "  pmon view -i 500ms --history 8h\n",
	 OPTS_SELECT | OPTS_SAFE | OPTS_CALC | OPTS_HOST | OPT_BIT(OPT_IDENTITY) |
		 OPT_BIT(OPT_INTERVAL) | OPT_BIT(OPT_HISTORY) | OPT_BIT(OPT_COMPARE) |
		 OPT_BIT(OPT_PORT) | OPT_BIT(OPT_LISTEN) | OPT_BIT(OPT_INSECURE) |
		 OPT_BIT(OPT_NO_BROWSER),
	 cmd_view, NULL, LIVE_ENDLESS},
	{"serve", "--metrics [FILE...]", "the newest counters over HTTP, for Prometheus to scrape",
	 "This machine, sampled when it is scraped, or logs played back as they were recorded. On "
	 "this\n"
	 "machine alone unless --listen says otherwise. In Prometheus' configuration the job "
	 "needs\n"
	 "honor_labels: true; docs/prometheus.md has an example, pmon rules the way to values.\n\n"
	 "Examples:\n"
	 "  pmon serve --metrics --port 9182\n"
	 "  pmon serve --metrics -c '\\Processor(*)\\*' -i 5s --listen 127.0.0.1:9182\n"
	 "  pmon serve --metrics --speed 60 monday.blg tuesday.blg\n",
	 OPTS_SELECT | OPTS_SAFE | OPTS_WINDOW | OPTS_HOST | OPT_BIT(OPT_IDENTITY) |
		 OPT_BIT(OPT_INTERVAL) | OPT_BIT(OPT_METRICS) | OPT_BIT(OPT_SPEED) |
		 OPT_BIT(OPT_PORT) | OPT_BIT(OPT_LISTEN) | OPT_BIT(OPT_INSECURE),
	 cmd_serve, NULL, LIVE_ENDLESS},
	{"rules", "[FILE...]", "recording rules for Prometheus that give the values of counters",
	 "For what pmon push and pmon serve give to Prometheus and VictoriaMetrics: the displayed "
	 "value\n"
	 "and the average of each counter by its type, of each instance, of the instances of each\n"
	 "machine, and of all machines. docs/prometheus.md tells how exact they are.\n\n"
	 "Examples:\n"
	 "  pmon rules server.blg > rules.yml\n"
	 "  pmon rules -c '\\PhysicalDisk(*)\\*' --window 1h *.blg\n",
	 OPTS_SELECT | OPTS_SAFE | OPTS_HOST | OPT_BIT(OPT_WINDOW), cmd_rules, NULL, LIVE_ONE},
	{"calc", "-t TYPE [-F TICKS] FIRST:SECOND[:MULTI]...",
	 "values and average of raw values given by hand",
	 "FIRST is the counter's raw value, SECOND the clock or base that goes with it, MULTI the\n"
	 "number of units of the MULTI types; decimal or 0x hexadecimal, oldest sample first.\n\n"
	 "Examples:\n"
	 "  pmon calc -t PERF_AVERAGE_TIMER -F 14318180 0:0 2147727:1 2147727:1\n"
	 "  pmon calc -t 0x10410400 -F 1 0xFFFFFF80:0 0xC0:1 --explain\n",
	 OPTS_OUTPUT | OPTS_CALC | OPT_BIT(OPT_TYPE) | OPT_BIT(OPT_TIME_BASE) | OPT_BIT(OPT_SIZE) |
		 OPT_BIT(OPT_EXPLAIN),
	 cmd_calc, NULL, LIVE_NONE},
	{"types", "[NAME or WORD]...", "the counter types: word, formula, average, unit, source",
	 "Examples:\n"
	 "  pmon types\n"
	 "  pmon types PERF_100NSEC_TIMER_INV\n"
	 "  pmon types 0x10410400 272696576\n",
	 OPTS_OUTPUT, cmd_types, NULL, LIVE_NONE},
	{"record", "", "this machine into files: BLG, CSV, TSV, SQLite or JSON lines",
	 "All objects are recorded but Process and Thread, whose instances are most of what a "
	 "machine has;\n"
	 "-c default stands for these in a list of patterns. SIGINT and SIGTERM finish the file, "
	 "SIGHUP\n"
	 "begins the next one. Each sample is in the file before the next is taken. For a process "
	 "that\n"
	 "does not run yet it waits.\n\n"
	 "Examples:\n"
	 "  pmon record                                one file here, until Ctrl-C\n"
	 "  pmon record -c default -c '\\Process(*)\\*' -i 15s -o server.blg\n"
	 "  pmon record -o /var/log/pmon/server.blg --rotate 1d --keep 7\n"
	 "  pmon record -o server.blg --circular --max-size 1GB\n",
	 OPTS_SELECT | OPTS_LIVE | OPTS_RECORD, cmd_record, NULL, LIVE_ENDLESS},
	{"push", "--to URL [FILE...]",
	 "logs, or this machine, into an engine that keeps many of them",
	 "Each file goes by itself. The same file pushed twice counts once, and a push that was "
	 "cut "
	 "off\n"
	 "goes on where it stopped. docs/push.md has what is made there, and queries that give "
	 "perfmon's\n"
	 "numbers.\n\n"
	 "Examples:\n"
	 "  pmon push --to clickhouse+http://db:8123/perf server.blg\n"
	 "  pmon push --to clickhouse+http://a:8123,b:8123/perf --cluster both *.blg\n"
	 "  pmon push --to clickhouse+https://db:8443/perf -i 15s          this machine, until "
	 "Ctrl-C\n",
	 OPTS_SELECT | OPTS_SAFE | OPTS_LIVE | OPT_BIT(OPT_IDENTITY) | OPT_BIT(OPT_FROM) |
		 OPT_BIT(OPT_TZ) | OPT_BIT(OPT_SEND) | OPT_BIT(OPT_INSECURE),
	 cmd_push, NULL, LIVE_ENDLESS},
	{"relog", "FILE... [options]", "logs into logs, by the command lines of Windows' relog",
	 "Options, as Windows' relog has them (-f or /f, in any case):\n"
	 "  -c PATH...          counters to keep; wildcards in any part\n"
	 "  -cf FILE            counters to keep, one a line\n"
	 "  -f FORMAT           BIN (default), CSV, TSV, SQL (an SQLite database); JSONL, "
	 "OPENMETRICS\n"
	 "  -t N                every N-th sample\n"
	 "  -o FILE             output; a directory gets one file for each input, - is standard "
	 "output\n"
	 "  -b TIME, -e TIME    begin and end: 11/26/2016 1:46:40 PM, or as --from takes them\n"
	 "  -a                  add to the output that exists; times are on its clock\n"
	 "  -config FILE        settings: [o], [f], [c] ... with their values, or -f csv ...; [i] "
	 "is "
	 "input\n"
	 "  -q                  list the counters and the times; with -o the list into that file\n"
	 "  -y                  yes to all questions: overwrite, append another machine\n"
	 "  -?                  this help\n\n"
	 "And beside them:\n"
	 "  --step LENGTH       one sample every 5m, 1h ..., averaged exactly by counter type\n"
	 "  --from, --to TIME   as in pmon stats\n"
	 "  --tz ZONE           times in text on this clock: log (default), utc, local, +01:00\n"
	 "  --merge             one output even when -o is a directory\n"
	 "  --digits N          significant digits in text; 17, and 20 as Windows since 2024\n"
	 "  --policy POLICY     default, strict or clamp, for displayed values\n"
	 "  --dry-run           say what would be written\n"
	 "  --sync              wait until the output is on the disk\n"
	 "  --encoding, --known-types, --dst-repair, --names, --max-unpacked, --no-sandbox   as in "
	 "pmon stats\n\n"
	 "Examples:\n"
	 "  pmon relog server.blg -f csv -o server.csv\n"
	 "  pmon relog mon.blg tue.blg -c '\\PhysicalDisk(*)\\*' -o disks.blg -y\n"
	 "  pmon relog server.blg --step 5m -f csv -o - | head\n",
	 0, NULL, cmd_relog, LIVE_NONE},
	{"typeperf", "COUNTER... [options]",
	 "this machine, by the command lines of Windows' typeperf",
	 "Options, as Windows' typeperf has them (-f or /f, in any case):\n"
	 "  -f FORMAT           CSV (default), TSV, BIN, SQL (an SQLite database); JSONL ...\n"
	 "  -cf FILE            counters, one a line\n"
	 "  -si [[hh:]mm:]ss    time between samples; a second by default\n"
	 "  -o FILE             a log in place of rows on standard output\n"
	 "  -q [OBJECT]         list the counters, without instances; with -o into that file\n"
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
	 0, NULL, cmd_typeperf, LIVE_ENDLESS},
	{"help", "[VERB]", "help on pmon or on a verb", "", 0, cmd_help, NULL, LIVE_NONE},
};

const struct verb *
verb_at(size_t i)
{
	return i < sizeof(verbs) / sizeof(verbs[0]) ? &verbs[i] : NULL;
}

const struct verb *
verb_find(const char *name)
{
	for (size_t i = 0; verb_at(i) != NULL; i++)
		if (strcmp(verbs[i].name, name) == 0)
			return &verbs[i];
	return NULL;
}

int
say(int status, const char *fmt, ...)
{
	char line[1024];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(line, sizeof(line), fmt, args);
	va_end(args);
	progress_erase();
	fputs("pmon: ", stderr);
	out_clean(stderr, (struct pmon_span){line, strlen(line)});
	putc('\n', stderr);
	return status;
}

const char *
file_name(const char *operand)
{
	return strcmp(operand, "-") == 0 ? "standard input" : operand;
}

int
say_err(const char *file, const struct pmon_err *err)
{
	file = file_name(file);
	if (err->offset != 0)
		return say(EXIT_FAILED, "%s: byte %llu: %s", file, (unsigned long long)err->offset,
			   err->msg);
	return say(EXIT_FAILED, "%s: %s", file, err->msg);
}

int
say_write_err(const char *path, const struct pmon_err *err)
{
	if (strcmp(path, "-") == 0 && err->sys == EPIPE)
		return EXIT_FAILED;
	if (strcmp(path, "-") == 0 && err->sys != 0)
		return say(EXIT_FAILED, "cannot write the output: %s", strerror(err->sys));
	if (err->status == PMON_E_EXISTS)
		return say(EXIT_FAILED, "%s exists already; -y writes over it", path);
	return say(EXIT_FAILED, "%s: %s", path, err->msg);
}

#define HELP_COLUMN 34 // where the words on an option begin
#define HELP_WIDTH  96

// Words from column HELP_COLUMN on, broken between words at HELP_WIDTH.
static void
print_wrapped(const char *text)
{
	size_t room = HELP_WIDTH - HELP_COLUMN;

	while (strlen(text) > room) {
		size_t cut = room;

		while (cut > 0 && text[cut] != ' ')
			cut--;
		if (cut == 0)
			break;
		printf("%.*s\n%*s", (int)cut, text, HELP_COLUMN, "");
		text += cut + 1;
	}
	printf("%s\n", text);
}

static void
print_option(const struct option_def *def)
{
	char left[64];

	(void)snprintf(left, sizeof(left), "%s%s%s%s%s", def->names[0],
		       def->names[1] != NULL ? ", " : "",
		       def->names[1] != NULL ? def->names[1] : "", def->arg != NULL ? " " : "",
		       def->arg != NULL ? def->arg : "");
	printf("  %-30s  ", left);
	print_wrapped(def->help);
}

int
verb_help(const struct verb *verb)
{
	printf("usage: pmon %s%s%s%s\n\n%c%s.\n\n", verb->name,
	       verb->options != 0 ? " [options]" : "", verb->operands[0] != '\0' ? " " : "",
	       verb->operands,
	       verb->summary[0] >= 'a' ? verb->summary[0] - 'a' + 'A' : verb->summary[0],
	       verb->summary + 1);
	if (verb->options != 0)
		printf("Options:\n");
	for (size_t i = 0; option_at(i) != NULL; i++)
		if (verb->options & OPT_BIT(option_at(i)->opt))
			print_option(option_at(i));
	if (verb->details[0] != '\0')
		printf("%s%s", verb->options != 0 ? "\n" : "", verb->details);
	return EXIT_DONE;
}

static int
program_help(void)
{
	printf("usage: pmon VERB [options] [FILE...]\n"
	       "       pmon FILE...                what the log is, then its statistics\n\n"
	       "pmon opens Windows performance logs (BLG, CSV ...) on any system, samples the "
	       "same\n"
	       "counters on Linux, computes each by its type, and tells why a number is what it\n"
	       "is. Without a file, list, stats, values, raw, explain, chart, report, top,\n"
	       "view, push, serve and rules take this machine.\n\nVerbs:\n");
	for (size_t i = 0; verb_at(i) != NULL; i++)
		printf("  %-10s %s\n", verbs[i].name, verbs[i].summary);
	printf("\nExamples:\n"
	       "  pmon server.blg\n"
	       "  pmon stats -c '\\PhysicalDisk(*)\\Avg. Disk sec/Read' server.blg\n"
	       "  pmon view server.blg\n"
	       "  pmon top\n"
	       "  pmon values --format csv server.blg > server.csv\n"
	       "  pmon explain server.blg -c '\\Processor(_Total)\\%% Processor Time'\n\n"
	       "pmon VERB --help tells more of a verb. Exit status: 0 done, 1 failed, 2 usage,\n"
	       "3 done, but the input was damaged.\n");
	return EXIT_DONE;
}

static const struct verb *
nearest_verb(const char *word)
{
	const struct verb *best = NULL;
	size_t best_distance = 3;

	for (size_t i = 0; verb_at(i) != NULL; i++) {
		size_t distance =
			suggest_distance((struct pmon_span){verbs[i].name, strlen(verbs[i].name)},
					 (struct pmon_span){word, strlen(word)});

		if (distance < best_distance) {
			best = &verbs[i];
			best_distance = distance;
		}
	}
	return best;
}

// what: " and no file of that name" where a file could have stood, else "".
static int
unknown_verb(const char *word, const char *what)
{
	const struct verb *near = nearest_verb(word);

	if (near != NULL)
		return say(EXIT_USAGE, "there is no verb \"%s\"%s; did you mean %s?", word, what,
			   near->name);
	return say(EXIT_USAGE, "there is no verb \"%s\"%s; see pmon --help", word, what);
}

int
cmd_help(const struct args *args)
{
	const struct verb *verb;

	if (args->operands.n == 0)
		return program_help();
	verb = verb_find(args->operands.list[0]);
	return verb != NULL ? verb_help(verb) : unknown_verb(args->operands.list[0], "");
}

static bool
wants_colors(const struct args *args)
{
	const char *no_color = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	if (args->color != COLOR_AUTO)
		return args->color == COLOR_ALWAYS;
	return pmon_term_is_tty(true) && (no_color == NULL || no_color[0] == '\0') &&
	       (term == NULL || strcmp(term, "dumb") != 0);
}

// These have a network, which the sandbox forbids. Another process parses logs for them (logs_apart.c).
static bool
has_network(const struct verb *verb, const struct args *args)
{
	return verb->run == cmd_view || verb->run == cmd_serve ||
	       (verb->run == cmd_push && !args->push.dry_run);
}

// Logs come from anywhere. Of this machine everything is to be read, and nothing comes from others.
static void
enter_sandbox(const struct verb *verb, const struct args *args)
{
	const char *output = args->output;
	bool cache = (verb->options & OPT_BIT(OPT_NO_CACHE)) != 0 && !args->no_cache;

	// Of standard input nothing is kept, so that the folder need not be made.
	if (args->operands.n == 1 && strcmp(args->operands.list[0], "-") == 0)
		cache = false;
	if (!(verb->options & OPT_BIT(OPT_NO_SANDBOX)) || args->no_sandbox ||
	    args->operands.n == 0 || has_network(verb, args))
		return;
	if (output == NULL && (verb->options & OPT_BIT(OPT_REPORT)))
		output = "."; // a page without a name is written here
	sandbox_enter(args, output, cache);
}

static int
run(const struct verb *verb, int n, char *const *words)
{
	struct args args;
	int status;

	if (verb->run_words != NULL)
		return verb->run_words(verb, n, words);
	status = args_parse(&args, verb, n, words);
	if (status == EXIT_DONE && args.help)
		status = verb_help(verb);
	else if (status == EXIT_DONE) {
		out_use_colors(wants_colors(&args));
		out_use_raw_names(args.raw_names);
		enter_sandbox(verb, &args);
		status = verb->run(&args);
	}
	args_free(&args);
	return status;
}

// The first word that is an option other than --tz and --color, with which two verbs can be run.
static const char *
option_of_a_verb(int n, char *const *words)
{
	for (int i = 0; i < n && strcmp(words[i], "--") != 0; i++) {
		if (strcmp(words[i], "--tz") == 0 || strcmp(words[i], "--color") == 0)
			i++;
		else if (words[i][0] == '-' && words[i][1] != '\0' &&
			 strncmp(words[i], "--tz=", 5) != 0 &&
			 strncmp(words[i], "--color=", 8) != 0)
			return words[i];
	}
	return NULL;
}

// `pmon FILE...`: what it is, then what is in it. Of standard input the latter alone.
static int
run_newcomer(int n, char *const *words)
{
	const char *option = option_of_a_verb(n, words);
	int status;

	if (option != NULL && (strcmp(option, "--help") == 0 || strcmp(option, "-h") == 0))
		return program_help();
	if (option != NULL)
		return say(EXIT_USAGE, "%s: name a verb before the file, as in pmon stats %s %s",
			   option, words[0], option);
	for (int i = 0; i < n; i++)
		if (strcmp(words[i], "-") == 0) // can be read only once
			return run(verb_find("stats"), n, words);
	status = run(verb_find("info"), n, words);

	if (status != EXIT_DONE && status != EXIT_DAMAGED)
		return status;
	putchar('\n');
	fflush(stdout);
	logs_mute_notices();
	return run(verb_find("stats"), n, words);
}

static bool
is_file(const char *word)
{
	FILE *file;

	if (strcmp(word, "-") == 0)
		return true;
	file = fopen(word, "rb");
	if (file != NULL)
		fclose(file);
	return file != NULL || strpbrk(word, "./\\") != NULL;
}

static int
dispatch(int argc, char **argv)
{
	const char *slash = strrchr(argv[0], '/');
	const struct verb *verb = verb_find(slash != NULL ? slash + 1 : argv[0]);

	// Under the name of a verb of its own, as by a link: relog.
	if (verb != NULL && verb->run_words != NULL)
		return run(verb, argc - 1, argv + 1);
	if (argc < 2) {
		(void)program_help();
		return EXIT_USAGE;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
		return program_help();
	if (strcmp(argv[1], "--version") == 0) {
		printf("pmon " VERSION "\n");
		return EXIT_DONE;
	}
	verb = verb_find(argv[1]);
	if (verb != NULL)
		return run(verb, argc - 2, argv + 2);
	if (is_file(argv[1]))
		return run_newcomer(argc - 1, argv + 1);
	if (argv[1][0] == '-')
		return say(EXIT_USAGE,
			   "%s: options come behind a verb, as in pmon stats %s; see pmon --help",
			   argv[1], argv[1]);
	return unknown_verb(argv[1], " and no file of that name");
}

int
out_check_stdout(int status)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	// A reader that went away (head, less) is not worth words.
	if (errno == EPIPE)
		return EXIT_FAILED;
	return say(EXIT_FAILED, "cannot write the output: %s", strerror(errno));
}

// A file that was opened as descriptor 1 would get what is printed. What is written to a descriptor that was
// closed fails as it would have.
static void
reserve_descriptors(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			(void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

// Some file systems report only here that the disk is full.
static int
close_stdout(int status)
{
	if (fclose(stdout) == 0 || status == EXIT_FAILED)
		return status;
	return say(EXIT_FAILED, "cannot write the output: %s", strerror(errno));
}

int
main(int argc, char **argv)
{
	reserve_descriptors();
	signals_begin();
	memory_begin();
	pmon_os_raise_open_files(); // that a sample need not open the files of each process again
	return close_stdout(out_check_stdout(memory_check(dispatch(argc, argv))));
}
