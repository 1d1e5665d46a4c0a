// incidents.c - what was wrong, when, and who did it: shifts, findings of rules and events together
// SPDX-License-Identifier: MIT

#include "analyze/incidents.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/absent.h"
#include "analyze/configured.h"
#include "analyze/lives.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/time.h"

#define LEAST_RISE   40 // % of a processor that a process has to use more to be named
#define LEAST_BYTES  (4.0 * 1024 * 1024) // ... or a second
#define LEAST_GROWTH (256.0 * 1024 * 1024)
#define LEAST_SHARE  0.2                      // ... and of what the first one does
#define FEWEST       16                       // samples that tell what is usual
#define LEAST_TIME   (10 * PMON_TIME_PER_SEC) // what is shorter, and no stall, is no incident
#define LEAST_RAMP   (20 * 60 * PMON_TIME_PER_SEC)
#define USUAL_SHARE  0.8 // of the time beyond a limit
#define DAY_S        86400
#define DRIFT_DAYS   2
#define FAR_DAYS     7
#define LEAST_USE    (10 * 60 * PMON_TIME_PER_SEC)
#define MOST_WHO                                                                                   \
	256 // incidents, the gravest first, of which it is asked who rose: each asks all processes
#define EXPLAINS 0.6 // of the rise of one processor
#define FULL     90  // % of a processor
#define BUSY     60  // % of all of them
#define LONG     2   // times the shift: so much longer latencies are critical
#define LOAD     3   // times the usual bytes of a disk
#define TOUCH    2   // samples
#define TOTAL    0.5 // that is preferred to its parts
#define WAITS    (5 * 60 * PMON_TIME_PER_SEC)

static const struct pmon_allocator *
allocator(void)
{
	return pmon_mem_allocator(NULL);
}

void
incidents_free(struct incidents *incidents)
{
	tracks_free(&incidents->tracks);
	pmon_mem_free(allocator(), incidents->evidence,
		      incidents->cap_evidence * sizeof(*incidents->evidence));
	pmon_mem_free(allocator(), incidents->list, incidents->cap * sizeof(*incidents->list));
	pmon_map_free(&incidents->by_path, allocator());
}

// ---- Ramps ----------------------------------------------------------------------------------

// The seconds from one sample to the next, on average.
static double
step_of(const struct incidents *incidents, const struct evidence *e)
{
	return (double)tracks_length(&incidents->tracks, e->stream, e->from, e->to - 1) /
	       PMON_TIME_PER_SEC / (e->to - 1 - e->from);
}

double
incidents_slope(const struct incidents *incidents, const struct evidence *e)
{
	double samples = e->shift.kind == SHIFT_RAMP       ? e->to - 1 - e->from
			 : e->shift.kind == SHIFT_RECYCLED ? e->shift.every
							   : 0;

	// The levels are those of the middle of the first part and of the last one.
	return samples > 0 ? (e->shift.level - e->shift.usual) /
				     (samples * step_of(incidents, e) * 7 / 8) * 3600
			   : NAN;
}

double
incidents_exhausted(const struct incidents *incidents, const struct evidence *e)
{
	double slope = incidents_slope(incidents, e) / 3600;
	double now = e->shift.level;
	double left = NAN;

	if (isnan(slope) || slope == 0 || e->shift.kind != SHIFT_RAMP || e->meaning == NULL ||
	    e->meaning->kind != MEANING_BOUNDED)
		return NAN;
	if (slope < 0)
		left = now / -slope;
	else if (pmon_text_same(e->meaning->unit, PMON_SPAN("%")))
		left = (100 - now) / slope;
	// The level is that of the middle of the last part.
	return fmax(
		left - (double)tracks_length(&incidents->tracks, e->stream, e->from, e->to - 1) /
				PMON_TIME_PER_SEC / 16,
		0);
}

size_t
incidents_count(const struct incidents *incidents, enum incident_severity severity)
{
	size_t n = 0;

	for (size_t i = 0; i < incidents->n; i++)
		n += incidents->list[i].severity == severity;
	return n;
}

const char *
incident_severity_name(enum incident_severity severity)
{
	static const char *const names[INCIDENT_SEVERITIES] = {"note", "warning", "critical"};

	return names[severity];
}

// ---- Evidence -------------------------------------------------------------------------------

static bool
add_evidence(struct incidents *incidents, const struct evidence *e)
{
	if (!pmon_mem_grow(allocator(), &incidents->evidence, &incidents->cap_evidence,
			   incidents->n_evidence + 1, sizeof(*e)))
		return false;
	incidents->evidence[incidents->n_evidence++] = *e;
	return true;
}

static uint64_t
hash_of(const struct incidents *incidents, const struct pmon_path *path)
{
	uint64_t hash = pmon_map_mix_name(incidents->seed, path->machine);

	hash = pmon_map_mix_name(pmon_map_mix_name(hash, path->object), path->instance);
	hash = pmon_map_mix_name(pmon_map_mix_name(hash, path->parent), path->counter);
	return pmon_map_mix(hash, (uint64_t)path->index);
}

// A log may have tens of thousands of disks, each with counters that belong together.
static bool
index_tracks(struct incidents *incidents)
{
	incidents->seed = pmon_hash_seed();
	for (size_t i = 0; i < incidents->tracks.n; i++) {
		const struct track *t = incidents->tracks.list[i];

		if (t != NULL &&
		    !pmon_map_put(&incidents->by_path, allocator(),
				  hash_of(incidents, pmon_series_english(t->series)), (uint32_t)i))
			return false;
	}
	return true;
}

