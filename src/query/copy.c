// copy.c - all of a source into a sink
// SPDX-License-Identifier: MIT

#include <pmon/query.h>
#include <pmon/sink.h>

#define PROGRESS_SAMPLES 64 // so many samples between two words on progress

// One copy under way.
struct copy {
	struct pmon_source *source;
	struct pmon_sink *sink;
	struct pmon_copy_options *options;
	struct pmon_statistics *statistics; // when the sink takes values
	struct pmon_resampler *resampler;   // when there is a step
	uint64_t read;
	const struct pmon_sample *first; // of a live source: read already, and not yet copied
};

static void
tell_progress(struct copy *c)
{
	if (++c->read % PROGRESS_SAMPLES == 0 && c->options->progress != NULL)
		c->options->progress(c->options->progress_ctx, pmon_source_info(c->source));
}

// Read the source through, so that its schema is whole, and go back to its beginning. A live source
// cannot: what its first sample has must do.
static enum pmon_status
look_ahead(struct copy *c, struct pmon_err *err)
{
	const struct pmon_sample *sample;
	enum pmon_status status;

	if (pmon_source_info(c->source)->live) {
		status = pmon_source_next(c->source, &c->first, err);
		return status == PMON_END ? PMON_OK : status;
	}
	while ((status = pmon_source_next(c->source, &sample, err)) == PMON_OK)
		tell_progress(c);
	return status == PMON_END ? pmon_source_rewind(c->source, err) : status;
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
		status = pmon_resampler_new(schema, c->options->step_100ns, &c->options->calc, NULL,
					    &c->resampler, err);
	else if (status == PMON_OK && (needs & PMON_SINK_VALUES))
		status = pmon_statistics_new(schema, &c->options->calc, NULL, &c->statistics, err);
	if (status == PMON_OK)
		status = pmon_sink_begin(c->sink, schema, pmon_source_info(c->source), err);
	return status;
}

static enum pmon_status
put(struct copy *c, const struct pmon_sample *sample, const struct pmon_value *values,
    struct pmon_err *err)
{
	if (!sample->lead_in) {
		if (c->options->samples++ == 0)
			c->options->first = sample->time;
		c->options->last = sample->time;
	}
	return pmon_sink_add(c->sink, sample, values, err);
}

static enum pmon_status
put_resampled(struct copy *c, const struct pmon_sample *sample, struct pmon_err *err)
{
	const struct pmon_sample *step;
	const struct pmon_value *values;
	enum pmon_status status = pmon_resampler_add(c->resampler, sample, &step, &values, err);

	return status == PMON_OK && step != NULL ? put(c, step, values, err) : status;
}

static enum pmon_status
put_sample(struct copy *c, const struct pmon_sample *sample, struct pmon_err *err)
{
	const struct pmon_value *values = NULL;
	enum pmon_status status = PMON_OK;

	if (c->resampler != NULL)
		return put_resampled(c, sample, err);
	if (c->statistics != NULL)
		status = pmon_statistics_add(c->statistics, sample, &values, err);
	return status == PMON_OK ? put(c, sample, values, err) : status;
}

// A sample, and when it is one of now, so that whoever looks at the output finds it.
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

enum pmon_status
pmon_copy(struct pmon_source *source, struct pmon_sink *sink, struct pmon_copy_options *options,
	  struct pmon_err *err)
{
	struct pmon_copy_options defaults = {.step_100ns = 0};
	struct copy c = {.source = source, .sink = sink, .options = options};
	enum pmon_status status;

	if (options == NULL)
		c.options = &defaults;
	c.options->samples = 0;
	c.options->first = c.options->last = PMON_TIME_NONE;
	status = prepare(&c, err);
	if (status == PMON_OK)
		status = copy_samples(&c, err);
	if (status == PMON_OK)
		status = pmon_sink_finish(sink, err);
	pmon_statistics_free(c.statistics);
	pmon_resampler_free(c.resampler);
	return status;
}
