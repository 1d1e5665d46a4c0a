// help.c - pmon help: the verbs, or the help of one
// SPDX-License-Identifier: MIT

#include "cli/verbs/help.h"

#include <stdio.h>
#include <string.h>

#include "cli/args/args.h"
#include "cli/args/help.h"
#include "cli/args/suggest.h"
#include "cli/args/verb.h"
#include "cli/output/say.h"
#include "cli/verbs/verbs.h"

int
help_program(void)
{
	printf("usage: pmon VERB [options] [FILE...]\n"
	       "       pmon FILE...                what the log is, and what was wrong\n\n"
	       "pmon opens Windows performance logs (BLG, CSV ...) on any system, samples the\n"
	       "same counters on Linux, computes each by its type, and shows how each number\n"
	       "came about. Without a file, list, stats, values, raw, explain, find, health,\n"
	       "trend, changes, watch, chart, report, top, view, push, serve and rules read\n"
	       "this machine.\n\nVerbs:\n");
	for (size_t i = 0; verbs[i] != NULL; i++)
		printf("  %-10s %s\n", verbs[i]->name, verbs[i]->summary);
	printf("\nExamples:\n"
	       "  pmon server.blg\n"
	       "  pmon stats -c '\\PhysicalDisk(*)\\Avg. Disk sec/Read' server.blg\n"
	       "  pmon view server.blg\n"
	       "  pmon top\n"
	       "  pmon values --format csv server.blg > server.csv\n"
	       "  pmon explain server.blg -c '\\Processor(_Total)\\%% Processor Time'\n\n"
	       "pmon VERB --help describes a verb. Exit status: 0 done, 1 failed, 2 usage,\n"
	       "3 done, but the input was damaged.\n");
	return EXIT_DONE;
}

static const struct verb *
nearest_verb(const char *word)
{
	const struct verb *best = NULL;
	size_t best_distance = 3;

	for (size_t i = 0; verbs[i] != NULL; i++) {
		size_t distance =
			suggest_distance((struct pmon_span){verbs[i]->name, strlen(verbs[i]->name)},
					 (struct pmon_span){word, strlen(word)});

		if (distance < best_distance) {
			best = verbs[i];
			best_distance = distance;
		}
	}
	return best;
}

int
help_unknown(const char *word, const char *what)
{
	const struct verb *near = nearest_verb(word);

	if (near != NULL)
		return say(EXIT_USAGE, "there is no verb \"%s\"%s; did you mean %s?", word, what,
			   near->name);
	return say(EXIT_USAGE, "there is no verb \"%s\"%s; see pmon --help", word, what);
}

static int
run(const struct args *args)
{
	const struct verb *verb;

	if (args->operands.n == 0)
		return help_program();
	verb = verb_named(args->operands.list[0]);
	return verb != NULL ? help_print(verb) : help_unknown(args->operands.list[0], "");
}

const struct verb verb_help = {
	.name = "help",
	.operands = "[VERB]",
	.summary = "help on pmon or on a verb",
	.details = "",
	.run = run,
};