// The counter of the same instance that a latency or a ratio needs.
static const struct track *
sibling(const struct incidents *incidents, const struct track *t, struct pmon_span counter)
{
	struct pmon_path path = *pmon_series_english(t->series);
	size_t at = 0;
	uint64_t hash;
	uint32_t i;

	path.counter = counter;
	hash = hash_of(incidents, &path);
	while ((i = pmon_map_next(&incidents->by_path, hash, &at)) != PMON_MAP_NONE)
		if (pmon_path_same(pmon_series_english(incidents->tracks.list[i]->series), &path))
			return incidents->tracks.list[i];
	return NULL;
}

static bool
has_load(const struct incidents *incidents, const struct track *t, const struct shift *shift)
{
	const struct track *load =
		t->meaning->needs.len > 0 ? sibling(incidents, t, t->meaning->needs) : NULL;
	double mean = load != NULL ? bins_mean(&load->bins, shift->from, shift->to) : NAN;

	return shift->kind == SHIFT_STALL || isnan(mean) || mean >= t->meaning->least;
}

static bool
is_long(const struct incidents *incidents, const struct track *t, const struct shift *shift)
{
	int64_t length = tracks_length(&incidents->tracks, t->stream,
				       shift->from > 0 ? shift->from - 1 : 0, shift->to - 1);

	return shift->kind == SHIFT_RAMP    ? length >= LEAST_RAMP
	       : shift->kind == SHIFT_PULSE ? length >= LEAST_TIME
					    : true;
}

static bool
is_of_days(const struct incidents *incidents, uint32_t stream)
{
	const struct tracks *tracks = &incidents->tracks;
	uint32_t n = tracks_samples(tracks, stream);

	return n > 0 &&
	       tracks_length(tracks, stream, 0, n - 1) >= DRIFT_DAYS * DAY_S * PMON_TIME_PER_SEC;
}

// What is exhausted after more than a week is no trouble yet.
static bool
is_far_off(const struct incidents *incidents, const struct evidence *e)
{
	return incidents_exhausted(incidents, e) > FAR_DAYS * DAY_S;
}

static bool
add_shift(void *ctx, const struct track *track, const struct shift *shift)
{
	struct incidents *incidents = ctx;
	const struct evidence e = {.track = track,
				   .meaning = track->meaning,
				   .series = track->series,
				   .shift = *shift,
				   .stream = track->stream,
				   .from = shift->from,
				   .to = shift->to,
				   .score = shift->score +
					    (pmon_path_is_total(&track->series->path) ? TOTAL : 0)};

	return is_far_off(incidents, &e) || add_evidence(incidents, &e);
}

static bool
find_shifts(struct incidents *incidents)
{
	struct shift shifts[SHIFTS_MOST];

	for (size_t i = 0; i < incidents->tracks.n; i++) {
		const struct track *t = incidents->tracks.list[i];
		size_t n = t != NULL ? shifts_find(&t->bins, t->meaning,
						   tracks_samples(&incidents->tracks, t->stream),
						   t->meaning->resource == MEANING_PROCESS,
						   is_of_days(incidents, t->stream), shifts)
				     : 0;

		for (size_t k = 0; k < n; k++)
			if (has_load(incidents, t, &shifts[k]) &&
			    is_long(incidents, t, &shifts[k]) &&
			    !add_shift(incidents, t, &shifts[k]))
				return false;
	}
	return true;
}

// ---- Incidents ------------------------------------------------------------------------------

// By English names, so that the order is that of no language and of no log.
static int
order_of_names(const struct pmon_series *a, const struct pmon_series *b)
{
	const struct pmon_path *x = pmon_series_english(a);
	const struct pmon_path *y = pmon_series_english(b);
	int order = pmon_text_order(x->object, y->object);

	if (order == 0)
		order = pmon_text_order(x->counter, y->counter);
	if (order == 0)
		order = pmon_text_order(x->instance, y->instance);
	return order != 0 ? order : pmon_text_order(a->path.machine, b->path.machine);
}

static int
strongest_first(const void *a, const void *b)
{
	const struct evidence *x = a;
	const struct evidence *y = b;

	if (x->score != y->score)
		return x->score > y->score ? -1 : 1;
	if (order_of_names(x->series, y->series) != 0)
		return order_of_names(x->series, y->series);
	return x->from < y->from ? -1 : x->from > y->from;
}

static bool
lasts(const struct evidence *e)
{
	return e->shift.kind == SHIFT_RAMP || e->shift.kind == SHIFT_RECYCLED ||
	       e->shift.kind == SHIFT_LOOP;
}

static bool
same_machine(const struct evidence *a, const struct evidence *b)
{
	return a->stream == b->stream &&
	       pmon_text_same(a->series->path.machine, b->series->path.machine);
}

static bool
same_instance(const struct evidence *a, const struct evidence *b)
{
	return pmon_text_same(a->series->path.instance, b->series->path.instance) &&
	       a->series->process_id == b->series->process_id;
}

static bool
overlap(const struct evidence *a, const struct evidence *b)
{
	uint32_t from = a->from > b->from ? a->from : b->from;
	uint32_t to = a->to < b->to ? a->to : b->to;
	uint32_t shorter = a->to - a->from < b->to - b->from ? a->to - a->from : b->to - b->from;

	return to > from && 2 * (to - from) >= shorter;
}

