// help.c - pmon help: list the verbs, or print the help of one
// SPDX-License-Identifier: MIT

#include "verbs/help/help.h"

#include <stdio.h>
#include <string.h>

#include "shell/args/args.h"
#include "shell/args/help.h"
#include "shell/args/suggest.h"
#include "shell/args/verb.h"
#include "shell/output/say.h"
#include "verbs/help/tried.h"

int
help_program(void)
{
	printf("usage: pmon VERB [options] [FILE...]\n       pmon FILE...                what the "
	       "log contains, and what was wrong\n       pmon                        what is "
	       "wrong on this machine now\n\npmon reads Windows performance logs (BLG, CSV "
	       "...) on any system, samples the\nsame counters on Linux, computes each according "
	       "to its type, and shows how each\nnumber was computed. Without a file, list, stats, "
	       "values, raw, explain, find,\nhealth, trend, changes, watch, chart, report, top, "
	       "view, push, serve and rules\nread this machine.\n\nVerbs:\n");
	for (size_t i = 0; verb_table[i] != NULL; i++)
		printf("  %-10s %s\n", verb_table[i]->name, verb_table[i]->summary);
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

	for (size_t i = 0; verb_table[i] != NULL; i++) {
		size_t distance = suggest_distance(
			(struct pmon_span){verb_table[i]->name, strlen(verb_table[i]->name)},
			(struct pmon_span){word, strlen(word)});

		if (distance < best_distance) {
			best = verb_table[i];
			best_distance = distance;
		}
	}
	return best;
}

int
help_unknown(const char *word, const char *what, int n, char *const *words)
{
	const struct verb *near = nearest_verb(word);
	char command[TRIED_SIZE];

	if (tried_command(word, n, words, command, sizeof(command)))
		return say(EXIT_USAGE, "there is no verb \"%s\"%s; type: %s", word, what, command);
	if (near != NULL)
		return say(EXIT_USAGE, "there is no verb \"%s\"%s; did you mean %s?", word, what,
			   near->name);
	return say(EXIT_USAGE, "there is no verb \"%s\"%s; see pmon --help", word, what);
}

// The verb that an option was most likely meant for.
static const struct verb *
verb_with(const char *option)
{
	static const char *const first[] = {"stats", "values"};

	for (size_t i = 0; i < sizeof(first) / sizeof(first[0]); i++)
		if (args_know(verb_named(first[i]), option))
			return verb_named(first[i]);
	for (size_t i = 0; verb_table[i] != NULL; i++)
		if (verb_table[i]->run_words == NULL && args_know(verb_table[i], option))
			return verb_table[i];
	return NULL;
}

int
help_option(const char *option, int n, char *const *words)
{
	const struct verb *verb = verb_with(option);
	char command[TRIED_SIZE];

	if (verb == NULL)
		return say(EXIT_USAGE, "no verb has an option %s; see pmon --help", option);
	tried_with_verb(verb->name, n, words, command, sizeof(command));
	return say(EXIT_USAGE, "%s: an option of a verb; type: %s", option, command);
}

static int
run_help(const struct args *args)
{
	const struct verb *verb;

	if (args->operands.n == 0)
		return help_program();
	verb = verb_named(args->operands.list[0]);
	return verb != NULL ? help_print(verb) : help_unknown(args->operands.list[0], "", 0, NULL);
}

const struct verb verb_help = {
	.name = "help",
	.operands = "[VERB]",
	.summary = "show help for pmon or a verb",
	.details = "",
	.run = run_help,
};
