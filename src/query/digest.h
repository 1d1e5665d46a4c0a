// digest.h - checksums of samples: two numbers per series
// SPDX-License-Identifier: MIT
//
// Two sources have the same content if their digests match: the same paths, each with the same
// number of values and the same hash. The hash of a series is the sum of the hashes of its values,
// so the order of samples does not matter.
//
//	pmon_digest_init(&digest, PMON_DIGEST_RAW, schema, NULL);
//	... pmon_digest_add(&digest, sample, NULL)
//	pmon_digest_compare(&digest, &other, differs, ctx);
//	pmon_digest_free(&digest);

#ifndef PMON_QUERY_DIGEST_H
#define PMON_QUERY_DIGEST_H

#include <pmon/model.h>

enum pmon_digest_kind {
	PMON_DIGEST_RAW,   // usable raw values, with type and time base
	PMON_DIGEST_SHOWN, // displayed values, with times rounded to milliseconds as in text logs
};

struct pmon_digest_entry {
	uint64_t n;
	uint64_t hash;
};

struct pmon_digest {
	const struct pmon_allocator *allocator;
	const struct pmon_schema *schema;
	enum pmon_digest_kind kind;
	int digits; // significant digits of displayed values; 0: enough to distinguish all doubles
	struct pmon_digest_entry *list; // by series
	size_t cap;
	uint64_t values;
	struct pmon_digest_entry samples; // hashed by time; includes empty samples
};

// The schema must outlive it. allocator NULL: libc.
void pmon_digest_init(struct pmon_digest *digest, enum pmon_digest_kind kind,
		      const struct pmon_schema *schema, const struct pmon_allocator *allocator);
void pmon_digest_free(struct pmon_digest *digest); // all zeros are fine

// Add a sample. values are required for PMON_DIGEST_SHOWN, which ignores preceding samples. False
// when memory is short.
PMON_NODISCARD bool pmon_digest_add(struct pmon_digest *digest, const struct pmon_sample *sample,
				    const struct pmon_value *values);

// Add all samples of a source. PMON_DIGEST_SHOWN requires displayed values (struct
// pmon_series.formatted). `threads` threads read the source if it can be split.
PMON_NODISCARD enum pmon_status pmon_digest_read(struct pmon_digest *digest,
						 struct pmon_source *source, unsigned threads,
						 struct pmon_err *err);

// A path whose content differs. The type and the time base are 0 for PMON_DIGEST_SHOWN.
struct pmon_difference {
	struct pmon_span path; // ptr NULL: the samples themselves, regardless of content
	uint32_t type;
	int64_t time_base;
	uint64_t n[2]; // number of values or samples; if equal, the values differ
};
typedef void (*pmon_difference_fn)(void *ctx, const struct pmon_difference *difference);

// Call differs() for each path that differs between two digests of the same kind, in schema order,
// and then for the samples. Series with the same path, type and time base count as one.
// PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_digest_compare(const struct pmon_digest *a,
						    const struct pmon_digest *b,
						    pmon_difference_fn differs, void *ctx,
						    struct pmon_err *err);

#endif
