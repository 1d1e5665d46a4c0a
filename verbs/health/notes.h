// notes.h - processes that are near a limit, blocked, or start many others, as sentences
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_HEALTH_NOTES_H
#define PMON_VERBS_HEALTH_NOTES_H

#include "verbs/health/processes.h"
#include "verbs/health/values.h"

// Called for each sentence.
struct notes {
	void (*put)(void *ctx, const char *text);
	void *ctx;
};
void state_notes(const struct state_values *values, struct processes *all,
		 const struct notes *notes);

#endif
