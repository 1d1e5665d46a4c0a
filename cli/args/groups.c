// groups.c - options that several verbs have
// SPDX-License-Identifier: MIT

#include "cli/args/groups.h"

#include <stddef.h>

#include "cli/args/args.h"

const struct option options_select[] = {
	OPTION_INTO(WORDS, patterns, ANY, "-c", "--counter", "PATTERN",
		    "only counters that match, as '\\Processor(*)\\*'; may be repeated"),
	OPTION_INTO(WORDS, pattern_files, ANY, "-cf", "--counters-from", "FILE",
		    "read patterns from a file, one a line"),
	OPTION_END,
};

const struct option options_from[] = {
	OPTION_INTO(TEXT, from, LOGS, "--from", NULL, "TIME",
		    "begin here: 2026-11-21T10:30, 11/21/2026 10:30:00 AM, @10:30, -2h before the "
		    "end, +5m after the start"),
	OPTION_END,
};

const struct option options_tz[] = {
	OPTION_INTO(TEXT, tz, ANY, "--tz", NULL, "ZONE",
		    "show and read times on this clock: log (default), utc, local, or an offset as "
		    "+01:00"),
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
		    "form of the output; text by default"),
	OPTION_END,
};

const struct option options_policy[] = {
	OPTION_INTO(CHOICE, calc.policy, ANY, "--policy", NULL, "default|strict|clamp",
		    "what to do with counters that went back: strict never counts a 32-bit wrap "
		    "through, clamp shows 0"),
	OPTION_END,
};

const struct option options_cap[] = {
	OPTION_INTO(FLAG, calc.cap_100, ANY, "--cap", NULL, NULL,
		    "cut percentages at 100, as PDH does unless told otherwise"),
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
	OPTION(TEXT, "-t", "--type", "TYPE", "counter type by name or word, as PERF_AVERAGE_TIMER"),
	OPTION(TEXT, "-F", "--time-base", "TICKS", "ticks of the counter's clock in a second"),
	OPTION(TEXT, "--size", NULL, "4|8", "bytes of the counter, where the type does not tell"),
	OPTION_END,
};

const struct option options_read[] = {
	OPTION_INTO(
		TEXT, encoding, LOGS, "--encoding", NULL, "NAME",
		"encoding of a text log, as CP1252 or SHIFT_JIS; found by its content by default"),
	OPTION_INTO(FILE, known_types, LOGS, "--known-types", NULL, "FILE",
		    "types of counters in text logs: a CSV of object,counter,type word"),
	OPTION_INTO(FLAG, dst_repair, LOGS, "--dst-repair", NULL, NULL,
		    "change the offset of a text log where its clock changed for daylight saving"),
	OPTION_INTO(
		FILE, names, LOGS, "--names", NULL, "FILE",
		"names of counters that a log gives by number: the registry value \"Counter 009\""),
	OPTION_INTO(SIZE, max_unpacked, LOGS, "--max-unpacked", NULL, "SIZE",
		    "what a compressed log may unpack to; 16 MB and 100 times its size by default"),
	OPTION_END,
};

const struct option options_interval[] = {
	OPTION_INTO(TEXT, interval, MACHINE, "-i", "--interval", "LENGTH",
		    "of this machine: time between samples, as 500ms, 5s or 1m; 1s by default"),
	OPTION_END,
};

const struct option options_host[] = {
	OPTION_INTO(
		TEXT, root, MACHINE, "--root", NULL, "DIR",
		"of this machine: where its /proc and /sys are mounted, as /host in a container"),
	OPTION_INTO(TEXT, replay, MACHINE, "--replay", NULL, "DIR",
		    "recorded trees of /proc and /sys in place of this machine, a folder for each "
		    "sample"),
	OPTION_INTO(FLAG, pid_names, MACHINE, "--pid-names", NULL, NULL,
		    "of this machine: name processes name_pid in place of name#1"),
	OPTION_END,
};

const struct option options_live[] = {
	GROUP(options_interval),
	OPTION_INTO(TEXT, count, MACHINE, "-n", "--count", "N",
		    "of this machine: end after N samples"),
	OPTION_INTO(TEXT, duration, MACHINE, "--duration", NULL, "LENGTH",
		    "of this machine: end after this time, as 30s, 10m or 2h"),
	GROUP(options_host),
	OPTION_END,
};

const struct option options_by[] = {
	OPTION_INTO(TEXT, by, ANY, "--by", NULL, "machine|instance|object|process",
		    "one row for all instances of a counter on a machine, for an instance on all "
		    "machines, or for both together; process: one for each counter of each process "
		    "over its whole life"),
	OPTION_END,
};

const struct option options_identity[] = {
	OPTION_INTO(CHOICE, identity, ANY, "--identity", NULL, "process|windows",
		    "process (default): no difference is taken across two processes of one name, "
		    "and top and report have a row for each process; windows: what Windows "
		    "computes, by instance name"),
	OPTION_END,
};

const struct option options_title[] = {
	OPTION(TEXT, "--title", NULL, "TEXT",
	       "title of the picture or the report; the machine by default"),
	OPTION_END,
};

const struct option options_yes[] = {
	OPTION_INTO(FLAG, yes, ANY, "-y", "--yes", NULL, "write over a file that is there"),
	OPTION_END,
};

const struct option options_file[] = {
	GROUP(options_yes),
	OPTION_INTO(FLAG, sync, ANY, "--sync", NULL, NULL,
		    "wait until the file is on the disk, so that a power cut does not take it"),
	OPTION_END,
};

const struct option options_insecure[] = {
	OPTION(FLAG, "--insecure", NULL, NULL,
	       "let tokens and passwords travel over plain http beyond this machine"),
	OPTION_END,
};

const struct option options_server[] = {
	OPTION(TEXT, "--port", NULL, "N", "listen on this port; on any that is free by default"),
	OPTION(TEXT, "--listen", NULL, "ADDRESS",
	       "listen on this address; for other machines --insecure is needed too"),
	GROUP(options_insecure),
	OPTION_END,
};

const struct option options_color[] = {
	OPTION_INTO(CHOICE, color, ANY, "--color", NULL, "auto|always|never",
		    "colour; on a terminal by default"),
	OPTION_END,
};

const struct option options_raw_names[] = {
	OPTION_INTO(FLAG, raw_names, ANY, "--raw-names", NULL, NULL,
		    "write names into CSV as they are; one that a spreadsheet would compute has a "
		    "' before it by default"),
	OPTION_END,
};

const struct option options_no_sandbox[] = {
	OPTION_INTO(FLAG, no_sandbox, ANY, "--no-sandbox", NULL, NULL,
		    "do not forbid what reads logs to open sockets, to run programs and to write "
		    "elsewhere"),
	OPTION_END,
};
