// chart.c - pmon chart: counters over time as a picture, or as characters in a terminal
// SPDX-License-Identifier: MIT

#include "apps/chart/draw.h"
#include "cli/args/args.h"
#include "cli/args/groups.h"
#include "cli/args/verb.h"

static const struct option options[] = {
	GROUP(options_select),
	GROUP(options_window),
	GROUP(options_limits),
	GROUP(options_read),
	GROUP(options_live),
	OPTION(TEXT, "--kind", NULL, "KIND", "line (default), area, stacked, bar or heatmap"),
	OPTION_INTO(TEXT, output, ANY, "-o", "--output", "FILE",
		    "write a picture: .svg, .png or .pdf by its name, - is SVG on standard output; "
		    "else characters are drawn"),
	OPTION(TEXT, "--size", NULL, "WIDTHxHEIGHT",
	       "of the picture, 1200x600 by default; without -o in characters, those of the "
	       "terminal by default"),
	OPTION(TEXT, "--theme", NULL, "light|dark", "colours of the picture"),
	OPTION(WORDS, "--threshold", NULL, "VALUE",
	       "a line at 20ms, 80%, 10MB/s ... on the panels of that unit, what is above it "
	       "marked; may be repeated"),
	GROUP(options_title),
	OPTION(FLAG, "--ascii", NULL, NULL, "draw in the terminal with ASCII characters alone"),
	GROUP(options_identity),
	GROUP(options_file),
	GROUP(options_color),
	GROUP(options_no_sandbox),
	OPTION_END,
};

const struct verb verb_chart = {
	.name = "chart",
	.operands = "[FILE...]",
	.summary = "draw counters over time: SVG, PNG, PDF, or in the terminal",
	.details =
		"Each unit has a panel of its own, and below them stand last, average, minimum and "
		"maximum\n"
		"of each counter, as in pmon stats. Every extreme is seen, however many samples "
		"there "
		"are.\n"
		"Without -c a first choice of processors, memory, disks and network is drawn.\n\n"
		"Examples:\n"
		"  pmon chart server.blg\n"
		"  pmon chart -c '\\PhysicalDisk(*)\\Avg. Disk sec/*' --threshold 20ms -o "
		"disks.svg "
		"server.blg\n"
		"  pmon chart -c '\\Process(*)\\% Processor Time' --kind heatmap -o processes.png "
		"server.blg\n"
		"  pmon chart --duration 1m                   this machine, for a minute\n",
	.options = options,
	.run = chart_run,
	.live = LIVE_MINUTE,
};
