// top.c - pmon top: counters on a full screen, live or over a log
// SPDX-License-Identifier: MIT

#include "os/term.h"
#include "shell/args/groups.h"
#include "shell/args/verb.h"
#include "shell/input/logs.h"
#include "shell/input/per_cpu.h"
#include "shell/input/notices.h"
#include "shell/input/progress.h"
#include "shell/output/say.h"

#ifdef PMON_WITH_NCURSES

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "verbs/top/incidents.h"
#include "verbs/top/run.h"
#include "verbs/top/screen.h"
#include "shell/input/live.h"
#include "shell/input/times.h"
#include "shell/process/keys.h"
#include "os/dir.h"

// What administrators look at first, in the order of importance. Names that a system lacks match nothing.
static const char *const first_screen[] = {
	"\\Processor(_Total)\\% Processor Time",
	"\\System\\Processor Queue Length",
	"\\Memory\\Available Bytes",
	"\\PhysicalDisk(_Total)\\Avg. Disk sec/Transfer",
	"\\PhysicalDisk(_Total)\\Disk Bytes/sec",
	"\\Memory\\Pages/sec",
	"\\Pressure Stall(io some)\\% Stalled Time 10 s",
	"\\Pressure Stall(memory some)\\% Stalled Time 10 s",
	"\\Network Interface(*)\\Bytes Total/sec",
	"\\Process(*)\\% Processor Time",
	"\\Process(*)\\Working Set",
	"\\Process(*)\\ID Process",
};

// A screen of 24 lines then has 12 processes, two lines of headings, the title and the keys.
#define OVERVIEW 8

struct show {
	const struct args *args;
	struct request request;
	bool is_own; // counters were selected
	struct logs logs;
	struct top_model model;
	bool live;
	char name[256];
	char *incidents;
};

static int
choose(struct show *show)
{
	show->is_own = true;
	for (size_t i = 0; i < sizeof(first_screen) / sizeof(first_screen[0]); i++)
		if (!words_add(&show->request.added, first_screen[i]))
			return say(EXIT_FAILED, "not enough memory");
	return EXIT_DONE;
}

static struct pmon_span
path_of(const void *naming, const struct pmon_series *series)
{
	return naming_full_path(naming, series);
}

static size_t
divisor_of(void *logs, const struct pmon_series *series)
{
	return logs_divisor(logs, series);
}

