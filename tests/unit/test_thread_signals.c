// test_thread_signals.c - which thread of a process handles a signal
// SPDX-License-Identifier: MIT
//
// By signal(7), a signal to a process goes to any of its threads that does not block it. Handlers of pmon belong in the
// first one: while it cannot take a signal (it blocks it here; it is stopped by a debugger elsewhere), no other does.

#include "t.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "os/threads.h"

#define N_THREADS 2

static volatile sig_atomic_t n_handled;
static pthread_t handled_by;

static void
on_signal(int number)
{
	(void)number;
	n_handled = n_handled + 1;
	handled_by = pthread_self();
}

struct room {
	int questions[2]; // a pipe that is closed when the other thread is to end
	int answers[2];   // a pipe: a byte when that thread has begun, and one for each question
	sigset_t masks[N_THREADS];
};

static void
answer(void *ctx, size_t i)
{
	struct room *room = ctx;
	char byte = 0;

	assert_int_equal(pthread_sigmask(SIG_BLOCK, NULL, &room->masks[i]), 0);
	assert_int_equal(write(room->answers[1], &byte, 1), 1);
	for (;;) {
		ssize_t n = read(room->questions[0], &byte, 1);

		if (n == 0)
			break;
		assert_true(n == 1 || errno == EINTR);
		if (n == 1)
			assert_int_equal(write(room->answers[1], &byte, 1), 1);
	}
}

static void
answer_alone(void *ctx)
{
	answer(ctx, 0);
}

static void
await_answer(const struct room *room)
{
	char byte;

	assert_int_equal(read(room->answers[0], &byte, 1), 1);
}

// The part of the first thread: send the process a signal while the other one runs. By its answer to a question, that
// thread would have handled the signal.
static void
send_signal(struct room *room)
{
	sigset_t one, before, pending;

	sigemptyset(&one);
	sigaddset(&one, SIGUSR1);
	assert_int_equal(pthread_sigmask(SIG_BLOCK, &one, &before), 0);
	await_answer(room);
	n_handled = 0;
	assert_int_equal(kill(getpid(), SIGUSR1), 0);
	assert_int_equal(write(room->questions[1], "?", 1), 1);
	await_answer(room);
	assert_int_equal(n_handled, 0);
	assert_int_equal(sigpending(&pending), 0);
	assert_true(sigismember(&pending, SIGUSR1));
	assert_int_equal(pthread_sigmask(SIG_SETMASK, &before, NULL), 0);
	assert_int_equal(n_handled, 1);
	assert_true(pthread_equal(handled_by, pthread_self()));
	assert_int_equal(close(room->questions[1]), 0);
}

static void
answer_or_send(void *ctx, size_t i)
{
	if (i == 0)
		send_signal(ctx);
	else
		answer(ctx, i);
}

static void
open_room(struct room *room)
{
	struct sigaction action = {.sa_handler = on_signal};

	assert_int_equal(sigaction(SIGUSR1, &action, NULL), 0);
	assert_int_equal(pipe(room->questions), 0);
	assert_int_equal(pipe(room->answers), 0);
}

static void
close_room(struct room *room)
{
	(void)close(room->questions[0]);
	(void)close(room->answers[0]);
	(void)close(room->answers[1]);
}

static void
the_first_thread_handles_signals(void **state)
{
	struct pmon_thread thread;
	struct room room;

	(void)state;
	open_room(&room);
	assert_true(pmon_thread_begin(&thread, answer_alone, &room));
	send_signal(&room);
	pmon_thread_join(&thread);
	close_room(&room);
}

static void
parts_of_a_loop_handle_no_signals(void **state)
{
	struct room room;

	(void)state;
	open_room(&room);
	pmon_threads_run(N_THREADS, answer_or_send, &room);
	close_room(&room);
}

// What a thread causes itself ends it as always, and its owner blocks no more signals than before.
static void
faults_are_not_blocked(void **state)
{
	static const int faults[] = {SIGBUS, SIGFPE, SIGILL, SIGPIPE, SIGSEGV, SIGSYS};
	struct pmon_thread thread;
	struct room room;
	sigset_t mask;

	(void)state;
	open_room(&room);
	assert_true(pmon_thread_begin(&thread, answer_alone, &room));
	assert_int_equal(close(room.questions[1]), 0);
	pmon_thread_join(&thread);
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		assert_false(sigismember(&room.masks[0], faults[i]));
	assert_true(sigismember(&room.masks[0], SIGTERM));
	assert_int_equal(pthread_sigmask(SIG_BLOCK, NULL, &mask), 0);
	assert_false(sigismember(&mask, SIGTERM));
	close_room(&room);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_thread_handles_signals),
		cmocka_unit_test(parts_of_a_loop_handle_no_signals),
		cmocka_unit_test(faults_are_not_blocked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
