// run.c - pmon report: write a page about logs
// SPDX-License-Identifier: MIT
//
// Each log is read completely for its facts, then all of them together for statistics and rules,
// again for the pictures, and once more if there are incidents. For standard input and a live
// machine, the facts come from those passes.

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/time.h"
#include "draw/label.h"
#include "os/dir.h"
#include "os/outfile.h"
#include "shell/args/args.h"
#include "shell/args/groups.h"
#include "shell/args/log_format.h"
#include "shell/args/textfile.h"
#include "shell/args/verb.h"
#include "shell/input/keep.h"
#include "shell/input/logs.h"
#include "shell/input/notices.h"
#include "shell/input/picked.h"
#include "shell/input/rules_file.h"
#include "shell/output/ask.h"
#include "shell/output/machines.h"
#include "shell/output/say.h"
#include "shell/process/door.h"
#include "shell/process/memory.h"
#include "shell/process/signals.h"
#include "verbs/report/incident_cards.h"
#include "verbs/report/report.h"

#define NAME_BYTES 256

static bool
is_markdown(const struct args *args)
{
	return OWN_OPTIONS(report, args)->format == REPORT_MARKDOWN;
}

// ---- Facts ----------------------------------------------------------------------------------

static void
keep_text(char *out, size_t size, const char *text)
{
	draw_clean((struct pmon_span){text, strlen(text)}, out, size);
}

// Recipients of the page need not know where the log is stored, or with --anonymize how it is named.
static void
keep_name(const struct report *r, char *out, size_t size, const char *name)
{
	const struct words *logs = &r->args->operands;

	keep_text(out, size, pmon_os_name(name));
	for (size_t i = 0; report_is_anonymous(r) && i < logs->n; i++)
		if (strcmp(logs->list[i], name) == 0)
			(void)snprintf(out, size, "log %zu", i + 1);
}

static void
keep_machines(struct report_file *file, const struct logs *logs)
{
	char text[sizeof(file->machine)];
	struct machines found;

	keep_text(file->machine, sizeof(file->machine), pmon_source_info(logs->source)->machine);
	if (!machines_find(pmon_source_schema(logs->source), &found))
		memory_was_short();
	file->n_machines = found.n;
	machines_text(&found, text, sizeof(text));
	if (found.n > 1)
		keep_text(file->machine, sizeof(file->machine), text);
	machines_free(&found);
}

// Count the requested counters, not one for each process with the same name.
static size_t
count_counters(const struct logs *logs)
{
	const struct pmon_schema *schema =
		pmon_source_schema(logs->identity.step != NULL ? logs->input : logs->source);
	size_t n = 0;

	for (size_t i = 0; i < pmon_schema_count(schema); i++)
		n += logs->patterns.select == NULL ||
		     pmon_select_shows(logs->patterns.select, pmon_schema_at(schema, i));
	return n;
}

static void
keep_facts(struct report *r, struct report_file *file, const char *name, const struct logs *logs)
{
	const struct pmon_source_info *info = pmon_source_info(logs->source);

	survey_finish(&file->survey);
	file->info = *info;
	file->counters = count_counters(logs);
	if (info->host != NULL)
		file->host = *info->host;
	if (report_is_anonymous(r))
		redaction_add(&r->names, logs->source);
	keep_name(r, file->name, sizeof(file->name), name);
	keep_text(file->format, sizeof(file->format), info->format);
	keep_text(file->writer, sizeof(file->writer), info->writer);
	keep_text(file->converter, sizeof(file->converter),
		  info->converter != NULL ? info->converter : "");
	keep_machines(file, logs);
	keep_text(file->zone, sizeof(file->zone), info->zone);
}

static void
take_notice(void *ctx, const struct pmon_notice *notice)
{
	struct report *r = ctx;
	struct report_notice *n;

	if (r->n_notices++ >= REPORT_NOTICES)
		return;
	n = &r->notices[r->n_notices - 1];
	*n = (struct report_notice){
		.is_loss = notice->is_loss, .offset = notice->offset, .length = notice->length};
	keep_name(r, n->file, sizeof(n->file), r->reading);
	keep_text(n->text, sizeof(n->text), notice->text);
}

