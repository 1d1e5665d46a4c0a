// keys.h - samples as facts: rows with keys, batches with digests
// SPDX-License-Identifier: MIT
//
// A series has the same key in every log of the same counter, and batches with the same rows have the
// same digest. This is how an engine recognizes data that it already has.
//
// The key is the XXH3 of the identity of the series, one line of text as PostgreSQL's COPY writes it:
//
//	machine, object, parent, instance, index, counter, type, time base, size, duplicate
//
// separated by tabs, then each label of the push as NAME=VALUE, sorted by name. Names are UTF-8
// after simple case folding (base/utf.h). In names \t, \n and \\ are a tab, a newline and a
// backslash, \xHH is a NUL or an invalid UTF-8 byte; \N is a missing parent or
// instance. The machine is empty if the path has none. The type is 0x and eight uppercase digits; the
// other numbers are decimal. Keys are permanent in users' databases: a change to any of this, including
// the case folding table, must raise PMON_PUSH_KEYS_VERSION, and migrate existing databases or refuse
// them.

#ifndef PMON_PUSH_KEYS_H
#define PMON_PUSH_KEYS_H

#include <pmon/model.h>

#include "base/hash.h"
#include "base/map.h"
#include "model/labels.h"

// Version 1 used a 64-bit hash of pmon's own.
#define PMON_PUSH_KEYS_VERSION 2

// The state of a series during a push.
struct pmon_push_key {
	struct pmon_hash128 key;
	uint32_t duplicate; // a log may list a counter several times: 0 the first, 1 the second ...
	bool begun;
	uint32_t stream; // of the newest sample that has it
	uint64_t ordinal;
	pmon_time time;
	uint32_t nth; // among the samples of this time
};

// The text of an identity, and its capacity.
struct pmon_push_identity {
	uint8_t *text;
	size_t len;
	size_t cap;
};

// The keys of the series of a schema, by their numbers.
struct pmon_push_keys {
	const struct pmon_allocator *allocator;
	const struct pmon_schema *schema;
	const struct pmon_labels *labels; // NULL: none
	pmon_hash128_fn hash;             // pmon_hash128, unless a test wants another
	struct pmon_push_key *list;
	size_t n;
	size_t cap;
	struct pmon_map map;           // of series, by key
	struct pmon_push_identity one; // of the current series
	struct pmon_push_identity other;
};

// A raw value as every engine stores it.
struct pmon_push_row {
	struct pmon_hash128 series;
	pmon_time time; // of the sample, or of PMON_RAW_STARTED
	// Logs without seconds have several samples with one time: 0, 1, 2 ... A row with the process
	// that owns the value (PMON_RAW_OWNER) has the complement of that value's number.
	uint32_t nth;
	// If the series was absent in the preceding sample, when it was last seen; otherwise 0. If that
	// is its newest known value, the two values do not form a pair.
	pmon_time absent_after;
	const struct pmon_raw *raw;
};

void pmon_push_keys_init(struct pmon_push_keys *keys, const struct pmon_schema *schema,
			 const struct pmon_labels *labels, const struct pmon_allocator *allocator);
void pmon_push_keys_free(struct pmon_push_keys *keys);

// Add keys for series that are new in the schema: those from the previous n on. PMON_E_NOMEM;
// PMON_E_UNSUPPORTED if two different counters have the same key.
PMON_NODISCARD enum pmon_status pmon_push_keys_grow(struct pmon_push_keys *keys,
						    struct pmon_err *err);

// Report two counters with the same key: PMON_E_UNSUPPORTED.
enum pmon_status pmon_push_keys_collide(const struct pmon_hash128 *key, struct pmon_span counter,
					struct pmon_span other, struct pmon_err *err);

// The name of the other counter if it is stored in the engine.
#define PMON_PUSH_STORED ((struct pmon_span){"another one in pmon_series", 26})

// Write the identity of a series with this duplicate number. Returns false if out of memory.
bool pmon_push_identity_put(struct pmon_push_identity *identity,
			    const struct pmon_allocator *allocator,
			    const struct pmon_series *series, const struct pmon_labels *labels,
			    uint32_t duplicate);
// Write a machine and its labels in the same way, terminated by a NUL.
bool pmon_push_identity_put_machine(struct pmon_push_identity *identity,
				    const struct pmon_allocator *allocator, struct pmon_span name,
				    const struct pmon_labels *labels);
void pmon_push_identity_free(struct pmon_push_identity *identity,
			     const struct pmon_allocator *allocator);

// Convert raw value i of a sample to a row.
void pmon_push_keys_row(struct pmon_push_keys *keys, const struct pmon_sample *sample, size_t i,
			struct pmon_push_row *row);

// The same for pmon_sample.owners. Call it before the sample itself.
void pmon_push_keys_owner(const struct pmon_push_keys *keys, const struct pmon_sample *owners,
			  size_t i, struct pmon_push_row *row);

// ---- Digests --------------------------------------------------------------------------------

// The digest of a list of rows or texts: the hash of the digest so far and the next item. The digest of an empty list
// is zeros.
void pmon_push_digest_row(struct pmon_hash128 *digest, const struct pmon_push_row *row);
void pmon_push_digest_text(struct pmon_hash128 *digest, const char *text);

#endif
