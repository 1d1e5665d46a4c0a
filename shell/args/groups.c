// groups.c - options shared by several verbs
// SPDX-License-Identifier: MIT

#include "shell/args/groups.h"

#include <stddef.h>

#include "shell/args/args.h"

const struct option options_select[] = {
	OPTION_INTO(WORDS, patterns, ANY, "-c", "--counter", "PATTERN",
		    "use only these counters: a pattern such as '\\Processor(*)\\*', or words such "
		    "as 'disk read', cpu or sqlservr; may be repeated"),
	OPTION_INTO(WORDS, pattern_files, ANY, "-cf", "--counters-from", "FILE",
		    "read patterns from this file, one per line"),
	OPTION_END,
};

const struct option options_from[] = {
	OPTION_INTO(TEXT, from, LOGS, "--from", NULL, "TIME",
		    "start time: 2026-11-21T10:30, 11/21/2026 10:30:00 AM, 21.11.2026 10:30, "
		    "10:30, 2pm, yesterday 14:00, -2h (before the end) or +5m (after the start)"),
	OPTION_END,
};

const struct option options_tz[] = {
	OPTION_INTO(TEXT, tz, ANY, "--tz", NULL, "ZONE",
		    "time zone of input and output: log (default), utc, local, an offset such as "
		    "+01:00, or a zone such as Europe/Berlin"),
	OPTION_END,
};

const struct option options_range[] = {
	GROUP(options_from),
	OPTION_INTO(TEXT, to, LOGS, "--to", NULL, "TIME",
		    "end time, in the same formats as --from"),
	GROUP(options_tz),
	OPTION_END,
};

const struct option options_at[] = {
	OPTION_INTO(TEXT, at, LOGS, "--at", NULL, "TIME",
		    "only the sample nearest to this time, of each machine; in the same formats "
		    "as --from"),
	OPTION_END,
};

const struct option options_window[] = {
	GROUP(options_range),
	GROUP(options_at),
	OPTION_END,
};

const struct option options_limit[] = {
	OPTION_INTO(NUMBER, limit, ANY, "--limit", NULL, "N", "print only the first N rows"),
	OPTION_END,
};

const struct option options_format[] = {
	OPTION_INTO(CHOICE, format, ANY, "--format", NULL, "text|csv|json",
		    "output format; text by default"),
	OPTION_END,
};

const struct option options_any_format[] = {
	OPTION_INTO(CHOICE, format, ANY, "--format", NULL, "text|csv|json|markdown",
		    "output format; text by default; markdown is text for a ticket or a chat"),
	OPTION_END,
};

const struct option options_fail_on[] = {
	OPTION_INTO(CHOICE, fail_on, ANY, "--fail-on", NULL, "never|warning|critical",
		    "exit with status 1 if there is an incident of this severity or a graver one; "
		    "never by default"),
	OPTION_END,
};

const struct option options_digits[] = {
	OPTION_INTO(CHOICE, digits, ANY, "--digits", NULL, "short|full",
		    "number format in text: four digits in a suitable unit, or all digits in the "
		    "counter's own unit"),
	OPTION_END,
};

const struct option options_policy[] = {
	OPTION_INTO(CHOICE, calc.policy, ANY, "--policy", NULL, "default|strict|clamp",
		    "how to handle counters that decreased: strict never assumes a 32-bit wrap, "
		    "clamp shows 0"),
	OPTION_END,
};

static const struct option options_cap[] = {
	OPTION_INTO(FLAG, calc.cap_100, ANY, "--cap", NULL, NULL,
		    "cap percentages at 100, as PDH does by default"),
	OPTION_END,
};

const struct option options_rules[] = {
	OPTION_INTO(WORDS, rules.packs, ANY, "--pack", NULL, "NAME",
		    "use only this pack of built-in rules, such as windows or sqlserver; may be "
		    "repeated; pmon rules list shows the packs"),
	OPTION_INTO(FILE, rules.file, ANY, "--rules", NULL, "FILE",
		    "use the rules in this file instead of the built-in ones, or in addition to "
		    "--pack; docs/reference/rules.md describes the syntax"),
	OPTION_END,
};

const struct option options_show[] = {
	OPTION_INTO(TEXT, show, ANY, "--show", NULL, "'PATTERN top N'",
		    "show the busiest instances during each episode: the N with the largest total"),
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
	OPTION_INTO(TEXT, counter.type, ANY, "-t", "--type", "TYPE",
		    "counter type, by name or number, such as PERF_AVERAGE_TIMER"),
	OPTION_INTO(TEXT, counter.time_base, ANY, "-F", "--time-base", "TICKS",
		    "frequency of the counter's clock, in ticks per second"),
	OPTION_INTO(TEXT, counter.size, ANY, "--size", NULL, "4|8",
		    "size of the counter in bytes, if its type does not define it"),
	OPTION_END,
};