// Does one follow the other, of the same resource, as the latency of a stall is known when its queue is gone?
static bool
touch(const struct evidence *a, const struct evidence *b)
{
	return a->meaning != NULL && b->meaning != NULL &&
	       a->meaning->resource == b->meaning->resource && a->from <= b->to + TOUCH &&
	       b->from <= a->to + TOUCH;
}

// Memory of the machine, or of a process.
static bool
uses_memory(const struct evidence *e)
{
	return e->meaning->resource == MEANING_MEMORY ||
	       (e->meaning->resource == MEANING_PROCESS &&
		pmon_text_same(e->meaning->unit, PMON_SPAN("B")));
}

static bool
begin_together(const struct incidents *incidents, const struct evidence *a,
	       const struct evidence *b)
{
	uint32_t apart = a->from > b->from ? a->from - b->from : b->from - a->from;

	return apart <= tracks_samples(&incidents->tracks, a->stream) / 16 &&
	       (a->meaning->resource != MEANING_PROCESS ||
		b->meaning->resource != MEANING_PROCESS || same_instance(a, b));
}

static bool
is_period(const struct evidence *e)
{
	return e->shift.kind == SHIFT_PERIOD;
}

// Is it one of the pulses of a period?
static bool
in_phase(const struct evidence *e, const struct evidence *period)
{
	double every = period->shift.every;
	double apart = fabs(remainder((double)e->from - period->from, every));

	return e->from + TOUCH >= period->from && e->to <= period->to + TOUCH &&
	       e->to - e->from <= 2 * (period->shift.each + TOUCH) && apart <= fmax(2, every / 10);
}

// One leak, whichever of the processes that follow each other it is seen in.
static bool
is_life_of(const struct evidence *e, const struct evidence *recycled)
{
	return recycled->shift.kind == SHIFT_RECYCLED &&
	       pmon_text_same(e->series->path.instance, recycled->series->path.instance);
}

static bool
lasts_with(const struct incidents *incidents, const struct evidence *e, const struct evidence *head)
{
	enum meaning_resource resource;

	if (e->meaning == NULL || head->meaning == NULL)
		return false;
	resource = e->meaning->resource;
	if (uses_memory(e) && uses_memory(head) && begin_together(incidents, e, head))
		return true;
	return resource == head->meaning->resource &&
	       (resource != MEANING_PROCESS || same_instance(e, head) || is_life_of(e, head));
}

// Does the evidence belong to an incident with that head?
static bool
belongs(const struct incidents *incidents, const struct evidence *e, const struct evidence *head)
{
	if (!same_machine(e, head) || lasts(e) != lasts(head) || (is_period(e) && !is_period(head)))
		return false;
	if (lasts(e))
		return lasts_with(incidents, e, head);
	return is_period(head) && !is_period(e) ? in_phase(e, head)
						: overlap(e, head) || touch(e, head);
}

static uint64_t
hash_of_machine(const struct incidents *incidents, const struct evidence *e)
{
	return pmon_map_mix_name(pmon_map_mix(incidents->seed, e->stream), e->series->path.machine);
}

// The incident that the evidence belongs to, the one with the strongest head; their number if it belongs to none.
static size_t
incident_of(const struct incidents *incidents, const struct pmon_map *by_machine,
	    const struct evidence *e)
{
	size_t best = incidents->n;
	size_t at = 0;
	uint32_t i;

	while ((i = pmon_map_next(by_machine, hash_of_machine(incidents, e), &at)) != PMON_MAP_NONE)
		if (i < best &&
		    belongs(incidents, e, &incidents->evidence[incidents->list[i].first]))
			best = i;
	return best;
}

static bool
add_incident(struct incidents *incidents, struct pmon_map *by_machine, size_t head)
{
	if (!pmon_mem_grow(allocator(), &incidents->list, &incidents->cap, incidents->n + 1,
			   sizeof(*incidents->list)) ||
	    !pmon_map_put(by_machine, allocator(),
			  hash_of_machine(incidents, &incidents->evidence[head]),
			  (uint32_t)incidents->n))
		return false;
	incidents->list[incidents->n++] = (struct incident){.first = head};
	return true;
}

// Put the evidence of each incident together, its head first. of: the incident of each.
static bool
gather(struct incidents *incidents, const size_t *of)
{
	size_t n = incidents->n_evidence;
	struct evidence *list = malloc((n + 1) * sizeof(*list));
	size_t first = 0;

	if (list == NULL)
		return false;
	for (size_t i = 0; i < incidents->n; i++) {
		incidents->list[i].first = first;
		first += incidents->list[i].n;
		incidents->list[i].n = 0;
	}
	for (size_t i = 0; i < n; i++) {
		struct incident *incident = &incidents->list[of[i]];

		list[incident->first + incident->n++] = incidents->evidence[i];
	}
	memcpy(incidents->evidence, list, n * sizeof(*list));
	free(list);
	return true;
}

// The strongest evidence comes first, and heads an incident if it does not belong to another one.
static bool
cluster(struct incidents *incidents)
{
	size_t *of = malloc((incidents->n_evidence + 1) * sizeof(*of));
	struct pmon_map by_machine = {0};
	bool good = of != NULL;

	for (size_t i = 0; good && i < incidents->n_evidence; i++) {
		of[i] = incident_of(incidents, &by_machine, &incidents->evidence[i]);
		good = of[i] < incidents->n || add_incident(incidents, &by_machine, i);
		if (good)
			incidents->list[of[i]].n++;
	}
	good = good && (incidents->n_evidence == 0 || gather(incidents, of));
	pmon_map_free(&by_machine, allocator());
	free(of);
	return good;
}

