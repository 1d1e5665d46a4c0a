// copy.c - all of a source into a sink
// SPDX-License-Identifier: MIT

#include <pmon/query.h>
#include <pmon/sink.h>

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/options.h"
#include "model/schema.h"
#include "query/display.h"
#include "query/pipe.h"

#define PROGRESS_SAMPLES 64 // samples between two reports of progress

// The schema for a sink with a thread: meanwhile the source keeps reading and may find more
// counters.
struct frozen {
	struct pmon_schema schema; // with its own list
	struct pmon_source_info info;
};

struct copy {
	struct pmon_source *source;
	struct pmon_sink *sink;
	struct pmon_copy_options *options;
	struct pmon_calc_options calc;
	bool is_shown;                    // the sink requires values,
	struct pmon_values values;        // ... used if the source has none
	struct pmon_resampler *resampler; // if there is a step; has its own values
	uint64_t read;
	const struct pmon_sample *first; // read already, and not yet copied
	size_t most_series;              // the limit of the sink
	struct pmon_pipe *pipe;          // if the sink has a thread
	struct frozen frozen;
};

static void
tell_progress(struct copy *c)
{
	if (++c->read % PROGRESS_SAMPLES == 0 && c->options->progress != NULL)
		c->options->progress(c->options->progress_ctx, pmon_source_info(c->source));
}

// ---- Beginning ------------------------------------------------------------------------------

// The first sample, which of a live source and of one that is trusted must do.
static enum pmon_status
look_at_first(struct copy *c, bool live, struct pmon_err *err)
{
	enum pmon_status status = pmon_source_next(c->source, &c->first, err);

	if (!live)
		c->most_series = pmon_schema_count(pmon_source_schema(c->source));
	if (status != PMON_END)
		return status;
	return live ? PMON_OK : pmon_source_rewind(c->source, err);
}

// Read the source to its end so that its schema is complete, then rewind it.
static enum pmon_status
look_ahead(struct copy *c, struct pmon_err *err)
{
	bool live = pmon_source_info(c->source)->live;
	const struct pmon_sample *sample;
	enum pmon_status status;

	if (live || c->options->trust_schema)
		return look_at_first(c, live, err);
	while ((status = pmon_source_next(c->source, &sample, err)) == PMON_OK)
		tell_progress(c);
	// If the log changed before the second pass, the sink must not receive series that it has
	// no room for.
	c->most_series = pmon_schema_count(pmon_source_schema(c->source));
	return status == PMON_END ? pmon_source_rewind(c->source, err) : status;
}

// Freeze the schema. Only its list can move; the series themselves stay at their addresses.
static enum pmon_status
freeze(struct copy *c, struct pmon_err *err)
{
	const struct pmon_schema *schema = pmon_source_schema(c->source);
	struct pmon_schema *frozen = &c->frozen.schema;

	frozen->n = frozen->cap = pmon_schema_count(schema);
	frozen->allocator = pmon_mem_allocator(NULL);
	frozen->list = pmon_mem_alloc(frozen->allocator, (frozen->n + 1) * sizeof(*frozen->list));
	if (frozen->list == NULL)
		return pmon_err_nomem(err);
	if (frozen->n > 0)
		memcpy(frozen->list, schema->list, frozen->n * sizeof(*frozen->list));
	c->frozen.info = *pmon_source_info(c->source);
	return PMON_OK;
}

// Begin a sink that processes samples in its own thread, or in this one if no thread can be
// started.
static enum pmon_status
begin_pipe(struct copy *c, struct pmon_err *err)
{
	enum pmon_status status = freeze(c, err);

	if (status == PMON_OK)
		status = pmon_sink_begin(c->sink, &c->frozen.schema, &c->frozen.info, err);
	if (status != PMON_OK)
		return status;
	status = pmon_pipe_open(c->sink, NULL, &c->pipe, err);
	return status == PMON_E_STATE ? PMON_OK : status;
}

static enum pmon_status
begin_sink(struct copy *c, struct pmon_err *err)
{
	bool live = pmon_source_info(c->source)->live;

	// A sink that does not need all counters may use the schema while it grows.
	if (c->options->threads > 1 && (pmon_sink_needs(c->sink) & PMON_SINK_SCHEMA) && !live)
		return begin_pipe(c, err);
	return pmon_sink_begin(c->sink, pmon_source_schema(c->source), pmon_source_info(c->source),
			       err);
}

static enum pmon_status
prepare(struct copy *c, struct pmon_err *err)
{
	const struct pmon_schema *schema = pmon_source_schema(c->source);
	unsigned needs = pmon_sink_needs(c->sink);
	enum pmon_status status = PMON_OK;

	if (needs & PMON_SINK_SCHEMA)
		status = look_ahead(c, err);
	if (status == PMON_OK && c->options->step_100ns != 0)
		status = pmon_resampler_new(schema, c->options->step_100ns, &c->calc, NULL,
					    &c->resampler, err);
	c->is_shown = c->resampler == NULL && (needs & PMON_SINK_VALUES);
	if (c->is_shown)
		pmon_values_init(&c->values, schema, &c->calc, NULL);
	return status == PMON_OK ? begin_sink(c, err) : status;
}

