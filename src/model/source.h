// source.h - what a source has to provide
// SPDX-License-Identifier: MIT
//
// A source embeds struct pmon_source as its first member and fills it in when it opens.

#ifndef PMON_MODEL_SOURCE_H
#define PMON_MODEL_SOURCE_H

#include <pmon/model.h>

#include "model/schema.h"

// The converter that a log has which is written from this source; "" when it records a live one.
const char *pmon_source_converter(const struct pmon_source_info *info);

struct pmon_source_ops {
	enum pmon_status (*next)(struct pmon_source *source, const struct pmon_sample **sample,
				 struct pmon_err *err);
	enum pmon_status (*rewind)(struct pmon_source *source, struct pmon_err *err);
	void (*close)(struct pmon_source *source); // frees the source itself too
};

// For sources that can be read in several parts at the same time.
//
// Only an intact log without oddities is read in parts. A part that meets anything else - damage,
// an oddity to report, a change that later parts would have to know of - fails with PMON_E_STATE,
// and the caller reads the source again as a whole, from its beginning, which reports and handles
// all of that.
struct pmon_source_split {
	// Make at most *n parts that, read one after the other, yield what the source yields from its
	// beginning, which is its present position; their samples count from 0 in each. A part has
	// part_bytes of the input or more. *n is then their number, or 0 when that cannot be. Series
	// that the source has when it is split have the same numbers in the parts.
	enum pmon_status (*split)(struct pmon_source *source, uint64_t part_bytes,
				  struct pmon_source **parts, size_t *n, struct pmon_err *err);
	// All parts were read to their ends. Take in what they have learned, as if the source had been
	// read: maps[i][k] becomes the number of series k of part i, where that was PMON_SERIES_NONE.
	// PMON_E_STATE when the parts do not fit together.
	enum pmon_status (*join)(struct pmon_source *source, struct pmon_source *const *parts,
				 size_t n, uint32_t *const *maps, struct pmon_err *err);
};

struct pmon_source {
	const struct pmon_source_ops *ops;
	const struct pmon_source_split *split; // NULL when it is read in one only
	struct pmon_source *inner;             // when set, schema and info are those of this source
	// The newest sample once more, where all of its raw values are PMON_RAW_VALID, of its time, and
	// doubles in `first` with nothing beside them: these. Else NULL.
	const double *numbers;
	// Set by a reader that looks at no raw value where there are numbers: then the source need not give any.
	bool numbers_suffice;
	void (*skip)(struct pmon_source *source, const bool *unread,
		     size_t n); // pmon_source_skip(), or NULL: all are read
	struct pmon_schema schema;
	struct pmon_source_info info;
};

// unread[i]: nobody looks at series i any more, for i up to n - 1. The source may skip its values, or go on to give
// them.
void pmon_source_skip(struct pmon_source *source, const bool *unread, size_t n);

// The raw values that these numbers are at this time.
void pmon_source_raw_of(const double *numbers, size_t n, pmon_time time, struct pmon_raw *out);

#endif
