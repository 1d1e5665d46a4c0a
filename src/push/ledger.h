// ledger.h - which batches of a log are stored
// SPDX-License-Identifier: MIT
//
// A log is split into batches at the same samples whenever it is pushed in the same way, so a stored
// batch is recognized by its digest. A ledger belongs to one log and one engine. It is kept in the engine
// or in a file, PATH/<digest of URL and log>.pushed, with a line for each batch.

#ifndef PMON_PUSH_LEDGER_H
#define PMON_PUSH_LEDGER_H

#include "push/keys.h"

// The number of rows of a batch that are stored in one place. A batch that spans shards has several.
struct pmon_push_stored {
	struct pmon_hash128 batch;
	uint64_t rows;
};

#define PMON_PUSH_ALL_ROWS UINT64_MAX

struct pmon_push_ledger {
	const struct pmon_allocator *allocator;
	struct pmon_push_stored *list; // ascending up to n_sorted
	size_t n;
	size_t n_sorted;
	size_t cap;
};

void pmon_push_ledger_init(struct pmon_push_ledger *ledger, const struct pmon_allocator *allocator);
void pmon_push_ledger_free(struct pmon_push_ledger *ledger);

PMON_NODISCARD enum pmon_status pmon_push_ledger_add(struct pmon_push_ledger *ledger,
						     const struct pmon_hash128 *batch,
						     struct pmon_err *err);

// Add the digests in a text from an engine or a file, one per line, each followed by a tab and the number
// of its rows; without a number, all rows are stored. Other lines are skipped.
PMON_NODISCARD enum pmon_status pmon_push_ledger_add_text(struct pmon_push_ledger *ledger,
							  struct pmon_span text,
							  struct pmon_err *err);

// Are all rows of the batch stored? Call this after everything was added.
bool pmon_push_ledger_has(struct pmon_push_ledger *ledger, const struct pmon_hash128 *batch,
			  uint64_t rows);

// The identity of a log: the digest of its first sample. With a different choice of counters it is a
// different log; even if the digest is the same, a batch is skipped only if its own digest is known.
struct pmon_hash128 pmon_push_log_digest(const struct pmon_push_keys *keys,
					 const struct pmon_sample *first);

// Read the ledger of a log and a URL from a folder, and write it there atomically. A missing file is an
// empty ledger. PMON_E_IO, PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_push_ledger_load(struct pmon_push_ledger *ledger,
						      const char *folder, const char *url,
						      const struct pmon_hash128 *log,
						      struct pmon_err *err);
PMON_NODISCARD enum pmon_status pmon_push_ledger_save(const struct pmon_push_ledger *ledger,
						      const char *folder, const char *url,
						      const struct pmon_hash128 *log,
						      struct pmon_err *err);

#endif
