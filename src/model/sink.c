// sink.c - the functions common to all sinks
// SPDX-License-Identifier: MIT

#include "model/sink.h"

#include "base/err.h"

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
pmon_sink_flush(struct pmon_sink *sink, bool sync, struct pmon_err *err)
{
	if (sink->ops->flush == NULL)
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "this format cannot be read before it is finished");
	return sink->ops->flush(sink, sync, err);
}

uint64_t
pmon_sink_size(const struct pmon_sink *sink)
{
	return sink->ops->size != NULL ? sink->ops->size(sink) : 0;
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
