// type.c - counter types named on the command line
// SPDX-License-Identifier: MIT

#include "shell/args/type.h"

#include <stdio.h>
#include <string.h>

#include "shell/args/suggest.h"
#include "shell/output/say.h"

enum pmon_type_form
type_parse(const char *text, uint32_t *word)
{
	return pmon_type_parse((struct pmon_span){text, strlen(text)}, word);
}

// Iterate over all names of all types. NULL after the last.
static const char *
name_at(size_t i)
{
	const struct pmon_counter_type *type = pmon_type_at(i / 3);

	if (type == NULL)
		return NULL;
	switch (i % 3) {
	case 0:
		return type->name;
	case 1:
		return type->alias != NULL ? type->alias : "";
	default:
		return type->dotnet != NULL ? type->dotnet : "";
	}
}

#define N_NAMES (3 * pmon_type_count())

// Print the names that contain the text; "queue", for example, is in five. Returns whether there
// were any.
static bool
suggest_containing(const char *text)
{
	char pattern[64];
	bool any = false;

	(void)snprintf(pattern, sizeof(pattern), "*%.60s*", text);
	for (size_t i = 0; text[0] != '\0' && i < N_NAMES; i++) {
		const char *name = name_at(i);

		if (!pmon_text_match((struct pmon_span){pattern, strlen(pattern)},
				     (struct pmon_span){name, strlen(name)}))
			continue;
		if (!any)
			say(EXIT_USAGE, "\"%s\" is not a counter type; did you mean one of these?",
			    text);
		say(EXIT_USAGE, "  %s", name);
		any = true;
	}
	return any;
}

static int
unknown_name(const char *text)
{
	const char *best = "PERF_COUNTER_COUNTER";
	size_t best_distance = SIZE_MAX;

	if (suggest_containing(text))
		return EXIT_USAGE;
	for (size_t i = 0; i < N_NAMES; i++) {
		const char *name = name_at(i);
		size_t distance = suggest_distance((struct pmon_span){name, strlen(name)},
						   (struct pmon_span){text, strlen(text)});

		if (name[0] != '\0' && distance < best_distance) {
			best = name;
			best_distance = distance;
		}
	}
	if (best_distance > strlen(best) / 3)
		return say(EXIT_USAGE, "\"%s\" is not a counter type; pmon types lists them", text);
	return say(EXIT_USAGE, "\"%s\" is not a counter type; did you mean %s?", text, best);
}

// Report how digits were interpreted if they are ambiguous and the result may be unexpected.
static void
say_reading(const char *text, enum pmon_type_form form, uint32_t word)
{
	const struct pmon_counter_type *type = pmon_type_by_word(word);
	bool digits_only = text[strspn(text, "0123456789")] == '\0';

	if (!digits_only || strlen(text) > 8 || (form == PMON_TYPE_FORM_DECIMAL && type != NULL))
		return;
	if (type != NULL)
		say(0,
		    "reading %s as hexadecimal, 0x%08X %s: no counter type has the decimal value "
		    "%s",
		    text, (unsigned)word, type->name, text);
	else
		say(0,
		    "%s is not a counter type in decimal or hexadecimal; reading it as decimal, "
		    "0x%08X",
		    text, (unsigned)word);
}

int
type_from_text(const char *text, uint32_t *word)
{
	enum pmon_type_form form = type_parse(text, word);

	if (form == PMON_TYPE_FORM_NONE)
		return unknown_name(text);
	say_reading(text, form, *word);
	return EXIT_DONE;
}