// Can each log be read separately before all are read together? Not if reading consumes it.
static bool
can_be_read_again(const struct args *args)
{
	for (size_t i = 0; i < args->operands.n; i++)
		if (strcmp(args->operands.list[i], "-") == 0)
			return false;
	return args->operands.n > 0;
}

// Returns whether the log could be opened; problems are reported.
static bool
find_facts_of(struct report *r, const char *name, struct report_file *file)
{
	struct request request = request_of_log(r->args, &name);
	const struct pmon_sample *sample;
	struct logs logs;
	bool opened;
	int status;

	*file = (struct report_file){.counters = 0};
	request.is_plain = true;
	request.verbose = false; // it is read again
	r->reading = name;
	status = logs_open(&logs, &request);
	opened = status == EXIT_DONE;
	while (status == EXIT_DONE && logs_next(&logs, &sample, &status))
		survey_add(&file->survey, sample);
	if (opened)
		keep_facts(r, file, name, &logs);
	// Losses are found again when all logs are read. A log that could not be read now may be
	// readable then.
	if (logs_close(&logs, status) == EXIT_FAILED && opened)
		r->failed = true;
	return opened;
}

// Logs that cannot be opened are skipped from here on.
static int
find_all_facts(struct report *r)
{
	struct words *names = &r->request.logs;
	size_t n = 0;

	for (size_t i = 0; i < names->n; i++) {
		const char *name = names->list[i];

		if (find_facts_of(r, name, &r->files[n < REPORT_FILES ? n : REPORT_FILES]))
			names->list[n++] = name;
		else
			r->n_failed++;
	}
	r->failed |= r->n_failed > 0;
	r->n_files = names->n = n;
	return n > 0 ? EXIT_DONE : EXIT_FAILED;
}

static int
find_facts(struct report *r)
{
	r->files = calloc(REPORT_FILES + 1, sizeof(*r->files));
	r->notices = calloc(REPORT_NOTICES, sizeof(*r->notices));
	if (r->files == NULL || r->notices == NULL)
		return say(EXIT_FAILED, "not enough memory");
	r->n_files = 1;
	r->reading = file_name("-");
	notices_tell(take_notice, r);
	r->files_done = can_be_read_again(r->args);
	if (!r->files_done)
		return EXIT_DONE;
	return memory_check(find_all_facts(r));
}

// ---- The first reading ----------------------------------------------------------------------

static int
open_logs(struct report *r)
{
	bool ours = r->request.logs.n == 0 && !request_has_patterns(&r->request);
	int status;

	for (size_t i = 0; ours && report_pattern(i) != NULL; i++)
		if (!words_add(&r->request.added, report_pattern(i)))
			return say(EXIT_FAILED, "not enough memory");
	r->is_open = true;
	status = logs_open(&r->logs, &r->request);
	if (status != EXIT_DONE || r->request.logs.n > 0)
		return status;
	r->logs.source = keep_open(r->logs.source);
	return r->logs.source != NULL ? EXIT_DONE : say(EXIT_FAILED, "not enough memory");
}

static void
note_sample(struct report *r, const struct pmon_sample *sample, pmon_time on_axis)
{
	r->from = on_axis < r->from ? on_axis : r->from;
	r->to = on_axis > r->to ? on_axis : r->to;
	r->samples++;
	if (!r->files_done)
		survey_add(&r->files[0].survey, sample);
}

static int
read_values(struct report *r)
{
	const struct pmon_sample *sample;
	const struct pmon_value *values;
	struct pmon_sample on_axis;
	struct pmon_err err;
	int status = EXIT_DONE;

	r->from = INT64_MAX;
	r->to = INT64_MIN;
	while (logs_next(&r->logs, &sample, &status)) {
		if (pmon_statistics_add(r->statistics, sample, &values, &err) != PMON_OK)
			return say(EXIT_FAILED, "%s", err.msg);
		if (!rules_judge_add(r->judge, sample, values) ||
		    !tracks_add(&r->ranked.incidents.tracks, pmon_source_schema(r->logs.source),
				sample, values))
			return say(EXIT_FAILED, "not enough memory");
		if (report_baseline_add(r, sample) != EXIT_DONE)
			return EXIT_FAILED;
		if (!pmon_paces_axis(&r->paces, sample, &on_axis))
			return say(EXIT_FAILED, "not enough memory");
		if (!sample->preceding)
			note_sample(r, sample, on_axis.time);
	}
	if (status == EXIT_DONE && r->from < 0 && r->from < r->to)
		status = say(EXIT_FAILED, "the log contains invalid times");
	return status;
}