// ---- Samples --------------------------------------------------------------------------------

static enum pmon_status
add_sample(struct copy *c, const struct pmon_sample *sample, const struct pmon_value *values,
	   struct pmon_err *err)
{
	if (!sample->preceding) {
		if (c->options->samples++ == 0)
			c->options->first = sample->time;
		c->options->last = sample->time;
		c->options->empty += sample->n == 0;
	}
	if (c->is_shown) {
		enum pmon_status status = pmon_values_add(&c->values, sample, &values, err);

		if (status != PMON_OK)
			return status;
	}
	if (sample->starts && !(pmon_sink_needs(c->sink) & PMON_SINK_STARTS))
		return PMON_OK;
	if (c->pipe != NULL)
		return pmon_pipe_put(c->pipe, sample, values, err);
	return pmon_sink_add(c->sink, sample, values, err);
}

static enum pmon_status
put_resampled(struct copy *c, const struct pmon_sample *sample, struct pmon_err *err)
{
	const struct pmon_sample *step;
	const struct pmon_value *values;
	enum pmon_status status = pmon_resampler_add(c->resampler, sample, &step, &values, err);

	return status == PMON_OK && step != NULL ? add_sample(c, step, values, err) : status;
}

static enum pmon_status
put_sample(struct copy *c, const struct pmon_sample *sample, struct pmon_err *err)
{
	if (pmon_schema_count(pmon_source_schema(c->source)) > c->most_series)
		return pmon_err_set(
			err, PMON_E_STATE, 0,
			"a counter appeared that is not in the list at the beginning of the log");
	if (c->resampler != NULL)
		return put_resampled(c, sample, err);
	return add_sample(c, sample, NULL, err);
}

// Write a sample, and flush it if it is live, so that the output can be read at once.
static enum pmon_status
put_live(struct copy *c, const struct pmon_sample *sample, struct pmon_err *err)
{
	enum pmon_status status = put_sample(c, sample, err);

	if (status != PMON_OK || !pmon_source_info(c->source)->live)
		return status;
	status = pmon_sink_flush(c->sink, false, err);
	return status == PMON_E_UNSUPPORTED ? PMON_OK : status;
}

static enum pmon_status
copy_samples(struct copy *c, struct pmon_err *err)
{
	const struct pmon_sample *sample;
	enum pmon_status status = PMON_OK;

	if (c->first != NULL)
		status = put_live(c, c->first, err);
	if (status != PMON_OK)
		return status;
	while ((status = pmon_source_next(c->source, &sample, err)) == PMON_OK) {
		status = put_live(c, sample, err);
		if (status != PMON_OK)
			return status;
		tell_progress(c);
	}
	if (status == PMON_END && c->resampler != NULL)
		return put_resampled(c, NULL, err);
	return status == PMON_END ? PMON_OK : status;
}

// ---- The whole of it ------------------------------------------------------------------------

static enum pmon_status
finish(struct copy *c, struct pmon_err *err)
{
	enum pmon_status status = c->pipe != NULL ? pmon_pipe_end(c->pipe, err) : PMON_OK;

	pmon_values_free(&c->values);                  // the sink may need memory to finish
	c->frozen.info = *pmon_source_info(c->source); // the source is at its end
	return status == PMON_OK ? pmon_sink_finish(c->sink, err) : status;
}

static void
free_all(struct copy *c)
{
	struct pmon_schema *frozen = &c->frozen.schema;

	pmon_pipe_close(c->pipe);
	if (frozen->list != NULL)
		pmon_mem_free(frozen->allocator, frozen->list,
			      (frozen->n + 1) * sizeof(*frozen->list));
	pmon_values_free(&c->values);
	pmon_resampler_free(c->resampler);
}

enum pmon_status
pmon_copy(struct pmon_source *source, struct pmon_sink *sink, struct pmon_copy_options *options,
	  struct pmon_err *err)
{
	struct pmon_copy_options own;
	struct copy c = {.source = source, .sink = sink, .options = &own, .most_series = SIZE_MAX};
	enum pmon_status status = pmon_options_read(&own, sizeof(own), options, err);

	if (status == PMON_OK)
		status = pmon_options_read(&c.calc, sizeof(c.calc), own.calc, err);
	if (status != PMON_OK)
		return status;
	own.samples = own.empty = 0;
	own.first = own.last = PMON_TIME_NONE;
	status = prepare(&c, err);
	if (status == PMON_OK)
		status = copy_samples(&c, err);
	if (status == PMON_OK)
		status = finish(&c, err);
	free_all(&c);
	if (options != NULL)
		pmon_options_write(options, &own, sizeof(own));
	return status;
}
