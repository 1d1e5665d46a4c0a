// write.c - write a log as OpenMetrics text
// SPDX-License-Identifier: MIT
//
// Two dialects: OpenMetrics 1.0, and the text format 0.0.4 that Prometheus had before it. They differ
// in the heads of families, in the times, and in the end.

#include "format/openmetrics/openmetrics.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/text.h"
#include "base/utf.h"
#include "core/calc.h"
#include "model/sink.h"
#include "os/outfile.h"

#define UNIX_EPOCH  INT64_C(116444736000000000) // as pmon_time
#define CHECK_BYTES ((uint64_t)1 << 20) // how much is written before asking whether it arrives
#define NO_FAMILY   UINT32_MAX

// A counter of an object, with the series of all its instances.
struct family {
	char *name;
	const struct pmon_series *series; // the first
	struct om_plan plan;
	uint64_t hash;
	uint32_t first; // series; each names the next
	uint32_t last;
};

// A series on its way.
struct track {
	const struct pmon_series *series;
	struct pmon_calc calc;
	uint32_t family; // NO_FAMILY: not written
	uint32_t next;   // of the family
	uint32_t twin;   // how many series of the same path came before
	bool begun;      // something was written that goes on
	bool seen;
	uint32_t stream; // of the newest sample
	uint64_t ordinal;
	int64_t last_ms; // of the newest point
	struct pmon_raw raw;
	uint64_t main; // what was counted so far, through every wrap
	uint64_t base;
	struct om_points points;
};

struct writer {
	struct pmon_sink sink; // first, as every sink has it
	const struct pmon_allocator *allocator;
	bool is_openmetrics;
	struct pmon_outfile *file;
	struct om_spool spool;
	const struct pmon_schema *schema;
	struct pmon_arena arena; // tracks and names
	struct track **tracks;
	size_t n_tracks;
	size_t tracks_cap;
	struct family *families;
	size_t n_families;
	size_t families_cap;
	uint32_t *slots; // open-addressed hash of families by name, NO_FAMILY is free
	size_t slots_n;
	uint64_t checked;
};

// ---- Families -------------------------------------------------------------------------------

static uint64_t
hash_of(const char *name)
{
	uint64_t hash = UINT64_C(0xCBF29CE484222325);

	for (; *name != '\0'; name++)
		hash = (hash ^ (uint8_t)*name) * UINT64_C(0x100000001B3);
	return hash ^ hash >> 32;
}

// The place of a family of this name, or where it would be.
static uint32_t *
find_name(const struct writer *w, const char *name, uint64_t hash)
{
	size_t at = (size_t)hash & (w->slots_n - 1);

	while (w->slots[at] != NO_FAMILY && (w->families[w->slots[at]].hash != hash ||
					     strcmp(w->families[w->slots[at]].name, name) != 0))
		at = (at + 1) & (w->slots_n - 1);
	return &w->slots[at];
}

static bool
grow_slots(struct writer *w)
{
	size_t n = w->slots_n == 0 ? 64 : w->slots_n * 2;
	uint32_t *slots;

	if (2 * (w->n_families + 1) <= w->slots_n)
		return true;
	slots = pmon_mem_alloc(w->allocator, n * sizeof(*slots));
	if (slots == NULL)
		return false;
	memset(slots, 0xFF, n * sizeof(*slots));
	pmon_mem_free(w->allocator, w->slots, w->slots_n * sizeof(*w->slots));
	w->slots = slots;
	w->slots_n = n;
	for (size_t i = 0; i < w->n_families; i++)
		*find_name(w, w->families[i].name, w->families[i].hash) = (uint32_t)i;
	return true;
}

static bool
same_part(const struct om_part *a, const struct om_part *b)
{
	return a->present == b->present && a->is_counter == b->is_counter &&
	       (!a->present || strcmp(a->unit, b->unit) == 0);
}

// Is the family of the same counter, and of the same kind?
static bool
is_family(const struct family *family, const struct pmon_series *series, const struct om_plan *plan)
{
	return pmon_text_same(family->series->path.object, series->path.object) &&
	       pmon_text_same(family->series->path.counter, series->path.counter) &&
	       same_part(&family->plan.main, &plan->main) &&
	       same_part(&family->plan.base, &plan->base) &&
	       family->plan.type->formula == plan->type->formula;
}

