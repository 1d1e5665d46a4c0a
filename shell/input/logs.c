// logs.c - open, merge, cut and read the logs of a request
// SPDX-License-Identifier: MIT

#include "shell/input/logs.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "base/time.h"
#include "shell/args/verb.h"
#include "query/window.h"
#include "shell/input/machines.h"
#include "shell/input/moment.h"
#include "shell/input/per_cpu.h"
#include "shell/input/progress.h"
#include "shell/output/line.h"
#include "shell/output/say.h"
#include "shell/process/memory.h"
#include "os/threads.h"
#include "shell/output/machines.h"

#define PROGRESS_SAMPLES 16 // samples between two checks of the clock
#define SOME_SAMPLES     10 // samples of this machine, if an end is needed and none is given
#define MINUTE_SAMPLES   60 // the same if they are drawn over time

// ---- Steps ------------------------------------------------------------------------------------

static int
set_clock(struct logs *logs)
{
	const struct pmon_source_info *info = pmon_source_info(logs->source);

	logs->clock = (struct clock){.mode = CLOCK_LOG, .offset_min = info->utc_offset_min};
	// Live: use the local clock, also after a daylight saving change.
	if (logs->request.tz == NULL && info->live && logs->request.sampling.replay == NULL)
		logs->clock.mode = CLOCK_LOCAL;
	return times_read_clock(logs->request.tz, &logs->clock);
}

static int
open_files(struct logs *logs)
{
	int status = files_open(&logs->files, &logs->request, &logs->patterns, logs->streams,
				&logs->source);

	logs->input = logs->source;
	return status == EXIT_DONE ? set_clock(logs) : status;
}

int
logs_identify(struct logs *logs)
{
	int status;

	logs->input = logs->source;
	if (!logs->request.tells_processes)
		return EXIT_DONE;
	status = identity_open(&logs->identity, &logs->request, &logs->patterns, &logs->source);
	return status == EXIT_DONE ? naming_label_processes(&logs->naming) : status;
}

int
logs_identify_shown(struct logs *logs, bool (*hides)(void *ctx, const struct pmon_series *series),
		    void *ctx)
{
	logs->identity.hides = hides;
	logs->identity.hides_ctx = ctx;
	return logs_identify(logs);
}

// The times of the first and the last sample, for relative times.
static int
find_range(struct logs *logs, pmon_time *first, pmon_time *last)
{
	const struct pmon_sample *sample;
	int status = EXIT_DONE;

	*first = *last = PMON_TIME_NONE;
	while (logs_next(logs, &sample, &status)) {
		if (*first == PMON_TIME_NONE)
			*first = sample->time;
		*last = sample->time;
	}
	if (status != EXIT_DONE)
		return status;
	return logs_rewind(logs);
}

int
logs_time(struct logs *logs, const char *text, pmon_time *out)
{
	pmon_time first;
	pmon_time last;
	int status;

	*out = PMON_TIME_NONE;
	if (times_read_alone(text, &logs->clock, out))
		return EXIT_DONE;
	status = find_range(logs, &first, &last);
	if (status != EXIT_DONE)
		return status;
	if (first == PMON_TIME_NONE)
		return say(EXIT_FAILED,
			   "the time %s is relative to the samples, but there are none", text);
	return times_read_within(text, &logs->clock, first, last, out);
}

// ---- The window -------------------------------------------------------------------------------

static int
read_moment(struct logs *logs)
{
	const struct request *request = &logs->request;
	const struct pmon_sample *sample;
	struct moment moment;
	pmon_time at;
	bool is_stored = true;
	int status;

	if (request->from != NULL || request->to != NULL)
		return say(EXIT_USAGE, "%s: --at cannot be combined with %s and %s",
			   request->verb->name, request_begin_option(request),
			   request_end_option(request));
	status = logs_time(logs, request->at, &at);
	if (status != EXIT_DONE)
		return status;
	moment = moment_of(at);
	while (is_stored && logs_next(logs, &sample, &status))
		is_stored = moment_add(&moment, sample);
	moment_window(&moment, &logs->window.from, &logs->window.to);
	moment_free(&moment);
	if (!is_stored)
		return say(EXIT_FAILED, "not enough memory");
	return status == EXIT_DONE ? logs_rewind(logs) : status;
}

