// identity.h - the step that distinguishes processes
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_INPUT_IDENTITY_H
#define PMON_SHELL_INPUT_IDENTITY_H

#include "shell/input/patterns.h"
#include "shell/input/request.h"

struct identity {
	struct pmon_source *step; // NULL: there is none
	bool (*hides)(void *ctx,
		      // series that it does not return; NULL: none
		      const struct pmon_series *series);
	void *hides_ctx;
	bool is_unknown; // threads read several logs, or another process did: processes cannot be distinguished
};

struct pmon_identity_options identity_options(const struct identity *identity,
					      const struct request *request,
					      const struct patterns *patterns,
					      const struct pmon_source_info *info);

// Begin to distinguish processes. Returns an exit status.
int identity_open(struct identity *identity, const struct request *request,
		  const struct patterns *patterns, struct pmon_source **source);

// Is it impossible to distinguish processes? Call it while the step is open.
bool identity_is_unknown(const struct identity *identity);

// Print a note, once per program run.
void identity_say_unknown(void);

#endif
