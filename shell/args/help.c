// help.c - print the help of a verb, from its options
// SPDX-License-Identifier: MIT

#include "shell/args/help.h"

#include <stdio.h>
#include <string.h>

#include "shell/args/args.h"
#include "shell/output/say.h"

#define HELP_COLUMN 34 // where the description of an option begins
#define HELP_WIDTH  80

// Print words from column HELP_COLUMN on, wrapped at HELP_WIDTH.
static void
print_wrapped(const char *text)
{
	size_t room = HELP_WIDTH - HELP_COLUMN;

	while (strlen(text) > room) {
		size_t cut = room;

		while (cut > 0 && text[cut] != ' ')
			cut--;
		if (cut == 0)
			break;
		printf("%.*s\n%*s", (int)cut, text, HELP_COLUMN, "");
		text += cut + 1;
	}
	printf("%s\n", text);
}

static void
print_option(const struct option *def)
{
	char choices[OPTION_ARG_SIZE];
	const char *arg = option_arg(def, choices);
	char left[64];

	(void)snprintf(left, sizeof(left), "%s%s%s%s%s", def->names[0],
		       def->names[1] != NULL ? ", " : "",
		       def->names[1] != NULL ? def->names[1] : "", arg != NULL ? " " : "",
		       arg != NULL ? arg : "");
	if (strlen(left) > HELP_COLUMN - 4)
		printf("  %s\n%*s", left, HELP_COLUMN, "");
	else
		printf("  %-30s  ", left);
	print_wrapped(def->help);
}

int
help_print(const struct verb *verb)
{
	printf("usage: pmon %s%s%s%s\n\n%c%s.\n\n", verb->name,
	       verb->options != NULL ? " [options]" : "", verb->operands[0] != '\0' ? " " : "",
	       verb->operands,
	       verb->summary[0] >= 'a' ? verb->summary[0] - 'a' + 'A' : verb->summary[0],
	       verb->summary + 1);
	if (verb->options != NULL)
		printf("Options:\n");
	for (size_t i = 0; option_at(verb->options, i) != NULL; i++)
		print_option(option_at(verb->options, i));
	if (verb->details[0] != '\0')
		printf("%s%s", verb->options != NULL ? "\n" : "", verb->details);
	return EXIT_DONE;
}
