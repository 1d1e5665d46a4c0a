// incident.c - explain one incident: its evidence, usual levels, limits and formulas
// SPDX-License-Identifier: MIT
//
// The log is read twice: once to find the incidents, and once more for the raw values of this one.

#include "verbs/explain/incident.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/pace.h"
#include "query/statistics.h"
#include "shell/input/judged.h"
#include "shell/input/rules_file.h"
#include "shell/output/episode.h"
#include "shell/output/explain_json.h"
#include "shell/output/explain_text.h"
#include "shell/output/incident_json.h"
#include "shell/output/say.h"
#include "shell/output/sentences.h"

#define MOST 12 // evidence that is explained
#define TEXT 1024

// The raw values of one evidence, while it was beyond its usual level or its limit.
struct part {
	const struct evidence *e;
	pmon_time from; // as people read it, and on a clock that was not set
	pmon_time to;
	pmon_time steady_from;
	pmon_time steady_to;
	struct pmon_stats stats;
};

struct explained {
	struct judged judged;
	const struct incident *incident;
	struct part parts[MOST];
	size_t n;
};

// ---- Raw values -----------------------------------------------------------------------------

static void
begin_parts(struct explained *x)
{
	const struct incidents *all = &x->judged.incidents;

	for (size_t i = 0; i < x->incident->n && x->n < MOST; i++) {
		struct part *part = &x->parts[x->n++];
		struct pmon_calc calc;

		part->e = &all->evidence[x->incident->first + i];
		part->from = evidence_from(all, part->e);
		part->to = evidence_to(all, part->e);
		evidence_steady(all, part->e, &part->steady_from, &part->steady_to);
		pmon_calc_init(&calc, &part->e->series->counter, &x->judged.args->calc);
		pmon_stats_init(&part->stats, &calc);
	}
}

// The sample at the beginning is the one that the first interval begins with.
static void
add_raw(struct part *part, pmon_time steady, const struct pmon_raw *raw)
{
	if (steady < part->steady_from || steady > part->steady_to)
		return;
	if (steady == part->steady_from)
		pmon_stats_lead(&part->stats, raw);
	else
		(void)pmon_stats_add(&part->stats, raw);
}

static int
add_sample(struct explained *x, struct pmon_paces *paces, const struct pmon_sample *sample)
{
	const struct pmon_pace *pace = pmon_paces_add(paces, sample);

	if (pace == NULL)
		return say(EXIT_FAILED, "not enough memory");
	for (size_t i = 0; i < sample->n; i++)
		for (size_t k = 0; k < x->n; k++)
			if (x->parts[k].e->series->id == sample->series[i])
				add_raw(&x->parts[k], pmon_pace_steady(pace), &sample->raw[i]);
	return EXIT_DONE;
}

static int
read_parts(struct explained *x)
{
	struct pmon_paces paces = {.list = NULL};
	const struct pmon_sample *sample;
	int status = logs_rewind(&x->judged.logs);

	while (status == EXIT_DONE && logs_next(&x->judged.logs, &sample, &status))
		status = add_sample(x, &paces, sample);
	pmon_paces_free(&paces);
	return status;
}

// ---- Text -----------------------------------------------------------------------------------

static void
print_line(const char *name, const char *text)
{
	printf("  %s%-9s%s ", out_style(STYLE_DIM), name, out_style(STYLE_OFF));
	out_clean(stdout, (struct pmon_span){text, strlen(text)});
	putchar('\n');
}

static void
put_time(const struct explained *x, struct pmon_text *t, pmon_time time)
{
	char buf[PMON_TIME_SIZE];

	(void)pmon_time_local(time, clock_offset(&x->judged.logs.clock, time), buf);
	pmon_text_str(t, buf);
}

static void
print_times(const struct explained *x, pmon_time from, pmon_time to, int64_t length)
{
	char text[TEXT];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	put_time(x, &t, from);
	pmon_text_str(&t, " - ");
	put_time(x, &t, to);
	pmon_text_str(&t, ", ");
	episode_put_length(&t, length);
	print_line("when", text);
}