// ---- Findings of rules ----------------------------------------------------------------------

// The samples of an episode: those whose intervals it consists of.
static bool
locate(const struct incidents *incidents, const struct rules_finding *f, struct evidence *e)
{
	const struct tracks *tracks = &incidents->tracks;
	const struct track *t = tracks_of(tracks, f->series);
	uint32_t n;

	*e = (struct evidence){
		.track = t,
		.meaning = meanings_of(&tracks->meanings, pmon_series_english(f->series)),
		.series = f->series,
		.finding = f,
		.stream = t != NULL ? t->stream : 0,
		.score = f->level == RULES_CRITICAL ? 4 : 2};
	n = tracks_samples(tracks, e->stream);
	if (n == 0)
		return false;
	e->to = tracks_at(tracks, e->stream, f->gravest->steady_to) + 1;
	e->from = tracks_at(tracks, e->stream, f->gravest->steady_from) + 1;
	e->to = e->to > n ? n : e->to;
	e->from = e->from >= e->to ? e->to - 1 : e->from;
	return true;
}

// A shift of the same counter while the limit was crossed has the limit too.
static bool
attach(struct incidents *incidents, const struct evidence *e)
{
	bool found = false;

	for (size_t i = 0; i < incidents->n_evidence; i++) {
		struct evidence *other = &incidents->evidence[i];

		if (other->series != e->series || other->finding != NULL || lasts(other) ||
		    !overlap(other, e))
			continue;
		other->finding = e->finding;
		found = true;
	}
	return found;
}

// Is anything unusual while the limit is crossed?
static bool
is_unusual(const struct incidents *incidents, const struct evidence *e)
{
	for (size_t i = 0; i < incidents->n_evidence; i++)
		if (same_machine(&incidents->evidence[i], e) && !lasts(&incidents->evidence[i]) &&
		    incidents->evidence[i].finding == NULL && overlap(&incidents->evidence[i], e))
			return true;
	return false;
}

// Did users wait for so long that it matters, whatever is usual here?
static bool
users_wait(const struct evidence *e)
{
	const struct meaning *m = e->meaning;

	return m != NULL && (m->kind == MEANING_LATENCY || m->kind == MEANING_SATURATION) &&
	       e->finding->gravest->length_100ns >= WAITS;
}

// Is the limit crossed most of the time? That is worth a note.
static bool
is_usual(const struct evidence *e)
{
	return e->finding->rule->trend_100ns == 0 && e->finding->share >= USUAL_SHARE;
}

// Processors or an interface are busy for less than WAITS, which is harmless by itself.
static bool
is_brief_use(const struct evidence *e)
{
	return e->finding != NULL && e->meaning != NULL &&
	       e->meaning->kind == MEANING_UTILIZATION && !is_usual(e) &&
	       e->finding->gravest->length_100ns < WAITS;
}

static bool
is_error(const struct evidence *e)
{
	return e->meaning != NULL && e->meaning->kind == MEANING_ERRORS;
}

static bool
is_unknown(const struct incidents *incidents, const struct evidence *e)
{
	return tracks_samples(&incidents->tracks, e->stream) < FEWEST;
}

// A crossed warning limit is an incident if it is unusual for this machine, or if users wait. How a level grows is a
// ramp, if it still grows at the end.
static bool
is_trouble(const struct incidents *incidents, const struct evidence *e)
{
	return e->finding->rule->trend_100ns == 0 &&
	       (is_unknown(incidents, e) || users_wait(e) || is_unusual(incidents, e));
}

static bool
add_findings(struct incidents *incidents, const struct rules_finding *findings, size_t n)
{
	struct evidence e;

	for (size_t i = 0; i < n; i++) {
		if (findings[i].gravest == NULL || !locate(incidents, &findings[i], &e) ||
		    attach(incidents, &e))
			continue;
		if ((findings[i].level == RULES_WARNING || is_brief_use(&e)) &&
		    !is_trouble(incidents, &e)) {
			incidents->within_usual++;
			if (!is_usual(&e) && !is_error(&e))
				continue;
			e.is_note = true;
		}
		if (!add_evidence(incidents, &e))
			return false;
	}
	return true;
}

// ---- Who ------------------------------------------------------------------------------------

static bool
is_private(const struct meaning *m)
{
	return m->resource == MEANING_PROCESS && m->shift > 0 &&
	       pmon_text_same(m->unit, PMON_SPAN("B"));
}

static bool
is_time(const struct meaning *m)
{
	return m->resource == MEANING_PROCESS && m->kind == MEANING_UTILIZATION &&
	       pmon_text_same(m->counter, PMON_SPAN("% Processor Time")) &&
	       pmon_text_match(PMON_SPAN("Process"), m->object);
}

// The mean in an interval, or in all bins beyond the usual level where the shift is a period.
static double
level_in(const struct track *t, const struct evidence *head)
{
	const struct bins *own;
	uint32_t at;
	double middle = (head->shift.usual + head->shift.level) / 2;
	double sum = 0;
	double n = 0;

	if (head->shift.kind != SHIFT_PERIOD)
		return bins_mean(&t->bins, head->from, head->to);
	own = &head->track->bins;
	at = own->from;
	for (uint32_t i = 0; i < own->n; at += own->list[i++].n) {
		double mean = bins_mean(&t->bins, at, at + own->list[i].n);

		if (isnan(mean) ||
		    ((double)own->list[i].mean > middle) != (head->shift.level > head->shift.usual))
			continue;
		sum += mean * own->list[i].n;
		n += own->list[i].n;
	}
	return n > 0 ? sum / n : NAN;
}