static bool
add_family(struct writer *w, const char *name, uint64_t hash, const struct pmon_series *series,
	   const struct om_plan *plan)
{
	struct pmon_span copy;

	if (!pmon_mem_grow(w->allocator, &w->families, &w->families_cap, w->n_families + 1,
			   sizeof(*w->families)) ||
	    !pmon_arena_copy(&w->arena, (struct pmon_span){name, strlen(name)}, &copy))
		return false;
	w->families[w->n_families++] = (struct family){
		.name = (char *)(uintptr_t)copy.ptr,
		.series = series,
		.plan = *plan,
		.hash = hash,
		.first = PMON_SERIES_NONE,
		.last = PMON_SERIES_NONE,
	};
	return true;
}

// The family of a series, which is new when the counter is. Counters that differ but would have the
// same name get numbers. NO_FAMILY when memory is short.
static uint32_t
find_family(struct writer *w, const struct pmon_series *series, const struct om_plan *plan)
{
	char name[OM_NAME_SIZE];
	size_t len;

	if (!grow_slots(w))
		return NO_FAMILY;
	pmon_om_plan_name(series, plan, name);
	len = strlen(name);
	for (unsigned i = 2;; i++) {
		uint64_t hash = hash_of(name);
		uint32_t *slot = find_name(w, name, hash);
		size_t unit = strlen(plan->main.unit);
		size_t stem = unit > 0 ? len - unit - 1 : len;

		if (*slot == NO_FAMILY) {
			if (!add_family(w, name, hash, series, plan))
				return NO_FAMILY;
			*slot = (uint32_t)w->n_families - 1;
			return *slot;
		}
		if (is_family(&w->families[*slot], series, plan))
			return *slot;
		// the unit stays at the end
		(void)snprintf(name + stem, sizeof(name) - stem, "_%u%s%s", i, unit > 0 ? "_" : "",
			       plan->main.unit);
	}
}

// ---- Series ---------------------------------------------------------------------------------

static bool
join_family(struct writer *w, struct track *track)
{
	struct om_plan plan;
	struct family *family;
	uint32_t id = track->series->id;

	track->family = NO_FAMILY;
	track->next = PMON_SERIES_NONE;
	if (!pmon_om_plan_make(track->series, &plan))
		return true;
	track->family = find_family(w, track->series, &plan);
	if (track->family == NO_FAMILY)
		return false;
	family = &w->families[track->family];
	if (family->first == PMON_SERIES_NONE)
		family->first = id;
	else
		w->tracks[family->last]->next = id;
	family->last = id;
	return true;
}

static bool
grow(struct writer *w)
{
	size_t n = pmon_schema_count(w->schema);

	if (!pmon_mem_grow(w->allocator, &w->tracks, &w->tracks_cap, n, sizeof(*w->tracks)))
		return false;
	while (w->n_tracks < n) {
		struct track *track = pmon_arena_alloc(&w->arena, sizeof(*track));

		if (track == NULL)
			return false;
		track->series = pmon_schema_at(w->schema, w->n_tracks);
		pmon_calc_init(&track->calc, &track->series->counter, NULL);
		w->tracks[w->n_tracks] = track;
		if (!join_family(w, track))
			return false;
		w->n_tracks++;
	}
	return true;
}

// ---- Points ---------------------------------------------------------------------------------

// Where it was absent a series begins anew.
static void
note_sample(struct track *track, const struct pmon_sample *sample)
{
	if (track->seen && track->stream == sample->stream && sample->ordinal > track->ordinal + 1)
		track->begun = false;
	track->seen = true;
	track->stream = sample->stream;
	track->ordinal = sample->ordinal;
}