static int
read_bounds(struct logs *logs)
{
	const struct request *request = &logs->request;
	struct window *window = &logs->window;
	int status = EXIT_DONE;

	if (request->from != NULL)
		status = logs_time(logs, request->from, &window->from);
	if (status == EXIT_DONE && request->to != NULL)
		status = logs_time(logs, request->to, &window->to);
	if (status == EXIT_DONE && request->from != NULL && request->to != NULL &&
	    window->from > window->to)
		status = say(EXIT_USAGE,
			     "%s: the window ends before it begins: %s %s is after %s %s",
			     request->verb->name, request_begin_option(request), request->from,
			     request_end_option(request), request->to);
	return status;
}

// "server.blg has", "the logs have"
static void
put_logs(const struct logs *logs, char *buf, size_t size)
{
	const struct words *names = &logs->request.logs;

	if (names->n == 1)
		(void)snprintf(buf, size, "%s has", file_name(names->list[0]));
	else
		(void)snprintf(buf, size, "the logs have");
}

static int
say_empty(struct logs *logs)
{
	pmon_time first = pmon_window_oldest(logs->window.step);
	pmon_time last = pmon_window_newest(logs->window.step);
	char window[WINDOW_SIZE];
	char a[PMON_TIME_SIZE];
	char b[PMON_TIME_SIZE];
	char zone[ZONE_SIZE];
	char names[512];

	logs->window.is_empty = true;
	put_logs(logs, names, sizeof(names));
	if (first == PMON_TIME_NONE)
		return say(EXIT_FAILED, "%s no samples", names);
	window_text(&logs->window, &logs->clock, window);
	pmon_time_local(first, clock_offset(&logs->clock, first), a);
	pmon_time_local(last, clock_offset(&logs->clock, last), b);
	logs_zone(logs, zone);
	return say(EXIT_FAILED, "no sample%s %s; %s samples from %s to %s (%s)",
		   logs->patterns.select != NULL && pmon_select_count(logs->patterns.select) > 0
			   ? " of the chosen counters"
			   : "",
		   window, names, a, b, zone);
}

// Explain why the window has no sample, or none of the requested counters. Everything was read, so
// all counters are known.
static int
explain_empty(struct logs *logs)
{
	int status = logs_check_patterns(logs);

	return status == EXIT_DONE ? say_empty(logs) : status;
}

static int
say_empty_window(struct logs *logs)
{
	int status = window_learn_times(&logs->window);

	return status == EXIT_DONE ? explain_empty(logs) : status;
}

static int
check_not_empty(struct logs *logs)
{
	struct pmon_err err = {.status = PMON_OK};
	enum pmon_status status = window_look(&logs->window, &err);

	line_erase();
	if (status == PMON_END)
		return explain_empty(logs);
	return status == PMON_OK ? EXIT_DONE : logs_say_err(logs, &err);
}

// Fail if the window is empty, unless look_later is set: then the verb reports it if it finds
// nothing.
static int
set_window(struct logs *logs, bool look_later)
{
	int status;

	logs->window.from = logs->window.to = PMON_TIME_NONE;
	if (!request_has_window(&logs->request))
		return EXIT_DONE;
	status = logs->request.at != NULL ? read_moment(logs) : read_bounds(logs);
	if (status == EXIT_DONE)
		status = window_open(&logs->window, &logs->source);
	if (status != EXIT_DONE || look_later)
		return status;
	return check_not_empty(logs);
}

// ---- Opening ----------------------------------------------------------------------------------

