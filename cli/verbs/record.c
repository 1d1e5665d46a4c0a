// record.c - pmon record: this machine into files
// SPDX-License-Identifier: MIT

#include "apps/record/record.h"
#include "cli/args/args.h"
#include "cli/args/groups.h"
#include "cli/args/verb.h"

static const struct option options[] = {
	GROUP(options_select),
	GROUP(options_live),
	GROUP(options_yes),
	OPTION_INTO(TEXT, output, ANY, "-o", "--output", "FILE",
		    "the file; HOST_20261121-101500.blg in this folder by default"),
	OPTION(FORMAT, "--format", NULL, "FORMAT",
	       "what to write; by the ending of FILE, else blg"),
	OPTION(TEXT, "--max-size", NULL, "SIZE",
	       "end when the file has this size, as 500KB, 100MB or 1GB; begin the next one when "
	       "files are numbered or dated"),
	OPTION(TEXT, "--rotate", NULL, "LENGTH",
	       "begin a new file at round times of the local clock: 1d at midnight, 1h on the "
	       "hour"),
	OPTION(TEXT, "--names", NULL, "number|date",
	       "many files: FILE_000001.blg or FILE_20261121-101500.blg; date by default with "
	       "--rotate"),
	OPTION(FLAG, "--circular", NULL, NULL,
	       "never more than --max-size: the newest samples take the place of the oldest"),
	OPTION(TEXT, "--keep", NULL, "N",
	       "remove the oldest files, so that N are left; with --rotate the files of N periods"),
	OPTION(TEXT, "--keep-age", NULL, "LENGTH",
	       "remove files that were last written longer ago than this, as 7d"),
	OPTION(TEXT, "--keep-size", NULL, "SIZE",
	       "remove the oldest files when all together have more than this, as 2G"),
	OPTION(FLAG, "--append", NULL, NULL,
	       "go on in the newest file if it is of the current period, as after a restart"),
	OPTION(TEXT, "--sync", NULL, "LENGTH",
	       "how often to wait for the disk: what a power cut may cost; 10s by default"),
	OPTION(FLAG, "-q", "--quiet", NULL, "only words on what went wrong"),
	OPTION_END,
};

const struct verb verb_record = {
	.name = "record",
	.operands = "",
	.summary = "this machine into files: BLG, CSV, TSV, SQLite or JSON lines",
	.details = "All objects are recorded but Process and Thread, whose instances are most of "
		   "what a "
		   "machine has;\n"
		   "-c default stands for these in a list of patterns. SIGINT and SIGTERM finish "
		   "the file, "
		   "SIGHUP\n"
		   "begins the next one. Each sample is in the file before the next is taken. For "
		   "a process "
		   "that\n"
		   "does not run yet it waits.\n\n"
		   "Examples:\n"
		   "  pmon record                                one file here, until Ctrl-C\n"
		   "  pmon record -c default -c '\\Process(*)\\*' -i 15s -o server.blg\n"
		   "  pmon record -o /var/log/pmon/server.blg --rotate 1d --keep 7\n"
		   "  pmon record -o server.blg --circular --max-size 1GB\n",
	.options = options,
	.run = record_run,
	.live = LIVE_ENDLESS,
};
