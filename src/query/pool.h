// pool.h - work on many things at once, taken up in their order
// SPDX-License-Identifier: MIT

#ifndef PMON_QUERY_POOL_H
#define PMON_QUERY_POOL_H

#include <pmon/base.h>

struct pmon_pool {
	size_t n;
	size_t threads; // 0 and 1: only the caller's
	// Process item i, on any of the threads; thread 0 is the caller's.
	void (*work)(void *ctx, size_t i, size_t thread);
	// Take the result of item i: in the order of the items, one at a time, on any of the
	// threads. Any status but PMON_OK ends the run.
	enum pmon_status (*take)(void *ctx, size_t i);
	void *ctx;
};

// Process all items. At most a few items per thread are in flight, which means started and not yet
// taken. Returns the first status of take() that was not PMON_OK, which sets its own error, or
// PMON_E_NOMEM with *err set.
PMON_NODISCARD enum pmon_status pmon_pool_run(const struct pmon_pool *pool,
					      const struct pmon_allocator *allocator,
					      struct pmon_err *err);

#endif