static int
open_model(struct show *show)
{
	struct top_options options = {.calc = &show->args->calc,
				      .keep_all = !show->live,
				      .processes = show->is_own,
				      .most_counters = show->is_own ? OVERVIEW : 0,
				      .by_process = show->request.by_process,
				      .path = path_of,
				      .path_ctx = &show->logs.naming,
				      .divisor = divisor_of,
				      .divisor_ctx = &show->logs,
				      .order = show->logs.patterns.select};
	struct pmon_err err;

	if (top_model_init(&show->model, pmon_source_schema(show->logs.source), &options, &err) !=
	    PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	return EXIT_DONE;
}

// Read all of a log, or the first sample of this machine.
static int
read_samples(struct show *show)
{
	const struct pmon_sample *sample;
	struct pmon_err err;
	int status = EXIT_DONE;

	while (logs_next(&show->logs, &sample, &status)) {
		if (top_model_add(&show->model, sample, &err) != PMON_OK)
			return say(EXIT_FAILED, "%s", err.msg);
		if (show->live && !sample->preceding)
			break;
	}
	if (status == EXIT_DONE && !show->is_own && !show->logs.patterns.is_waiting)
		status = logs_check_patterns(&show->logs);
	logs_hide_machine(&show->logs);
	show->model.options.with_machine = !show->logs.naming.hide_machine;
	return status;
}

static void
make_name(struct show *show)
{
	const char *machine = pmon_source_info(show->logs.source)->machine;
	const char *file = show->live ? "" : file_name(show->request.logs.list[0]);

	file = *pmon_os_name(file) != '\0' ? pmon_os_name(file) : file;
	if (show->request.logs.n > 1)
		(void)snprintf(show->name, sizeof(show->name), "%zu logs", show->request.logs.n);
	else
		(void)snprintf(show->name, sizeof(show->name), "%s%s%s", machine,
			       machine[0] != '\0' && file[0] != '\0' ? "  " : "", file);
}

// With --at the whole log is shown, and the time cursor begins at that time.
static int
find_time(const struct show *show, pmon_time *out)
{
	const struct top_model *m = &show->model;
	const struct clock *clock = &show->logs.clock;
	const char *at = show->args->at;

	if (at == NULL || m->end_slot == 0 || times_read_alone(at, clock, out))
		return EXIT_DONE;
	return times_read_within(at, clock, m->time[m->first_slot % m->capacity],
				 m->time[(m->end_slot - 1) % m->capacity], out);
}

static int
run_screen(struct show *show, FILE *keys)
{
	struct live_plan plan;
	int status = live_plan(&show->args->sampling, &plan);
	struct top_job job = {.logs = &show->logs,
			      .model = &show->model,
			      .name = show->name,
			      .live = show->live,
			      .stays = show->args->sampling.replay != NULL,
			      .interval_100ns = plan.interval_100ns,
			      .keys = keys,
			      .at = PMON_TIME_NONE,
			      .colors = out_style(STYLE_BOLD)[0] != '\0'};

	if (status != EXIT_DONE)
		return status;
	status = find_time(show, &job.at);
	if (status != EXIT_DONE)
		return status;
	make_name(show);
	notices_mute();
	if (!show->live)
		status = top_incidents(show->args, &show->incidents);
	if (status != EXIT_DONE)
		return status;
	job.incidents = show->incidents;
	progress_never();
	out_use_colors(false); // the screen has its own colors
	return top_show(&job);
}

static int
show_all(struct show *show, FILE *keys)
{
	int status = logs_open(&show->logs, &show->request);

	if (status == EXIT_DONE)
		status = open_model(show);
	if (status == EXIT_DONE)
		status = read_samples(show);
	if (status == EXIT_DONE)
		status = run_screen(show, keys);
	top_model_free(&show->model);
	free(show->incidents);
	return logs_close(&show->logs, status);
}

static int
top_run(const struct args *args)
{
	struct show show = {
		.args = args, .request = request_from(args), .live = args->operands.n == 0};
	FILE *keys = pmon_term_has_keys() ? stdin : NULL;
	int status = per_cpu_check(args);

	if (status != EXIT_DONE)
		return status;
	if (pmon_term_is_tty(true) && keys == NULL)
		keys = keys_open(); // standard input is a log, or unused
	if (keys == NULL || !pmon_term_is_tty(true))
		return say(EXIT_FAILED,
			   "top requires a terminal; pmon values prints values line by line");
	// Find out which characters the terminal shows, and their widths. Numbers do not depend on
	// this.
	setlocale(LC_CTYPE, "");
	show.request.by_process |= args->identity != IDENTITY_WINDOWS;
	show.request.at = NULL;
	if (show.live)
		show.request.forget_after = TOP_SLOTS;
	if (show.live && !request_has_patterns(&show.request))
		status = choose(&show);
	if (status == EXIT_DONE)
		status = show_all(&show, keys);
	free(show.request.added.list);
	if (keys != stdin)
		fclose(keys);
	return status;
}

static int
top_load(const struct args *args)
{
	struct pmon_err err;

	(void)args;
	return top_screen_load(&err) == PMON_OK ? EXIT_DONE : say(EXIT_FAILED, "top: %s", err.msg);
}

#else

static int
top_load(const struct args *args)
{
	(void)args;
	return say(EXIT_FAILED, "top: this pmon was built without ncurses (Debian package "
				"libncurses-dev); pmon values prints values line by line");
}

static int
top_run(const struct args *args)
{
	return top_load(args);
}

#endif

// ---- The verb -----------------------------------------------------------------------------------

static const struct option options[] = {
	GROUP(options_select),
	GROUP(options_window),
	GROUP(options_calc),
	GROUP(options_read),
	GROUP(options_live),
	GROUP(options_identity),
	GROUP(options_per_cpu),
	GROUP(options_color),
	GROUP(options_verbose),
	GROUP(options_no_sandbox),
	OPTION_END,
};

const struct verb verb_top = {
	.name = "top",
	.operands = "[FILE...]",
	.summary = "full-screen view of counters, live or from a log",
	.details = "Without a pattern, it shows the main counters and the busiest processes of "
		   "this\nmachine. For a log it shows every counter, and first its incidents; Left "
		   "and Right move through\ntime, t goes to a time, and --at begins at one.\nPress "
		   "h to list the keys.\n\nExamples:\n  pmon "
		   "top\n  pmon top -i 5s -c "
		   "'\\PhysicalDisk(*)\\*'\n  pmon top --from 10:30 server.blg\n  pmon top "
		   "--at 14:05 server.blg\n",
	.options = options,
	.load = top_load,
	.run = top_run,
	.live = LIVE_PACED,
	.series_bytes = 1920,
};
