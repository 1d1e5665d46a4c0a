// run.c - pmon report: a page on logs
// SPDX-License-Identifier: MIT
//
// Each log is read whole for its facts, then all of them together for statistics and rules, and once
// more for the pictures. Standard input, and a machine that is sampled, give their facts on the way.

#include "apps/apps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "apps/report/report.h"
#include "base/time.h"
#include "cli/args/textfile.h"
#include "cli/input/keep.h"
#include "cli/input/logs.h"
#include "cli/input/notices.h"
#include "cli/input/picked.h"
#include "cli/input/rules_file.h"
#include "cli/output/ask.h"
#include "cli/output/say.h"
#include "cli/process/apart.h"
#include "cli/process/memory.h"
#include "cli/process/signals.h"
#include "draw/cairo.h"
#include "draw/label.h"
#include "os/dir.h"
#include "os/outfile.h"
#include "text/machines.h"

#define NAME_BYTES 256

// ---- Facts ----------------------------------------------------------------------------------

static void
keep_text(char *out, size_t size, const char *text)
{
	draw_clean((struct pmon_span){text, strlen(text)}, out, size);
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

// Those that were asked for, however many processes had their names.
static size_t
count_counters(const struct logs *logs)
{
	const struct pmon_schema *schema =
		pmon_source_schema(logs->identity != NULL ? logs->input : logs->source);
	size_t n = 0;

	for (size_t i = 0; i < pmon_schema_count(schema); i++)
		n += logs->select == NULL ||
		     pmon_select_shows(logs->select, pmon_schema_at(schema, i));
	return n;
}

static void
keep_facts(struct report_file *file, const char *name, const struct logs *logs)
{
	const struct pmon_source_info *info = pmon_source_info(logs->source);

	survey_finish(&file->survey);
	file->info = *info;
	file->counters = count_counters(logs);
	if (info->host != NULL)
		file->host = *info->host;
	// Where it lies is nobody's business whom the page is sent to.
	keep_text(file->name, sizeof(file->name), pmon_os_name(name));
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
	keep_text(n->file, sizeof(n->file), pmon_os_name(r->reading));
	keep_text(n->text, sizeof(n->text), notice->text);
}

// Can the logs be read on their own before they are read together? Not what is gone once it was read.
static bool
can_be_read_again(const struct args *args)
{
	for (size_t i = 0; i < args->operands.n; i++)
		if (strcmp(args->operands.list[i], "-") == 0)
			return false;
	return args->operands.n > 0;
}

// Returns whether the log could be opened; what is wrong with one is said.
static bool
find_facts_of(struct report *r, const char *name, struct report_file *file)
{
	struct args one = r->args;
	const struct pmon_sample *sample;
	struct logs logs;
	bool opened;
	int status;

	*file = (struct report_file){.counters = 0};
	one.operands = (struct words){.list = &name, .n = 1, .cap = 1};
	r->reading = name;
	status = logs_open_plain(&logs, &one);
	opened = status == EXIT_DONE;
	while (status == EXIT_DONE && logs_next(&logs, &sample, &status))
		survey_add(&file->survey, sample);
	if (opened)
		keep_facts(file, name, &logs);
	// What is lost is found again by reading all logs. What could not be read now may be read then.
	if (logs_close(&logs, status) == EXIT_FAILED && opened)
		r->failed = true;
	return opened;
}

// Logs that cannot be opened are left out from here on.
static int
find_all_facts(struct report *r)
{
	struct words *names = &r->args.operands;
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
	r->files_done = can_be_read_again(&r->args);
	if (!r->files_done)
		return EXIT_DONE;
	return memory_check(find_all_facts(r));
}

// ---- The first reading ----------------------------------------------------------------------

static int
open_logs(struct report *r)
{
	bool asked = r->args.patterns.n > 0 || r->args.pattern_files.n > 0;
	int status;

	r->ours = r->args.operands.n == 0 && !asked;
	r->args.own_patterns = r->ours;
	for (size_t i = 0; r->ours && report_pattern(i) != NULL; i++)
		if (!words_add(&r->args.patterns, report_pattern(i)))
			return say(EXIT_FAILED, "not enough memory");
	r->logs.args = &r->args;
	status = logs_open(&r->logs, &r->args);
	if (status != EXIT_DONE || r->args.operands.n > 0)
		return status;
	r->logs.source = keep_open(r->logs.source);
	return r->logs.source != NULL ? EXIT_DONE : say(EXIT_FAILED, "not enough memory");
}

static void
note_sample(struct report *r, const struct pmon_sample *sample)
{
	r->from = sample->time < r->from ? sample->time : r->from;
	r->to = sample->time > r->to ? sample->time : r->to;
	r->samples++;
	if (!r->files_done)
		survey_add(&r->files[0].survey, sample);
}

static int
read_values(struct report *r)
{
	const struct pmon_sample *sample;
	const struct pmon_value *values;
	struct pmon_err err;
	int status = EXIT_DONE;

	r->from = INT64_MAX;
	r->to = INT64_MIN;
	while (logs_next(&r->logs, &sample, &status)) {
		if (pmon_statistics_add(r->statistics, sample, &values, &err) != PMON_OK)
			return say(EXIT_FAILED, "%s", err.msg);
		if (!rules_judge_add(r->judge, sample, values))
			return say(EXIT_FAILED, "not enough memory");
		if (report_baseline_add(r, sample) != EXIT_DONE)
			return EXIT_FAILED;
		if (!sample->lead_in)
			note_sample(r, sample);
	}
	if (status == EXIT_DONE && r->from < 0 && r->from < r->to)
		status = say(EXIT_FAILED, "the times of the log make no sense");
	return status;
}

const struct pmon_stats *
report_stats(const struct report *r, const struct pmon_series *series)
{
	const struct pmon_stats *stats = pmon_statistics_at(r->statistics, series->id);

	return stats != NULL && pmon_vstat_has_value(stats->maximum.status) ? stats : NULL;
}

// The series that have values, and what is to be known of them all.
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
	if (!rules_disks_find(&r->disks, pmon_source_schema(r->logs.source)))
		return say(EXIT_FAILED, "not enough memory");
	if (n == 0)
		return say(EXIT_FAILED, "there is no value to report");
	r->with_dates = clock_spans_days(&r->logs.clock, r->from, r->to);
	return EXIT_DONE;
}

