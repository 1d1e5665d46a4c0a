// verbs.c - the table of verbs
// SPDX-License-Identifier: MIT

#include "cli/verbs/verbs.h"

#include <string.h>

#include "cli/args/args.h"

#define OPTS_LOG (OPTS_SELECT | OPTS_TABLE | OPTS_SAFE)

static const struct verb verbs[] = {
	{"info", "FILE...", "what a log is: writer, machine, times, counters, gaps, damage",
	 "Examples:\n"
	 "  pmon info server.blg\n"
	 "  pmon info --format json *.blg\n",
	 OPTS_TABLE | OPTS_SAFE | OPT_BIT(OPT_TZ) | OPT_BIT(OPT_NO_CACHE), cmd_info, NULL,
	 LIVE_NONE, 0},
	{"list", "[FILE...]", "the counters in a log, or of this machine",
	 "Examples:\n"
	 "  pmon list server.blg\n"
	 "  pmon list -q server.blg                    objects and counters, no instances\n"
	 "  pmon list -l -c '\\PhysicalDisk(*)\\*' server.blg\n",
	 OPTS_LOG | OPTS_HOST | OPT_BIT(OPT_Q) | OPT_BIT(OPT_QX) | OPT_BIT(OPT_LONG), cmd_list,
	 NULL, LIVE_ONE, 0},
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
	 cmd_stats, NULL, LIVE_SOME, VERB_TEXTS},
	{"values", "[FILE...]", "the displayed values over time",
	 "CSV is the form that relog and perfmon write (PDH-CSV 4.0), JSON is one object a "
	 "line.\n\n"
	 "Examples:\n"
	 "  pmon values -c '\\Processor(_Total)\\% Processor Time' server.blg\n"
	 "  pmon values --format csv server.blg > server.csv\n",
	 OPTS_LOG | OPTS_LIVE | OPTS_WINDOW | OPTS_CALC | OPT_BIT(OPT_IDENTITY) | OPT_BIT(OPT_BY),
	 cmd_values, NULL, LIVE_ENDLESS, VERB_STREAMS | VERB_COLUMNS | VERB_TEXTS},
	{"raw", "[FILE...]", "the raw values over time",
	 "Examples:\n"
	 "  pmon raw --format json server.blg | head\n"
	 "  pmon raw -c '\\System\\System Up Time' server.blg\n",
	 OPTS_LOG | OPTS_LIVE | OPTS_WINDOW, cmd_raw, NULL, LIVE_ENDLESS,
	 VERB_STREAMS | VERB_RAW | VERB_TEXTS},
	{"explain", "[FILE...] -c PATH | -t TYPE FIRST:SECOND[:MULTI]...",
	 "why a value and an average are what they are",
	 "Examples:\n"
	 "  pmon explain server.blg -c '\\PhysicalDisk(_Total)\\Avg. Disk sec/Read'\n"
	 "  pmon explain server.blg -c '\\Memory\\Pages/sec' --at 10:32:15\n"
	 "  pmon explain -t PERF_AVERAGE_TIMER -F 14318180 0:0 2147727:1 2147727:1\n",
	 OPTS_SELECT | OPTS_OUTPUT | OPTS_SAFE | OPTS_LIVE | OPTS_WINDOW | OPTS_CALC |
		 OPT_BIT(OPT_IDENTITY) | OPT_BIT(OPT_AT) | OPT_BIT(OPT_TYPE) |
		 OPT_BIT(OPT_TIME_BASE) | OPT_BIT(OPT_SIZE),
	 cmd_explain, NULL, LIVE_SOME, VERB_TEXTS},
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
	 cmd_chart, NULL, LIVE_MINUTE, 0},
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
	 cmd_report, NULL, LIVE_MINUTE, 0},
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
	 cmd_top, NULL, LIVE_PACED, 0},
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
	 cmd_view, NULL, LIVE_ENDLESS, VERB_NETWORK},
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
	 cmd_serve, NULL, LIVE_ENDLESS, VERB_NETWORK},
	{"rules", "[FILE...]", "recording rules for Prometheus that give the values of counters",
	 "For what pmon push and pmon serve give to Prometheus and VictoriaMetrics: the displayed "
	 "value\n"
	 "and the average of each counter by its type, of each instance, of the instances of each\n"
	 "machine, and of all machines. docs/prometheus.md tells how exact they are.\n\n"
	 "Examples:\n"
	 "  pmon rules server.blg > rules.yml\n"
	 "  pmon rules -c '\\PhysicalDisk(*)\\*' --window 1h *.blg\n",
	 OPTS_SELECT | OPTS_SAFE | OPTS_HOST | OPT_BIT(OPT_WINDOW), cmd_rules, NULL, LIVE_ONE, 0},
	{"calc", "-t TYPE [-F TICKS] FIRST:SECOND[:MULTI]...",
	 "values and average of raw values given by hand",
	 "FIRST is the counter's raw value, SECOND the clock or base that goes with it, MULTI the\n"
	 "number of units of the MULTI types; decimal or 0x hexadecimal, oldest sample first.\n\n"
	 "Examples:\n"
	 "  pmon calc -t PERF_AVERAGE_TIMER -F 14318180 0:0 2147727:1 2147727:1\n"
	 "  pmon calc -t 0x10410400 -F 1 0xFFFFFF80:0 0xC0:1 --explain\n",
	 OPTS_OUTPUT | OPTS_CALC | OPT_BIT(OPT_TYPE) | OPT_BIT(OPT_TIME_BASE) | OPT_BIT(OPT_SIZE) |
		 OPT_BIT(OPT_EXPLAIN),
	 cmd_calc, NULL, LIVE_NONE, 0},
	{"types", "[NAME or WORD]...", "the counter types: word, formula, average, unit, source",
	 "Examples:\n"
	 "  pmon types\n"
	 "  pmon types PERF_100NSEC_TIMER_INV\n"
	 "  pmon types 0x10410400 272696576\n",
	 OPTS_OUTPUT, cmd_types, NULL, LIVE_NONE, 0},
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
	 OPTS_SELECT | OPTS_LIVE | OPTS_RECORD, cmd_record, NULL, LIVE_ENDLESS, 0},
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
	 cmd_push, NULL, LIVE_ENDLESS, VERB_NETWORK | VERB_OWNERS | VERB_UNTIL},
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
	 0, NULL, cmd_relog, LIVE_NONE, 0},
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
	 0, NULL, cmd_typeperf, LIVE_ENDLESS, 0},
	{"help", "[VERB]", "help on pmon or on a verb", "", 0, cmd_help, NULL, LIVE_NONE, 0},
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
