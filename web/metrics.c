// metrics.c - serve the newest counters of a source to a Prometheus scraper
// SPDX-License-Identifier: MIT
//
// The output has no timestamps. Numerators and bases come from the same sample, so their quotients
// are exact whenever the scrape happens, and a series that is missing from a scrape is gone for
// Prometheus at once.

#include "web/metrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "format/openmetrics/openmetrics.h"
#include "os/clock.h"
#include "os/threads.h"
#include "web/call.h"
#include "web/process_groups.h"

#define LONGEST 1e18 // 100 ns: three thousand years

// The newest numbers of a series.
struct newest {
	double numbers[OM_PARTS];
	bool good;
};

// The newest sample of a stream: series that are not in it are gone. In a log, all series are gone
// once the next sample is overdue by the length of the last interval.
struct stream {
	uint32_t stream;
	uint64_t ordinal;
	pmon_time time;
	int64_t took_100ns;
	bool fresh; // its newest sample was not scraped yet
};

// The metrics about the server itself.
struct own {
	uint64_t scrapes;
	uint64_t missed; // samples
	int64_t took_100ns;
	bool failed; // the newest scrape failed
};

struct metrics {
	struct pmon_lock lock;
	struct metrics_plan plan;
	struct om_registry registry;
	struct process_groups *groups; // NULL: processes are shown as they are
	struct newest *newest;
	size_t n;
	size_t cap;
	struct stream *streams;
	size_t n_streams;
	size_t streams_cap;
	const struct pmon_sample *held; // read, but its time has not come yet
	bool begun;
	bool ended;
	int64_t begun_100ns; // on the monotonic clock
	int64_t taken_100ns;
	pmon_time first;    // of the log
	pmon_time position; // position in it
	struct own own;
};

// ---- Samples --------------------------------------------------------------------------------

static bool
grow(struct metrics *m)
{
	if (!pmon_om_registry_grow(&m->registry) ||
	    !pmon_mem_grow(m->registry.allocator, &m->newest, &m->cap, m->registry.n_tracks,
			   sizeof(*m->newest)))
		return false;
	for (; m->n < m->registry.n_tracks; m->n++)
		m->newest[m->n] = (struct newest){.good = false};
	return true;
}

static struct stream *
find_stream(struct metrics *m, uint32_t stream)
{
	for (size_t i = 0; i < m->n_streams; i++)
		if (m->streams[i].stream == stream)
			return &m->streams[i];
	return NULL;
}

static bool
note_stream(struct metrics *m, const struct pmon_sample *sample)
{
	struct stream *stream = find_stream(m, sample->stream);

	if (stream == NULL) {
		if (!pmon_mem_grow(m->registry.allocator, &m->streams, &m->streams_cap,
				   m->n_streams + 1, sizeof(*m->streams)))
			return false;
		stream = &m->streams[m->n_streams++];
		*stream = (struct stream){.stream = sample->stream,
					  .time = sample->time - PMON_TIME_PER_MIN};
	}
	m->own.missed += stream->fresh;
	stream->fresh = true;
	stream->ordinal = sample->ordinal;
	stream->took_100ns = sample->time - stream->time;
	stream->time = sample->time;
	return true;
}

static enum pmon_status
add_sample(struct metrics *m, const struct pmon_sample *sample, struct pmon_err *err)
{
	if (!grow(m) || (!sample->starts && !note_stream(m, sample)))
		return pmon_err_nomem(err);
	for (size_t i = 0; i < sample->n; i++) {
		uint32_t id = sample->series[i];
		struct om_track *track = m->registry.tracks[id];
		struct newest *newest = &m->newest[id];

		newest->good = pmon_om_take(track, sample, &sample->raw[i], newest->numbers);
		if (m->groups == NULL || !newest->good || !process_groups_has(track))
			continue;
		newest->good = false; // the group is shown
		if (!process_groups_take(m->groups, track, sample->starts, newest->numbers))
			return pmon_err_nomem(err);
	}
	return PMON_OK;
}

static enum pmon_status
next_sample(struct metrics *m, struct pmon_err *err)
{
	enum pmon_status status = pmon_source_next(m->plan.source, &m->held, err);

	if (status == PMON_OK)
		return PMON_OK;
	m->held = NULL;
	m->ended = status == PMON_END;
	return m->ended ? PMON_OK : status;
}

