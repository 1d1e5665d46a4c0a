// threads.c - threads, locks and parallel loops
// SPDX-License-Identifier: MIT

#include "os/threads.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <pmon/base.h>

#define MOST 64 // maximum threads per job

struct part {
	void (*work)(void *ctx, size_t i);
	void *ctx;
	size_t i;
	pthread_t thread;
	bool is_begun;
};

#define FITS(type)                                                                                 \
	_Static_assert(sizeof(type) <= PMON_THREAD_ROOM * sizeof(uint64_t), "PMON_THREAD_ROOM")
FITS(pthread_mutex_t);
FITS(pthread_cond_t);
FITS(pthread_rwlock_t);
_Static_assert(sizeof(pthread_t) <= sizeof(uint64_t), "struct pmon_thread");

static pthread_mutex_t *
mutex_of(struct pmon_lock *lock)
{
	return (pthread_mutex_t *)(void *)lock->room;
}

static pthread_cond_t *
cond_of(struct pmon_condition *condition)
{
	return (pthread_cond_t *)(void *)condition->room;
}

static pthread_mutex_t *
door_of(struct pmon_shared_lock *lock)
{
	return (pthread_mutex_t *)(void *)lock->door;
}

static pthread_rwlock_t *
rwlock_of(struct pmon_shared_lock *lock)
{
	return (pthread_rwlock_t *)(void *)lock->room;
}

// Signals to the process are for the thread that handles them: a handler that waits for another process must not run in a
// thread that the first one is waiting for, or while the first one writes what the handler removes.
static bool
create(pthread_t *thread, void *(*run)(void *arg), void *arg)
{
	static const int own[] = {SIGBUS,  SIGFPE, SIGILL, SIGPIPE,
				  SIGSEGV, SIGSYS, SIGTRAP}; // by what the thread does
	sigset_t blocked, before;
	bool good;

	(void)sigfillset(&blocked);
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		(void)sigdelset(&blocked, own[i]);
	if (pthread_sigmask(SIG_SETMASK, &blocked, &before) != 0)
		return false;
	good = pthread_create(thread, NULL, run, arg) == 0;
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	return good;
}

static void *
run_part(void *arg)
{
	const struct part *part = arg;

	part->work(part->ctx, part->i);
	return NULL;
}

uint64_t
pmon_os_thread_cpu_ns(void)
{
	struct timespec t;

	if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) != 0)
		return 0;
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

size_t
pmon_threads_processors(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n < 1 ? 1 : n > MOST ? MOST : (size_t)n;
}

void
pmon_threads_run(size_t n, void (*work)(void *ctx, size_t i), void *ctx)
{
	struct part parts[MOST];

	for (size_t i = 1; i < n && i < MOST; i++) {
		parts[i] = (struct part){.work = work, .ctx = ctx, .i = i};
		parts[i].is_begun = create(&parts[i].thread, run_part, &parts[i]);
	}
	for (size_t i = 0; i < n; i++)
		if (i == 0 || i >= MOST || !parts[i].is_begun)
			work(ctx, i);
	for (size_t i = 1; i < n && i < MOST; i++)
		if (parts[i].is_begun)
			(void)pthread_join(parts[i].thread, NULL);
}

static void *
run_thread(void *arg)
{
	const struct pmon_thread *thread = arg;

	thread->work(thread->ctx);
	return NULL;
}

bool
pmon_thread_begin(struct pmon_thread *thread, void (*work)(void *ctx), void *ctx)
{
	pthread_t begun;
	bool good;

	thread->work = work;
	thread->ctx = ctx;
	good = create(&begun, run_thread, thread);
	if (good)
		memcpy(&thread->room, &begun, sizeof(begun));
	return good;
}

void
pmon_thread_join(struct pmon_thread *thread)
{
	pthread_t begun;

	memcpy(&begun, &thread->room, sizeof(begun));
	(void)pthread_join(begun, NULL);
}

bool
pmon_lock_init(struct pmon_lock *lock)
{
	return pthread_mutex_init(mutex_of(lock), NULL) == 0;
}

void
pmon_lock_destroy(struct pmon_lock *lock)
{
	(void)pthread_mutex_destroy(mutex_of(lock));
}

void
pmon_lock_take(struct pmon_lock *lock)
{
	(void)pthread_mutex_lock(mutex_of(lock));
}

void
pmon_lock_give(struct pmon_lock *lock)
{
	(void)pthread_mutex_unlock(mutex_of(lock));
}

bool
pmon_condition_init(struct pmon_condition *condition)
{
	pthread_condattr_t attributes;
	bool good;

	if (pthread_condattr_init(&attributes) != 0)
		return false;
	(void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	good = pthread_cond_init(cond_of(condition), &attributes) == 0;
	(void)pthread_condattr_destroy(&attributes);
	return good;
}

void
pmon_condition_destroy(struct pmon_condition *condition)
{
	(void)pthread_cond_destroy(cond_of(condition));
}

void
pmon_condition_wait(struct pmon_condition *condition, struct pmon_lock *lock)
{
	(void)pthread_cond_wait(cond_of(condition), mutex_of(lock));
}

void
pmon_condition_wake(struct pmon_condition *condition)
{
	(void)pthread_cond_signal(cond_of(condition));
}

void
pmon_condition_wake_all(struct pmon_condition *condition)
{
	(void)pthread_cond_broadcast(cond_of(condition));
}

bool
pmon_condition_wait_until(struct pmon_condition *condition, struct pmon_lock *lock,
			  int64_t until_100ns)
{
	struct timespec until = {.tv_sec = (time_t)(until_100ns / PMON_TIME_PER_SEC),
				 .tv_nsec = (long)(until_100ns % PMON_TIME_PER_SEC) * 100};

	return pthread_cond_timedwait(cond_of(condition), mutex_of(lock), &until) != ETIMEDOUT;
}

void
pmon_shared_lock_init(struct pmon_shared_lock *lock)
{
	(void)pthread_mutex_init(door_of(lock), NULL);
	(void)pthread_rwlock_init(rwlock_of(lock), NULL);
}

void
pmon_shared_lock_destroy(struct pmon_shared_lock *lock)
{
	(void)pthread_rwlock_destroy(rwlock_of(lock));
	(void)pthread_mutex_destroy(door_of(lock));
}

void
pmon_shared_lock_read(struct pmon_shared_lock *lock)
{
	(void)pthread_mutex_lock(door_of(lock));
	(void)pthread_rwlock_rdlock(rwlock_of(lock));
	(void)pthread_mutex_unlock(door_of(lock));
}

void
pmon_shared_lock_end_read(struct pmon_shared_lock *lock)
{
	(void)pthread_rwlock_unlock(rwlock_of(lock));
}

void
pmon_shared_lock_write(struct pmon_shared_lock *lock)
{
	(void)pthread_mutex_lock(door_of(lock));
	(void)pthread_rwlock_wrlock(rwlock_of(lock));
}

void
pmon_shared_lock_end_write(struct pmon_shared_lock *lock)
{
	(void)pthread_rwlock_unlock(rwlock_of(lock));
	(void)pthread_mutex_unlock(door_of(lock));
}