const struct pmon_stats *
report_stats(const struct report *r, const struct pmon_series *series)
{
	const struct pmon_stats *stats = pmon_statistics_at(r->statistics, series->id);

	return stats != NULL && pmon_vstat_has_value(stats->maximum.status) ? stats : NULL;
}

// Collect the series with values, and the facts about all of them.
static int
list_series(struct report *r)
{
	size_t n = 0;

	r->series = logs_series(&r->logs, &r->n);
	if (r->series == NULL)
		return EXIT_FAILED;
	for (size_t i = 0; i < r->n; i++) {
		if (report_stats(r, r->series[i]) == NULL)
			continue;
		r->series[n++] = r->series[i];
		r->two_machines |=
			!pmon_text_same(r->series[0]->path.machine, r->series[n - 1]->path.machine);
	}
	r->n = n;
	if (!pmon_rates_find(&r->rates, pmon_source_schema(r->logs.source)))
		return say(EXIT_FAILED, "not enough memory");
	if (n == 0)
		return say(EXIT_FAILED, "there is no value to report");
	r->with_dates = clock_spans_days(&r->logs.clock, r->from, r->to);
	return EXIT_DONE;
}

// What --anonymize replaces.
static int
find_names(struct report *r)
{
	if (!report_is_anonymous(r))
		return EXIT_DONE;
	redaction_add(&r->names, r->logs.source);
	report_baseline_names(r);
	return redaction_end(&r->names) ? EXIT_DONE : say(EXIT_FAILED, "not enough memory");
}

static int
first_reading(struct report *r)
{
	bool asked = request_has_patterns(&r->request);
	const struct pmon_schema *schema = pmon_source_schema(r->logs.source);
	const struct rules_options judging = {.calc = &r->args->calc, .episodes = true};
	struct pmon_err err;
	int status;

	r->judge = rules_judge_new(&r->rules, schema, &judging);
	if (r->judge == NULL ||
	    pmon_statistics_new(schema, &r->args->calc, NULL, &r->statistics, &err) != PMON_OK ||
	    !tracks_begin(&r->ranked.incidents.tracks))
		return say(EXIT_FAILED, "not enough memory");
	r->ranked.args = r->args;
	r->ranked.rules = r->rules;
	r->ranked.judge = r->judge;
	r->ranked.statistics = r->statistics;
	r->ranked.finds_incidents = true;
	status = report_baseline_begin(r);
	if (status == EXIT_DONE)
		status = read_values(r);
	if (status == EXIT_DONE && asked)
		status = logs_check_patterns(&r->logs);
	if (status == EXIT_DONE && !r->files_done)
		keep_facts(r, &r->files[0],
			   r->request.logs.n > 0 ? "standard input" : "This machine, live",
			   &r->logs);
	if (status == EXIT_DONE)
		logs_say_one_sample(&r->logs, r->statistics);
	if (status == EXIT_DONE)
		status = list_series(r);
	if (status == EXIT_DONE)
		status = find_names(r);
	if (status != EXIT_DONE)
		return status;
	if (rules_judge_has_more_machines(r->judge))
		say(0, "only the first %d machines were judged; the log has more", RULES_MACHINES);
	status = judged_rank(&r->ranked);
	if (status == EXIT_DONE && !is_markdown(r->args))
		status = report_cards_take(r);
	tracks_free_bins(&r->ranked.incidents.tracks);
	r->episodes = rules_judge_episodes(r->judge, &r->n_episodes);
	r->findings = rules_judge_findings(r->judge, &r->n_findings);
	if (r->findings == NULL || r->episodes == NULL)
		status = say(EXIT_FAILED, "not enough memory");
	return status;
}

// ---- The second reading ---------------------------------------------------------------------

// A pmon_want_fn for the series of charts. Paths belong to the schema, so comparing addresses is
// enough.
static bool
is_charted(void *ctx, const struct pmon_path *path)
{
	const struct report *r = ctx;

	for (size_t i = 0; i < r->n_charts; i++)
		for (size_t j = 0; j < r->charts[i].n; j++)
			if (path == &r->charts[i].series[j]->path)
				return true;
	return false;
}

