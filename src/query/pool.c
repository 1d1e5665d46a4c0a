// pool.c - process many items in parallel and take the results in order
// SPDX-License-Identifier: MIT

#include "query/pool.h"

#include "base/err.h"
#include "base/mem.h"
#include "os/threads.h"

#define MOST_THREADS 64
#define AHEAD        2 // items per thread that may wait to be taken

struct run {
	const struct pmon_pool *pool;
	struct pmon_lock lock;      // of all below
	struct pmon_condition bell; // rung when `taken` or `status` changes
	size_t next;                // next item to process
	size_t taken;
	bool *done;     // the item was processed
	bool is_taking; // a thread is in take()
	size_t ahead;
	enum pmon_status status;
};

// The next item to process; waits while too many results are not taken. False after the last.
static bool
next_item(struct run *run, size_t *i)
{
	bool more;

	pmon_lock_take(&run->lock);
	while (run->status == PMON_OK && run->next < run->pool->n &&
	       run->next >= run->taken + run->ahead)
		pmon_condition_wait(&run->bell, &run->lock);
	more = run->status == PMON_OK && run->next < run->pool->n;
	*i = run->next;
	run->next += more;
	// Each wake reaches one waiting thread; it wakes the next when no work is left.
	if (!more)
		pmon_condition_wake(&run->bell);
	pmon_lock_give(&run->lock);
	return more;
}

// Take available results in order unless another thread is doing so.
static void
end_item(struct run *run, size_t i)
{
	pmon_lock_take(&run->lock);
	run->done[i] = true;
	while (!run->is_taking && run->status == PMON_OK && run->taken < run->pool->n &&
	       run->done[run->taken]) {
		enum pmon_status status;

		run->is_taking = true;
		pmon_lock_give(&run->lock);
		status = run->pool->take(run->pool->ctx, run->taken);
		pmon_lock_take(&run->lock);
		run->is_taking = false;
		run->status = status;
		run->taken++;
		pmon_condition_wake(&run->bell);
	}
	pmon_lock_give(&run->lock);
}

static void
run_thread(void *ctx, size_t thread)
{
	struct run *run = ctx;
	size_t i;

	while (next_item(run, &i)) {
		run->pool->work(run->pool->ctx, i, thread);
		end_item(run, i);
	}
}

static enum pmon_status
run_all(struct run *run, size_t threads, struct pmon_err *err)
{
	if (!pmon_lock_init(&run->lock))
		return pmon_err_nomem(err);
	if (!pmon_condition_init(&run->bell)) {
		pmon_lock_destroy(&run->lock);
		return pmon_err_nomem(err);
	}
	pmon_threads_run(threads, run_thread, run);
	pmon_condition_destroy(&run->bell);
	pmon_lock_destroy(&run->lock);
	return run->status;
}

enum pmon_status
pmon_pool_run(const struct pmon_pool *pool, const struct pmon_allocator *allocator,
	      struct pmon_err *err)
{
	size_t threads = pool->threads < MOST_THREADS ? pool->threads : MOST_THREADS;
	struct run run = {.pool = pool};
	enum pmon_status status;

	threads = threads < pool->n ? threads : pool->n;
	threads = threads > 0 ? threads : 1;
	run.ahead = threads > 1 ? AHEAD * threads : 1;
	run.done = pmon_mem_alloc0(allocator, pool->n + 1);
	if (run.done == NULL)
		return pmon_err_nomem(err);
	status = run_all(&run, threads, err);
	pmon_mem_free(allocator, run.done, pool->n + 1);
	return status;
}