// Take a sample of this machine if the last one is old enough, after the start values of its
// processes.
static enum pmon_status
refresh_machine(struct metrics *m, int64_t now, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;
	bool is_more = true;

	if (m->begun && now - m->taken_100ns < m->plan.interval_100ns)
		return PMON_OK;
	m->begun = true;
	m->taken_100ns = now;
	while (status == PMON_OK && is_more) {
		status = next_sample(m, err);
		is_more = m->held != NULL && m->held->starts;
		if (status == PMON_OK && m->held != NULL)
			status = add_sample(m, m->held, err);
	}
	return status;
}

// Process all samples of a log whose time has come.
static enum pmon_status
refresh_log(struct metrics *m, int64_t now, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;
	double passed;

	if (!m->begun) {
		status = next_sample(m, err);
		m->begun = status == PMON_OK;
		m->begun_100ns = now;
		m->first = m->held != NULL ? m->held->time : 0;
	}
	passed = (double)(now - m->begun_100ns) * m->plan.speed;
	m->position = m->first + (pmon_time)(passed < LONGEST ? passed : LONGEST);
	while (status == PMON_OK && m->held != NULL && m->held->time <= m->position) {
		status = add_sample(m, m->held, err);
		if (status == PMON_OK)
			status = next_sample(m, err);
	}
	return status;
}

// ---- Answers --------------------------------------------------------------------------------

static void
put_text(void *ctx, const char *text, size_t len)
{
	(void)fwrite(text, 1, len, ctx);
}

static bool
is_there(struct metrics *m, uint32_t id)
{
	const struct stream *stream = find_stream(m, m->registry.tracks[id]->stream);

	if (!m->newest[id].good || stream == NULL ||
	    stream->ordinal != m->registry.tracks[id]->ordinal)
		return false;
	return m->plan.interval_100ns > 0 ? !m->ended
					  : m->position - stream->time <= 2 * stream->took_100ns;
}

// Lines of a part of a family, after its head.
struct lines {
	const struct om_out *out;
	const struct om_family *family;
	int part;
	bool has_head;
};

static void
put_number(void *ctx, const struct om_track *track, double number)
{
	struct lines *lines = ctx;

	if (isnan(number))
		return;
	if (!lines->has_head)
		pmon_om_put_head(lines->out, lines->family, lines->part);
	lines->has_head = true;
	pmon_om_put_line(lines->out, lines->family, lines->part, track, number, PMON_TIME_NONE);
}

static void
put_part(struct metrics *m, const struct om_out *out, size_t i, int part)
{
	const struct om_family *family = &m->registry.families[i];
	struct lines lines = {.out = out, .family = family, .part = part};

	for (uint32_t id = family->first; id != PMON_SERIES_NONE; id = m->registry.tracks[id]->next)
		if (is_there(m, id))
			put_number(&lines, m->registry.tracks[id], m->newest[id].numbers[part]);
	if (m->groups != NULL)
		process_groups_each(m->groups, (uint32_t)i, part, put_number, &lines);
}

static void
put_all(struct metrics *m, const struct om_out *out)
{
	if (m->groups != NULL)
		process_groups_rank(m->groups);
	for (size_t i = 0; i < m->registry.n_families; i++)
		for (int part = 0; part < OM_PARTS; part++)
			if (m->registry.families[i].names[part] != NULL)
				put_part(m, out, i, part);
	for (size_t i = 0; i < m->n_streams; i++)
		m->streams[i].fresh = false;
}

// The older format has no type for info metrics, and puts the suffix in the name of the metric.
static void
put_own_head(const struct om_out *out, const char *name, const char *ending, const char *type,
	     const char *what)
{
	const char *end = out->is_openmetrics ? "" : ending;

	fprintf(out->ctx, "# TYPE %s%s %s\n# HELP %s%s %s\n", name, end,
		out->is_openmetrics || strcmp(type, "info") != 0 ? type : "gauge", name, end, what);
}

static void
put_own(const struct own *own, const struct om_out *out)
{
	char seconds[PMON_NUM_SIZE];

	pmon_num_shortest((double)own->took_100ns / PMON_TIME_PER_SEC, seconds);
	put_own_head(out, "pmon_build", "_info", "info", "The version of pmon");
	fprintf(out->ctx, "pmon_build_info{version=\"%s\"} 1\n", PMON_VERSION_TEXT);
	put_own_head(out, "pmon_serve_missed_samples", "_total", "counter",
		     "Samples missed by all scrapes: replaced by a newer sample of the log, or the "
		     "machine could not be sampled");
	fprintf(out->ctx, "pmon_serve_missed_samples_total %llu\n",
		(unsigned long long)own->missed);
	put_own_head(out, "pmon_serve_scrape_duration_seconds", "", "summary",
		     "Time to take the sample and write the response");
	fprintf(out->ctx,
		"pmon_serve_scrape_duration_seconds_sum %s\n"
		"pmon_serve_scrape_duration_seconds_count %llu\n",
		seconds, (unsigned long long)own->scrapes);
}