static void
add_who(struct incident *incident, const struct incident_who *who)
{
	size_t at = incident->n_who;

	while (at > 0 &&
	       incident->who[at - 1].level - incident->who[at - 1].usual < who->level - who->usual)
		at--;
	if (at == INCIDENTS_WHO)
		return;
	incident->n_who += incident->n_who < INCIDENTS_WHO;
	memmove(&incident->who[at + 1], &incident->who[at],
		(incident->n_who - 1 - at) * sizeof(*who));
	incident->who[at] = *who;
}

// From the beginning of a ramp to its end.
static bool
grew(const struct track *t, const struct evidence *head, struct incident_who *who)
{
	uint32_t part = (head->to - head->from) / 16 + 1;

	who->usual = bins_mean(&t->bins, head->from, head->from + part);
	who->level = bins_mean(&t->bins, head->to - part, head->to);
	return who->level - who->usual > LEAST_GROWTH;
}

// Is the rise of a process that of the processor that it is looked for? Then it does not matter that it is no rarity.
static bool
explains(const struct incident_who *who, const struct track *t, const struct evidence *head)
{
	return is_time(t->meaning) && head->meaning != NULL &&
	       head->meaning->resource == MEANING_PROCESSOR &&
	       pmon_text_same(head->meaning->unit, PMON_SPAN("%")) && head->shift.score > 0 &&
	       !pmon_path_is_total(&head->series->path) &&
	       who->level - who->usual > EXPLAINS * (head->shift.level - head->shift.usual);
}

// How much more did a process use than usual? False: not so much that it is to be named.
static bool
rose(const struct track *t, const struct evidence *head, struct incident_who *who)
{
	struct bins_usual usual = bins_usual(&t->bins);
	bool is_new = t->bins.from >= head->from; // what was not there before used nothing

	*who = (struct incident_who){.series = t->series,
				     .usual = is_new ? 0 : usual.median,
				     .level = level_in(t, head)};
	if (lasts(head))
		return grew(t, head, who);
	return who->level - who->usual > (is_time(t->meaning)      ? LEAST_RISE
					  : is_private(t->meaning) ? LEAST_GROWTH
								   : LEAST_BYTES) &&
	       (is_new || who->level - who->usual > 3 * usual.spread || explains(who, t, head));
}

// The same process by another counter: bytes that it reads are a part of all of its bytes.
static bool
is_named(const struct incident *incident, const struct pmon_series *series)
{
	for (size_t i = 0; i < incident->n_who; i++)
		if (incident->who[i].series->process_id == series->process_id &&
		    pmon_text_same(incident->who[i].series->path.instance, series->path.instance))
			return true;
	return false;
}

static void
find_who_by(const struct incidents *incidents, struct incident *incident,
	    bool (*is)(const struct meaning *m))
{
	const struct evidence *head = incident->head;
	struct incident_who who;
	double first;

	for (size_t i = 0; i < incidents->tracks.n; i++) {
		const struct track *t = incidents->tracks.list[i];

		if (t == NULL || t->bins.n == 0 || !is(t->meaning) || t->stream != head->stream ||
		    !pmon_text_same(t->series->path.machine, head->series->path.machine))
			continue;
		incident->has_asked = true;
		if (!is_named(incident, t->series) && rose(t, head, &who))
			add_who(incident, &who);
	}
	first = incident->n_who > 0 ? incident->who[0].level - incident->who[0].usual : 0;
	while (incident->n_who > 1 &&
	       incident->who[incident->n_who - 1].level - incident->who[incident->n_who - 1].usual <
		       LEAST_SHARE * first)
		incident->n_who--;
}

static bool
has_resource(const struct incidents *incidents, const struct incident *incident,
	     enum meaning_resource resource)
{
	for (size_t i = 0; i < incident->n; i++) {
		const struct meaning *m = incidents->evidence[incident->first + i].meaning;

		if (m != NULL && m->resource == resource)
			return true;
	}
	return false;
}

// Threads of the machine wait: the other evidence tells what for.
static bool
is_about(const struct incidents *incidents, const struct incident *incident,
	 enum meaning_resource resource)
{
	const struct meaning *m = incident->head->meaning;

	return m != NULL && (m->resource == resource ||
			     (m->resource == MEANING_SYSTEM && !lasts(incident->head) &&
			      has_resource(incidents, incident, resource)));
}

static void
find_who(const struct incidents *incidents, struct incident *incident)
{
	const struct meaning *m = incident->head->meaning;

	if (m != NULL && m->resource == MEANING_PROCESS)
		return;
	if (lasts(incident->head)) {
		if (is_about(incidents, incident, MEANING_MEMORY))
			find_who_by(incidents, incident, is_private);
		return;
	}
	if ((m == NULL || m->resource != MEANING_PROCESSOR) &&
	    has_resource(incidents, incident, MEANING_DISK))
		find_who_by(incidents, incident, track_is_bytes);
	if (is_about(incidents, incident, MEANING_MEMORY))
		find_who_by(incidents, incident, is_private);
	if (incident->n_who == 0)
		find_who_by(incidents, incident, is_time);
}

// ---- Severity and order ---------------------------------------------------------------------