static int
first_reading(struct report *r)
{
	bool asked = (r->args.patterns.n > 0 || r->args.pattern_files.n > 0) && !r->ours;
	const struct pmon_schema *schema = pmon_source_schema(r->logs.source);
	const struct rules_options judging = {.calc = r->args.calc, .episodes = true};
	struct pmon_err err;
	int status;

	r->judge = rules_judge_new(&r->rules, schema, &judging);
	if (r->judge == NULL ||
	    pmon_statistics_new(schema, &r->args.calc, NULL, &r->statistics, &err) != PMON_OK)
		return say(EXIT_FAILED, "not enough memory");
	status = report_baseline_begin(r);
	if (status == EXIT_DONE)
		status = read_values(r);
	if (status == EXIT_DONE && asked)
		status = logs_check_patterns(&r->logs);
	if (status == EXIT_DONE && !r->files_done)
		keep_facts(&r->files[0],
			   r->args.operands.n > 0 ? "standard input" : "This machine, live",
			   &r->logs);
	if (status == EXIT_DONE)
		logs_say_one_sample(&r->logs, r->statistics);
	if (status == EXIT_DONE)
		status = list_series(r);
	if (status != EXIT_DONE)
		return status;
	if (rules_judge_has_more_machines(r->judge))
		say(0, "only the first %d machines were judged; the log has more", RULES_MACHINES);
	r->ranked =
		(struct judged){.rules = r->rules, .judge = r->judge, .statistics = r->statistics};
	status = judged_rank(&r->ranked);
	r->episodes = rules_judge_episodes(r->judge, &r->n_episodes);
	r->findings = rules_judge_findings(r->judge, &r->n_findings);
	if (r->findings == NULL || r->episodes == NULL)
		status = say(EXIT_FAILED, "not enough memory");
	return status;
}

// ---- The second reading ---------------------------------------------------------------------

// A pmon_want_fn: the series of charts. Paths are those of the schema, so comparing addresses is enough.
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

// The series of charts and hours are the only ones of the second reading.
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
	struct pmon_err err;
	int status = logs_rewind(&r->logs);

	while (status == EXIT_DONE && logs_next(&r->logs, &sample, &status)) {
		sample = picked_of(picked, sample);
		if (sample == NULL)
			return say(EXIT_FAILED, "not enough memory");
		if (pmon_statistics_add(statistics, sample, &values, &err) != PMON_OK ||
		    pmon_envelope_add(r->envelope, sample, values, &err) != PMON_OK)
			return say(EXIT_FAILED, "%s", err.msg);
		status = report_hours_add(r, sample);
	}
	return status == EXIT_DONE ? report_hours_add(r, NULL) : status;
}