// The q of a type in an Accept header, in thousandths; 0: not listed.
static long
quality(const char *accept, const char *type)
{
	const char *at = accept != NULL ? strstr(accept, type) : NULL;
	const char *end = at != NULL ? at + strcspn(at, ",") : NULL;
	const char *q = at != NULL ? strstr(at, "q=") : NULL;
	double value = 1;

	if (at == NULL)
		return 0;
	if (q != NULL && q < end)
		value = strtod(q + 2, NULL);
	return value > 0 && value <= 1 ? (long)(value * 1000) : 0;
}

static bool
wants_openmetrics(const char *accept)
{
	long wanted = quality(accept, "application/openmetrics-text");

	return wanted > 0 && wanted >= quality(accept, "text/plain");
}

// Can this server answer? If it waits for a sample, so does the client.
static void
answer_health(struct metrics *m, struct call *call)
{
	bool failed;

	pmon_lock_take(&m->lock);
	failed = m->own.failed;
	pmon_lock_give(&m->lock);
	call->type = "text/plain; charset=utf-8";
	if (failed)
		call_fail(call, 503, NULL, "the last sample failed");
	else
		put_text(call->json.stream, "ok\n", 3);
}

static enum pmon_status
refresh(struct metrics *m, int64_t now, struct pmon_err *err)
{
	enum pmon_status status = m->plan.interval_100ns > 0 ? refresh_machine(m, now, err)
							     : refresh_log(m, now, err);

	m->own.failed = status != PMON_OK;
	m->own.missed += m->own.failed;
	return status;
}

void
metrics_answer(struct call *call)
{
	struct metrics *m = call->site;
	struct om_out out = {.put = put_text,
			     .ctx = call->json.stream,
			     .is_openmetrics = wants_openmetrics(call->accept),
			     .is_target = !m->plan.is_classic,
			     .says_no_instance = m->plan.is_classic};
	int64_t now = pmon_os_monotonic_100ns();
	enum pmon_status status;
	struct pmon_err err;

	if (strcmp(call->path, METRICS_HEALTH) == 0) {
		answer_health(m, call);
		return;
	}
	if (strcmp(call->path, "/metrics") != 0) {
		call_fail(call, 404, NULL, "the counters are at /metrics");
		return;
	}
	call->type = out.is_openmetrics
			     ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
			     : "text/plain; version=0.0.4; charset=utf-8";
	call->may_pack = true;
	pmon_lock_take(&m->lock);
	status = refresh(m, now, &err);
	if (status == PMON_OK)
		put_all(m, &out);
	m->own.scrapes++;
	m->own.took_100ns += pmon_os_monotonic_100ns() - now;
	put_own(&m->own, &out);
	if (out.is_openmetrics)
		put_text(out.ctx, "# EOF\n", 6);
	pmon_lock_give(&m->lock);
	if (status != PMON_OK)
		call_fail(call, 500, NULL, "%s", err.msg);
}

// ---- Opening --------------------------------------------------------------------------------

enum pmon_status
metrics_open(const struct metrics_plan *plan, struct metrics **out, struct pmon_err *err)
{
	struct metrics *m = calloc(1, sizeof(*m));

	*out = NULL;
	if (m == NULL || !pmon_lock_init(&m->lock)) {
		free(m);
		return pmon_err_nomem(err);
	}
	m->plan = *plan;
	pmon_om_registry_open(&m->registry, pmon_source_schema(plan->source),
			      pmon_mem_allocator(NULL));
	m->registry.labels = plan->labels;
	if (plan->top > 0 && (m->groups = process_groups_open(&m->registry, plan->top)) == NULL) {
		metrics_close(m);
		return pmon_err_nomem(err);
	}
	*out = m;
	return PMON_OK;
}

void
metrics_close(struct metrics *m)
{
	if (m == NULL)
		return;
	pmon_mem_free(m->registry.allocator, m->newest, m->cap * sizeof(*m->newest));
	pmon_mem_free(m->registry.allocator, m->streams, m->streams_cap * sizeof(*m->streams));
	process_groups_close(m->groups);
	pmon_om_registry_close(&m->registry);
	pmon_lock_destroy(&m->lock);
	free(m);
}
