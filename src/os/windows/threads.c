// threads.c - threads, locks and parallel loops: Windows
// SPDX-License-Identifier: MIT

#include "os/threads.h"

#include <pmon/base.h>
#include <windows.h>

#include "os/clock.h"

#define MOST      64 // per job
#define DAY_100NS (24 * 60 * PMON_TIME_PER_MIN)

struct part {
	void (*work)(void *ctx, size_t i);
	void *ctx;
	size_t i;
	HANDLE thread;
};

static DWORD WINAPI
run_part(void *arg)
{
	const struct part *part = arg;

	part->work(part->ctx, part->i);
	return 0;
}

uint64_t
pmon_os_thread_cpu_ns(void)
{
	FILETIME begun, ended, kernel, user;

	if (!GetThreadTimes(GetCurrentThread(), &begun, &ended, &kernel, &user))
		return 0;
	return 100 * (((uint64_t)kernel.dwHighDateTime << 32 | kernel.dwLowDateTime) +
		      ((uint64_t)user.dwHighDateTime << 32 | user.dwLowDateTime));
}

size_t
pmon_threads_processors(void)
{
	DWORD n = GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);

	return n < 1 ? 1 : n > MOST ? MOST : (size_t)n;
}

static void
join(HANDLE thread)
{
	(void)WaitForSingleObject(thread, INFINITE);
	(void)CloseHandle(thread);
}

void
pmon_threads_run(size_t n, void (*work)(void *ctx, size_t i), void *ctx)
{
	struct part parts[MOST];

	for (size_t i = 1; i < n && i < MOST; i++) {
		parts[i] = (struct part){.work = work, .ctx = ctx, .i = i};
		parts[i].thread = CreateThread(NULL, 0, run_part, &parts[i], 0, NULL);
	}
	for (size_t i = 0; i < n; i++)
		if (i == 0 || i >= MOST || parts[i].thread == NULL)
			work(ctx, i);
	for (size_t i = 1; i < n && i < MOST; i++)
		if (parts[i].thread != NULL)
			join(parts[i].thread);
}

static DWORD WINAPI
run_thread(void *arg)
{
	const struct pmon_thread *thread = arg;

	thread->work(thread->ctx);
	return 0;
}

bool
pmon_thread_begin(struct pmon_thread *thread, void (*work)(void *ctx), void *ctx)
{
	HANDLE begun;

	thread->work = work;
	thread->ctx = ctx;
	begun = CreateThread(NULL, 0, run_thread, thread, 0, NULL);
	thread->room = (uintptr_t)begun;
	return begun != NULL;
}

void
pmon_thread_join(struct pmon_thread *thread)
{
	join((HANDLE)(uintptr_t)thread->room);
}

// ---- Locks ----------------------------------------------------------------------------------

static SRWLOCK *
lock_of(uint64_t *room)
{
	return (SRWLOCK *)(void *)room;
}

static CONDITION_VARIABLE *
condition_of(struct pmon_condition *condition)
{
	return (CONDITION_VARIABLE *)(void *)condition->room;
}

bool
pmon_lock_init(struct pmon_lock *lock)
{
	InitializeSRWLock(lock_of(lock->room));
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
	AcquireSRWLockExclusive(lock_of(lock->room));
}

void
pmon_lock_give(struct pmon_lock *lock)
{
	ReleaseSRWLockExclusive(lock_of(lock->room));
}

bool
pmon_condition_init(struct pmon_condition *condition)
{
	InitializeConditionVariable(condition_of(condition));
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
	(void)SleepConditionVariableSRW(condition_of(condition), lock_of(lock->room), INFINITE, 0);
}

void
pmon_condition_wake(struct pmon_condition *condition)
{
	WakeConditionVariable(condition_of(condition));
}

void
pmon_condition_wake_all(struct pmon_condition *condition)
{
	WakeAllConditionVariable(condition_of(condition));
}

// A wait of more than a day ends early, which is harmless: callers check again.
bool
pmon_condition_wait_until(struct pmon_condition *condition, struct pmon_lock *lock,
			  int64_t until_100ns)
{
	int64_t left = until_100ns - pmon_os_monotonic_100ns();
	DWORD ms = left <= 0 ? 0 : left > DAY_100NS ? 86400000 : (DWORD)((left + 9999) / 10000);

	return SleepConditionVariableSRW(condition_of(condition), lock_of(lock->room), ms, 0) ||
	       left > DAY_100NS;
}

void
pmon_shared_lock_init(struct pmon_shared_lock *lock)
{
	InitializeSRWLock(lock_of(lock->door));
	InitializeSRWLock(lock_of(lock->room));
}

void
pmon_shared_lock_destroy(struct pmon_shared_lock *lock)
{
	(void)lock;
}

void
pmon_shared_lock_read(struct pmon_shared_lock *lock)
{
	AcquireSRWLockExclusive(lock_of(lock->door));
	AcquireSRWLockShared(lock_of(lock->room));
	ReleaseSRWLockExclusive(lock_of(lock->door));
}

void
pmon_shared_lock_end_read(struct pmon_shared_lock *lock)
{
	ReleaseSRWLockShared(lock_of(lock->room));
}

void
pmon_shared_lock_write(struct pmon_shared_lock *lock)
{
	AcquireSRWLockExclusive(lock_of(lock->door));
	AcquireSRWLockExclusive(lock_of(lock->room));
}

void
pmon_shared_lock_end_write(struct pmon_shared_lock *lock)
{
	ReleaseSRWLockExclusive(lock_of(lock->room));
	ReleaseSRWLockExclusive(lock_of(lock->door));
}