// Large requests of a backup take longer, and nothing else waits: the disk does more than usual.
static bool
rises_with_load(const struct incidents *incidents, const struct evidence *e)
{
	const struct track *bytes;

	if (e->meaning->resource != MEANING_DISK || lasts(e) || e->shift.kind == SHIFT_STALL ||
	    (e->meaning->kind != MEANING_LATENCY && e->meaning->kind != MEANING_SATURATION))
		return false;
	bytes = sibling(incidents, e->track, PMON_SPAN("Disk Bytes/sec"));
	return bytes != NULL &&
	       bins_mean(&bytes->bins, e->from, e->to) > LOAD * bins_usual(&bytes->bins).median;
}

static bool
has_risen_load(const struct incidents *incidents, const struct incident *incident)
{
	for (size_t i = 0; i < incident->n; i++) {
		const struct evidence *e = &incidents->evidence[incident->first + i];

		if (e->shift.score > 0 && rises_with_load(incidents, e))
			return true;
	}
	return false;
}

// Does the evidence follow from the load of a disk, of which one evidence of the incident tells?
static bool
follows_load(const struct incident *incident, const struct evidence *e)
{
	return incident->has_risen_load && e->meaning->resource == MEANING_DISK &&
	       e->shift.kind != SHIFT_STALL && !lasts(e);
}

// Pages leave the buffer pool much sooner than usual and are read again, and queries wait for that.
static bool
reads_again(const struct incidents *incidents, const struct evidence *e)
{
	const struct meaning *m = e->meaning;
	const struct track *reads;
	double usual;

	if (!pmon_text_same(m->counter, PMON_SPAN("Page life expectancy")) || lasts(e) ||
	    e->track == NULL || 2 * e->shift.level > e->shift.usual)
		return false;
	reads = sibling(incidents, e->track, PMON_SPAN("Page reads/sec"));
	if (reads == NULL)
		return false;
	usual = bins_usual(&reads->bins).median;
	return bins_mean(&reads->bins, e->from, e->to) >
	       fmax(LOAD * usual, usual + reads->meaning->shift);
}

static enum incident_severity
severity_of_shift(const struct incidents *incidents, const struct incident *incident,
		  const struct evidence *e)
{
	const struct meaning *m = e->meaning;

	if (follows_load(incident, e) ||
	    (m->resource == MEANING_PROCESS && m->kind == MEANING_UTILIZATION &&
	     e->shift.kind != SHIFT_LOOP))
		return INCIDENT_NOTE;
	switch (e->shift.kind) {
	case SHIFT_STALL:
		return INCIDENT_CRITICAL;
	case SHIFT_RAMP:
		return incidents_exhausted(incidents, e) < DAY_S ? INCIDENT_CRITICAL
								 : INCIDENT_WARNING;
	case SHIFT_RECYCLED:
	case SHIFT_PERIOD:
	case SHIFT_COUNT:
	case SHIFT_LOOP:
		return INCIDENT_WARNING;
	case SHIFT_PULSE:
	case SHIFT_KINDS:
		break;
	}
	if (is_period(incident->head))
		return INCIDENT_WARNING;
	if (m->kind == MEANING_THROUGHPUT && m->worse == MEANING_UP)
		return INCIDENT_NOTE;
	if (m->kind == MEANING_LATENCY && e->shift.level - e->shift.usual < LONG * m->shift)
		return INCIDENT_WARNING;
	if (reads_again(incidents, e))
		return INCIDENT_CRITICAL;
	return m->kind == MEANING_LATENCY || m->kind == MEANING_SATURATION ||
			       m->kind == MEANING_THROUGHPUT
		       ? INCIDENT_CRITICAL
		       : INCIDENT_WARNING;
}

// Does something wait, or fail, in the incident?
static bool
has_waits(const struct incidents *incidents, const struct incident *incident)
{
	for (size_t i = 0; i < incident->n; i++) {
		const struct meaning *m = incidents->evidence[incident->first + i].meaning;

		if (m != NULL && (m->kind == MEANING_LATENCY || m->kind == MEANING_SATURATION ||
				  m->kind == MEANING_ERRORS))
			return true;
	}
	return false;
}

// A critical limit alone does not make an incident critical. Processors that are busy for a minute, if nothing waits for
// them or it happens regularly, and a commit limit that is as full as ever, are at most a warning.
static bool
is_harmless(const struct incidents *incidents, const struct incident *incident,
	    const struct evidence *e)
{
	const struct meaning *m = e->meaning;

	if (m != NULL && is_brief_use(e) && is_period(incident->head))
		return true;
	if (m == NULL || has_waits(incidents, incident))
		return false;
	if (m->kind == MEANING_UTILIZATION)
		return m->resource == MEANING_NETWORK || is_brief_use(e);
	return m->kind == MEANING_BOUNDED && m->resource == MEANING_MEMORY &&
	       pmon_text_same(m->unit, PMON_SPAN("%")) && is_usual(e) && incident->n == 1;
}

static enum incident_severity
severity_of(const struct incidents *incidents, const struct incident *incident,
	    const struct evidence *e)
{
	enum incident_severity severity = INCIDENT_NOTE;

	if (e->shift.score > 0)
		severity = severity_of_shift(incidents, incident, e);
	if (e->finding == NULL || e->is_note)
		return severity;
	if (e->finding->gravest->samples < 2 && severity == INCIDENT_NOTE)
		return INCIDENT_NOTE;
	if (e->finding->level == RULES_CRITICAL && !is_harmless(incidents, incident, e))
		return INCIDENT_CRITICAL;
	if (e->shift.score > 0 && follows_load(incident, e))
		return INCIDENT_NOTE;
	return severity > INCIDENT_WARNING ? severity : INCIDENT_WARNING;
}

