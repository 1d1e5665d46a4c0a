// copy.c - all of a source into a sink
// SPDX-License-Identifier: MIT

#include <pmon/query.h>
#include <pmon/sink.h>

// Read a source through, so that its schema is whole, and go back to its beginning.
static enum pmon_status
look_ahead(struct pmon_source *source, struct pmon_err *err)
{
	const struct pmon_sample *sample;
	enum pmon_status status;

	while ((status = pmon_source_next(source, &sample, err)) == PMON_OK)
		; // only to know every series
	return status == PMON_END ? pmon_source_rewind(source, err) : status;
}

static enum pmon_status
copy_samples(struct pmon_source *source, struct pmon_sink *sink, struct pmon_statistics *statistics,
	     struct pmon_err *err)
{
	const struct pmon_sample *sample;
	const struct pmon_value *values = NULL;
	enum pmon_status status;

	while ((status = pmon_source_next(source, &sample, err)) == PMON_OK) {
		if (statistics != NULL)
			status = pmon_statistics_add(statistics, sample, &values, err);
		if (status == PMON_OK)
			status = pmon_sink_add(sink, sample, values, err);
		if (status != PMON_OK)
			return status;
	}
	return status == PMON_END ? PMON_OK : status;
}

enum pmon_status
pmon_copy(struct pmon_source *source, struct pmon_sink *sink,
	  const struct pmon_calc_options *options, struct pmon_err *err)
{
	const struct pmon_schema *schema = pmon_source_schema(source);
	struct pmon_statistics *statistics = NULL;
	enum pmon_status status = PMON_OK;

	if (pmon_sink_needs(sink) & PMON_SINK_SCHEMA)
		status = look_ahead(source, err);
	if (status == PMON_OK && (pmon_sink_needs(sink) & PMON_SINK_VALUES))
		status = pmon_statistics_new(schema, options, NULL, &statistics, err);
	if (status == PMON_OK)
		status = pmon_sink_begin(sink, schema, pmon_source_info(source), err);
	if (status == PMON_OK)
		status = copy_samples(source, sink, statistics, err);
	if (status == PMON_OK)
		status = pmon_sink_finish(sink, err);
	pmon_statistics_free(statistics);
	return status;
}
