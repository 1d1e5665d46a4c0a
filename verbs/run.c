// run.c - run a verb, or `pmon FILE`
// SPDX-License-Identifier: MIT

#include "verbs/run.h"

#include <stdlib.h>
#include <string.h>

#include <pmon/live.h>

#include "shell/args/args.h"
#include "shell/args/help.h"
#include "shell/output/say.h"
#include "shell/output/screen.h"
#include "shell/process/pager.h"
#include "shell/process/sandbox.h"
#include "verbs/help/help.h"
#include "shell/args/verb.h"
#include "os/term.h"

static bool
wants_colors(const struct args *args)
{
	const char *no_color = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	if (args->color != COLOR_AUTO)
		return args->color == COLOR_ALWAYS;
	return screen_is_there() && (no_color == NULL || no_color[0] == '\0') &&
	       (term == NULL || strcmp(term, "dumb") != 0);
}

// A verb that samples this machine prints while it waits, one that asks for statements between them.
static bool
wants_pager(const struct args *args)
{
	bool asks = (args->verb->traits & VERB_STATEMENT) != 0 && args->condition == NULL;

	return (!asks || args->help) && OPTION_IS_OFFERED(args->verb, no_pager) &&
	       !args->no_pager &&
	       (args->help || args->operands.n > 0 || args->verb->live == LIVE_NONE) &&
	       screen_is_there() && pmon_term_has_keys();
}

int
verb_run(const struct verb *verb, int n, char *const *words)
{
	struct args args;
	int status;

	if (verb->run_words != NULL)
		return verb->run_words(verb, n, words);
	status = args_parse(&args, verb, verb_table, n, words);
	if (status == EXIT_DONE)
		out_use_colors(wants_colors(&args));
	if (status == EXIT_DONE && wants_pager(&args))
		pager_begin();
	if (status == EXIT_DONE && args.help)
		status = help_print(verb);
	else if (status == EXIT_DONE) {
		out_use_raw_names(args.raw_names);
		out_use_full_digits(args.digits == DIGITS_FULL);
		status = verb->load != NULL ? verb->load(&args) : EXIT_DONE;
		if (status == EXIT_DONE)
			status = sandbox_enter_for_verb(&args);
		if (status == EXIT_DONE)
			status = verb->run(&args);
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

bool
verb_file_takes(const char *word)
{
	return option_find(verb_file.options, word, strcspn(word, "=")) != OPTION_NONE;
}

// The first word that is an option of verbs, but not of `pmon FILE`.
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

static bool
names_file(int n, char *const *words)
{
	for (int i = 0; i < n; i++) {
		size_t len = strcspn(words[i], "=");
		size_t place = option_find(verb_file.options, words[i], len);

		if (strcmp(words[i], "--") == 0)
			return i + 1 < n;
		if (words[i][0] != '-' || words[i][1] == '\0')
			return true;
		i += place != OPTION_NONE && words[i][len] == '\0' &&
		     option_at(verb_file.options, place)->arg != NULL;
	}
	return false;
}

int
verb_run_here(int n, char *const *options)
{
	static char *const look[] = {"--duration", "3s"};
	struct pmon_live_counter counter;
	char **words;
	int status;

	if (!pmon_live_counter_at(0, &counter)) {
		(void)help_program();
		return EXIT_USAGE;
	}
	words = calloc((size_t)n + 2, sizeof(*words));
	if (words == NULL)
		return say(EXIT_FAILED, "not enough memory");
	memcpy(words, look, sizeof(look));
	for (int i = 0; i < n; i++)
		words[2 + i] = options[i];
	status = verb_run(verb_named("health"), n + 2, words);
	free(words);
	return status;
}

int
verb_run_file(int n, char *const *words)
{
	const char *option = option_of_a_verb(n, words);

	if (option != NULL && (strcmp(option, "--help") == 0 || strcmp(option, "-h") == 0))
		return help_program();
	if (option != NULL)
		return help_option(option, n, words);
	if (!names_file(n, words))
		return verb_run_here(n, words);
	return verb_run(&verb_file, n, words);
}
