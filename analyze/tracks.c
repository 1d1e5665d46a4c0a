// tracks.c - record the course of each counter, to find incidents in
// SPDX-License-Identifier: MIT

#include "analyze/tracks.h"

#include <string.h>

#include "base/mem.h"
#include "base/prefetch.h"
#include "base/text.h"
#include "base/time.h"

#define AHEAD 8 // tracks that are prefetched

struct moment {
	pmon_time time;
	pmon_time steady; // as if the clock had not been set since the first sample
	int64_t gaps;     // time in gaps since the first sample
};

// The times of the samples of a stream.
struct stream {
	struct moment *times;
	size_t n;
	size_t cap;
	struct pmon_pace pace; // of samples with values, by their steady times
	pmon_time newest;      // the time of its newest sample
	bool is_usable;        // the newest interval
};

static const struct pmon_allocator *
allocator(void)
{
	return pmon_mem_allocator(NULL);
}

// ---- Reading --------------------------------------------------------------------------------

bool
tracks_begin(struct tracks *tracks)
{
	size_t line;

	return meanings_read(&tracks->meanings, meanings_text, &line);
}

bool
track_is_bytes(const struct meaning *m)
{
	return m->resource == MEANING_PROCESS && m->kind == MEANING_THROUGHPUT &&
	       pmon_text_same(m->unit, PMON_SPAN("B/s")) &&
	       !pmon_text_match(PMON_SPAN("*Other*"), m->counter);
}

// What is judged, what that needs, and what tells restarts.
static bool
is_needed(const struct meaning *m)
{
	return m->shift > 0 || m->is_load || m->kind == MEANING_STARTED || track_is_bytes(m) ||
	       (m->resource == MEANING_DISK &&
		pmon_text_same(m->counter, PMON_SPAN("Disk Bytes/sec")));
}

bool
tracks_want(const struct tracks *tracks, const struct pmon_path *path)
{
	const struct meaning *m = meanings_of(&tracks->meanings, path);

	return m != NULL && is_needed(m);
}

bool
tracks_needs(const struct tracks *tracks, bool (*add)(void *ctx, struct pmon_span pattern),
	     void *ctx)
{
	for (size_t i = 0; i < tracks->meanings.n; i++)
		if (is_needed(&tracks->meanings.list[i]) &&
		    !meaning_patterns(&tracks->meanings.list[i], add, ctx))
			return false;
	return true;
}

static bool
is_other_total(const struct pmon_path *path, const struct meaning *m)
{
	if (pmon_text_match(PMON_SPAN("*_Global_"), path->instance) ||
	    pmon_text_match(PMON_SPAN("__Total__"), path->instance) ||
	    pmon_text_match(PMON_SPAN("Idle*"), path->instance))
		return true;
	return pmon_path_is_total(path) &&
	       (m->resource == MEANING_PROCESS || m->resource == MEANING_DISK);
}

static bool
add_track(struct tracks *tracks, const struct pmon_series *series)
{
	const struct meaning *m = meanings_of(&tracks->meanings, pmon_series_english(series));
	struct track *track;

	if (m == NULL || !is_needed(m) || is_other_total(pmon_series_english(series), m))
		return true;
	track = pmon_mem_alloc0(allocator(), sizeof(*track));
	if (track == NULL)
		return false;
	*track = (struct track){.series = series,
				.meaning = m,
				.is_since_start =
					m->kind == MEANING_STARTED || m->kind == MEANING_COUNT};
	tracks->list[series->id] = track;
	return true;
}

static bool
add_series(struct tracks *tracks, const struct pmon_schema *schema)
{
	size_t n = pmon_schema_count(schema);
	size_t old = tracks->cap;

	if (n == tracks->n)
		return true;
	if (!pmon_mem_grow(allocator(), &tracks->list, &tracks->cap, n, sizeof(*tracks->list)))
		return false;
	memset(tracks->list + old, 0, (tracks->cap - old) * sizeof(*tracks->list));
	for (; tracks->n < n; tracks->n++)
		if (!add_track(tracks, pmon_schema_at(schema, tracks->n)))
			return false;
	return true;
}