// Restrict the second pass to the series of charts and hours.
static bool
pick_series(const struct report *r, struct picked *picked)
{
	const struct pmon_series *const *hours;

	for (size_t i = 0; i < r->n_charts; i++)
		for (size_t j = 0; j < r->charts[i].n; j++)
			if (!picked_add(picked, r->charts[i].series[j]->id))
				return false;
	for (size_t i = 0, n = report_hours_series(r, &hours); i < n; i++)
		if (!picked_add(picked, hours[i]->id))
			return false;
	return true;
}

static int
fill_envelope(struct report *r, struct picked *picked, struct pmon_statistics *statistics)
{
	const struct pmon_sample *sample;
	const struct pmon_value *values;
	struct pmon_sample on_axis;
	struct pmon_err err;
	int status = logs_rewind(&r->logs);

	pmon_paces_free(&r->paces);
	while (status == EXIT_DONE && logs_next(&r->logs, &sample, &status)) {
		sample = picked_of(picked, sample);
		if (sample == NULL || !pmon_paces_axis(&r->paces, sample, &on_axis))
			return say(EXIT_FAILED, "not enough memory");
		if (pmon_statistics_add(statistics, sample, &values, &err) != PMON_OK ||
		    pmon_envelope_add(r->envelope, &on_axis, values, &err) != PMON_OK)
			return say(EXIT_FAILED, "%s", err.msg);
		status = report_hours_add(r, sample);
		if (status == EXIT_DONE)
			status = report_cards_add(r, sample, on_axis.time);
	}
	return status == EXIT_DONE ? report_hours_add(r, NULL) : status;
}

static int
second_reading(struct report *r)
{
	const struct pmon_schema *schema = pmon_source_schema(r->logs.source);
	struct pmon_envelope_options options = {.size = sizeof(options),
						.from = r->from,
						.to = r->to,
						.columns = report_columns(),
						.max_series = (REPORT_CARDS + REPORT_CHARTS) *
							      REPORT_CHART_SERIES,
						.want = is_charted,
						.want_ctx = r};
	struct picked picked = PICKED;
	struct pmon_err err;
	int status = EXIT_DONE;

	notices_mute();
	if (pmon_envelope_new(schema, &options, NULL, &r->envelope, &err) != PMON_OK ||
	    pmon_statistics_new(schema, &r->args->calc, NULL, &r->charted, &err) != PMON_OK) {
		status = say(EXIT_FAILED, "%s", err.msg);
	} else if (!pick_series(r, &picked)) {
		status = say(EXIT_FAILED, "not enough memory");
	} else {
		pmon_statistics_keep(r->charted, PMON_KEEP_PERCENTILES);
		status = report_cards_begin(r, &picked);
	}
	if (status == EXIT_DONE)
		status = fill_envelope(r, &picked, r->charted);
	picked_free(&picked);
	return status;
}

// ---- The page -------------------------------------------------------------------------------

// The name of a log without its folder, and without the endings of compression and format.
static struct pmon_span
stem_of(const char *path)
{
	struct pmon_span name = {pmon_os_name(path), 0};

	name.len = strlen(name.ptr);
	for (int i = 0; i < 2; i++) {
		bool packed = pmon_text_match(PMON_SPAN("*.gz"), name) ||
			      pmon_text_match(PMON_SPAN("*.zst"), name);
		size_t len = name.len;

		while (len > 1 && name.ptr[len - 1] != '.')
			len--;
		if (len > 1)
			name.len = len - 1;
		if (!packed)
			break;
	}
	return name;
}

static void
choose_name(const struct report *r, char *buf, size_t size)
{
	const struct words *files = &r->request.logs;
	struct pmon_span stem = r->series[0]->path.machine;
	struct pmon_text t = pmon_text_init(buf, size);

	if (report_is_anonymous(r))
		stem = PMON_SPAN("report");
	else if (files->n > 0 && strcmp(files->list[0], "-") != 0)
		stem = stem_of(files->list[0]);
	else if (stem.len == 0 || memchr(stem.ptr, '/', stem.len) != NULL || stem.ptr[0] == '.')
		stem = PMON_SPAN("report");
	pmon_text_span(&t, stem);
	pmon_text_str(&t, ".html");
}

