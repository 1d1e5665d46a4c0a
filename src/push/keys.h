// keys.h - samples as facts: rows with keys, batches with digests
// SPDX-License-Identifier: MIT
//
// A series has the same key in every log of the same counter, and a batch of the same rows the same
// digest: so an engine recognizes what it has.
//
// The key is the XXH3 of the identity of the series, one line of text as PostgreSQL's COPY writes it:
//
//	machine, object, parent, instance, index, counter, type, time base, size, duplicate
//
// with tabs between them. Names are UTF-8 by simple case folding (base/utf.h). In them \t, \n and
// \\ are a tab, a new line and a backslash, \xHH is a NUL or a byte that is not UTF-8; \N is a
// parent or an instance that the object does not have. The machine is empty where the path names
// none. The type is 0x and eight digits, in capitals; the other numbers are decimal. Keys are
// permanent in the databases of users: a change to any of this, the table of case folding included,
// must raise PMON_PUSH_KEYS_VERSION, and migrate existing databases or refuse them.

#ifndef PMON_PUSH_KEYS_H
#define PMON_PUSH_KEYS_H

#include <pmon/model.h>

#include "base/hash.h"
#include "base/map.h"

// 1 had 64 bits of a hash of pmon's own.
#define PMON_PUSH_KEYS_VERSION 2

// What is known of a series while it is pushed.
struct pmon_push_key {
	struct pmon_hash128 key;
	uint32_t duplicate; // a log may list a counter several times: 0 the first, 1 the second ...
	bool begun;
	uint32_t stream; // of the newest sample that it was in
	uint64_t ordinal;
	pmon_time time;
	uint32_t nth; // of the samples of this time
};

// An identity, and the room that it has.
struct pmon_push_identity {
	uint8_t *text;
	size_t len;
	size_t cap;
};

// The keys of the series of a schema, by their numbers.
struct pmon_push_keys {
	const struct pmon_allocator *allocator;
	const struct pmon_schema *schema;
	pmon_hash128_fn hash; // pmon_hash128, unless a test wants another
	struct pmon_push_key *list;
	size_t n;
	size_t cap;
	struct pmon_map map;           // of series, by key
	struct pmon_push_identity one; // of the series that is looked at
	struct pmon_push_identity other;
};

// A raw value as every engine stores it.
struct pmon_push_row {
	struct pmon_hash128 series;
	pmon_time time; // of the sample, or of PMON_RAW_STARTED
	// Logs without seconds have several samples of one time: 0, 1, 2 ... A row that says which
	// process the value is from (PMON_RAW_OWNER) has the complement of that value's number.
	uint32_t nth;
	// When the series was last seen before it was absent, if it was in the sample before this one:
	// where that is the newest value that is known there is no pair across. Else 0.
	pmon_time absent_after;
	const struct pmon_raw *raw;
};

void pmon_push_keys_init(struct pmon_push_keys *keys, const struct pmon_schema *schema,
			 const struct pmon_allocator *allocator);
void pmon_push_keys_free(struct pmon_push_keys *keys);

// Keys for the series that have come since: those from the n before on are new. PMON_E_NOMEM;
// PMON_E_UNSUPPORTED when two different counters have one key.
PMON_NODISCARD enum pmon_status pmon_push_keys_grow(struct pmon_push_keys *keys,
						    struct pmon_err *err);

// Refuse two counters that have one key: PMON_E_UNSUPPORTED.
enum pmon_status pmon_push_keys_collide(const struct pmon_hash128 *key, struct pmon_span counter,
					struct pmon_span other, struct pmon_err *err);

// How the other one is called where the engine has it.
#define PMON_PUSH_STORED ((struct pmon_span){"another one in pmon_series", 26})

// Write the identity of a series, as the number `duplicate` of its log. false when memory is short.
bool pmon_push_identity_put(struct pmon_push_identity *identity,
			    const struct pmon_allocator *allocator,
			    const struct pmon_series *series, uint32_t duplicate);
void pmon_push_identity_free(struct pmon_push_identity *identity,
			     const struct pmon_allocator *allocator);

// Raw value i of a sample as a row.
void pmon_push_keys_row(struct pmon_push_keys *keys, const struct pmon_sample *sample, size_t i,
			struct pmon_push_row *row);

// The same of pmon_sample.owners. It comes before the sample itself.
void pmon_push_keys_owner(const struct pmon_push_keys *keys, const struct pmon_sample *owners,
			  size_t i, struct pmon_push_row *row);

// ---- Digests --------------------------------------------------------------------------------

// A digest of a list of rows or texts: that of the list without its last, with the last, is hashed again. Zeros
// are the empty list.
void pmon_push_digest_row(struct pmon_hash128 *digest, const struct pmon_push_row *row);
void pmon_push_digest_text(struct pmon_hash128 *digest, const char *text);

#endif
