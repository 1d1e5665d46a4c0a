// write.c - write a log as OpenMetrics text
// SPDX-License-Identifier: MIT
//
// OpenMetrics 1.0, or Prometheus' older text format 0.0.4.

#include "format/openmetrics/openmetrics.h"

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "model/sink.h"
#include "os/outfile.h"

// The points of a series that are waiting to be written.
struct waiting {
	struct om_points points;
	int64_t last_ms; // of the newest point
};

struct writer {
	struct pmon_sink sink; // must be first
	const struct pmon_allocator *allocator;
	struct om_out out;
	struct pmon_outfile *file;
	struct om_spool spool;
	struct om_registry registry;
	struct waiting *waiting; // by series
	size_t n;
	size_t cap;
	uint64_t checked;
};

// ---- Points ---------------------------------------------------------------------------------

static bool
grow(struct writer *w)
{
	if (!pmon_om_registry_grow(&w->registry) ||
	    !pmon_mem_grow(w->allocator, &w->waiting, &w->cap, w->registry.n_tracks,
			   sizeof(*w->waiting)))
		return false;
	for (; w->n < w->registry.n_tracks; w->n++)
		w->waiting[w->n] = (struct waiting){.last_ms = -1};
	return true;
}

static enum pmon_status
add_point(struct writer *w, uint32_t id, const struct pmon_sample *sample,
	  const struct pmon_raw *raw, struct pmon_err *err)
{
	struct om_point point;
	struct waiting *waiting = &w->waiting[id];

	if (!pmon_om_take(w->registry.tracks[id], sample, raw, point.numbers))
		return PMON_OK;
	point.time = pmon_om_point_time(sample, raw, &waiting->last_ms);
	if (point.time == PMON_TIME_NONE)
		return PMON_OK;
	return pmon_om_spool_add(&w->spool, &waiting->points, &point, err);
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
	if (sample->preceding && !sample->starts)
		return PMON_OK;
	for (size_t i = 0; status == PMON_OK && i < sample->n; i++)
		status = add_point(w, sample->series[i], sample, &sample->raw[i], err);
	return status;
}

// ---- Output ---------------------------------------------------------------------------------

static void
put(void *ctx, const char *text, size_t len)
{
	pmon_outfile_write(((struct writer *)ctx)->file, text, len);
}

// How a point is written.
struct line {
	struct writer *w;
	const struct om_family *family;
	const struct om_track *track;
	int part;
};

static void
put_point(void *ctx, const struct om_point *point)
{
	const struct line *line = ctx;
	double number = point->numbers[line->part];

	if (!isnan(number))
		pmon_om_put_line(&line->w->out, line->family, line->part, line->track, number,
				 point->time);
}

// The points of all series of a part of a family.
static enum pmon_status
put_points(struct writer *w, const struct om_family *family, int part, struct pmon_err *err)
{
	struct line line = {.w = w, .family = family, .part = part};
	enum pmon_status status = PMON_OK;

	pmon_om_put_head(&w->out, family, part);
	for (uint32_t id = family->first; status == PMON_OK && id != PMON_SERIES_NONE;
	     id = w->registry.tracks[id]->next) {
		line.track = w->registry.tracks[id];
		status = pmon_om_spool_each(&w->spool, &w->waiting[id].points, w->allocator,
					    put_point, &line, err);
		if (status == PMON_OK)
			status = pmon_format_check(w->file, &w->checked, err);
	}
	return status;
}

static bool
has_points(const struct writer *w, const struct om_family *family)
{
	for (uint32_t id = family->first; id != PMON_SERIES_NONE; id = w->registry.tracks[id]->next)
		if (w->waiting[id].points.n > 0)
			return true;
	return false;
}

static enum pmon_status
put_family(struct writer *w, const struct om_family *family, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	if (!has_points(w, family))
		return PMON_OK;
	for (int i = 0; status == PMON_OK && i < OM_PARTS; i++)
		if (family->names[i] != NULL)
			status = put_points(w, family, i, err);
	return status;
}

// ---- Descriptions ---------------------------------------------------------------------------

struct ends {
	pmon_time first;
	pmon_time last;
};

