// run.c - run a verb, or what `pmon FILE` stands for
// SPDX-License-Identifier: MIT

#include "cli/verbs/run.h"

#include <stdlib.h>
#include <string.h>

#include "cli/args/args.h"
#include "cli/args/help.h"
#include "cli/output/say.h"
#include "cli/process/sandbox.h"
#include "cli/verbs/help.h"
#include "cli/verbs/verbs.h"
#include "os/term.h"

static bool
wants_colors(const struct args *args)
{
	const char *no_color = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	if (args->color != COLOR_AUTO)
		return args->color == COLOR_ALWAYS;
	return pmon_term_is_tty(true) && (no_color == NULL || no_color[0] == '\0') &&
	       (term == NULL || strcmp(term, "dumb") != 0);
}

int
verb_run(const struct verb *verb, int n, char *const *words)
{
	struct args args;
	int status;

	if (verb->run_words != NULL)
		return verb->run_words(verb, n, words);
	status = args_parse(&args, verb, verbs, n, words);
	if (status == EXIT_DONE && args.help)
		status = help_print(verb);
	else if (status == EXIT_DONE) {
		out_use_colors(wants_colors(&args));
		out_use_raw_names(args.raw_names);
		out_use_full_digits(args.digits == DIGITS_FULL);
		status = verb->load != NULL ? verb->load(&args) : EXIT_DONE;
		if (status == EXIT_DONE) {
			sandbox_enter_for_verb(&args);
			status = verb->run(&args);
		}
	}
	args_free(&args);
	return status;
}

// ---- pmon FILE ------------------------------------------------------------------------------

bool
verb_is_file(const char *word)
{
	FILE *file;

	if (strcmp(word, "-") == 0)
		return true;
	file = fopen(word, "rb");
	if (file != NULL)
		fclose(file);
	return file != NULL || strpbrk(word, "./\\") != NULL;
}

// The first word that is an option of verbs only.
static const char *
option_of_a_verb(int n, char *const *words)
{
	for (int i = 0; i < n && strcmp(words[i], "--") != 0; i++) {
		size_t len = strcspn(words[i], "=");
		size_t place = option_find(verb_file.options, words[i], len);

		if (words[i][0] != '-' || words[i][1] == '\0')
			continue;
		if (place == OPTION_NONE)
			return words[i];
		// Its value may begin with "-" too.
		i += words[i][len] == '\0' && option_at(verb_file.options, place)->arg != NULL;
	}
	return NULL;
}

int
verb_run_file(int n, char *const *words)
{
	const char *option = option_of_a_verb(n, words);

	if (option != NULL && (strcmp(option, "--help") == 0 || strcmp(option, "-h") == 0))
		return help_program();
	if (option != NULL && strncmp(option, "--format", strlen("--format")) == 0)
		return say(EXIT_USAGE,
			   "--format: the first screen is text; pmon health %s has its findings as "
			   "JSON or CSV, and pmon stats %s its numbers, both with --format",
			   words[0], words[0]);
	if (option != NULL)
		return say(EXIT_USAGE, "%s: name a verb before the file, as in pmon stats %s %s",
			   option, words[0], option);
	return verb_run(&verb_file, n, words);
}
