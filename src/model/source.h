// source.h - what a source has to provide
// SPDX-License-Identifier: MIT
//
// A source embeds struct pmon_source as its first member and fills it in when it opens.

#ifndef PMON_MODEL_SOURCE_H
#define PMON_MODEL_SOURCE_H

#include <pmon/model.h>

#include "model/schema.h"

struct pmon_source_ops {
	enum pmon_status (*next)(struct pmon_source *source, const struct pmon_sample **sample,
				 struct pmon_err *err);
	enum pmon_status (*rewind)(struct pmon_source *source, struct pmon_err *err);
	void (*close)(struct pmon_source *source); // frees the source itself too
};

struct pmon_source {
	const struct pmon_source_ops *ops;
	struct pmon_source *inner; // when set, schema and info are those of this source
	struct pmon_schema schema;
	struct pmon_source_info info;
};

#endif