static int
write_to_file(struct report *r, const char *path, struct pmon_outfile *file)
{
	struct html html = {file, report_is_anonymous(r) ? &r->names : NULL};
	const char *wrong = is_markdown(r->args) ? report_markdown(r, file) : report_page(r, &html);
	struct pmon_err err;

	if (wrong != NULL)
		return say(EXIT_FAILED, "%s: %s", path, wrong);
	if (memory_check(EXIT_DONE) != EXIT_DONE)
		return EXIT_FAILED;
	return pmon_outfile_commit(file, &err) == PMON_OK ? EXIT_DONE : say_write_err(path, &err);
}

static int
write_page(struct report *r)
{
	char name[NAME_BYTES + 8];
	const char *path = r->args->output != NULL ? r->args->output
			   : is_markdown(r->args)  ? "-"
						   : name;
	struct pmon_outfile_options options = {
		.sync = r->args->sync, .temporary = signals_temporary, .door = door_get()};
	struct pmon_outfile *file;
	struct pmon_err err;
	int status;

	choose_name(r, name, sizeof(name));
	status = ask_overwrite(path, &r->overwrite);
	if (status != EXIT_DONE)
		return status;
	options.overwrite = r->overwrite;
	if (pmon_outfile_open(path, &options, &file, &err) != PMON_OK)
		return say_write_err(path, &err);
	status = write_to_file(r, path, file);
	pmon_outfile_close(file); // deletes an unfinished file
	if (status == EXIT_DONE && strcmp(path, "-") != 0)
		say(0, "%s: %zu incident%s, %zu threshold%s crossed", path, r->ranked.incidents.n,
		    pmon_text_word(r->ranked.incidents.n, "", "s"), r->n_findings,
		    pmon_text_word(r->n_findings, "", "s"));
	return status;
}

static int
close_report(struct report *r, int status)
{
	status = r->is_open ? logs_close(&r->logs, status) : status;
	status = report_baseline_close(r, status);
	if (r->failed && status != EXIT_USAGE)
		status = EXIT_FAILED;
	notices_tell(NULL, NULL);
	pmon_envelope_free(r->envelope);
	pmon_paces_free(&r->paces);
	pmon_statistics_free(r->charted);
	pmon_statistics_free(r->statistics);
	rules_judge_free(r->judge);
	rules_free(&r->rules);
	pmon_rates_free(&r->rates);
	judged_free_ranking(&r->ranked);
	free(r->cards);
	report_hours_free(r);
	report_cards_free(r);
	redaction_free(&r->names);
	free(r->files);
	free(r->notices);
	free(r->series);
	free(r->request.logs.list);
	free(r->request.added.list);
	free(r);
	return status;
}

static bool
is_ending(struct pmon_span ending, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (pmon_text_same(ending, (struct pmon_span){list[i], strlen(list[i])}))
			return true;
	return false;
}

// A page under the name of a picture or an archive could not be opened.
static int
check_name(const struct args *args)
{
	static const char *const markdown[] = {"md", "markdown", "txt"};
	static const char *const page[] = {"html", "htm"};
	struct pmon_span ending = log_format_ending(args->output);

	if (ending.ptr == NULL)
		return EXIT_DONE;
	if (is_markdown(args) && !is_ending(ending, markdown, 3))
		return say(EXIT_USAGE,
			   "report: %s: the name of a markdown file must end in .md or .txt",
			   args->output);
	if (!is_markdown(args) && !is_ending(ending, page, 2))
		return say(
			EXIT_USAGE,
			"report: %s: a report is an HTML page, and its name must end in .html; for "
			"markdown, use --format markdown",
			args->output);
	return EXIT_DONE;
}

static int
check_options(const struct args *args)
{
	if (args->fail_on != FAIL_ON_NOTHING && args->operands.n == 0)
		return say(EXIT_USAGE, "report: --fail-on needs a log; for this machine, use pmon "
				       "health --fail-on");
	if (is_markdown(args) && OWN_OPTIONS(report, args)->baseline != NULL)
		return say(EXIT_USAGE, "report: --baseline needs --format html; pmon diff --format "
				       "markdown compares logs as markdown");
	return check_name(args);
}

