// threads.h - threads, locks and parallel loops
// SPDX-License-Identifier: MIT

#ifndef PMON_OS_THREADS_H
#define PMON_OS_THREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// These are opaque: room for the largest object of any supported system.
#define PMON_THREAD_ROOM                                                                           \
	8 // words, of a mutex, a condition variable or a lock for readers and writers

// The number of processors; 1 if threads are not available.
size_t pmon_threads_processors(void);

// CPU time of the calling thread in nanoseconds; 0 if not available.
uint64_t pmon_os_thread_cpu_ns(void);

// Call work(ctx, i) for each i below n, each in its own thread except the first, which runs in the
// caller's thread. Returns when all calls have returned. If a thread cannot be started, the caller's
// thread makes its call later.
void pmon_threads_run(size_t n, void (*work)(void *ctx, size_t i), void *ctx);

// A thread that works concurrently with its owner.
struct pmon_thread {
	void (*work)(void *ctx);
	void *ctx;
	uint64_t room;
};

// Call work(ctx) in a new thread. Returns false if no thread can be started. Join each started thread
// exactly once; this waits until it ends. Neither this thread nor those of pmon_threads_run() handle signals that are sent to
// the process: the thread that began them does.
bool pmon_thread_begin(struct pmon_thread *thread, void (*work)(void *ctx), void *ctx);
void pmon_thread_join(struct pmon_thread *thread);

// A mutex.
struct pmon_lock {
	uint64_t room[PMON_THREAD_ROOM];
};

bool pmon_lock_init(struct pmon_lock *lock);
void pmon_lock_destroy(struct pmon_lock *lock);
void pmon_lock_take(struct pmon_lock *lock);
void pmon_lock_give(struct pmon_lock *lock);

// A condition variable: the waiting thread holds the lock, which is released while it waits, and
// checks again afterwards.
struct pmon_condition {
	uint64_t room[PMON_THREAD_ROOM];
};

bool pmon_condition_init(struct pmon_condition *condition);
void pmon_condition_destroy(struct pmon_condition *condition);
void pmon_condition_wait(struct pmon_condition *condition, struct pmon_lock *lock);
void pmon_condition_wake(struct pmon_condition *condition);
void pmon_condition_wake_all(struct pmon_condition *condition);

// Wait with a deadline on the monotonic clock (pmon_os_monotonic_100ns()). Returns false when it has passed.
bool pmon_condition_wait_until(struct pmon_condition *condition, struct pmon_lock *lock,
			       int64_t until_100ns);

// A reader-writer lock that prefers writers: a waiting writer blocks new readers.
struct pmon_shared_lock {
	uint64_t door[PMON_THREAD_ROOM];
	uint64_t room[PMON_THREAD_ROOM];
};

void pmon_shared_lock_init(struct pmon_shared_lock *lock);
void pmon_shared_lock_destroy(struct pmon_shared_lock *lock);
void pmon_shared_lock_read(struct pmon_shared_lock *lock);
void pmon_shared_lock_end_read(struct pmon_shared_lock *lock);
void pmon_shared_lock_write(struct pmon_shared_lock *lock);
void pmon_shared_lock_end_write(struct pmon_shared_lock *lock);

#endif
