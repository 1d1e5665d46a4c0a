// chart.c - pmon chart: counters over time as a picture, or as characters in a terminal
// SPDX-License-Identifier: MIT

#include "apps/apps.h"
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
		    "write a picture, .svg, .png or .pdf by its name, - is SVG on standard output; "
		    "without it pmon draws characters"),
	OPTION(TEXT, "--size", NULL, "WIDTHxHEIGHT",
	       "size of the picture, by default 1200 wide and as high as its panels need; "
	       "without -o in characters, by default that of the terminal"),
	OPTION(TEXT, "--dpi", NULL, "NUMBER",
	       "pixels an inch of a PNG, 96 by default; 192 makes it twice as sharp, not larger"),
	OPTION(TEXT, "--theme", NULL, "light|dark", "colours of the picture"),
	OPTION(WORDS, "--threshold", NULL, "VALUE",
	       "draw a line at 20ms, 80%, 10MB/s ... on panels of that unit and mark what is "
	       "above it; may be repeated"),
	GROUP(options_title),
	OPTION(FLAG, "--ascii", NULL, NULL, "draw in the terminal with ASCII characters only"),
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
		"Each unit has a panel of its own. The legend below shows last, average, minimum\n"
		"and maximum of each counter, as in pmon stats. No extreme is lost, however many\n"
		"samples there are. Without -c it draws a choice of processor, memory, disk and\n"
		"network counters.\n\n"
		"Examples:\n"
		"  pmon chart server.blg\n"
		"  pmon chart -c '\\PhysicalDisk(*)\\Avg. Disk sec/*' --threshold 20ms -o "
		"disks.svg server.blg\n"
		"  pmon chart -c '\\Process(*)\\% Processor Time' --kind heatmap -o processes.png "
		"server.blg\n"
		"  pmon chart --duration 1m                   this machine, for a minute\n",
	.options = options,
	.load = chart_load,
	.run = chart_run,
	.live = LIVE_MINUTE,
	.series_bytes = 1472,
};