// --fail-on asks for incidents, which the page does not need.
static int
fail(const struct args *args, int status)
{
	struct judged j = {.args = args};

	if (status != EXIT_DONE || args->fail_on == FAIL_ON_NOTHING)
		return status;
	notices_mute_known();
	status = judged_logs(&j, args, &args->operands);
	return judged_close(&j, judged_fail(&j, status));
}

// Choose the charts of the page, and read the logs again for them.
static int
prepare_page(struct report *r)
{
	int status;

	if (!report_choose(r))
		return say(EXIT_FAILED, "not enough memory");
	status = report_hours_begin(r);
	if (status == EXIT_DONE)
		status = second_reading(r);
	return status == EXIT_DONE ? report_cards_fill(r) : status;
}

static int
report_run(const struct args *args)
{
	struct report *r = calloc(1, sizeof(*r));
	int status = check_options(args);

	if (r == NULL || status != EXIT_DONE) {
		free(r);
		return status != EXIT_DONE ? status : say(EXIT_FAILED, "not enough memory");
	}
	r->args = args;
	r->overwrite = args->yes;
	r->request = request_from(args);
	r->request.by_process |= args->identity != IDENTITY_WINDOWS;
	r->request.logs = (struct words){.n = 0}; // those that cannot be opened are skipped
	status = words_take_all(&r->request.logs, &args->operands);
	if (status == EXIT_DONE)
		status = rules_load(args, &r->rules);
	if (status == EXIT_DONE && args->output != NULL)
		status = ask_overwrite(args->output, &r->overwrite);
	if (status == EXIT_DONE)
		status = find_facts(r);
	if (status == EXIT_DONE && r->files_done) {
		notices_mute_known();
		notices_tell(NULL, NULL);
	}
	if (status == EXIT_DONE)
		status = report_baseline_read(r);
	if (status == EXIT_DONE)
		status = open_logs(r);
	if (status == EXIT_DONE)
		status = first_reading(r);
	if (status == EXIT_DONE)
		status = report_baseline_compare(r);
	if (status == EXIT_DONE && !is_markdown(args))
		status = prepare_page(r);
	if (status == EXIT_DONE)
		status = write_page(r);
	return fail(args, close_report(r, status));
}

// ---- The verb -----------------------------------------------------------------------------------

static const struct option options[] = {
	GROUP(options_select),
	GROUP(options_window),
	GROUP(options_limits),
	GROUP(options_read),
	GROUP(options_live),
	OPTION_INTO(TEXT, output, ANY, "-o", "--output", "FILE",
		    "output file; by default LOGNAME.html in the current folder, markdown on "
		    "standard output; - is standard output"),
	OPTION(CHOICE, report, format, "--format", NULL, "html|markdown",
	       "a page with charts, by default, or the incidents and key numbers for a ticket"),
	GROUP(options_rules),
	GROUP(options_fail_on),
	OPTION(FILE, report, baseline, "--baseline", NULL, "LOG",
	       "compare with this log, as pmon diff does, and show what is worse and what is "
	       "better"),
	OPTION(FLAG, report, anonymize, "--anonymize", NULL, NULL,
	       "replace the names of machines, SQL Server instances, databases and users by "
	       "machine1, database2 ..., and the names of logs by log 1"),
	GROUP(options_title),
	GROUP(options_identity),
	GROUP(options_file),
	GROUP(options_color),
	GROUP(options_verbose),
	GROUP(options_no_sandbox),
	OPTION_END,
};

const struct verb verb_report = {
	.name = "report",
	.operands = "[FILE...]",
	.summary = "write a report: incidents, facts, charts and tables as HTML or markdown",
	.details = "Writes a single self-contained HTML file to read, print and send: a "
		   "description\nof the log, the thresholds crossed and for how long, charts and "
		   "values of each\nobject, gaps and damage.\n\nExamples:\n  pmon report "
		   "server.blg                     writes server.html\n  pmon report --from 10:30 "
		   "--rules ours.rules -o morning.html server.blg\n  pmon report --baseline "
		   "monday.blg tuesday.blg\n  pmon report --format markdown server.blg   for a "
		   "ticket\n  pmon report --duration 5m -o now.html      this "
		   "machine, for five minutes\n",
	.options = options,
	.own_size = sizeof(struct report_options),
	.run = report_run,
	.live = LIVE_MINUTE,
	.traits = VERB_WRITES_HERE | VERB_BY_PROCESS,
	.series_bytes = 2176,
};
