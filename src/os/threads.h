// threads.h - a job in parts that run at the same time
// SPDX-License-Identifier: MIT

#ifndef PMON_OS_THREADS_H
#define PMON_OS_THREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What a system keeps in these is not for their users: room for the largest of those that we know.
#define PMON_THREAD_ROOM                                                                           \
	8 // words, of a mutex, a condition variable or a lock for readers and writers

// How many processors there are; 1 where threads cannot be had.
size_t pmon_threads_processors(void);

// The processor time that the calling thread has used, in nanoseconds; 0 where it cannot be had.
uint64_t pmon_os_thread_cpu_ns(void);

// Call work(ctx, i) for each i below n, each in its own thread except the first, which runs in the
// caller's. Returns when all have returned. If a thread cannot be started, the caller's thread
// makes that call later.
void pmon_threads_run(size_t n, void (*work)(void *ctx, size_t i), void *ctx);

// A thread that works beside its owner.
struct pmon_thread {
	void (*work)(void *ctx);
	void *ctx;
	uint64_t room;
};

// Call work(ctx) in a thread. False when no thread can be started. Join each thread that was
// started once, which waits for its end.
bool pmon_thread_begin(struct pmon_thread *thread, void (*work)(void *ctx), void *ctx);
void pmon_thread_join(struct pmon_thread *thread);

// Room for one thread at a time.
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

// Wait until then on the monotonic clock (pmon_os_monotonic_100ns()) at the longest. False when the time has
// come.
bool pmon_condition_wait_until(struct pmon_condition *condition, struct pmon_lock *lock,
			       int64_t until_100ns);

// Room for one writer, or for any number of readers. A writer that waits lets no new reader in.
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
