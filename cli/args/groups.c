// groups.c - options that several verbs have
// SPDX-License-Identifier: MIT

#include "cli/args/groups.h"

#include <stddef.h>

#include "cli/args/args.h"

const struct option options_select[] = {
	OPTION_INTO(WORDS, patterns, ANY, "-c", "--counter", "PATTERN",
		    "only counters that match, such as '\\Processor(*)\\*'; may be repeated"),
	OPTION_INTO(WORDS, pattern_files, ANY, "-cf", "--counters-from", "FILE",
		    "read patterns from this file, one per line"),
	OPTION_END,
};

const struct option options_from[] = {
	OPTION_INTO(TEXT, from, LOGS, "--from", NULL, "TIME",
		    "begin here: 2026-11-21T10:30, 11/21/2026 10:30:00 AM, @10:30, -2h before the "
		    "end, +5m after the start"),
	OPTION_END,
};

const struct option options_tz[] = {
	OPTION_INTO(
		TEXT, tz, ANY, "--tz", NULL, "ZONE",
		"show and read times in this zone: log (default), utc, local, or an offset such "
		"as +01:00"),
	OPTION_END,
};

const struct option options_window[] = {
	GROUP(options_from),
	OPTION_INTO(TEXT, to, LOGS, "--to", NULL, "TIME", "end here, in the same forms"),
	GROUP(options_tz),
	OPTION_END,
};

const struct option options_format[] = {
	OPTION_INTO(CHOICE, format, ANY, "--format", NULL, "text|csv|json",
		    "output format; text by default"),
	OPTION_END,
};

const struct option options_digits[] = {
	OPTION_INTO(CHOICE, digits, ANY, "--digits", NULL, "short|full",
		    "numbers in text: four digits in a fitting unit, or all digits in the unit of "
		    "the counter"),
	OPTION_END,
};

const struct option options_policy[] = {
	OPTION_INTO(CHOICE, calc.policy, ANY, "--policy", NULL, "default|strict|clamp",
		    "how to treat counters that went back: strict never assumes a 32-bit wrap, "
		    "clamp shows 0"),
	OPTION_END,
};

const struct option options_cap[] = {
	OPTION_INTO(FLAG, calc.cap_100, ANY, "--cap", NULL, NULL,
		    "limit percentages to 100, as PDH does by default"),
	OPTION_END,
};

const struct option options_rules[] = {
	OPTION(WORDS, "--pack", NULL, "NAME",
	       "use this pack of built-in rules only, such as windows or sqlserver; may be "
	       "repeated; "
	       "pmon rules list shows them"),
	OPTION(FILE, "--rules", NULL, "FILE",
	       "rules to use instead of the built-in ones, or beside those of --pack; "
	       "docs/reference/rules.md describes their syntax"),
	OPTION_END,
};

const struct option options_show[] = {
	OPTION(TEXT, "--show", NULL, "'PATTERN top N'",
	       "who was busy during each episode: the N instances with the largest total"),
	OPTION_END,
};

const struct option options_limits[] = {
	GROUP(options_policy),
	GROUP(options_cap),
	OPTION_END,
};

const struct option options_calc[] = {
	GROUP(options_policy),
	GROUP(options_cap),
	OPTION_INTO(FLAG, calc.default_scale, ANY, "--scale", NULL, NULL,
		    "multiply by the counter's default scale"),
	OPTION_INTO(FLAG, calc.times_1000, ANY, "--times-1000", NULL, NULL, "multiply by 1000"),
	OPTION_END,
};

const struct option options_counter_type[] = {
	OPTION(TEXT, "-t", "--type", "TYPE",
	       "counter type, by name or number, such as PERF_AVERAGE_TIMER"),
	OPTION(TEXT, "-F", "--time-base", "TICKS", "ticks per second of the counter's clock"),
	OPTION(TEXT, "--size", NULL, "4|8", "bytes of the counter, if its type does not say"),
	OPTION_END,
};

const struct option options_machine[] = {
	OPTION_INTO(WORDS, machines, ANY, "--machine", NULL, "[OLD=]NAME",
		    "name the machine NAME; OLD is the name or the id of one of several, and may "
		    "be repeated"),
	OPTION_END,
};

const struct option options_read[] = {
	GROUP(options_machine),
	OPTION_INTO(TEXT, encoding, LOGS, "--encoding", NULL, "NAME",
		    "encoding of a text log, such as CP1252 or SHIFT_JIS; detected by default"),
	OPTION_INTO(FILE, known_types, LOGS, "--known-types", NULL, "FILE",
		    "types of counters in text logs: a CSV of object,counter,type word"),
	OPTION_INTO(
		FLAG, dst_repair, LOGS, "--dst-repair", NULL, NULL,
		"adjust the UTC offset of a text log where its clock changed for daylight saving"),
	OPTION_INTO(
		CHOICE, names, LOGS, "--names", NULL, "log|en",
		"names of counters of a log in another language: those of the log (default), or "
		"in English; JSON has both"),
	OPTION_INTO(
		FILE, names_table, LOGS, "--names-table", NULL, "FILE",
		"more names of counters: lines of an English path, a tab and its translation; or "
		"the registry value \"Counter 009\", for a log that has numbers"),
	OPTION_INTO(SIZE, max_unpacked, LOGS, "--max-unpacked", NULL, "SIZE",
		    "limit of what a compressed log unpacks to; 16 MB and 100 times its size by "
		    "default"),
	OPTION_END,
};