static void
print_meaning(const struct evidence *e)
{
	static const char *const worse[MEANING_DIRECTIONS] = {
		[MEANING_NEITHER] = "neither direction is worse",
		[MEANING_UP] = "more is worse",
		[MEANING_DOWN] = "less is worse",
		[MEANING_BOTH] = "both directions are worse",
	};
	char text[TEXT];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	if (e->meaning == NULL)
		return;
	pmon_text_str(&t, meaning_resource_name(e->meaning->resource));
	pmon_text_str(&t, ", ");
	pmon_text_str(&t, meaning_kind_name(e->meaning->kind));
	pmon_text_str(&t, "; ");
	pmon_text_str(&t, worse[e->meaning->worse]);
	print_line("means", text);
}

static void
print_usual(const struct evidence *e)
{
	struct bins_usual usual;
	char text[TEXT];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	if (e->track == NULL || e->meaning == NULL)
		return;
	usual = bins_usual(&e->track->bins);
	evidence_put_amount(&t, e, usual.median);
	pmon_text_str(&t, ", the median of ");
	pmon_text_u64(&t, e->track->bins.n_picks);
	pmon_text_str(&t, " samples spread over the log; spread ");
	evidence_put_amount(&t, e, usual.spread);
	pmon_text_str(&t, " (1.4826 times the median distance from it)");
	print_line("usual", text);
	t = pmon_text_init(text, sizeof(text));
	evidence_put_amount(&t, e, shifts_threshold(&e->track->bins, e->meaning));
	pmon_text_str(&t, " from it counts: the largest of 6 spreads, ");
	evidence_put_amount(&t, e, e->meaning->shift);
	pmon_text_str(&t, " (the least change that matters), and ");
	pmon_text_u64(&t, (uint64_t)round(100 * shifts_share(e->meaning)));
	pmon_text_str(&t, " % of the usual level");
	print_line("", text);
}

static void
print_shift(const struct evidence *e)
{
	static const char *const how[SHIFT_KINDS] = {
		[SHIFT_PULSE] = "pulse: the mean of the samples beyond the usual level",
		[SHIFT_STALL] = "stall: operations of one sample waited for so long",
		[SHIFT_RAMP] = "ramp: the mean of the last part, after that of the first",
		[SHIFT_PERIOD] = "period: the mean of all pulses",
		[SHIFT_COUNT] = "count: the sum",
		[SHIFT_LOOP] = "loop: how often a process of this name started",
	};
	char text[TEXT];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	if (e->shift.score <= 0)
		return;
	if (e->shift.kind == SHIFT_LOOP)
		pmon_text_u64(&t, e->shift.times);
	else
		evidence_put_amount(&t, e, e->shift.level);
	pmon_text_str(&t, " by a ");
	pmon_text_str(&t, how[e->shift.kind]);
	pmon_text_str(&t, "; ");
	pmon_text_u64(&t, e->to - e->from);
	pmon_text_str(&t, pmon_text_word(e->to - e->from, " sample", " samples"));
	print_line("level", text);
}

static void
print_limit(const struct evidence *e)
{
	char limit[LIMIT_SIZE];
	char text[TEXT];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	if (e->finding == NULL)
		return;
	limit_text(e->finding->gravest, limit);
	pmon_text_str(&t, limit);
	pmon_text_str(&t, " by the rule \"");
	pmon_text_span(&t, e->finding->rule->name);
	pmon_text_str(&t, "\"; beyond it for ");
	episode_put_length(&t, e->finding->beyond_100ns);
	pmon_text_str(&t, " of the log, in ");
	pmon_text_u64(&t, e->finding->episodes);
	pmon_text_str(&t, pmon_text_word(e->finding->episodes, " episode", " episodes"));
	print_line("limit", text);
	for (size_t i = 0; i < e->finding->rule->n_sources; i++) {
		const struct rules_source *source = &e->finding->rule->sources[i];

		t = pmon_text_init(text, sizeof(text));
		for (size_t k = 0; k < source->texts.n; k++) {
			pmon_text_str(&t, k > 0 ? " " : "");
			pmon_text_span(&t, source->texts.list[k]);
		}
		print_line("by", text);
	}
}

static void
print_part(const struct explained *x, const struct part *part)
{
	const struct evidence *e = part->e;
	struct pmon_explanation why;
	char text[TEXT];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	printf("\n%s", out_style(STYLE_BOLD));
	evidence_put(&t, &x->judged.incidents, e);
	out_clean(stdout, (struct pmon_span){text, strlen(text)});
	printf("%s\n", out_style(STYLE_OFF));
	t = pmon_text_init(text, sizeof(text));
	pmon_text_span(&t, e->series->name);
	print_line("counter", text);
	print_meaning(e);
	print_times(x, part->from, part->to, evidence_length(&x->judged.incidents, e));
	print_shift(e);
	print_usual(e);
	print_limit(e);
	pmon_series_explain_average(e->series, &part->stats, &why);
	print_line("average", "over this time, from the log:");
	explain_print(stdout, NULL, &why);
}

