// ledger.h - which batches of a log are stored
// SPDX-License-Identifier: MIT
//
// A log is cut into batches at the same places whenever it is pushed in the same way, so a batch that
// was stored is known by its digest. A ledger is of one log at one engine; the engine keeps it, or else
// a file does: PATH/<digest of URL and log>.pushed, a line of text for each batch.

#ifndef PMON_PUSH_LEDGER_H
#define PMON_PUSH_LEDGER_H

#include "push/keys.h"

// That a place has so many rows of a batch. A batch whose rows are on several shards has several.
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

// Add the digests of a text, one a line, as an engine or a file gives them, each with the number of its
// rows after a tab, or else with all. Other lines are skipped.
PMON_NODISCARD enum pmon_status pmon_push_ledger_add_text(struct pmon_push_ledger *ledger,
							  struct pmon_span text,
							  struct pmon_err *err);

// Are all rows of the batch stored? To be asked when all that is known was added.
bool pmon_push_ledger_has(struct pmon_push_ledger *ledger, const struct pmon_hash128 *batch,
			  uint64_t rows);

// Which log this is: the digest of its first sample. With another choice of its counters it is
// another log; if the digest is the same anyway, a batch is still skipped only when its own digest
// is known.
struct pmon_hash128 pmon_push_log_digest(const struct pmon_push_keys *keys,
					 const struct pmon_sample *first);

// Read the ledger of a log at a URL from a folder, and write it there by renaming. A file that is not
// there is an empty ledger. PMON_E_IO, PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_push_ledger_load(struct pmon_push_ledger *ledger,
						      const char *folder, const char *url,
						      const struct pmon_hash128 *log,
						      struct pmon_err *err);
PMON_NODISCARD enum pmon_status pmon_push_ledger_save(const struct pmon_push_ledger *ledger,
						      const char *folder, const char *url,
						      const struct pmon_hash128 *log,
						      struct pmon_err *err);

#endif
