// actions.c - queues of alerts for commands, servers and the journal
// SPDX-License-Identifier: MIT

#include "verbs/watch/actions.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "os/clock.h"
#include "os/threads.h"
#include "shell/output/say.h"

#define QUEUE_MOST  100
#define GRACE_100NS (5 * PMON_TIME_PER_SEC) // for emptying the queues when watching ends

static const struct action_kind *const kinds[] = {&action_exec, &action_webhook, &action_journal};

#define N_KINDS (sizeof(kinds) / sizeof(kinds[0]))

struct action {
	const struct action_kind *kind;
	void *state;
	struct pmon_thread thread;
	struct pmon_lock lock; // protects everything below
	struct pmon_condition changed;
	struct message *queue[QUEUE_MOST]; // a ring
	size_t first;
	size_t n;
	bool is_busy; // processing an alert that is no longer in the queue
	bool is_closing;
	bool is_cancelled;
	uint64_t dropped;
};

struct actions {
	struct action list[N_KINDS];
	size_t n;
	bool waits; // wait for room in a queue
};

// ---- The thread -------------------------------------------------------------------------------

static bool
is_cancelled(void *ctx)
{
	struct action *a = ctx;
	bool cancelled;

	pmon_lock_take(&a->lock);
	cancelled = a->is_cancelled;
	pmon_lock_give(&a->lock);
	return cancelled;
}

// The next message; NULL at the end.
static struct message *
take_message(struct action *a)
{
	struct message *message = NULL;

	pmon_lock_take(&a->lock);
	a->is_busy = false;
	pmon_condition_wake_all(&a->changed);
	while (a->n == 0 && !a->is_closing)
		pmon_condition_wait(&a->changed, &a->lock);
	if (a->n > 0 && !a->is_cancelled) {
		message = a->queue[a->first];
		a->first = (a->first + 1) % QUEUE_MOST;
		a->n--;
		a->is_busy = true;
	}
	pmon_lock_give(&a->lock);
	return message;
}

static void
work(void *ctx)
{
	struct action *a = ctx;
	struct message *message;
	char why[ACTION_WHY];

	while ((message = take_message(a)) != NULL) {
		if (!a->kind->send(a->state, message, why))
			say(0, "watch: %s: %s; the alert was: %s", a->kind->option, why,
			    message->sentence);
		message_free(message);
	}
}

// ---- Opening ------------------------------------------------------------------------------------

static int
open_one(struct action *a, const struct args *args)
{
	const struct action_run run = {.cancel = is_cancelled, .ctx = a};
	int status;

	if (!pmon_lock_init(&a->lock))
		return say(EXIT_FAILED, "not enough memory");
	status = pmon_condition_init(&a->changed) ? EXIT_DONE
						  : say(EXIT_FAILED, "not enough memory");
	if (status == EXIT_DONE) {
		status = a->kind->open(args, &run, &a->state);
		if (status == EXIT_DONE && a->state != NULL &&
		    !pmon_thread_begin(&a->thread, work, a)) {
			a->kind->close(a->state);
			status =
				say(EXIT_FAILED,
				    "watch: %s: cannot start a thread, possibly for lack of memory",
				    a->kind->option);
		} else if (status == EXIT_DONE && a->state != NULL) {
			return EXIT_DONE;
		}
		pmon_condition_destroy(&a->changed);
	}
	a->state = NULL;
	pmon_lock_destroy(&a->lock);
	return status;
}

int
actions_open(const struct args *args, struct actions **out)
{
	struct actions *actions = calloc(1, sizeof(*actions));
	int status = actions != NULL ? EXIT_DONE : say(EXIT_FAILED, "not enough memory");

	*out = NULL;
	for (size_t i = 0; status == EXIT_DONE && i < N_KINDS; i++) {
		struct action *a = &actions->list[actions->n];

		*a = (struct action){.kind = kinds[i]};
		status = open_one(a, args);
		actions->n += a->state != NULL;
	}
	if (status == EXIT_DONE && actions->n > 0) {
		actions->waits = args->operands.n > 0;
		*out = actions;
		return EXIT_DONE;
	}
	actions_close(actions);
	return status;
}

// ---- Alerts -------------------------------------------------------------------------------------

static void
put_message(struct action *a, struct message *message, bool waits)
{
	pmon_lock_take(&a->lock);
	while (waits && a->n == QUEUE_MOST)
		pmon_condition_wait(&a->changed, &a->lock);
	if (a->n == QUEUE_MOST) {
		if (a->dropped++ == 0)
			say(0,
			    "watch: %s: %d alerts are queued; further ones are dropped until it "
			    "finishes",
			    a->kind->option, QUEUE_MOST);
		message_free(message);
	} else {
		a->queue[(a->first + a->n++) % QUEUE_MOST] = message;
		pmon_condition_wake_all(&a->changed);
	}
	pmon_lock_give(&a->lock);
}

bool
actions_send(struct actions *actions, const struct alert *alert)
{
	for (size_t i = 0; actions != NULL && i < actions->n; i++) {
		struct message *message = message_new(alert);

		if (message == NULL)
			return false;
		put_message(&actions->list[i], message, actions->waits);
	}
	return true;
}

// ---- The end ------------------------------------------------------------------------------------

static void
close_one(struct action *a, int64_t until_100ns)
{
	uint64_t lost;

	pmon_lock_take(&a->lock);
	a->is_closing = true;
	pmon_condition_wake_all(&a->changed);
	while ((a->n > 0 || a->is_busy) &&
	       pmon_condition_wait_until(&a->changed, &a->lock, until_100ns))
		;
	a->is_cancelled = true;
	lost = a->dropped + a->n;
	pmon_lock_give(&a->lock);
	pmon_thread_join(&a->thread);
	if (lost > 0)
		say(0, "watch: %s: %llu alert%s dropped", a->kind->option, (unsigned long long)lost,
		    pmon_text_word(lost, " was", "s were"));
	for (; a->n > 0; a->n--, a->first = (a->first + 1) % QUEUE_MOST)
		message_free(a->queue[a->first]);
	a->kind->close(a->state);
	pmon_condition_destroy(&a->changed);
	pmon_lock_destroy(&a->lock);
}

void
actions_close(struct actions *actions)
{
	int64_t until = pmon_os_monotonic_100ns() + GRACE_100NS;

	if (actions == NULL)
		return;
	for (size_t i = 0; i < actions->n; i++)
		close_one(&actions->list[i], actions->waits ? INT64_MAX / 2 : until);
	free(actions);
}