static void
print_who(const struct incident *incident)
{
	char text[TEXT];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	incident_put_who(&t, incident);
	if (incident->n_who == 0) {
		print_line("who", "no process of the log used more than usual in this time");
		return;
	}
	print_line("who", text);
	print_line("", "each: the median of its samples in the log (0 if it began in this time) -> "
		       "its mean in this time");
}

static void
print_incident(const struct explained *x)
{
	const struct incident *incident = x->incident;
	char text[TEXT];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	pmon_text_str(&t, incident_severity_name(incident->severity));
	pmon_text_str(&t, ": ");
	incident_put_headline(&t, &x->judged.incidents, incident);
	printf("%s", out_style(STYLE_BOLD));
	out_clean(stdout, (struct pmon_span){text, strlen(text)});
	printf("%s\n", out_style(STYLE_OFF));
	t = pmon_text_init(text, sizeof(text));
	pmon_text_span(&t, incident->head->series->path.machine);
	if (t.len > 0)
		print_line("machine", text);
	print_times(x, incident->from, incident->to, incident->length_100ns);
	print_who(incident);
	for (size_t i = 0; i < x->n; i++)
		print_part(x, &x->parts[i]);
	if (incident->n > x->n)
		printf("\nand %zu more counters of this incident (pmon health --format json)\n",
		       incident->n - x->n);
}

// ---- JSON -----------------------------------------------------------------------------------

static void
json_number(struct json *json, const char *key, double value)
{
	json_key(json, key);
	if (isfinite(value))
		json_rounded(json, value, 6);
	else
		json_none(json);
}

static void
json_part(struct json *json, const struct part *part)
{
	const struct evidence *e = part->e;
	bool has_usual = e->track != NULL && e->meaning != NULL;
	struct bins_usual usual = {NAN, NAN};
	struct pmon_explanation why;

	if (has_usual)
		usual = bins_usual(&e->track->bins);
	json_open(json, '{');
	json_path(json, e->series->name, e->series);
	json_number(json, "median", usual.median);
	json_number(json, "spread", usual.spread);
	json_key(json, "picked"), json_u64(json, has_usual ? e->track->bins.n_picks : 0);
	json_number(json, "threshold",
		    has_usual ? shifts_threshold(&e->track->bins, e->meaning) : NAN);
	pmon_series_explain_average(e->series, &part->stats, &why);
	json_key(json, "average"), explain_json(json, &why);
	json_close(json, '}');
}

static void
print_json(const struct explained *x)
{
	struct json json = {.stream = stdout};
	const struct incident_json from = {.incidents = &x->judged.incidents};

	json_open(&json, '{');
	json_key(&json, "version"), json_i64(&json, 1);
	json_key(&json, "incident"), json_incident(&json, &from, x->incident);
	json_key(&json, "explained"), json_open(&json, '[');
	for (size_t i = 0; i < x->n; i++)
		json_part(&json, &x->parts[i]);
	json_close(&json, ']');
	json_close(&json, '}');
	putchar('\n');
}

// ---- The verb -------------------------------------------------------------------------------

int
explain_incident(const struct args *args, const char *id)
{
	struct explained x = {
		.judged = {.only_values = true, .finds_incidents = true, .may_lack = true}};
	int status;

	if (args->operands.n == 0)
		return say(EXIT_USAGE, "explain: --incident needs a log");
	status = rules_load(args, &x.judged.rules);
	if (status == EXIT_DONE)
		status = judged_ask(&x.judged, args);
	x.judged.request.by_process = true;
	if (status == EXIT_DONE)
		status = judged_read(&x.judged, false);
	if (status == EXIT_DONE)
		status = judged_rank(&x.judged);
	if (status == EXIT_DONE)
		status = judged_find(&x.judged, id, &x.incident);
	if (status == EXIT_DONE) {
		begin_parts(&x);
		status = read_parts(&x);
	}
	if (status == EXIT_DONE)
		args->format == OUT_JSON ? print_json(&x) : print_incident(&x);
	return judged_close(&x.judged, status);
}
