// source.h - the interface that sources implement
// SPDX-License-Identifier: MIT
//
// A source embeds struct pmon_source as its first member and fills it in when it opens.

#ifndef PMON_MODEL_SOURCE_H
#define PMON_MODEL_SOURCE_H

#include <pmon/model.h>

#include "model/schema.h"

// The converter to record in a log that is written from this source; "" if the source is live.
const char *pmon_source_converter(const struct pmon_source_info *info);

struct pmon_source_ops {
	enum pmon_status (*next)(struct pmon_source *source, const struct pmon_sample **sample,
				 struct pmon_err *err);
	enum pmon_status (*rewind)(struct pmon_source *source, struct pmon_err *err);
	void (*close)(struct pmon_source *source); // frees the source itself too
};

// For sources that can be read in several parts in parallel.
//
// Only an intact log without anomalies is read in parts. If a part finds anything else - damage, an
// anomaly to report, a change that later parts would need to know - it fails with PMON_E_STATE, and
// the caller reads the whole source again from its beginning, which reports and handles all of
// that.
struct pmon_source_split {
	// Create at most *n parts that, read one after the other, return what the source returns
	// from its beginning, which must be its current position; their samples count from 0 in
	// each part. A part has at least part_bytes of the input. *n is set to their number, or 0
	// if the source cannot be split. Series that the source has when it is split have the same
	// numbers in the parts. If this fails, parts may be NULL; the others must be closed.
	enum pmon_status (*split)(struct pmon_source *source, uint64_t part_bytes,
				  struct pmon_source **parts, size_t *n, struct pmon_err *err);
	// All parts were read to their ends. Merge what they found, as if the source had been read:
	// maps[i][k] is set to the number of series k of part i, where it was PMON_SERIES_NONE.
	// PMON_E_STATE if the parts do not fit together.
	enum pmon_status (*join)(struct pmon_source *source, struct pmon_source *const *parts,
				 size_t n, uint32_t *const *maps, struct pmon_err *err);
};

struct pmon_source {
	const struct pmon_source_ops *ops;
	const struct pmon_source_split *split; // NULL if the source cannot be split
	struct pmon_source *inner;             // if set, schema and info are those of this source
	// The values of the newest sample, if all its raw values are PMON_RAW_VALID, have its time,
	// and are just doubles in `first`; otherwise NULL.
	const double *numbers;
	// Set by a reader that uses no raw values when there are numbers: the source then need not
	// provide them.
	bool numbers_suffice;
	void (*skip)(struct pmon_source *source, const bool *unread,
		     size_t n); // pmon_source_skip(), or NULL: all series are read
	struct pmon_schema schema;
	struct pmon_source_info info;
};

// If unread[i] is set, for i < n, series i is no longer needed. The source may skip its values or
// still return them.
void pmon_source_skip(struct pmon_source *source, const bool *unread, size_t n);

// The raw values for these numbers at this time.
void pmon_source_raw_of(const double *numbers, size_t n, pmon_time time, struct pmon_raw *out);

#endif