// The stream of a sample; NULL if memory runs out.
static struct stream *
stream_of(struct tracks *tracks, const struct pmon_sample *sample)
{
	uint32_t at = pmon_streams_index(&tracks->numbers, allocator(), sample->stream);

	if (at == PMON_STREAM_NONE ||
	    !pmon_mem_grow(allocator(), &tracks->streams, &tracks->cap_streams, (size_t)at + 1,
			   sizeof(*tracks->streams)))
		return NULL;
	if (at == tracks->n_streams)
		tracks->streams[tracks->n_streams++] = (struct stream){.times = NULL};
	return &tracks->streams[at];
}

static void
add_to_pace(struct stream *s, const struct pmon_sample *sample, pmon_time steady)
{
	pmon_pace_add(&s->pace, &(struct pmon_sample){.time = steady,
						      .stream = sample->stream,
						      .usual_100ns = sample->usual_100ns});
	s->newest = sample->time;
}

// Add a sample with values to its stream. False if memory runs out.
static bool
add_to_stream(struct tracks *tracks, struct stream *s, const struct pmon_sample *sample,
	      pmon_time steady)
{
	struct event interval = {.kind = EVENT_KINDS,
				 .from = s->pace.samples > 0 ? s->newest : sample->time,
				 .to = sample->time,
				 .steady_from = s->pace.samples > 0 ? s->pace.time : steady,
				 .steady_to = steady};
	struct moment moment = {sample->time, steady, s->n > 0 ? s->times[s->n - 1].gaps : 0};

	if (s->n == UINT32_MAX - 1 ||
	    !pmon_mem_grow(allocator(), &s->times, &s->cap, s->n + 1, sizeof(*s->times)))
		return false;
	add_to_pace(s, sample, steady);
	s->is_usable = events_of_interval(&tracks->events, &s->pace, &interval);
	if (s->pace.is_gap)
		moment.gaps += pmon_time_minus(s->pace.interval_100ns, s->pace.length_100ns);
	s->times[s->n++] = moment;
	return true;
}

// A time since the start that fell.
static void
note_restart(struct tracks *tracks, const struct track *t, const struct stream *s, double value)
{
	struct event event = {.kind = EVENT_RESTARTED, .machine = t->series->path.machine};

	if (t->meaning->resource != MEANING_SYSTEM || !t->has_last || value >= t->last - 1 ||
	    s->n < 2)
		return;
	event.from = s->times[s->n - 2].time;
	event.steady_from = s->times[s->n - 2].steady;
	event.to = s->times[s->n - 1].time;
	event.steady_to = s->times[s->n - 1].steady;
	events_add(&tracks->events, &event);
}

static bool
add_value(struct tracks *tracks, struct track *t, const struct stream *s, double value)
{
	double before = t->last;
	bool has_before = t->has_last;

	if (!t->is_since_start)
		return bins_add(&t->bins, (uint32_t)(s->n - 1), value);
	if (t->meaning->kind == MEANING_STARTED)
		note_restart(tracks, t, s, value);
	t->last = value;
	t->has_last = true;
	return t->meaning->kind == MEANING_STARTED || !has_before ||
	       bins_add(&t->bins, (uint32_t)(s->n - 1), value > before ? value - before : 0);
}

// A sample without any value is as none: the next values stand for its interval too.
static bool
has_values(const struct pmon_sample *sample, const struct pmon_value *values)
{
	for (size_t i = 0; i < sample->n; i++)
		if (pmon_vstat_has_value(values[i].status))
			return true;
	return false;
}

static inline void
prefetch(const struct track *t)
{
	if (t == NULL)
		return;
	pmon_prefetch(&t->meaning);
	pmon_prefetch(&t->bins.skips);
}

bool
tracks_add(struct tracks *tracks, const struct pmon_schema *schema,
	   const struct pmon_sample *sample, const struct pmon_value *values)
{
	const struct pmon_pace *pace = pmon_paces_add(&tracks->paces, sample);
	struct stream *s = stream_of(tracks, sample);
	uint32_t at;

	if (pace == NULL || s == NULL)
		return false;
	// The sample before a part of the window: the interval of the next one begins with it.
	if (sample->preceding && !sample->starts && s->n > 0)
		add_to_pace(s, sample, pmon_pace_steady(pace));
	if (sample->preceding || !has_values(sample, values))
		return true;
	if (!add_to_stream(tracks, s, sample, pmon_pace_steady(pace)) ||
	    !add_series(tracks, schema))
		return false;
	at = (uint32_t)(s - tracks->streams);
	for (size_t i = 0; i < sample->n; i++) {
		struct track *t = tracks->list[sample->series[i]];

		if (i + AHEAD < sample->n)
			prefetch(tracks->list[sample->series[i + AHEAD]]);
		if (t == NULL || !pmon_vstat_has_value(values[i].status) ||
		    (!s->is_usable && !(t->is_since_start && t->meaning->kind == MEANING_STARTED)))
			continue;
		t->stream = at;
		if (!add_value(tracks, t, s, values[i].value))
			return false;
	}
	return true;
}