// A finding knows its times to the interval; it may be of a counter that no shift is looked for in.
pmon_time
evidence_from(const struct incidents *incidents, const struct evidence *e)
{
	return e->shift.score <= 0 ? e->finding->gravest->from
				   : tracks_begin_of(&incidents->tracks, e->stream, e->from);
}

pmon_time
evidence_to(const struct incidents *incidents, const struct evidence *e)
{
	return e->shift.score <= 0 ? e->finding->gravest->to
				   : tracks_time(&incidents->tracks, e->stream, e->to - 1);
}

// The times that it would have if no clock had been set.
struct steady {
	pmon_time from;
	pmon_time to;
};

static struct steady
steady_of(const struct incidents *incidents, const struct evidence *e)
{
	struct steady span;
	uint32_t before = e->from > 0 ? e->from - 1 : 0;

	if (e->shift.score <= 0) {
		span.from = e->finding->gravest->steady_from;
		span.to = e->finding->gravest->steady_to;
	} else {
		span.from = tracks_steady(&incidents->tracks, e->stream, before);
		span.to = tracks_steady(&incidents->tracks, e->stream, e->to - 1);
	}
	return span;
}

void
evidence_steady(const struct incidents *incidents, const struct evidence *e, pmon_time *from,
		pmon_time *to)
{
	struct steady span = steady_of(incidents, e);

	*from = span.from;
	*to = span.to;
}

// What happened in a gap is not known, but for what grows: its levels before and after tell.
static int64_t
length_of(const struct incidents *incidents, const struct evidence *e, const struct steady *span)
{
	int64_t gaps =
		lasts(e) ? 0 : tracks_gaps(&incidents->tracks, e->stream, span->from, span->to);

	return pmon_time_minus(span->to, span->from) - gaps;
}

int64_t
evidence_length(const struct incidents *incidents, const struct evidence *e)
{
	struct steady span = steady_of(incidents, e);

	return length_of(incidents, e, &span);
}

// By what does not depend on which other counters and samples are looked at: the time to the second, as logs differ in
// what is below; what lasts begins where the log does.
static uint64_t
id_of(const struct incidents *incidents, const struct evidence *head)
{
	const struct pmon_path *path = pmon_series_english(head->series);
	uint64_t hash = pmon_map_mix_name(0, path->machine);
	pmon_time from = evidence_from(incidents, head);

	if (head->meaning != NULL)
		hash = pmon_map_mix(hash, head->meaning->resource + 1);
	else
		hash = pmon_map_mix_name(pmon_map_mix_name(hash, path->object), path->counter);
	if (lasts(head))
		return pmon_map_mix_name(hash, path->instance);
	return pmon_map_mix(hash, is_period(head) ? head->shift.every
						  : (uint64_t)(from / PMON_TIME_PER_SEC));
}

// That threads of the machine wait depends on each resource.
static bool
has_resource_of(const struct evidence *e, const struct evidence *head)
{
	return e->meaning != NULL && head->meaning != NULL &&
	       (e->meaning->resource == head->meaning->resource ||
		head->meaning->resource == MEANING_SYSTEM) &&
	       2 * e->score >= head->score;
}

static void
widen(const struct incidents *incidents, struct incident *incident, struct steady *steady,
      const struct evidence *e)
{
	struct steady span = steady_of(incidents, e);

	if (span.from < steady->from) {
		steady->from = span.from;
		incident->from = evidence_from(incidents, e);
	}
	if (span.to > steady->to) {
		steady->to = span.to;
		incident->to = evidence_to(incidents, e);
	}
}

static void
settle(const struct incidents *incidents, struct incident *incident)
{
	const struct evidence *list = &incidents->evidence[incident->first];
	struct steady steady = steady_of(incidents, list);

	incident->head = list;
	incident->from = evidence_from(incidents, list);
	incident->to = evidence_to(incidents, list);
	for (size_t i = 1; i < incident->n; i++)
		if (has_resource_of(&list[i], list) && !lasts(list))
			widen(incidents, incident, &steady, &list[i]);
	incident->length_100ns = length_of(incidents, list, &steady);
	incident->steady_from = steady.from;
	incident->steady_to = steady.to;
	incident->id = id_of(incidents, incident->head);
	incident->has_risen_load = has_risen_load(incidents, incident);
	for (size_t i = 0; i < incident->n; i++) {
		enum incident_severity severity = severity_of(incidents, incident, &list[i]);

		incident->severity = severity > incident->severity ? severity : incident->severity;
	}
}

static int
gravest_first(const void *a, const void *b)
{
	const struct incident *x = a;
	const struct incident *y = b;

	if (x->severity != y->severity)
		return x->severity > y->severity ? -1 : 1;
	return strongest_first(x->head, y->head);
}

// A process or a processor that works more than usual, while nothing else is unusual.
static bool
is_only_use(const struct incidents *incidents, const struct incident *incident)
{
	for (size_t i = 0; i < incident->n; i++) {
		const struct evidence *e = &incidents->evidence[incident->first + i];
		const struct meaning *m = e->meaning;

		if (m == NULL || m->kind != MEANING_UTILIZATION || lasts(e) || is_period(e) ||
		    (e->finding != NULL && !e->is_note && !is_brief_use(e)) ||
		    (m->resource != MEANING_PROCESS && m->resource != MEANING_PROCESSOR &&
		     m->resource != MEANING_MACHINE))
			return false;
	}
	return true;
}

