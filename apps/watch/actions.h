// actions.h - what is done with alerts besides printing them: --exec, --webhook, --journal
// SPDX-License-Identifier: MIT
//
// Each action has a thread and a queue, so that sampling never waits for one, nor one for another. An alert that
// finds the queue full is dropped, and reported.

#ifndef PMON_APPS_WATCH_ACTIONS_H
#define PMON_APPS_WATCH_ACTIONS_H

#include "apps/watch/message.h"

struct actions;

// Those of the command line. *out is NULL where there is none. Returns an exit status.
int actions_open(const struct args *args, struct actions **out);

// Hand the alert to each. Where a log is replayed, wait for room in the queues. False when memory is short. actions
// may be NULL.
bool actions_send(struct actions *actions, const struct alert *alert);

// Wait for what is in the queues: while watching ends for some seconds, after a log until all is done. NULL is fine.
void actions_close(struct actions *actions);

// ---- One kind of action -----------------------------------------------------------------------

#define ACTION_WHY 256

// What an action runs with; it is asked from the thread of the action.
struct action_run {
	bool (*cancel)(void *ctx); // is it to end now?
	void *ctx;
};

struct action_kind {
	const char *option; // "--exec"
	// *state is NULL where the option is not given. Returns an exit status after saying why not.
	int (*open)(const struct args *args, const struct action_run *run, void **state);
	// False with the reason.
	bool (*send)(void *state, const struct message *message, char why[ACTION_WHY]);
	void (*close)(void *state);
};

extern const struct action_kind action_exec;
extern const struct action_kind action_webhook;
extern const struct action_kind action_journal;

#endif