static void
note_point(void *ctx, const struct om_point *point)
{
	struct ends *ends = ctx;

	if (ends->first == PMON_TIME_NONE)
		ends->first = point->time;
	ends->last = point->time;
}

static enum pmon_status
put_description(struct writer *w, const struct om_track *track, struct pmon_err *err)
{
	const struct om_family *family = &w->registry.families[track->family];
	struct ends ends = {PMON_TIME_NONE, PMON_TIME_NONE};
	enum pmon_status status =
		pmon_om_spool_each(&w->spool, &w->waiting[track->series->id].points, w->allocator,
				   note_point, &ends, err);

	if (status != PMON_OK || ends.first == PMON_TIME_NONE)
		return status;
	pmon_om_put_description(&w->out, family, track, ends.first);
	if (pmon_om_unix_ms(ends.last) != pmon_om_unix_ms(ends.first))
		pmon_om_put_description(&w->out, family, track, ends.last);
	return pmon_format_check(w->file, &w->checked, err);
}

static enum pmon_status
put_descriptions(struct writer *w, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	if (w->registry.n_families > 0)
		pmon_om_put_description_head(&w->out);
	for (size_t i = 0; status == PMON_OK && i < w->registry.n_tracks; i++)
		if (w->registry.tracks[i]->describes != OM_DESCRIBES_NOTHING)
			status = put_description(w, w->registry.tracks[i], err);
	return status;
}

static enum pmon_status
writer_finish(struct pmon_sink *sink, struct pmon_err *err)
{
	static const char end[] = "# EOF\n";
	struct writer *w = (struct writer *)sink;
	enum pmon_status status = PMON_OK;

	for (size_t i = 0; status == PMON_OK && i < w->registry.n_families; i++)
		status = put_family(w, &w->registry.families[i], err);
	if (status == PMON_OK)
		status = put_descriptions(w, err);
	if (status != PMON_OK)
		return status;
	if (w->out.is_openmetrics)
		put(w, end, sizeof(end) - 1);
	return pmon_outfile_commit(w->file, err);
}

static enum pmon_status
writer_begin(struct pmon_sink *sink, const struct pmon_schema *schema,
	     const struct pmon_source_info *info, struct pmon_err *err)
{
	struct writer *w = (struct writer *)sink;

	(void)info, (void)err;
	w->registry.schema = schema;
	return PMON_OK;
}

static void
writer_close(struct pmon_sink *sink)
{
	struct writer *w = (struct writer *)sink;

	pmon_om_spool_close(&w->spool);
	pmon_outfile_close(w->file);
	pmon_mem_free(w->allocator, w->waiting, w->cap * sizeof(*w->waiting));
	pmon_om_registry_close(&w->registry);
	pmon_mem_free(w->allocator, w, sizeof(*w));
}

static const struct pmon_sink_ops ops = {
	.needs = PMON_SINK_STARTS,
	.begin = writer_begin,
	.add = writer_add,
	.finish = writer_finish,
	.close = writer_close,
};

static enum pmon_status
writer_open(struct pmon_sink *sink, const struct pmon_writer *writer, const char *path,
	    const struct pmon_create_options *options, struct pmon_err *err)
{
	struct writer *w = (struct writer *)sink;
	struct pmon_create_options how = *options;
	enum pmon_status status;

	w->allocator = pmon_mem_allocator(options->allocator);
	w->out = (struct om_out){
		.put = put, .ctx = w, .is_openmetrics = strcmp(writer->name, "openmetrics") == 0};
	pmon_om_registry_open(&w->registry, NULL, w->allocator);
	how.live = false; // families are written when all of them are known
	status = pmon_format_outfile(path, &how, &w->file, err);
	return status == PMON_OK ? pmon_om_spool_open(&w->spool, options->door, err) : status;
}

#define OPENS .open = writer_open, .sink_bytes = sizeof(struct writer), .ops = &ops

static const struct pmon_writer writers[] = {
	{.name = "openmetrics", .endings = {"om"}, OPENS, .raw = true},
	{.name = "prometheus", .endings = {"prom"}, OPENS, .raw = true},
};

const struct pmon_format pmon_format_openmetrics = {
	.name = "OpenMetrics",
	.writers = writers,
	.n_writers = sizeof(writers) / sizeof(writers[0]),
};
