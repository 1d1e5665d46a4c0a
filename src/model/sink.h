// sink.h - the interface that sinks implement
// SPDX-License-Identifier: MIT
//
// A sink embeds struct pmon_sink as its first member and fills it in on creation.

#ifndef PMON_MODEL_SINK_H
#define PMON_MODEL_SINK_H

#include <pmon/sink.h>

struct pmon_outfile;

struct pmon_sink_ops {
	unsigned needs; // PMON_SINK_* bits
	enum pmon_status (*begin)(struct pmon_sink *sink, const struct pmon_schema *schema,
				  const struct pmon_source_info *info, struct pmon_err *err);
	enum pmon_status (*add)(struct pmon_sink *sink, const struct pmon_sample *sample,
				const struct pmon_value *values, struct pmon_err *err);
	enum pmon_status (*finish)(struct pmon_sink *sink, struct pmon_err *err);
	void (*close)(struct pmon_sink *sink); // frees the sink itself too
	// NULL if the output cannot be read before it is finished
	enum pmon_status (*flush)(struct pmon_sink *sink, bool sync, struct pmon_err *err);
	uint64_t (*size)(const struct pmon_sink *sink); // NULL if unknown
	// The file being written; NULL if there is none
	struct pmon_outfile *(*file)(const struct pmon_sink *sink);
	bool values_suffice; // it reads no raw values, so samples need not have any
};

struct pmon_sink {
	const struct pmon_sink_ops *ops;
};

#endif
