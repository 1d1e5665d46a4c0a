// actions.h - actions for alerts besides printing them: --exec, --webhook, --journal
// SPDX-License-Identifier: MIT
//
// Each action has its own thread and queue, so that neither sampling nor other actions wait for it.
// If the queue is full, an alert is dropped and reported.

#ifndef PMON_VERBS_WATCH_ACTIONS_H
#define PMON_VERBS_WATCH_ACTIONS_H

#include "verbs/watch/message.h"

// Options of pmon watch only.
struct watch_options {
	const char *repeat;
	const char *exec;
	const char *webhook;
	bool journal;
};

struct actions;

// Open the requested actions. *out is NULL if there are none. Returns an exit status.
int actions_open(const struct args *args, struct actions **out);

// Queue the alert for each action. If a log is replayed, wait for room in the queues. False if out
// of memory. actions may be NULL.
bool actions_send(struct actions *actions, const struct alert *alert);

// Wait until the queues are empty: for some seconds when watching ends, after a log until all is
// done. NULL is allowed.
void actions_close(struct actions *actions);

// ---- One kind of action -----------------------------------------------------------------------

#define ACTION_WHY 256

// The environment of an action; called from the action's thread.
struct action_run {
	bool (*cancel)(void *ctx); // should it end now?
	void *ctx;
};

struct action_kind {
	const char *option; // "--exec"
	// *state is NULL if the option is not given. Returns an exit status, after a message on
	// failure.
	int (*open)(const struct args *args, const struct action_run *run, void **state);
	// False with the reason.
	bool (*send)(void *state, const struct message *message, char why[ACTION_WHY]);
	void (*close)(void *state);
};

extern const struct action_kind action_exec;
extern const struct action_kind action_webhook;
extern const struct action_kind action_journal;

#endif
