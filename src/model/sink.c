// sink.c - the calls that every sink answers
// SPDX-License-Identifier: MIT

#include "model/sink.h"

unsigned
pmon_sink_needs(const struct pmon_sink *sink)
{
	return sink->ops->needs;
}

enum pmon_status
pmon_sink_begin(struct pmon_sink *sink, const struct pmon_schema *schema,
		const struct pmon_source_info *info, struct pmon_err *err)
{
	return sink->ops->begin(sink, schema, info, err);
}

enum pmon_status
pmon_sink_add(struct pmon_sink *sink, const struct pmon_sample *sample,
	      const struct pmon_value *values, struct pmon_err *err)
{
	return sink->ops->add(sink, sample, values, err);
}

enum pmon_status
pmon_sink_finish(struct pmon_sink *sink, struct pmon_err *err)
{
	return sink->ops->finish(sink, err);
}

void
pmon_sink_close(struct pmon_sink *sink)
{
	if (sink != NULL)
		sink->ops->close(sink);
}