// Go on counting: by the difference, which counts through 2^32 where the type does; or, where the
// counter went back, from what it stands at, which Prometheus takes as a restart.
static uint64_t
count_on(const struct track *track, uint64_t counted, bool is_base, const struct pmon_raw *raw)
{
	struct pmon_raw older = track->raw;
	struct pmon_raw newer = *raw;
	struct pmon_calc calc = track->calc;
	struct pmon_delta delta = {.good = false};

	// The other of the two stands still, so that it is this one which is judged.
	calc.counter.time_base = 1;
	if (is_base)
		older.first = newer.first = 0;
	else
		older.second = newer.second = 0;
	if (track->begun)
		(void)pmon_calc_pair(&calc, &older, &newer, &delta, NULL);
	if (delta.good)
		return counted + (is_base ? delta.d : delta.n);
	return (uint64_t)(is_base ? raw->second : raw->first);
}

static uint64_t
bits_of(double number)
{
	uint64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	return bits;
}

// The numbers of a raw value as they are written. False when it has none.
static bool
take_numbers(const struct writer *w, struct track *track, const struct pmon_raw *raw)
{
	const struct om_plan *plan = &w->families[track->family].plan;
	struct pmon_value value;

	if (plan->main.is_double) {
		value = pmon_calc_value(&track->calc, NULL, raw);
		track->main = bits_of(plan->is_percent ? value.value / 100 : value.value);
		return pmon_vstat_has_value(value.status);
	}
	// What counts up has no sign.
	if (plan->main.is_counter && (raw->first < 0 || (plan->base.is_counter && raw->second < 0)))
		return false;
	track->main = plan->main.is_counter ? count_on(track, track->main, false, raw)
					    : (uint64_t)raw->first;
	if (plan->base_suffix[0] == '_' && plan->base_suffix[1] == 'u')
		track->base = raw->multi;
	else
		track->base = plan->base.is_counter ? count_on(track, track->base, true, raw)
						    : (uint64_t)raw->second;
	return true;
}

// Milliseconds since 1970, rounded down: what Prometheus keeps.
static int64_t
unix_ms(pmon_time time)
{
	int64_t t = time - UNIX_EPOCH;

	return t / 10000 - (t % 10000 < 0);
}

static enum pmon_status
add_point(struct writer *w, struct track *track, const struct pmon_sample *sample,
	  const struct pmon_raw *raw, struct pmon_err *err)
{
	struct om_point point = {.time = raw->time != PMON_TIME_NONE ? raw->time : sample->time};
	bool had_points = track->points.n > 0;

	note_sample(track, sample);
	if (!pmon_raw_usable(raw) || point.time < UNIX_EPOCH || !take_numbers(w, track, raw))
		return PMON_OK;
	track->raw = *raw;
	track->begun = true;
	// Times have to go up.
	if (had_points && unix_ms(point.time) <= track->last_ms)
		return PMON_OK;
	track->last_ms = unix_ms(point.time);
	point.main = track->main;
	point.base = track->base;
	return pmon_om_spool_add(&w->spool, &track->points, &point, err);
}

static enum pmon_status
writer_add(struct pmon_sink *sink, const struct pmon_sample *sample,
	   const struct pmon_value *values, struct pmon_err *err)
{
	struct writer *w = (struct writer *)sink;
	enum pmon_status status = PMON_OK;

	(void)values;
	if (!grow(w))
		return pmon_err_nomem(err);
	if (sample->lead_in)
		return PMON_OK;
	for (size_t i = 0; status == PMON_OK && i < sample->n; i++) {
		struct track *track = w->tracks[sample->series[i]];

		if (track->family != NO_FAMILY)
			status = add_point(w, track, sample, &sample->raw[i], err);
	}
	return status;
}

// ---- Text -----------------------------------------------------------------------------------

static void
put(struct writer *w, const char *text)
{
	pmon_outfile_write(w->file, text, strlen(text));
}

// Text between quotes, or help where only OpenMetrics escapes quotes.
static void
put_escaped(struct writer *w, struct pmon_span text, bool quotes)
{
	size_t pos = 0;

	while (pos < text.len) {
		size_t at = pos;
		uint32_t c = pmon_utf8_next(text, &pos);

		if (c == '\n')
			put(w, "\\n");
		else if (c == '\\')
			put(w, "\\\\");
		else if (c == '"' && quotes)
			put(w, "\\\"");
		else if (c == 0 || (c >= 0xDC80 && c <= 0xDCFF)) // no text
			put(w, "\xEF\xBF\xBD");
		else
			pmon_outfile_write(w->file, text.ptr + at, pos - at);
	}
}