// How many series of the machine have the same counter?
static size_t
count_like(const struct incidents *incidents, const struct evidence *e)
{
	size_t n = 0;

	for (size_t i = 0; i < incidents->tracks.n; i++) {
		const struct track *t = incidents->tracks.list[i];

		n += t != NULL && t->meaning == e->meaning && t->stream == e->stream &&
		     t->bins.n > 0 && !pmon_path_is_total(&t->series->path) &&
		     pmon_text_same(t->series->path.machine, e->series->path.machine);
	}
	return n;
}

// Is it the whole machine, or are most of the processors that have this counter part of it?
static bool
is_of_most(const struct incidents *incidents, const struct incident *incident)
{
	size_t n = 0;

	if (pmon_path_is_total(&incident->head->series->path))
		return true;
	for (size_t i = 0; i < incident->n; i++)
		n += incidents->evidence[incident->first + i].meaning == incident->head->meaning;
	return n > 1 && 2 * n > count_like(incidents, incident->head);
}

// What is busy while nothing waits is nothing for minutes, and a note for longer. A processor that is full is more, as
// whatever has to run there waits; so is a machine that has little left.
static bool
settle_use(const struct incidents *incidents, struct incident *incident)
{
	const struct evidence *head = incident->head;
	bool is_processor;
	bool is_machine;

	if (!is_only_use(incidents, incident))
		return true;
	is_processor = head->meaning->resource != MEANING_PROCESS;
	is_machine = is_processor && is_of_most(incidents, incident);
	if (!is_processor || head->shift.level < (is_machine ? BUSY : FULL))
		incident->severity = INCIDENT_NOTE;
	else if (is_machine)
		return true;
	return incident->length_100ns >= LEAST_USE;
}

static void
drop_short_use(struct incidents *incidents)
{
	size_t n = 0;

	for (size_t i = 0; i < incidents->n; i++)
		if (settle_use(incidents, &incidents->list[i]))
			incidents->list[n++] = incidents->list[i];
	incidents->n = n;
}

static int
same_ids_first(const void *a, const void *b)
{
	const struct incident *x = a;
	const struct incident *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	if (x->steady_from != y->steady_from)
		return x->steady_from < y->steady_from ? -1 : 1;
	return strongest_first(x->head, y->head);
}

// A clock that was set back shows the same times twice, so two incidents can have the same ID. The later one gets another.
static void
tell_apart(struct incidents *incidents)
{
	uint64_t id = 0;
	uint64_t same = 0;

	if (incidents->n > 1)
		qsort(incidents->list, incidents->n, sizeof(*incidents->list), same_ids_first);
	for (size_t i = 0; i < incidents->n; i++) {
		same = i > 0 && incidents->list[i].id == id ? same + 1 : 0;
		id = incidents->list[i].id;
		if (same > 0)
			incidents->list[i].id = pmon_map_mix(id, same);
	}
}

bool
incidents_judge(struct incidents *incidents, const struct rules_finding *findings, size_t n)
{
	if (!tracks_end(&incidents->tracks) || !index_tracks(incidents) ||
	    !absent_find(&incidents->tracks) || !find_shifts(incidents) ||
	    !lives_find(&incidents->tracks, add_shift, incidents) ||
	    !add_findings(incidents, findings, n))
		return false;
	configured_find(&incidents->tracks);
	events_sort(&incidents->tracks.events);
	if (incidents->n_evidence > 1)
		qsort(incidents->evidence, incidents->n_evidence, sizeof(*incidents->evidence),
		      strongest_first);
	if (!cluster(incidents))
		return false;
	for (size_t i = 0; i < incidents->n; i++)
		settle(incidents, &incidents->list[i]);
	drop_short_use(incidents);
	tell_apart(incidents);
	if (incidents->n > 1)
		qsort(incidents->list, incidents->n, sizeof(*incidents->list), gravest_first);
	for (size_t i = 0; i < incidents->n && i < MOST_WHO; i++)
		find_who(incidents, &incidents->list[i]);
	return true;
}

// ---- What was found -------------------------------------------------------------------------

static int
strongest_shift_first(const void *a, const void *b)
{
	return strongest_first(*(const struct evidence *const *)a,
			       *(const struct evidence *const *)b);
}

const struct evidence **
incidents_shifts(const struct incidents *incidents, size_t *n)
{
	const struct evidence **list = calloc(incidents->n_evidence + 1, sizeof(*list));

	*n = 0;
	for (size_t i = 0; list != NULL && i < incidents->n_evidence; i++)
		if (incidents->evidence[i].shift.score > 0)
			list[(*n)++] = &incidents->evidence[i];
	if (*n > 1)
		qsort(list, *n, sizeof(const struct evidence *), strongest_shift_first);
	return list;
}

const struct incident *
incidents_of(const struct incidents *incidents, const struct evidence *e)
{
	size_t at = (size_t)(e - incidents->evidence);

	for (size_t i = 0; i < incidents->n; i++)
		if (at >= incidents->list[i].first &&
		    at < incidents->list[i].first + incidents->list[i].n)
			return &incidents->list[i];
	return NULL;
}

void
incidents_keep(struct incidents *incidents,
	       bool (*wants)(const void *ctx, const struct incident *incident), const void *ctx)
{
	size_t n = 0;

	for (size_t i = 0; i < incidents->n; i++)
		if (wants(ctx, &incidents->list[i]))
			incidents->list[n++] = incidents->list[i];
	incidents->n = n;
}
