// record.c - pmon record: this machine into files
// SPDX-License-Identifier: MIT

#include "apps/apps.h"
#include "cli/args/args.h"
#include "cli/args/groups.h"
#include "cli/args/verb.h"

static const struct option options[] = {
	GROUP(options_select),
	GROUP(options_live),
	GROUP(options_machine),
	GROUP(options_yes),
	OPTION_INTO(TEXT, output, ANY, "-o", "--output", "FILE",
		    "write this file; HOST_20261121-101500.blg in this folder by default"),
	OPTION(FORMAT, "--format", NULL, "FORMAT", "format of the file; by its name, else blg"),
	OPTION(TEXT, "--max-size", NULL, "SIZE",
	       "end when the file has this size, such as 500KB, 100MB or 1GB; numbered or dated "
	       "files: begin the next one"),
	OPTION(TEXT, "--rotate", NULL, "LENGTH",
	       "begin a new file at round local times: 1d at midnight, 1h on the hour"),
	OPTION(TEXT, "--names", NULL, "number|date",
	       "write several files, FILE_000001.blg or FILE_20261121-101500.blg; date by default "
	       "with --rotate"),
	OPTION(FLAG, "--circular", NULL, NULL,
	       "never exceed --max-size: the newest samples replace the oldest"),
	OPTION(TEXT, "--keep", NULL, "N",
	       "keep the newest N files and remove others; with --rotate the files of N periods"),
	OPTION(TEXT, "--keep-age", NULL, "LENGTH",
	       "remove files whose last write is older than this, such as 7d"),
	OPTION(TEXT, "--keep-size", NULL, "SIZE",
	       "remove the oldest files when together they exceed this, such as 2G"),
	OPTION(FLAG, "--append", NULL, NULL,
	       "continue the newest file if it is of the current period, as after a restart"),
	OPTION(TEXT, "--sync", NULL, "LENGTH",
	       "flush to the disk this often; a power cut loses at most that; 10s by default"),
	OPTION(FLAG, "-q", "--quiet", NULL, "print only warnings and errors"),
	OPTION_END,
};

const struct verb verb_record = {
	.name = "record",
	.operands = "",
	.summary = "record this machine: BLG, CSV, TSV, SQLite or JSON lines",
	.details =
		"Records all objects except Process and Thread, which have most of the instances\n"
		"of a machine; -c default stands for these objects in a list of patterns. SIGINT\n"
		"and SIGTERM finish the file, SIGHUP begins the next one. Each sample is in the\n"
		"file before the next is taken. If a process is not running yet, pmon waits.\n\n"
		"Examples:\n"
		"  pmon record                                one file here, until Ctrl-C\n"
		"  pmon record -c default -c '\\Process(*)\\*' -i 15s -o server.blg\n"
		"  pmon record -o /var/log/pmon/server.blg --rotate 1d --keep 7\n"
		"  pmon record -o server.blg --circular --max-size 1GB\n",
	.options = options,
	.run = record_run,
	.live = LIVE_ENDLESS,
};