static void
put_label(struct writer *w, const char *name, struct pmon_span text, bool *comma)
{
	if (text.ptr == NULL || text.len == 0)
		return;
	put(w, *comma ? "," : "");
	*comma = true;
	put(w, name);
	put(w, "=\"");
	put_escaped(w, text, true);
	put(w, "\"");
}

static void
put_number_label(struct writer *w, const char *name, uint64_t n, bool *comma)
{
	char buf[24];
	struct pmon_text t = pmon_text_init(buf, sizeof(buf));

	if (n == 0)
		return;
	pmon_text_u64(&t, n);
	put_label(w, name, (struct pmon_span){buf, t.len}, comma);
}

static void
put_labels(struct writer *w, const struct track *track)
{
	const struct pmon_path *path = &track->series->path;
	bool comma = false;

	put(w, "{");
	put_label(w, "machine", path->machine, &comma);
	put_label(w, "object", path->object, &comma);
	put_label(w, "instance", path->instance, &comma);
	put_label(w, "parent", path->parent, &comma);
	put_number_label(w, "index", (uint64_t)path->index, &comma);
	put_number_label(w, "twin", track->twin, &comma);
	put(w, "} ");
}

// A number of `digits` decimals without the zeros at its end.
static void
put_decimals(struct writer *w, uint64_t whole, uint64_t part, int digits)
{
	char buf[48];
	int n = snprintf(buf, sizeof(buf), "%llu.%0*llu", (unsigned long long)whole, digits,
			 (unsigned long long)part);

	while (n > 0 && buf[n - 1] == '0')
		n--;
	if (n > 0 && buf[n - 1] == '.')
		n--;
	pmon_outfile_write(w->file, buf, (size_t)n);
}

// Ticks as seconds, rounded down: what has gone up does not come down.
static void
put_seconds(struct writer *w, uint64_t n, uint64_t ticks)
{
	uint64_t rest = n % ticks;
	uint64_t part;

	if (ticks == (uint64_t)PMON_TIME_PER_SEC) {
		put_decimals(w, n / ticks, rest, 7);
		return;
	}
	if (ticks <= UINT64_MAX / 1000000000)
		part = rest * 1000000000 / ticks;
	else
		part = rest / (ticks / 1000000000 + 1);
	put_decimals(w, n / ticks, part, 9);
}

static void
put_number(struct writer *w, const struct om_part *part, int64_t ticks, uint64_t bits)
{
	char buf[PMON_NUM_SIZE];
	struct pmon_text t = pmon_text_init(buf, sizeof(buf));
	double number;

	if (part->is_double) {
		memcpy(&number, &bits, sizeof(number));
		pmon_num_shortest(number, buf);
	} else if (ticks > 0) {
		put_seconds(w, bits, (uint64_t)ticks);
		return;
	} else if (part->is_counter) {
		pmon_text_u64(&t, bits);
	} else {
		pmon_text_i64(&t, (int64_t)bits);
	}
	put(w, buf);
}

// Seconds in OpenMetrics, milliseconds in the older format.
static void
put_time(struct writer *w, pmon_time time)
{
	uint64_t t = (uint64_t)(time - UNIX_EPOCH);
	char buf[24];
	struct pmon_text text = pmon_text_init(buf, sizeof(buf));

	put(w, " ");
	if (w->is_openmetrics) {
		put_decimals(w, t / 10000000, t % 10000000, 7);
	} else {
		pmon_text_u64(&text, t / 10000);
		put(w, buf);
	}
	put(w, "\n");
}

static void
put_head(struct writer *w, const char *key, const char *name, const struct om_part *part)
{
	put(w, "# ");
	put(w, key);
	put(w, " ");
	put(w, name);
	// the older format names what stands on the lines
	put(w, !w->is_openmetrics && part->is_counter ? "_total " : " ");
}

