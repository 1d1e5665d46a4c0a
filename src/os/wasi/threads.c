// threads.c - threads, locks and parallel loops where there is one thread
// SPDX-License-Identifier: MIT
//
// No thread can be started, so callers do their work themselves, and locks are always free. Nothing waits for a condition: what
// would make it true has been done before, or never is.

#include "os/threads.h"

#include <pmon/base.h>

size_t
pmon_threads_processors(void)
{
	return 1;
}

uint64_t
pmon_os_thread_cpu_ns(void)
{
	return 0;
}

void
pmon_threads_run(size_t n, void (*work)(void *ctx, size_t i), void *ctx)
{
	for (size_t i = 0; i < n; i++)
		work(ctx, i);
}

bool
pmon_thread_begin(struct pmon_thread *thread, void (*work)(void *ctx), void *ctx)
{
	(void)thread, (void)work, (void)ctx;
	return false;
}

void
pmon_thread_join(struct pmon_thread *thread)
{
	(void)thread;
}

bool
pmon_lock_init(struct pmon_lock *lock)
{
	(void)lock;
	return true;
}

void
pmon_lock_destroy(struct pmon_lock *lock)
{
	(void)lock;
}

void
pmon_lock_take(struct pmon_lock *lock)
{
	(void)lock;
}

void
pmon_lock_give(struct pmon_lock *lock)
{
	(void)lock;
}

bool
pmon_condition_init(struct pmon_condition *condition)
{
	(void)condition;
	return true;
}

void
pmon_condition_destroy(struct pmon_condition *condition)
{
	(void)condition;
}

void
pmon_condition_wait(struct pmon_condition *condition, struct pmon_lock *lock)
{
	(void)condition, (void)lock;
}

void
pmon_condition_wake(struct pmon_condition *condition)
{
	(void)condition;
}

void
pmon_condition_wake_all(struct pmon_condition *condition)
{
	(void)condition;
}

bool
pmon_condition_wait_until(struct pmon_condition *condition, struct pmon_lock *lock,
			  int64_t until_100ns)
{
	(void)condition, (void)lock, (void)until_100ns;
	return false;
}

void
pmon_shared_lock_init(struct pmon_shared_lock *lock)
{
	(void)lock;
}

void
pmon_shared_lock_destroy(struct pmon_shared_lock *lock)
{
	(void)lock;
}

void
pmon_shared_lock_read(struct pmon_shared_lock *lock)
{
	(void)lock;
}

void
pmon_shared_lock_end_read(struct pmon_shared_lock *lock)
{
	(void)lock;
}

void
pmon_shared_lock_write(struct pmon_shared_lock *lock)
{
	(void)lock;
}

void
pmon_shared_lock_end_write(struct pmon_shared_lock *lock)
{
	(void)lock;
}
