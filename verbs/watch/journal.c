// journal.c - --journal: write each alert to the systemd journal
// SPDX-License-Identifier: MIT

#include <stdio.h>
#include <string.h>

#include "verbs/watch/actions.h"
#include "base/text.h"
#include "shell/output/say.h"
#include "shell/process/journal.h"

#define OWN_FIELDS 3

static int
open_journal(const struct args *args, const struct action_run *run, void **state)
{
	struct pmon_err err;

	(void)run;
	*state = NULL;
	if (!OWN_OPTIONS(watch, args)->journal)
		return EXIT_DONE;
	*state = journal_open(&err);
	if (*state == NULL)
		return say(EXIT_FAILED, "watch: --journal: %s", err.msg);
	if (!journal_is_there())
		say(0, "watch: --journal: the systemd journal is not running; entries are lost");
	return EXIT_DONE;
}

static bool
send_journal(void *state, const struct message *message, char why[ACTION_WHY])
{
	const char *fields[MESSAGE_FIELDS + OWN_FIELDS];
	char sentence[2048];
	char priority[16];
	struct pmon_text t = pmon_text_init(sentence, sizeof(sentence));

	pmon_text_str(&t, "MESSAGE=");
	pmon_text_str(&t, message->sentence);
	(void)snprintf(priority, sizeof(priority), "PRIORITY=%d", message->priority);
	fields[0] = sentence;
	fields[1] = priority;
	fields[2] = "SYSLOG_IDENTIFIER=pmon";
	memcpy(fields + OWN_FIELDS, message->fields, message->n * sizeof(*fields));
	if (journal_send(state, fields, message->n + OWN_FIELDS))
		return true;
	(void)snprintf(why, ACTION_WHY, "the journal rejected the entry");
	return false;
}

static void
close_journal(void *state)
{
	journal_close(state);
}

const struct action_kind action_journal = {"--journal", open_journal, send_journal, close_journal};
