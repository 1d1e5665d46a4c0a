// keys.h - samples as facts: rows with keys, batches with digests
// SPDX-License-Identifier: MIT
//
// A series has the same key in every log of the same counter, and a batch of the same rows the same
// digest: so an engine knows again what it has.

#ifndef PMON_PUSH_KEYS_H
#define PMON_PUSH_KEYS_H

#include <pmon/model.h>

// What is known of a series while it is pushed.
struct pmon_push_key {
	uint64_t key;
	uint32_t
		twin; // a log may list the same counter several times: 0 the first, 1 the second ...
	bool begun;
	uint32_t stream; // of the newest sample that it was in
	uint64_t ordinal;
	pmon_time time;
	uint32_t nth; // of the samples of this time
};

// The keys of the series of a schema, by their numbers.
struct pmon_push_keys {
	const struct pmon_allocator *allocator;
	const struct pmon_schema *schema;
	struct pmon_push_key *list;
	size_t n;
	size_t cap;
	uint32_t *slots; // open-addressed hash of series by key; UINT32_MAX is free
	size_t n_slots;  // a power of two, at least twice n, or 0
};

// A raw value as every engine stores it.
struct pmon_push_row {
	uint64_t series;
	pmon_time time; // of the sample
	uint32_t nth;   // logs that tell no seconds have several samples of one time: 0, 1, 2 ...
	// When the series was last seen before it was absent, if it was in the sample before this one:
	// where that is the newest value that is known there is no pair across. Else 0.
	pmon_time absent_after;
	const struct pmon_raw *raw;
};

void pmon_push_keys_init(struct pmon_push_keys *keys, const struct pmon_schema *schema,
			 const struct pmon_allocator *allocator);
void pmon_push_keys_free(struct pmon_push_keys *keys);

// Keys for the series that have come since: those from the n before on are new. PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_push_keys_grow(struct pmon_push_keys *keys,
						    struct pmon_err *err);

// Raw value i of a sample as a row.
void pmon_push_keys_row(struct pmon_push_keys *keys, const struct pmon_sample *sample, size_t i,
			struct pmon_push_row *row);

// ---- Digests --------------------------------------------------------------------------------

// 128 bits that tell two batches of rows apart. Zeros to begin with.
struct pmon_push_digest {
	uint64_t a;
	uint64_t b;
};

void pmon_push_digest_row(struct pmon_push_digest *digest, const struct pmon_push_row *row);
void pmon_push_digest_text(struct pmon_push_digest *digest, const char *text);

#define PMON_PUSH_DIGEST_SIZE 33 // as hexadecimal text, NUL included
void pmon_push_digest_print(const struct pmon_push_digest *digest, char buf[PMON_PUSH_DIGEST_SIZE]);
bool pmon_push_digest_parse(struct pmon_span text, struct pmon_push_digest *out);

#endif