bool
tracks_end(struct tracks *tracks)
{
	bool good = true;

	for (size_t i = 0; good && i < tracks->n; i++)
		good = tracks->list[i] == NULL || bins_end(&tracks->list[i]->bins);
	return good;
}

void
tracks_free_bins(struct tracks *tracks)
{
	for (size_t i = 0; i < tracks->n; i++)
		if (tracks->list[i] != NULL)
			bins_free(&tracks->list[i]->bins);
}

void
tracks_free(struct tracks *tracks)
{
	tracks_free_bins(tracks);
	for (size_t i = 0; i < tracks->n; i++)
		if (tracks->list[i] != NULL)
			pmon_mem_free(allocator(), tracks->list[i], sizeof(struct track));
	for (size_t i = 0; i < tracks->n_streams; i++)
		pmon_mem_free(allocator(), tracks->streams[i].times,
			      tracks->streams[i].cap * sizeof(struct moment));
	pmon_mem_free(allocator(), tracks->list, tracks->cap * sizeof(*tracks->list));
	pmon_mem_free(allocator(), tracks->streams, tracks->cap_streams * sizeof(*tracks->streams));
	pmon_streams_free(&tracks->numbers, allocator());
	pmon_paces_free(&tracks->paces);
	meanings_free(&tracks->meanings);
}

// ---- What they say --------------------------------------------------------------------------

const struct track *
tracks_of(const struct tracks *tracks, const struct pmon_series *series)
{
	return series->id < tracks->n ? tracks->list[series->id] : NULL;
}

uint32_t
tracks_samples(const struct tracks *tracks, uint32_t stream)
{
	return stream < tracks->n_streams ? (uint32_t)tracks->streams[stream].n : 0;
}

pmon_time
tracks_time(const struct tracks *tracks, uint32_t stream, uint32_t sample)
{
	return tracks->streams[stream].times[sample].time;
}

int64_t
tracks_length(const struct tracks *tracks, uint32_t stream, uint32_t from, uint32_t to)
{
	const struct moment *times = tracks->streams[stream].times;

	return pmon_time_minus(times[to].steady, times[from].steady);
}

pmon_time
tracks_steady(const struct tracks *tracks, uint32_t stream, uint32_t sample)
{
	return tracks->streams[stream].times[sample].steady;
}

int64_t
tracks_gaps(const struct tracks *tracks, uint32_t stream, pmon_time from, pmon_time to)
{
	uint32_t n = tracks_samples(tracks, stream);
	uint32_t first = n > 0 ? tracks_at(tracks, stream, from) : 0;
	uint32_t last = n > 0 ? tracks_at(tracks, stream, to) : 0;

	if (last == n && n > 0)
		last--;
	return first < last ? tracks->streams[stream].times[last].gaps -
				      tracks->streams[stream].times[first].gaps
			    : 0;
}

void
tracks_event_times(const struct tracks *tracks, uint32_t stream, uint32_t from, uint32_t to,
		   struct event *event)
{
	const struct moment *times = tracks->streams[stream].times;

	event->from = times[from > 0 ? from - 1 : 0].time;
	event->steady_from = times[from > 0 ? from - 1 : 0].steady;
	event->to = times[to].time;
	event->steady_to = times[to].steady;
}

pmon_time
tracks_begin_of(const struct tracks *tracks, uint32_t stream, uint32_t sample)
{
	return tracks_time(tracks, stream, sample > 0 ? sample - 1 : 0);
}

uint32_t
tracks_at(const struct tracks *tracks, uint32_t stream, pmon_time steady)
{
	const struct stream *s = &tracks->streams[stream];
	size_t low = 0;
	size_t high = s->n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (s->times[middle].steady < steady)
			low = middle + 1;
		else
			high = middle;
	}
	return (uint32_t)low;
}