static void
put_family(struct writer *w, const struct family *family, const char *name,
	   const struct om_part *part)
{
	const struct pmon_path *path = &family->series->path;

	put_head(w, "TYPE", name, part);
	put(w, part->is_counter ? "counter\n" : "gauge\n");
	if (w->is_openmetrics && part->unit[0] != '\0' && part != &family->plan.base) {
		put_head(w, "UNIT", name, part);
		put(w, part->unit);
		put(w, "\n");
	}
	put_head(w, "HELP", name, part);
	put_escaped(w, path->object, w->is_openmetrics);
	put(w, ", ");
	put_escaped(w, path->counter, w->is_openmetrics);
	put(w, ": ");
	put(w, part->what);
	put(w, " (");
	put(w, family->plan.type->name);
	put(w, ")\n");
}

// ---- Output ---------------------------------------------------------------------------------

// What a point is written as.
struct line {
	struct writer *w;
	const struct track *track;
	const char *name;
	const struct om_part *part;
	int64_t ticks;
	bool is_base;
};

static void
put_point(void *ctx, const struct om_point *point)
{
	const struct line *line = ctx;
	struct writer *w = line->w;

	put(w, line->name);
	put(w, line->part->is_counter ? "_total" : "");
	put_labels(w, line->track);
	put_number(w, line->part, line->ticks, line->is_base ? point->base : point->main);
	put_time(w, point->time);
}

static enum pmon_status
check_sometimes(struct writer *w, struct pmon_err *err)
{
	if (pmon_outfile_size(w->file) - w->checked < CHECK_BYTES)
		return PMON_OK;
	w->checked = pmon_outfile_size(w->file);
	return pmon_outfile_flush(w->file, false, err);
}

// The points of all series of a family. The clocks of machines differ, so each has ticks of its own.
static enum pmon_status
put_points(struct writer *w, const struct family *family, const char *name, bool is_base,
	   struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	for (uint32_t id = family->first; status == PMON_OK && id != PMON_SERIES_NONE;
	     id = w->tracks[id]->next) {
		struct om_plan plan;
		struct line line = {
			.w = w, .track = w->tracks[id], .name = name, .is_base = is_base};

		(void)pmon_om_plan_make(w->tracks[id]->series, &plan);
		line.part = is_base ? &plan.base : &plan.main;
		line.ticks = line.part->ticks;
		status = pmon_om_spool_each(&w->spool, &w->tracks[id]->points, w->allocator,
					    put_point, &line, err);
		if (status == PMON_OK)
			status = check_sometimes(w, err);
	}
	return status;
}

static bool
has_points(const struct writer *w, const struct family *family)
{
	for (uint32_t id = family->first; id != PMON_SERIES_NONE; id = w->tracks[id]->next)
		if (w->tracks[id]->points.n > 0)
			return true;
	return false;
}

static enum pmon_status
put_all(struct writer *w, const struct family *family, struct pmon_err *err)
{
	const struct om_plan *plan = &family->plan;
	char base[OM_NAME_SIZE];
	enum pmon_status status;

	if (!has_points(w, family))
		return PMON_OK;
	put_family(w, family, family->name, &plan->main);
	status = put_points(w, family, family->name, false, err);
	if (status != PMON_OK || !plan->base.present)
		return status;
	(void)snprintf(base, sizeof(base), "%s%s", family->name, plan->base_suffix);
	put_family(w, family, base, &plan->base);
	return put_points(w, family, base, true, err);
}

static int
by_name(const void *a, const void *b)
{
	const struct track *x = *(const struct track *const *)a;
	const struct track *y = *(const struct track *const *)b;
	size_t n = x->series->name.len < y->series->name.len ? x->series->name.len
							     : y->series->name.len;
	int order = memcmp(x->series->name.ptr, y->series->name.ptr, n);

	if (order != 0)
		return order;
	if (x->series->name.len != y->series->name.len)
		return x->series->name.len < y->series->name.len ? -1 : 1;
	return x->series->id < y->series->id ? -1 : 1;
}