static int
refuse_option(const struct request *request)
{
	const char *name = option_name(request->misplaced);
	bool is_count = strcmp(name, "--count") == 0;
	bool bounds_window = request_has_window(request);

	if (request->logs.n > 0)
		return say(
			EXIT_USAGE,
			"%s: %s applies only when sampling this machine, not to the log %s%s",
			request->verb->name, name, request->logs.list[0],
			is_count && option_find(request->verb->options, "--limit", 7) != OPTION_NONE
				? "; --limit N prints only the first N rows"
			: strcmp(name, "--interval") == 0 && OPTION_IS_OFFERED(request->verb, every)
				? "; --every LENGTH prints averages"
				: "");
	return say(EXIT_USAGE, "%s: %s applies only to logs, but no file was given%s",
		   request->verb->name, name,
		   bounds_window ? "; use --duration to limit sampling" : "");
}

int
logs_open_machine(struct logs *logs, const struct request *request, const struct live_plan *plan)
{
	int status;

	*logs = (struct logs){.request = *request};
	status = patterns_open(&logs->patterns, request);
	if (status == EXIT_DONE)
		status = live_open(request, plan, patterns_read(&logs->patterns), &logs->source);
	logs->input = logs->source;
	if (status == EXIT_DONE)
		status = set_clock(logs);
	// A replay is read to its end at once.
	if (status == EXIT_DONE && request->sampling.replay == NULL) {
		logs->patterns.patience = plan->patience;
		status = logs_check_patterns(logs);
		logs->patterns.is_checked = true;
	}
	if (status == EXIT_DONE && logs->patterns.is_waiting && plan->patience >= LIVE_AWAIT)
		status = live_await(logs->input);
	// After the first sample, so that its series are already in the schema.
	return status == EXIT_DONE ? logs_identify(logs) : status;
}

// A verb that runs until it is interrupted waits for counters that may appear. If an end was given,
// it will come. With neither, the user did not intend to wait.
static enum live_patience
patience_of_verb(const struct request *request)
{
	if (request->verb->live == LIVE_ONE)
		return LIVE_NOW;
	if (request->sampling.count > 0)
		return LIVE_LATER;
	if (request->verb->traits & VERB_STREAMS)
		return request_has_columns(request) ? LIVE_AWAIT_COLUMNS : LIVE_AWAIT;
	return request->verb->live == LIVE_ENDLESS || request->verb->live == LIVE_PACED ||
			       request->sampling.duration != NULL
		       ? LIVE_LATER
		       : LIVE_NOW;
}

// Without files, verbs that can sample this machine do so. They end by themselves, except those
// that print samples as they arrive.
static int
plan_of_verb(const struct request *request, struct live_plan *plan)
{
	int status = live_plan(&request->sampling, plan);

	if (request->verb->live == LIVE_ONE)
		plan->count = 1;
	else if ((request->verb->live == LIVE_SOME || request->verb->live == LIVE_MINUTE) &&
		 request->sampling.replay == NULL && plan->count == 0 && plan->duration_100ns == 0)
		plan->count = request->verb->live == LIVE_MINUTE ? MINUTE_SAMPLES : SOME_SAMPLES;
	if (request->verb->live == LIVE_PACED)
		plan->interval_100ns = 0;
	plan->first_shown = request->verb->live == LIVE_ONE || request->verb->live == LIVE_PACED ||
			    (request->verb->traits & VERB_RAW) != 0 ||
			    request->sampling.replay != NULL;
	plan->everything = request->verb->live == LIVE_ONE;
	plan->patience = patience_of_verb(request);
	return status;
}

int
logs_open(struct logs *logs, const struct request *request)
{
	const struct verb *verb = request->verb;
	bool is_fleet;
	struct live_plan plan;
	int status = EXIT_DONE;

	*logs = (struct logs){.request = *request};
	logs->streams = request->reads_once && request->logs.n == 1 && request->from == NULL &&
			request->to == NULL;
	if (request->logs.n == 0 && verb->live == LIVE_NONE)
		return say(EXIT_USAGE, "%s: no log file given; see pmon %s --help", verb->name,
			   verb->name);
	status = request->misplaced != NULL ? refuse_option(request) : machines_check(request);
	if (status == EXIT_DONE && request->logs.n == 0)
		status = plan_of_verb(request, &plan);
	if (status == EXIT_DONE && request->logs.n == 0)
		return logs_open_machine(logs, request, &plan);
	if (status == EXIT_DONE && !request->is_plain)
		status = patterns_open(&logs->patterns, request);
	if (status == EXIT_DONE)
		status = open_files(logs);
	is_fleet = request->reads_once && files_merged(logs->files) != NULL && !request->by_process;
	// Statistics of several logs are read by many threads, which must not wait for a look
	// beforehand.
	if (status == EXIT_DONE && !request->is_plain)
		status = set_window(logs, is_fleet);
	if (status == EXIT_DONE && !request->is_plain && !is_fleet && !request->identifies_later)
		status = logs_identify(logs);
	return status;
}