const struct option options_machine[] = {
	OPTION_INTO(WORDS, machines, ANY, "--machine", NULL, "[OLD=]NAME",
		    "machine name to use; with several machines, OLD is the name or ID of the one "
		    "to rename; may be repeated"),
	OPTION_END,
};

const struct option options_read[] = {
	GROUP(options_machine),
	OPTION_INTO(TEXT, reading.encoding, LOGS, "--encoding", NULL, "ENCODING",
		    "encoding of a text log, such as CP1252 or SHIFT_JIS; detected by default"),
	OPTION_INTO(FILE, reading.known_types, LOGS, "--known-types", NULL, "FILE",
		    "counter types for text logs: a CSV file of object,counter,type word"),
	OPTION_INTO(FLAG, reading.dst_repair, LOGS, "--dst-repair", NULL, NULL,
		    "adjust the UTC offset of a text log where its clock changed for daylight "
		    "saving time"),
	OPTION_INTO(LOCAL, reading.start, LOGS, "--start", NULL, "TIME",
		    "date and hour of the first line, for text logs whose lines lack them, such as "
		    "2026-02-25 or \"2026-02-25 10:00\""),
	OPTION_INTO(
		ZONE, reading.zone, LOGS, "--log-zone", NULL, "ZONE",
		"time zone of text logs that do not name theirs: utc, an offset such as +01:00, a "
		"zone such as Europe/Berlin, or one of Windows such as \"W. Europe Standard "
		"Time\""),
	OPTION_INTO(CHOICE, reading.names, LOGS, "--names", NULL, "log|en",
		    "counter names of logs in other languages: as in the log (default), or in "
		    "English; JSON has both"),
	OPTION_INTO(
		FILE, reading.names_table, LOGS, "--names-table", NULL, "FILE",
		"additional counter names: lines with an English path, a tab and its translation; "
		"or the registry value \"Counter 009\", for logs that identify counters by number"),
	OPTION_INTO(SIZE, reading.max_unpacked, LOGS, "--max-unpacked", NULL, "SIZE",
		    "maximum unpacked size of a compressed log; by default 16 MB plus 100 times "
		    "its packed size"),
	OPTION_END,
};

const struct option options_interval[] = {
	OPTION_INTO(TEXT, sampling.interval, MACHINE, "-i", "--interval", "LENGTH",
		    "live: time between samples, such as 500ms, 5s or 1m; 1s by default"),
	OPTION_END,
};

static const struct option options_root[] = {
	OPTION_INTO(
		TEXT, sampling.root, MACHINE, "--root", NULL, "DIR",
		"live: directory where /proc and /sys are mounted, such as /host in a container"),
	OPTION_END,
};

static const struct option options_pid_names[] = {
	OPTION_INTO(FLAG, sampling.pid_names, MACHINE, "--pid-names", NULL, NULL,
		    "live: name processes name_pid instead of name#1"),
	OPTION_END,
};

const struct option options_host[] = {
	GROUP(options_root),
	OPTION_INTO(TEXT, sampling.replay, MACHINE, "--replay", NULL, "DIR",
		    "read recorded copies of /proc and /sys instead of this machine, one folder "
		    "per sample"),
	GROUP(options_pid_names),
	OPTION_END,
};

