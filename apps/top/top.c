// top.c - pmon top: counters on a full screen, live or over a log
// SPDX-License-Identifier: MIT

#include "apps/apps.h"

#include "cli/input/logs.h"
#include "cli/input/notices.h"
#include "cli/input/progress.h"
#include "cli/output/say.h"
#include "os/term.h"

#ifdef PMON_WITH_NCURSES

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "apps/top/run.h"
#include "apps/top/screen.h"
#include "cli/input/live.h"
#include "cli/process/keys.h"
#include "os/dir.h"

// What an administrator looks at first. Names that a system does not have match nothing.
static const char *const first_screen[] = {
	"\\Processor(_Total)\\% Processor Time",
	"\\Processor(_Total)\\% User Time",
	"\\Processor(_Total)\\% Privileged Time",
	"\\System\\Processor Queue Length",
	"\\System\\Context Switches/sec",
	"\\Memory\\Available Bytes",
	"\\Memory\\% Committed Bytes In Use",
	"\\Memory\\Pages/sec",
	"\\PhysicalDisk(_Total)\\Avg. Disk sec/Transfer",
	"\\PhysicalDisk(_Total)\\Avg. Disk Queue Length",
	"\\PhysicalDisk(_Total)\\Disk Bytes/sec",
	"\\Network Interface(*)\\Bytes Total/sec",
	"\\Process(*)\\% Processor Time",
	"\\Process(*)\\Working Set",
	"\\Process(*)\\ID Process",
};

struct show {
	struct args args;
	struct logs logs;
	struct top_model model;
	bool live;
	char name[256];
};

static int
choose(struct show *show)
{
	show->args.own_patterns = true;
	for (size_t i = 0; i < sizeof(first_screen) / sizeof(first_screen[0]); i++)
		if (!words_add(&show->args.patterns, first_screen[i]))
			return say(EXIT_FAILED, "not enough memory");
	return EXIT_DONE;
}

static struct pmon_span
path_of(const void *logs, const struct pmon_series *series)
{
	return logs_process_path(logs, series);
}

static size_t
divisor_of(void *logs, const struct pmon_series *series)
{
	return logs_divisor(logs, series);
}

static int
open_model(struct show *show)
{
	struct top_options options = {.calc = show->args.calc,
				      .keep_all = !show->live,
				      .processes = show->args.own_patterns,
				      .by_process = logs_by_process(&show->args),
				      .path = path_of,
				      .path_ctx = &show->logs,
				      .divisor = divisor_of,
				      .divisor_ctx = &show->logs,
				      .order = show->logs.select};
	struct pmon_err err;

	if (top_model_init(&show->model, pmon_source_schema(show->logs.source), &options, &err) !=
	    PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	return EXIT_DONE;
}

// All of a log, or the first sample of this machine.
static int
read_samples(struct show *show)
{
	const struct pmon_sample *sample;
	struct pmon_err err;
	int status = EXIT_DONE;

	while (logs_next(&show->logs, &sample, &status)) {
		if (top_model_add(&show->model, sample, &err) != PMON_OK)
			return say(EXIT_FAILED, "%s", err.msg);
		if (show->live && !sample->lead_in)
			break;
	}
	if (status == EXIT_DONE && !show->args.own_patterns && !show->logs.waiting)
		status = logs_check_patterns(&show->logs);
	logs_hide_machine(&show->logs);
	show->model.options.with_machine = !show->logs.hide_machine;
	return status;
}

static void
make_name(struct show *show)
{
	const char *machine = pmon_source_info(show->logs.source)->machine;
	const char *file = show->live ? "" : file_name(show->args.operands.list[0]);

	file = *pmon_os_name(file) != '\0' ? pmon_os_name(file) : file;
	if (show->args.operands.n > 1)
		(void)snprintf(show->name, sizeof(show->name), "%zu logs", show->args.operands.n);
	else
		(void)snprintf(show->name, sizeof(show->name), "%s%s%s", machine,
			       machine[0] != '\0' && file[0] != '\0' ? "  " : "", file);
}

static int
run(struct show *show, FILE *keys)
{
	struct live_plan plan;
	int status = live_plan(&show->args, &plan);
	struct top_job job = {.logs = &show->logs,
			      .model = &show->model,
			      .name = show->name,
			      .live = show->live,
			      .stays = show->args.replay != NULL,
			      .interval_100ns = plan.interval_100ns,
			      .keys = keys,
			      .colors = out_style(STYLE_BOLD)[0] != '\0'};

	if (status != EXIT_DONE)
		return status;
	make_name(show);
	notices_mute();
	progress_never();
	out_use_colors(false); // the screen has its own
	return top_show(&job);
}

static int
show_all(struct show *show, FILE *keys)
{
	int status = logs_open(&show->logs, &show->args);

	if (status == EXIT_DONE)
		status = open_model(show);
	if (status == EXIT_DONE)
		status = read_samples(show);
	if (status == EXIT_DONE)
		status = run(show, keys);
	top_model_free(&show->model);
	return logs_close(&show->logs, status);
}

int
top_run(const struct args *args)
{
	struct show show = {.args = *args, .live = args->operands.n == 0};
	FILE *keys = pmon_term_has_keys() ? stdin : NULL;
	int status = logs_check_per_cpu(args);

	if (status != EXIT_DONE)
		return status;
	if (pmon_term_is_tty(true) && keys == NULL)
		keys = keys_open(); // standard input is a log, or nothing
	if (keys == NULL || !pmon_term_is_tty(true))
		return say(EXIT_FAILED,
			   "top needs a terminal; pmon values prints values line by line");
	// Which characters the terminal shows, and how wide they are. Numbers are printed without it.
	setlocale(LC_CTYPE, "");
	if (args->identity != IDENTITY_WINDOWS)
		show.args.by = "process";
	if (show.live)
		show.args.forget_after = TOP_SLOTS;
	if (show.live && args->patterns.n == 0 && args->pattern_files.n == 0)
		status = choose(&show);
	if (status == EXIT_DONE)
		status = show_all(&show, keys);
	if (show.args.own_patterns)
		free(show.args.patterns.list);
	if (keys != stdin)
		fclose(keys);
	return status;
}

int
top_load(const struct args *args)
{
	struct pmon_err err;

	(void)args;
	return top_screen_load(&err) == PMON_OK ? EXIT_DONE : say(EXIT_FAILED, "top: %s", err.msg);
}

#else

int
top_run(const struct args *args)
{
	return top_load(args);
}

int
top_load(const struct args *args)
{
	(void)args;
	return say(EXIT_FAILED, "top: this pmon was built without ncurses (in Debian "
				"libncurses-dev); pmon values prints values line by line");
}

#endif