bool
logs_again(struct logs *logs, int *status)
{
	if (!logs->again)
		return false;
	pmon_source_close(logs->source);
	files_free(logs->files);
	logs->source = NULL;
	logs->files = NULL;
	logs->used = (struct pmon_used){.samples = 0};
	logs->again = logs->streams = false;
	*status = open_files(logs);
	if (*status == EXIT_DONE && logs->identity.step != NULL)
		*status = logs_identify(logs);
	return *status == EXIT_DONE;
}

// The name of the input, for messages.
static const char *
name_of(const struct logs *logs)
{
	return logs->request.logs.n > 0 ? logs->request.logs.list[0] : "this machine";
}

int
logs_say_err(const struct logs *logs, const struct pmon_err *err)
{
	int status = say_err(name_of(logs), err);

	memory_hint(err);
	return status;
}

void
logs_use(struct logs *logs, const struct pmon_sample *sample)
{
	pmon_used_add(&logs->used, sample);
	window_note_sample(&logs->window, logs->patterns.select, sample);
}

bool
logs_next(struct logs *logs, const struct pmon_sample **sample, int *status)
{
	struct pmon_err err = {.status = PMON_OK};

	// Readers of the output see each sample at once, and a reader that is gone is noticed.
	if (pmon_source_info(logs->source)->live && fflush(stdout) != 0)
		return false;
	switch (pmon_source_next(logs->source, sample, &err)) {
	case PMON_OK:
		if (++logs->read % PROGRESS_SAMPLES == 0)
			progress_tell(NULL, pmon_source_info(logs->source));
		logs_use(logs, *sample);
		return true;
	case PMON_END:
		line_erase();
		return false;
	default:
		logs->again = logs->streams && err.status == PMON_E_STATE;
		if (!logs->again)
			*status = logs_say_err(logs, &err);
		return false;
	}
}

int
logs_rewind(struct logs *logs)
{
	struct pmon_err err;

	logs->used = (struct pmon_used){.samples = 0};
	if (pmon_source_rewind(logs->source, &err) != PMON_OK)
		return logs_say_err(logs, &err);
	return EXIT_DONE;
}

// "web01.blg: 2,400 samples used, 1 of them without values"
static void
say_used(const struct logs *logs)
{
	const struct words *names = &logs->request.logs;
	char samples[DRAW_NUMBER];
	char empty[DRAW_NUMBER];
	char of[32];

	(void)out_count(logs->used.samples, samples, sizeof(samples));
	(void)out_count(logs->used.empty, empty, sizeof(empty));
	(void)snprintf(of, sizeof(of), "%zu logs", names->n);
	say(0, "%s: %s sample%s used%s%s%s", names->n > 1 ? of : file_name(name_of(logs)), samples,
	    pmon_text_word(logs->used.samples, "", "s"), logs->used.empty > 0 ? ", " : "",
	    logs->used.empty > 0 ? empty : "",
	    logs->used.empty > 0 ? " of them without values" : "");
}

void
logs_say_unknown_processes(const struct logs *logs)
{
	if (logs->source != NULL &&
	    (identity_is_unknown(&logs->identity) || (logs->facts & LOGS_UNKNOWN_PROCESSES) != 0))
		identity_say_unknown();
}

bool
logs_have_failed(const struct logs *logs)
{
	return logs->failed || files_have_failed(logs->files) || (logs->facts & LOGS_FAILED) != 0;
}