static const struct option options_end[] = {
	OPTION_INTO(NUMBER, sampling.count, MACHINE, "-n", "--count", "N",
		    "live: stop after N samples"),
	OPTION_INTO(TEXT, sampling.duration, MACHINE, "--duration", NULL, "LENGTH",
		    "live: stop after this time, such as 30s, 10m or 2h"),
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

const struct option options_every[] = {
	OPTION_INTO(TEXT, every, ANY, "--step", "--every", "LENGTH",
		    "print the average of each step of time, such as 1m or 1h, by the type of the "
		    "counter; steps begin at full minutes and hours of the clock"),
	OPTION_END,
};

const struct option options_per_cpu[] = {
	OPTION_INTO(FLAG, per_cpu, ANY, "--per-cpu", NULL, NULL,
		    "divide process and thread times by the number of processors, as Task Manager "
		    "does; stats: one row per process"),
	OPTION_END,
};

const struct option options_identity[] = {
	OPTION_INTO(CHOICE, identity, ANY, "--identity", NULL, "process|windows",
		    "process (default): keep processes with the same name apart; find, health, "
		    "report and top show one row per process; windows: compute by instance name, "
		    "as Windows does"),
	OPTION_END,
};

const struct option options_title[] = {
	OPTION_INTO(TEXT, title, ANY, "--title", NULL, "TEXT",
		    "title of the chart or report; the machine name by default"),
	OPTION_END,
};

const struct option options_yes[] = {
	OPTION_INTO(FLAG, yes, ANY, "-y", "--yes", NULL, "overwrite existing files"),
	OPTION_END,
};

const struct option options_file[] = {
	GROUP(options_yes),
	OPTION_INTO(FLAG, sync, ANY, "--sync", NULL, NULL,
		    "wait until the file is on disk, so that a power failure cannot lose it"),
	OPTION_END,
};

static const struct option options_insecure[] = {
	OPTION_INTO(FLAG, insecure, ANY, "--insecure", NULL, NULL,
		    "allow sending tokens and passwords to other machines over unencrypted http"),
	OPTION_END,
};

const struct option options_engine[] = {
	GROUP(options_insecure),
	OPTION_INTO(TEXT, engine.user, ANY, "--user", NULL, "NAME",
		    "user name; PMON_USER by default"),
	OPTION_INTO(TEXT, engine.password_file, ANY, "--password-file", NULL, "FILE",
		    "file that contains the password; by default it is read from PMON_PASSWORD"),
	OPTION_INTO(TEXT, engine.token_file, ANY, "--token-file", NULL, "FILE",
		    "file that contains a bearer token; by default it is read from PMON_TOKEN"),
	OPTION_INTO(
		WORDS, engine.headers, ANY, "--header", NULL, "NAME: VALUE|@FILE",
		"header of every HTTP request, such as 'X-Scope-OrgID: sales' for a tenant; @FILE: "
		"the headers in a file, one per line: use it for secrets"),
	OPTION_INTO(TEXT, engine.ca_file, ANY, "--ca-file", NULL, "FILE",
		    "file of CA certificates to trust instead of the system's"),
	OPTION_INTO(TEXT, engine.retry, ANY, "--retry", NULL, "LENGTH",
		    "how long to retry while the engine is unreachable; 5m by default"),
	OPTION_END,
};

const struct option options_server[] = {
	OPTION_INTO(TEXT, server.port, ANY, "--port", NULL, "N",
		    "port to listen on; any free port by default"),
	OPTION_INTO(TEXT, server.listen, ANY, "--listen", NULL, "ADDRESS",
		    "address to listen on; an address that other machines can reach requires "
		    "--tls-cert or --insecure"),
	OPTION_INTO(TEXT, server.host_name, ANY, "--host-name", NULL, "NAME",
		    "also accept this host name in requests, and print it in the address"),
	OPTION_INTO(TEXT, server.token_file, ANY, "--token-file", NULL, "FILE",
		    "file with the token that programs must send as Authorization: Bearer TOKEN"),
	OPTION_INTO(
		TEXT, server.tls_cert, ANY, "--tls-cert", NULL, "FILE",
		"serve https with this PEM certificate chain, the server's own certificate first"),
	OPTION_INTO(TEXT, server.tls_key, ANY, "--tls-key", NULL, "FILE",
		    "private key of --tls-cert, in PEM format"),
	OPTION_INTO(TEXT, server.tls_client_ca, ANY, "--tls-client-ca", NULL, "FILE",
		    "require client certificates signed by one of these CAs, in PEM format"),
	GROUP(options_insecure),
	OPTION_END,
};

const struct option options_labels[] = {
	OPTION_INTO(CHOICE, labels, ANY, "--labels", NULL, "target|classic",
		    "target (default): the label \"instance\" is the scraped target, and "
		    "\"counter_instance\" is the counter's instance; classic: \"instance\" is the "
		    "counter's instance"),
	OPTION_END,
};

const struct option options_machine_labels[] = {
	OPTION_INTO(
		WORDS, machine_labels, ANY, "--label", NULL, "NAME=VALUE",
		"label of the machines, such as site=berlin: machines of one name with different "
		"labels are different machines"),
	OPTION_END,
};

const struct option options_color[] = {
	OPTION_INTO(CHOICE, color, ANY, "--color", NULL, "auto|always|never",
		    "use colours; by default only on a terminal"),
	OPTION_END,
};

const struct option options_pager[] = {
	OPTION_INTO(FLAG, no_pager, ANY, "--no-pager", NULL, NULL,
		    "do not show output that is longer than the terminal in the pager (PAGER, by "
		    "default less)"),
	OPTION_END,
};

const struct option options_raw_names[] = {
	OPTION_INTO(FLAG, raw_names, ANY, "--raw-names", NULL, NULL,
		    "write names to CSV unchanged; by default, names that a spreadsheet would take "
		    "for a formula are prefixed with '"),
	OPTION_END,
};

const struct option options_verbose[] = {
	OPTION_INTO(FLAG, verbose, ANY, "-v", "--verbose", NULL,
		    "print the number of samples used to standard error"),
	OPTION_END,
};

const struct option options_no_sandbox[] = {
	OPTION_INTO(FLAG, reading.no_sandbox, ANY, "--no-sandbox", NULL, NULL,
		    "do not sandbox the process that reads logs: let it open sockets, run programs "
		    "and write elsewhere"),
	OPTION_END,
};

const struct option options_table[] = {
	GROUP(options_color),   GROUP(options_pager),      GROUP(options_raw_names),
	GROUP(options_verbose), GROUP(options_no_sandbox), OPTION_END,
};

const struct option options_analysis[] = {
	GROUP(options_digits),   GROUP(options_calc),  GROUP(options_read), GROUP(options_live),
	GROUP(options_identity), GROUP(options_table), OPTION_END,
};