static int
second_reading(struct report *r)
{
	const struct pmon_schema *schema = pmon_source_schema(r->logs.source);
	struct pmon_envelope_options options = {.from = r->from,
						.to = r->to,
						.columns = report_columns(),
						.max_series = (REPORT_CARDS + REPORT_CHARTS) *
							      REPORT_CHART_SERIES,
						.want = is_charted,
						.want_ctx = r};
	struct picked picked = PICKED;
	struct pmon_err err;
	int status;

	notices_mute();
	if (pmon_envelope_new(schema, &options, NULL, &r->envelope, &err) != PMON_OK ||
	    pmon_statistics_new(schema, &r->args.calc, NULL, &r->charted, &err) != PMON_OK) {
		status = say(EXIT_FAILED, "%s", err.msg);
	} else if (!pick_series(r, &picked)) {
		status = say(EXIT_FAILED, "not enough memory");
	} else {
		pmon_statistics_keep(r->charted, PMON_KEEP_PERCENTILES);
		status = fill_envelope(r, &picked, r->charted);
	}
	picked_free(&picked);
	return status;
}

// ---- The page -------------------------------------------------------------------------------

// The name of a log without its folder, and without the ends of compressed and of plain logs.
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
	const struct words *files = &r->args.operands;
	struct pmon_span stem = r->series[0]->path.machine;
	struct pmon_text t = pmon_text_init(buf, size);

	if (files->n > 0 && strcmp(files->list[0], "-") != 0)
		stem = stem_of(files->list[0]);
	else if (stem.len == 0 || memchr(stem.ptr, '/', stem.len) != NULL || stem.ptr[0] == '.')
		stem = PMON_SPAN("report");
	pmon_text_span(&t, stem);
	pmon_text_str(&t, ".html");
}

// The page on its way to a file.
struct writing {
	struct report *report;
	const char *path;
	struct pmon_outfile *file;
};

static int
write_to_file(void *ctx)
{
	const struct writing *w = ctx;
	const char *wrong = report_page(w->report, &(struct html){w->file});
	struct pmon_err err;

	if (wrong != NULL)
		return say(EXIT_FAILED, "%s: %s", w->path, wrong);
	if (memory_check(EXIT_DONE) != EXIT_DONE)
		return EXIT_FAILED;
	return pmon_outfile_commit(w->file, &err) == PMON_OK ? EXIT_DONE
							     : say_write_err(w->path, &err);
}

static int
write_page(struct report *r)
{
	char name[NAME_BYTES + 8];
	const char *path = r->args.output != NULL ? r->args.output : name;
	struct pmon_outfile_options options = {.sync = r->args.sync,
					       .temporary = signals_temporary};
	struct writing writing = {.report = r, .path = path};
	struct pmon_err err;
	int status;

	choose_name(r, name, sizeof(name));
	status = ask_overwrite(path, &r->args.yes);
	if (status != EXIT_DONE)
		return status;
	options.overwrite = r->args.yes;
	if (pmon_outfile_open(path, &options, &writing.file, &err) != PMON_OK)
		return say_write_err(path, &err);
	status = apart_run(write_to_file, &writing);
	pmon_outfile_close(writing.file); // removes what was not finished
	if (status == EXIT_DONE && strcmp(path, "-") != 0)
		say(0, "%s: %zu threshold%s crossed", path, r->n_findings,
		    r->n_findings == 1 ? "" : "s");
	return status;
}

static int
close_report(struct report *r, int status)
{
	status = r->logs.args != NULL ? logs_close(&r->logs, status) : status;
	status = report_baseline_close(r, status);
	if (r->failed && status != EXIT_USAGE)
		status = EXIT_FAILED;
	notices_tell(NULL, NULL);
	pmon_envelope_free(r->envelope);
	pmon_statistics_free(r->charted);
	pmon_statistics_free(r->statistics);
	rules_judge_free(r->judge);
	rules_free(&r->rules);
	rules_disks_free(&r->disks);
	free(r->ranked.findings);
	free(r->cards);
	report_hours_free(r);
	free(r->files);
	free(r->notices);
	free(r->series);
	if (r->ours)
		free(r->args.patterns.list);
	free(r);
	return status;
}

int
report_run(const struct args *args)
{
	struct report *r = calloc(1, sizeof(*r));
	int status;

	if (r == NULL)
		return say(EXIT_FAILED, "not enough memory");
	r->args = *args;
	if (args->identity != IDENTITY_WINDOWS)
		r->args.by = "process";
	status = rules_load(&r->args, &r->rules);
	if (status == EXIT_DONE && args->output != NULL)
		status = ask_overwrite(args->output, &r->args.yes);
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
	if (status == EXIT_DONE && !report_choose(r))
		status = say(EXIT_FAILED, "not enough memory");
	if (status == EXIT_DONE)
		status = report_hours_begin(r);
	if (status == EXIT_DONE)
		status = second_reading(r);
	if (status == EXIT_DONE)
		status = write_page(r);
	return close_report(r, status);
}

int
report_load(const struct args *args)
{
	struct pmon_err err;

	(void)args;
	return draw_cairo_load(&err) == PMON_OK
		       ? EXIT_DONE
		       : say(EXIT_DONE, "report: no pictures: %s", err.msg);
}