int
logs_close(struct logs *logs, int status)
{
	bool damaged = logs->source != NULL && pmon_source_info(logs->source)->losses > 0;

	if (logs->source != NULL && pmon_source_info(logs->source)->records_unknown > 0)
		say(0, "note: %llu %s skipped",
		    (unsigned long long)pmon_source_info(logs->source)->records_unknown,
		    pmon_text_word(pmon_source_info(logs->source)->records_unknown,
				   "record of an unknown kind was",
				   "records of unknown kinds were"));
	if (status == EXIT_DONE && logs_have_failed(logs))
		status = EXIT_FAILED;
	if (status == EXIT_DONE && damaged)
		status = EXIT_DAMAGED;
	if (status == EXIT_DONE)
		logs_say_unknown_processes(logs);
	if (logs->source != NULL && logs->request.verbose && status != EXIT_FAILED)
		say_used(logs);
	pmon_source_close(logs->source);
	free(logs->apart);
	patterns_free(&logs->patterns);
	naming_free(&logs->naming);
	rules_processors_free(&logs->processors);
	files_free(logs->files);
	window_free(&logs->window);
	return status;
}

static struct pmon_statistics_options
statistics_options(const struct logs *logs, unsigned keep)
{
	return (struct pmon_statistics_options){
		.size = sizeof(struct pmon_statistics_options),
		.calc = &logs->request.calc,
		.keep = keep,
		.threads = (unsigned)pmon_threads_processors(),
		.progress = progress_tell,
	};
}

// Read several files, each in one thread.
static int
fleet_statistics(struct logs *logs, unsigned keep, struct pmon_statistics **out)
{
	const struct pmon_statistics_options read = statistics_options(logs, keep);
	struct pmon_fleet_options options = {
		.size = sizeof(options),
		.read = &read,
		.from = logs->window.from,
		.to = logs->window.to,
	};
	struct pmon_identity_options identity;
	struct pmon_err err = {.status = PMON_OK};
	enum pmon_status status;

	files_hold(logs->files);
	identity = identity_options(&logs->identity, &logs->request, &logs->patterns,
				    pmon_source_info(logs->source));
	if (logs->request.tells_processes)
		options.identity = &identity;
	status = pmon_fleet_read(files_merged(logs->files), &options, NULL, out, &err);
	logs->identity.is_unknown = options.unknown_processes;
	line_erase();
	files_tell_held(logs->files);
	if (status != PMON_OK)
		return logs_say_err(logs, &err);
	logs->used = pmon_statistics_used(*out);
	if (logs->window.step != NULL &&
	    !window_note_statistics(&logs->window, logs->patterns.select,
				    pmon_source_schema(logs->source), *out))
		return say_empty_window(logs);
	return EXIT_DONE;
}

// Compute the statistics of one whole log.
static int
statistics_of_one(struct logs *logs, unsigned keep, struct pmon_statistics **out)
{
	const struct pmon_statistics_options options = statistics_options(logs, keep);
	struct pmon_err err = {.status = PMON_OK};
	int status = EXIT_DONE;

	do {
		enum pmon_status read =
			pmon_statistics_read(logs->source, &options, NULL, out, &err);

		logs->again = logs->streams && read == PMON_E_STATE;
		if (read != PMON_OK && !logs->again)
			return logs_say_err(logs, &err);
	} while (logs_again(logs, &status));
	line_erase();
	if (status == EXIT_DONE)
		logs->used = pmon_statistics_used(*out);
	return status;
}

