// exec.c - --exec: a command for each alert
// SPDX-License-Identifier: MIT

#include <stdlib.h>
#include <string.h>

#include "verbs/watch/actions.h"
#include "shell/output/say.h"
#include "shell/process/program.h"

#define LIMIT_100NS PMON_TIME_PER_MIN

struct exec {
	const char *command;
	struct action_run run;
};

static int
open_exec(const struct args *args, const struct action_run *run, void **state)
{
	const char *command = OWN_OPTIONS(watch, args)->exec;
	struct exec *exec;

	*state = NULL;
	if (command == NULL)
		return EXIT_DONE;
	exec = calloc(1, sizeof(*exec));
	if (exec == NULL)
		return say(EXIT_FAILED, "not enough memory");
	*exec = (struct exec){command, *run};
	*state = exec;
	return EXIT_DONE;
}

// The facts about the alert are passed in variables: no counter name becomes part of the command.
static bool
send_exec(void *state, const struct message *message, char why[ACTION_WHY])
{
	const struct exec *exec = state;
	const struct program program = {.command = exec->command,
					.variables = message->fields,
					.n = message->n,
					.limit_100ns = LIMIT_100NS,
					.cancel = exec->run.cancel,
					.ctx = exec->run.ctx};

	return program_run(&program, why);
}

const struct action_kind action_exec = {"--exec", open_exec, send_exec, free};