// Series of the same path would have the same labels: number them.
static enum pmon_status
find_twins(struct writer *w, struct pmon_err *err)
{
	size_t bytes = w->n_tracks * sizeof(struct track *);
	struct track **sorted;

	if (w->n_tracks == 0)
		return PMON_OK;
	sorted = pmon_mem_alloc(w->allocator, bytes);
	if (sorted == NULL)
		return pmon_err_nomem(err);
	memcpy(sorted, w->tracks, bytes);
	qsort(sorted, w->n_tracks, sizeof(*sorted), by_name);
	for (size_t i = 1; i < w->n_tracks; i++) {
		struct pmon_span a = sorted[i - 1]->series->name;
		struct pmon_span b = sorted[i]->series->name;

		if (a.len == b.len && memcmp(a.ptr, b.ptr, a.len) == 0)
			sorted[i]->twin = sorted[i - 1]->twin + 1;
	}
	pmon_mem_free(w->allocator, sorted, bytes);
	return PMON_OK;
}

static enum pmon_status
writer_finish(struct pmon_sink *sink, struct pmon_err *err)
{
	struct writer *w = (struct writer *)sink;
	enum pmon_status status = find_twins(w, err);

	for (size_t i = 0; status == PMON_OK && i < w->n_families; i++)
		status = put_all(w, &w->families[i], err);
	if (status != PMON_OK)
		return status;
	if (w->is_openmetrics)
		put(w, "# EOF\n");
	return pmon_outfile_commit(w->file, err);
}

static enum pmon_status
writer_begin(struct pmon_sink *sink, const struct pmon_schema *schema,
	     const struct pmon_source_info *info, struct pmon_err *err)
{
	struct writer *w = (struct writer *)sink;

	(void)info, (void)err;
	w->schema = schema;
	return PMON_OK;
}

static void
writer_close(struct pmon_sink *sink)
{
	struct writer *w = (struct writer *)sink;

	pmon_om_spool_close(&w->spool);
	pmon_outfile_close(w->file);
	pmon_mem_free(w->allocator, w->tracks, w->tracks_cap * sizeof(*w->tracks));
	pmon_mem_free(w->allocator, w->families, w->families_cap * sizeof(*w->families));
	pmon_mem_free(w->allocator, w->slots, w->slots_n * sizeof(*w->slots));
	pmon_arena_free(&w->arena);
	pmon_mem_free(w->allocator, w, sizeof(*w));
}

static const struct pmon_sink_ops ops = {
	.begin = writer_begin,
	.add = writer_add,
	.finish = writer_finish,
	.close = writer_close,
};

static enum pmon_status
create(bool is_openmetrics, const char *path, const struct pmon_create_options *options,
       struct pmon_sink **sink, struct pmon_err *err)
{
	const struct pmon_allocator *allocator = pmon_mem_allocator(options->allocator);
	struct writer *w;
	enum pmon_status status;

	*sink = NULL;
	w = pmon_mem_alloc0(allocator, sizeof(*w));
	if (w == NULL)
		return pmon_err_nomem(err);
	w->sink.ops = &ops;
	w->allocator = allocator;
	w->is_openmetrics = is_openmetrics;
	pmon_arena_init(&w->arena, allocator);
	status = pmon_outfile_open(path, options->overwrite, allocator, &w->file, err);
	if (status == PMON_OK)
		status = pmon_om_spool_open(&w->spool, err);
	if (status != PMON_OK) {
		writer_close(&w->sink);
		return status;
	}
	*sink = &w->sink;
	return PMON_OK;
}

static enum pmon_status
create_openmetrics(const char *path, const struct pmon_create_options *options,
		   struct pmon_sink **sink, struct pmon_err *err)
{
	return create(true, path, options, sink, err);
}

static enum pmon_status
create_prometheus(const char *path, const struct pmon_create_options *options,
		  struct pmon_sink **sink, struct pmon_err *err)
{
	return create(false, path, options, sink, err);
}

const struct pmon_writer pmon_writer_openmetrics = {.name = "openmetrics",
						    .create = create_openmetrics};
const struct pmon_writer pmon_writer_prometheus = {.name = "prometheus",
						   .create = create_prometheus};