int
logs_statistics(struct logs *logs, unsigned keep, struct pmon_statistics **out)
{
	const struct pmon_sample *sample;
	struct pmon_err err = {.status = PMON_OK};
	int status = EXIT_DONE;

	if (files_merged(logs->files) != NULL && logs->identity.step == NULL)
		return fleet_statistics(logs, keep, out);
	if (logs->request.logs.n == 1 && logs->request.from == NULL && logs->request.to == NULL)
		return statistics_of_one(logs, keep, out);
	if (pmon_statistics_new(pmon_source_schema(logs->source), &logs->request.calc, NULL, out,
				&err) != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	pmon_statistics_keep(*out, keep);
	while (logs_next(logs, &sample, &status)) {
		if (pmon_statistics_add(*out, sample, NULL, &err) != PMON_OK) {
			status = say(EXIT_FAILED, "%s", err.msg);
			break;
		}
	}
	return status;
}

void
logs_say_one_sample(const struct logs *logs, const struct pmon_statistics *statistics)
{
	size_t n = pmon_schema_count(pmon_source_schema(logs->source));
	size_t need_two = 0;

	for (size_t i = 0; i < n; i++) {
		const struct pmon_stats *stats = pmon_statistics_at(statistics, i);

		if (stats == NULL || pmon_stats_samples(stats) == 0)
			continue;
		if (pmon_stats_samples(stats) > 1)
			return;
		need_two += stats->count[PMON_V_FIRST] > 0;
	}
	logs_say_need_two(need_two);
}

void
logs_say_need_two(size_t need_two)
{
	if (need_two > 0)
		say(0, "rates and averages need two samples, and there is one: %zu %s no value",
		    need_two, pmon_text_word(need_two, "counter has", "counters have"));
}

const struct pmon_series **
logs_series(const struct logs *logs, size_t *n)
{
	const struct pmon_schema *schema = pmon_source_schema(logs->source);
	const struct pmon_series **list;

	*n = pmon_schema_count(schema);
	list = calloc(*n + 1, sizeof(const struct pmon_series *));
	if (list == NULL)
		say(0, "not enough memory");
	else
		pmon_schema_in_order(schema, list);
	return list;
}

bool
logs_of_one_machine(const struct logs *logs)
{
	const struct pmon_schema *schema = pmon_source_schema(logs->source);

	for (size_t i = 1; i < pmon_schema_count(schema); i++)
		if (!pmon_text_same(pmon_schema_at(schema, 0)->path.machine,
				    pmon_schema_at(schema, i)->path.machine))
			return false;
	return true;
}

size_t
logs_divisor(struct logs *logs, const struct pmon_series *series)
{
	return per_cpu_divisor(&logs->processors, &logs->request, pmon_source_schema(logs->input),
			       series);
}

void
logs_hide_machine(struct logs *logs)
{
	logs->naming.hide_machine =
		out_is_for_people(logs->request.format) && logs_of_one_machine(logs);
}

void
logs_zone(const struct logs *logs, char buf[ZONE_SIZE])
{
	char offset[PMON_TIME_SIZE];

	if (logs->clock.mode == CLOCK_LOCAL || logs->clock.mode == CLOCK_ZONE) {
		(void)snprintf(buf, ZONE_SIZE, "%s",
			       logs->clock.mode == CLOCK_ZONE ? logs->clock.zone->name
							      : "local time");
		return;
	}
	pmon_time_offset(logs->clock.offset_min, offset);
	(void)snprintf(buf, ZONE_SIZE, "UTC%s", strcmp(offset, "Z") == 0 ? "" : offset);
}

// "12 logs", "11 of 12 logs"
static void
print_machines(const struct logs *logs)
{
	char text[MACHINES_TEXT];
	struct machines machines;

	if (!machines_find(pmon_source_schema(logs->source), &machines))
		memory_was_short();
	if (machines.n > 1 || (machines.n == 1 && logs->naming.hide_machine)) {
		machines_text(&machines, text, sizeof(text));
		fputs(machines.n == 1 ? "Machine " : "", stdout);
		out_clean(stdout, (struct pmon_span){text, strlen(text)});
		fputs(", ", stdout);
	}
	machines_free(&machines);
}

void
logs_print_heading(const struct logs *logs)
{
	const struct pmon_source_info *info = pmon_source_info(logs->source);
	char zone[ZONE_SIZE];

	print_machines(logs);
	logs_zone(logs, zone);
	if (info->live)
		fputs(logs->request.sampling.replay != NULL ? "played back" : "live", stdout);
	else if (logs->request.logs.n > 1)
		files_print_count(logs->files);
	else
		printf("%s log", info->format);
	printf(", times in %s\n\n", zone);
}