const struct option options_interval[] = {
	OPTION_INTO(TEXT, interval, MACHINE, "-i", "--interval", "LENGTH",
		    "live: time between samples, such as 500ms, 5s or 1m; 1s by default"),
	OPTION_END,
};

static const struct option options_root[] = {
	OPTION_INTO(TEXT, root, MACHINE, "--root", NULL, "DIR",
		    "live: where /proc and /sys are mounted, such as /host in a container"),
	OPTION_END,
};

static const struct option options_pid_names[] = {
	OPTION_INTO(FLAG, pid_names, MACHINE, "--pid-names", NULL, NULL,
		    "live: name processes name_pid instead of name#1"),
	OPTION_END,
};

const struct option options_host[] = {
	GROUP(options_root),
	OPTION_INTO(TEXT, replay, MACHINE, "--replay", NULL, "DIR",
		    "read recorded trees of /proc and /sys instead of this machine, one folder per "
		    "sample"),
	GROUP(options_pid_names),
	OPTION_END,
};

static const struct option options_end[] = {
	OPTION_INTO(TEXT, count, MACHINE, "-n", "--count", "N", "live: end after N samples"),
	OPTION_INTO(TEXT, duration, MACHINE, "--duration", NULL, "LENGTH",
		    "live: end after this time, such as 30s, 10m or 2h"),
	OPTION_END,
};

const struct option options_live[] = {
	GROUP(options_interval),
	GROUP(options_end),
	GROUP(options_host),
	OPTION_END,
};

const struct option options_sampling[] = {
	GROUP(options_interval),  GROUP(options_end), GROUP(options_root),
	GROUP(options_pid_names), OPTION_END,
};

const struct option options_by[] = {
	OPTION_INTO(
		TEXT, by, ANY, "--by", NULL, "machine|instance|object|process",
		"one row per counter and machine, per instance over all machines, or per counter; "
		"process: one per counter of each process over its whole life"),
	OPTION_END,
};

const struct option options_per_cpu[] = {
	OPTION(FLAG, "--per-cpu", NULL, NULL,
	       "divide the time of processes and threads by the number of processors, as Task "
	       "Manager does; stats: one row per process"),
	OPTION_END,
};

const struct option options_identity[] = {
	OPTION_INTO(CHOICE, identity, ANY, "--identity", NULL, "process|windows",
		    "process (default): never mix two processes of the same name; find, health, "
		    "report and top show one row per process; windows: compute by instance name, "
		    "as Windows does"),
	OPTION_END,
};

const struct option options_title[] = {
	OPTION(TEXT, "--title", NULL, "TEXT",
	       "title of the picture or the report; the machine by default"),
	OPTION_END,
};

const struct option options_yes[] = {
	OPTION_INTO(FLAG, yes, ANY, "-y", "--yes", NULL, "overwrite existing files"),
	OPTION_END,
};

const struct option options_file[] = {
	GROUP(options_yes),
	OPTION_INTO(FLAG, sync, ANY, "--sync", NULL, NULL,
		    "wait until the file is on the disk, so that a power cut cannot lose it"),
	OPTION_END,
};

const struct option options_insecure[] = {
	OPTION(FLAG, "--insecure", NULL, NULL,
	       "allow tokens and passwords over plain http beyond this machine"),
	OPTION_END,
};

const struct option options_engine[] = {
	GROUP(options_insecure),
	OPTION(TEXT, "--user", NULL, "NAME", "user name; PMON_USER by default"),
	OPTION(TEXT, "--password-file", NULL, "FILE",
	       "read the password from this file; from PMON_PASSWORD by default"),
	OPTION(TEXT, "--token-file", NULL, "FILE",
	       "read a bearer token from this file; from PMON_TOKEN by default"),
	OPTION(TEXT, "--ca-file", NULL, "FILE", "trust these certificates instead of the system's"),
	OPTION(TEXT, "--cluster", NULL, "NAME",
	       "ClickHouse: distribute the tables over this cluster; the URL lists its nodes, "
	       "separated by commas"),
	OPTION(TEXT, "--retry", NULL, "LENGTH",
	       "retry for this long when the engine cannot be reached; 5m by default"),
	OPTION_END,
};

const struct option options_server[] = {
	OPTION(TEXT, "--port", NULL, "N", "listen on this port; by default on any free port"),
	OPTION(TEXT, "--listen", NULL, "ADDRESS",
	       "listen on this address; other machines also need --insecure"),
	OPTION(TEXT, "--host-name", NULL, "NAME",
	       "answer to this name of the machine too, and print it in the address"),
	GROUP(options_insecure),
	OPTION_END,
};

const struct option options_labels[] = {
	OPTION_INTO(CHOICE, labels, ANY, "--labels", NULL, "target|classic",
		    "target (default): \"instance\" is the scraped target, \"counter_instance\" "
		    "that of the "
		    "counter; classic: \"instance\" is that of the counter"),
	OPTION_END,
};

const struct option options_color[] = {
	OPTION_INTO(CHOICE, color, ANY, "--color", NULL, "auto|always|never",
		    "colour; on a terminal by default"),
	OPTION_END,
};

const struct option options_raw_names[] = {
	OPTION_INTO(
		FLAG, raw_names, ANY, "--raw-names", NULL, NULL,
		"write names into CSV unchanged; by default a ' precedes names that a spreadsheet "
		"would compute"),
	OPTION_END,
};

const struct option options_no_sandbox[] = {
	OPTION_INTO(FLAG, no_sandbox, ANY, "--no-sandbox", NULL, NULL,
		    "do not confine the process that reads logs: let it open sockets, run programs "
		    "and write elsewhere"),
	OPTION_END,
};
